"""A daemon that fetches its model at the start (model.pull), from a hub on loopback."""

import unittest

import fake_hub
import nano_model
from daemon import DaemonTest
from scribed_command import wait_for

# A model of which only the hub knows the hashes, so that ours can stand in for it.
NAME = "distil-small.en"


class ModelFetchTest(DaemonTest):
    def setUp(self):
        super().setUp()
        self.hub = fake_hub.FakeHub(nano_model.files())
        self.addCleanup(self.hub.close)
        self.environment |= {
            "HF_ENDPOINT": self.hub.endpoint, "NO_PROXY": "*",
            "PATH": "/nowhere"}  # no Python, and so nothing from a package index

    def fetching(self, model=NAME, pull="true"):
        return self.start("--set", f"model.pull={pull}", model=model)

    def readiness(self, daemon):
        return daemon.get("/readyz").status

    def test_an_empty_store_gets_the_default_model(self):
        daemon = self.fetching()
        wait_for(lambda: self.readiness(daemon) == 200, "readiness")
        wait_for(lambda: "model installed" in daemon.log(), "the line of the log")
        asked = len(self.hub.requests)
        daemon.kill()
        again = self.fetching()
        self.assertEqual(self.readiness(again), 200)
        self.assertEqual(len(self.hub.requests), asked)

    def test_it_serves_meanwhile_and_ends_at_once(self):
        self.hub.stall_after = 1000
        daemon = self.fetching()
        self.assertTrue(self.hub.stalled.wait(30))
        self.assertEqual(self.readiness(daemon), 503)
        self.assertIn("is being downloaded", daemon.get("/v1/status").json["problem"])
        self.assertEqual(daemon.terminate(), 0)

    def test_a_job_that_waits_for_the_model_says_so(self):
        self.hub.stall_after = 1000
        daemon = self.fetching()
        self.assertTrue(self.hub.stalled.wait(30))
        job = daemon.submit(self.sound(5))
        wait_for(lambda: daemon.job(job)["phase"] == "fetching_model", "the phase")
        self.assertEqual(daemon.job(job)["status"], "running")
        self.hub.release()
        done = daemon.wait_for_job(job)
        self.assertEqual((done["status"], done["phase"]), ("done", "ended"), done)

    def test_nothing_is_fetched_unless_that_is_said(self):
        daemon = self.fetching(pull="false")
        self.assertEqual(self.readiness(daemon), 503)
        self.assertEqual(self.hub.requests, [])

    def test_a_name_that_nobody_knows_is_logged(self):
        daemon = self.fetching(model="no-such-model")
        wait_for(lambda: "it is not known by that name" in daemon.log(), "the log")


if __name__ == "__main__":
    unittest.main()
