"""The rule of a bucket a day later, with a state that keeps it and some that break it."""

import unittest

from cluster.bucket_state import BucketState
from cluster.rules_of_bucket import bucket_is_as_the_database_says
from cluster.rules_of_jobs import DONE, FAILED


def state():
    return BucketState(objects={"r", "sounds/j", "sounds/j.peaks", "uploads/u", "comes"},
                       waiting={"r"}, sounds={"j"}, uploads={"u"}, young={"comes"})


WAITED = {"w": {"state": DONE, "error": None}}


class RulesOfBucketTest(unittest.TestCase):
    def breaches(self, found, waited=WAITED):
        return [str(one) for one in bucket_is_as_the_database_says(found, waited)]

    def test_objects_that_have_rows_and_young_ones_are_no_breach(self):
        self.assertEqual(self.breaches(state()), [])

    def test_an_object_of_nothing_is_one(self):
        for name in ("x", "sounds/x", "sounds/x.peaks", "uploads/x"):
            found = state()
            found.objects.add(name)
            self.assertEqual(self.breaches(found), [
                f"rule 8, job {name}: is in the bucket, and belongs to nothing"])

    def test_a_row_whose_object_is_gone_is_one(self):
        for name in state().objects:
            found = state()
            found.objects.remove(name)
            self.assertEqual(self.breaches(found), [
                f"rule 8, job {name}: is wanted, and not in the bucket"])

    def test_a_job_that_waited_and_was_not_done_is_one(self):
        lost = {"state": FAILED, "error": '{"code": "input_lost"}'}
        self.assertEqual(self.breaches(state(), {"w": lost}), [
            "rule 8, job w: waited over the day and is 3 (input_lost)"])
        self.assertEqual(self.breaches(state(), {"w": None}), [
            "rule 8, job w: waited over the day and is gone"])


if __name__ == "__main__":
    unittest.main()
