"""Who shares an address with clients that open connections and say nothing is served all the same."""

import unittest

from namespaces import run_inside


class SilentNeighboursTest(unittest.TestCase):
    def test_who_speaks_gets_the_place_of_one_who_does_not(self):
        run_inside(self, "silent_neighbours.SilentNeighbours.test_who_speaks_gets_the_place_of_one_who_does_not")

    def test_wyoming_has_a_place_for_who_speaks(self):
        run_inside(self, "silent_neighbours.SilentNeighbours.test_wyoming_has_a_place_for_who_speaks")


if __name__ == "__main__":
    unittest.main()
