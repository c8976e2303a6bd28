"""DNS rebinding: names whose addresses change from one lookup to the next. Whatever a name server answers, the daemon
connects to no loopback address for the URL of a recording or of a webhook."""

import unittest

from namespaces import run_inside


class ChangingNamesTest(unittest.TestCase):
    def test_no_address_of_a_recording_leads_to_loopback(self):
        run_inside(self, "changing_names.ChangingNames.test_no_address_of_a_recording_leads_to_loopback")

    def test_no_address_of_a_webhook_leads_to_loopback(self):
        run_inside(self, "changing_names.ChangingNames.test_no_address_of_a_webhook_leads_to_loopback")

    def test_a_host_that_the_operator_allows_may_have_any_address(self):
        run_inside(self, "changing_names.ChangingNames.test_a_host_that_the_operator_allows_may_have_any_address")


if __name__ == "__main__":
    unittest.main()
