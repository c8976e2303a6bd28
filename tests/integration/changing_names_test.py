"""DNS rebinding: names whose addresses change from one lookup to the next. Whatever a name server answers, the daemon
connects to no loopback address for the URL of a recording or of a webhook."""

import pathlib
import subprocess
import sys
import unittest

from scribed_command import TIME_LIMIT

NAMESPACES = ["unshare", "--mount", "--net", "--map-root-user"]


class ChangingNamesTest(unittest.TestCase):
    def run_inside(self, test):
        if subprocess.run([*NAMESPACES, "true"], capture_output=True).returncode != 0:
            self.skipTest("no namespaces here")
        inside = subprocess.run(
            [*NAMESPACES, sys.executable, "-m", "unittest", f"changing_names.ChangingNames.{test}"],
            cwd=pathlib.Path(__file__).parent, capture_output=True, text=True, timeout=5 * TIME_LIMIT)
        self.assertEqual(inside.returncode, 0, inside.stdout + inside.stderr)

    def test_no_address_of_a_recording_leads_to_loopback(self):
        self.run_inside("test_no_address_of_a_recording_leads_to_loopback")

    def test_no_address_of_a_webhook_leads_to_loopback(self):
        self.run_inside("test_no_address_of_a_webhook_leads_to_loopback")

    def test_a_host_that_the_operator_allows_may_have_any_address(self):
        self.run_inside("test_a_host_that_the_operator_allows_may_have_any_address")


if __name__ == "__main__":
    unittest.main()
