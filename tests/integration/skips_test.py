"""scripts/skips: what a run of the tests skipped, against what is allowed."""

import json
import pathlib
import subprocess
import sys
import tempfile
import unittest

from scribed_command import ROOT

BUDGET = """
[[skip]]
reason = "no clients"
tests = 2
[[skip]]
reason = "no card"
tests = 5
on = ["a machine that nobody has"]
"""
UNIT = """<testsuite>
<testcase name="A" status="run"><system-out>fine</system-out></testcase>
<testcase name="B" status="notrun"><skipped/><system-out>[ RUN      ] B
b_test.cpp:7: Skipped
no clients of b

[  SKIPPED ] B (0 ms)</system-out></testcase></testsuite>"""


class SkipsTest(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name)
        self.write("budget", BUDGET)
        self.write("unit", UNIT)

    def write(self, name, text):
        (self.folder / name).write_text(text)

    def judge(self, *reasons):
        self.write("integration", json.dumps([{"tests": 9, "skipped": reasons}]))
        return subprocess.run(
            [sys.executable, ROOT / "scripts/skips", "--budget", self.folder / "budget", "--unit",
             self.folder / "unit", "--integration", self.folder / "integration"],
            capture_output=True, text=True)

    def test_tells_what_was_skipped_and_why(self):
        judged = self.judge("no clients")
        self.assertEqual(judged.returncode, 0, judged.stderr)
        self.assertEqual(judged.stdout, "2 of 11 tests were skipped\n"
                                        "    1  no clients of b\n    1  no clients\n")

    def test_fails_where_one_more_is_skipped_than_is_allowed(self):
        judged = self.judge("no clients", "no clients")
        self.assertEqual(judged.returncode, 1)
        self.assertIn("3 tests are skipped for this reason, and 2 may be: no clients", judged.stdout)
        self.assertIn("tests/skips.toml", judged.stderr)

    def test_fails_for_a_reason_that_is_not_known_or_not_of_this_machine(self):
        for reason in ("the moon is full", "no card"):
            judged = self.judge(reason)
            self.assertEqual(judged.returncode, 1)
            self.assertIn(f"1  {reason}   (not allowed on this machine)", judged.stdout)


if __name__ == "__main__":
    unittest.main()
