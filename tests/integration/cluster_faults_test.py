"""Several daemons under clients and faults keep what they promise, and a checker that is checked
says so (tests/cluster). Long runs are done by hand."""

import dataclasses
import pathlib
import sys
import tempfile
import unittest

sys.path.append(str(pathlib.Path(__file__).resolve().parents[1]))

# pylint: disable=wrong-import-position,unused-import
from cluster.checker_test import CheckerTest  # its cases run here
from cluster.fault_schedule import Fault
from cluster.job_plan import plan_job
from cluster.mutations import MUTATIONS
from cluster.rules_of_bucket_test import RulesOfBucketTest  # these, too
from cluster.run_settings import SMALL, RunSettings
from cluster.whole_run import run_with_faults

SEED = 2
# Longer than a lease and a sweep, and shorter than the jobs that go on elsewhere meanwhile.
PAUSES = tuple(Fault(number, 3 + 8 * number, "pause", target, 6.5, 0) for number, target in
               enumerate(("worker", "both", "worker")))


def long_job(number):
    """It takes six seconds."""
    return dataclasses.replace(plan_job(SEED, number), seconds=60, is_slow=True, fails=False,
                               action="leave")


class ClusterFaultsTest(unittest.TestCase):
    def run_small(self, **settings):
        with tempfile.TemporaryDirectory(prefix="scribed-history-") as folder:
            outcome = run_with_faults(RunSettings(seed=SEED, folder=pathlib.Path(folder),
                                                  roles=SMALL, **settings))
        print(outcome.figures)
        self.assertEqual(outcome.failures, [])
        return outcome

    def test_promises_hold_whatever_fails(self):
        outcome = self.run_small(seconds=40, jobs=450, faults=27)
        self.assertEqual([str(breach) for breach in outcome.breaches], [])
        self.assertGreaterEqual(outcome.figures["operations"]["submit ok"], 300)

    def test_daemons_whose_late_writes_count_are_found_out(self):
        mutation = MUTATIONS["no-fence"]
        outcome = self.run_small(seconds=26, jobs=30, faults=0, schedule=PAUSES,
                                 make_plan=long_job, most_open=6, parallel=6, clients=4,
                                 change_cluster=mutation.apply)
        self.assertIn(mutation.rule, {breach.rule for breach in outcome.breaches})


if __name__ == "__main__":
    unittest.main()
