"""The simulation of many daemons (tests/bench/cluster_hour) tells whether promises are kept: a minute
of a few, as it should be, and with each guarantee taken away."""

import json
import subprocess
import unittest

from postgres_server import PostgresServer
from scribed_command import bin_folder

SMALL = ("--nodes", "12", "--minutes", "0.75", "--jobs-per-s", "8", "--job-s", "4", "--deaths", "4")


class ClusterHourTest(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.program = bin_folder().parent / "tests" / "cluster_hour"
        if not cls.program.is_file():
            raise unittest.SkipTest(f"no {cls.program}")
        cls.server = PostgresServer()
        cls.addClassCleanup(cls.server.end)

    def simulate(self, *options):
        """What is printed; and whether the program found that all is well."""
        run = subprocess.run([self.program, self.server.address, *SMALL, *options],
                             capture_output=True, text=True)
        self.assertIn(run.returncode, (0, 1), run.stderr)
        figures = json.loads(run.stdout)
        self.assertEqual(run.returncode == 1, bool(figures["broken"]), figures)
        return figures

    def assert_breaks(self, figures, word):
        self.assertEqual(len(figures["broken"]), 1, figures)
        self.assertIn(word, figures["broken"][0])

    def test_promises_are_kept(self):
        # So small a run draws few jobs, and one of ten is unlucky; without turns every one is broken.
        figures = self.simulate()
        if figures["broken"]:
            figures = self.simulate()
        self.assertEqual(figures["broken"], [], figures)
        self.assertGreaterEqual(figures["deaths"], 2, "who is dead may be drawn again")
        self.assertGreater(figures["jobs_of_dead"], 0, "somebody died at work")
        self.assertGreater(figures["ended"], 200)

    def test_a_cluster_that_takes_nobody_for_dead_is_found_out(self):
        self.assert_breaks(self.simulate("--without", "sweep"), "a dead node")

    def test_a_cluster_that_has_no_turns_is_found_out(self):
        self.assert_breaks(self.simulate("--without", "turns"), "one owner sent much")


if __name__ == "__main__":
    unittest.main()
