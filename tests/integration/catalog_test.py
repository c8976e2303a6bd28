"""Models that are fetched, stopped and removed while a real daemon works, from a hub on loopback; what a client may
ask for, and what the doctor says."""

import json
import subprocess
import unittest

import fake_hub
import nano_model
from daemon import DaemonTest
from event_stream import EventStream
from scribed_command import TIME_LIMIT, wait_for

# Models of which only the hub knows the hashes, so that ours can stand in for them.
NAME, OTHER = "distil-small.en", "distil-medium.en"


class CatalogTest(DaemonTest):
    def setUp(self):
        super().setUp()
        self.hub = fake_hub.FakeHub(nano_model.files())
        self.addCleanup(self.hub.close)
        self.environment |= {
            "HF_ENDPOINT": self.hub.endpoint, "NO_PROXY": "*",
            "PATH": "/nowhere"}  # no Python, and so nothing from a package index
        self.daemon = self.start(model=NAME)
        self.stream = EventStream(self.daemon)
        self.addCleanup(self.stream.close)

    def entry(self, name=NAME):
        return next(model for model in self.daemon.get("/v1/catalog").json["data"]
                    if model["id"] == name)

    def pull(self, name=NAME):
        return self.daemon.request("POST", f"/v1/models/{name}/pull")

    def stop(self, name=NAME):
        return self.daemon.request("DELETE", f"/v1/models/{name}/pull")

    def ended(self, name=NAME):
        return self.stream.wait_for("model.ended", lambda event: event["model"] == name)

    def test_a_model_that_is_fetched_is_usable_at_once(self):
        self.assertFalse(self.entry()["installed"])
        self.assertEqual(self.daemon.get("/readyz").status, 503)
        answer = self.pull()
        self.assertEqual((answer.status, answer.json["model"]), (202, NAME))
        self.assertIsNone(self.ended()["error"])
        self.assertEqual(self.daemon.get("/readyz").status, 200)
        entry = self.entry()
        self.assertEqual((entry["installed"], entry["damaged"], entry["pull"]), (True, None, None))
        self.assertGreater(entry["bytes"], 100_000)
        self.assertIn(NAME, [model["id"] for model in self.daemon.get("/v1/options").json["models"]])
        report = self.daemon.get(f"/v1/models/{NAME}/report").json
        self.assertEqual((report["id"], report["usable"]), (NAME, True))
        self.assertEqual(report["model"]["format"], "safetensors")
        self.assertEqual(report["bytes"], entry["bytes"])
        job = self.daemon.submit(self.sound(2))
        self.assertEqual(self.daemon.wait_for_job(job)["status"], "done")
        again = self.pull()
        self.assertEqual((again.status, again.json["error"]["code"]), (409, "already_installed"))

    def test_a_pull_that_is_stopped_goes_on_from_there(self):
        self.hub.stall_after = 100_000
        self.pull()
        self.assertTrue(self.hub.stalled.wait(30))
        progress = self.stream.wait_for("model.progress", lambda event: event["done_bytes"] > 100_000)
        self.assertGreater(progress["total_bytes"], progress["done_bytes"])
        self.assertEqual(self.entry()["pull"]["total_bytes"], progress["total_bytes"])
        busy = self.pull()
        self.assertEqual((busy.status, busy.json["error"]["code"]), (409, "pull_running"))
        self.assertEqual(self.stop().json, {"model": NAME, "stopped": True})
        self.assertEqual(self.ended()["error"]["code"], "cancelled")
        self.assertIsNone(self.entry()["pull"])
        self.assertEqual(self.stop().status, 404)
        self.hub.release()
        self.assertEqual(self.pull().status, 202)
        wait_for(lambda: self.entry()["installed"], "the model")
        self.assertEqual(self.hub.ranges(), [None, "bytes=100000-"])

    def test_two_are_fetched_at_once(self):
        self.hub.stall_after = 1000
        self.pull(NAME)
        self.assertTrue(self.hub.stalled.wait(30))
        self.pull(OTHER)
        self.assertIsNone(self.ended(OTHER)["error"])
        self.assertIsNotNone(self.entry(NAME)["pull"])
        self.hub.release()

    def test_a_job_waits_for_a_model_that_is_being_fetched(self):
        self.hub.stall_after = 1000
        self.pull(OTHER)
        self.assertTrue(self.hub.stalled.wait(30))
        job = self.daemon.submit(self.sound(2), model=OTHER)
        wait_for(lambda: self.daemon.job(job)["phase"] == "fetching_model", "the phase")
        self.hub.release()
        self.assertEqual(self.daemon.wait_for_job(job)["status"], "done")

    def test_a_failure_is_told_with_what_to_do(self):
        self.hub.wrong_sha = True
        self.pull()
        error = self.ended()["error"]
        self.assertEqual(error["code"], "wrong_content")
        self.assertTrue(error["message"])
        self.daemon.wait_for_log("model not fetched")

    def test_a_model_in_use_stays(self):
        self.pull()
        self.ended()
        job = self.daemon.submit(self.sound(600), prompt="fake:slow")
        wait_for(lambda: self.daemon.job(job)["segments"] > 0, "the work")
        refused = self.daemon.request("DELETE", f"/v1/models/{NAME}")
        self.assertEqual((refused.status, refused.json["error"]["code"]), (409, "model_in_use"))
        self.daemon.request("DELETE", f"/v1/jobs/{job}")
        wait_for(lambda: self.daemon.request("DELETE", f"/v1/models/{NAME}").status == 200,
                 "the removal")

    def test_a_model_is_removed(self):
        self.pull()
        self.ended()
        self.daemon.request("POST", f"/v1/models/{NAME}/load")
        self.assertTrue(self.entry()["loaded"])
        answer = self.daemon.request("DELETE", f"/v1/models/{NAME}")
        self.assertEqual(answer.json, {"id": NAME, "object": "model", "deleted": True})
        self.stream.wait_for("model.removed")
        entry = self.entry()
        self.assertEqual((entry["installed"], entry["loaded"], entry["bytes"]), (False, False, None))
        self.assertFalse((self.folder / "models" / NAME).exists())


class AskTest(DaemonTest):
    def test_options_are_those_of_the_configuration(self):
        daemon = self.start("--set", "server.max_upload_bytes=1000000",
                            "--set", "server.max_body_bytes_sync=1000000",
                            "--set", "live.deepgram=false", "--set", "jobs.keep_results_s=3600")
        options = daemon.get("/v1/options").json
        self.assertEqual(options["max_upload_bytes"], 1_000_000)
        self.assertEqual(options["keeps_s"], 3600)
        self.assertFalse(options["interfaces"]["deepgram"])
        self.assertIn("srt", options["formats"])

    def test_the_doctor_says_what_the_command_says(self):
        daemon = self.start(model="base")
        said = daemon.get("/v1/doctor").json
        printed = subprocess.run([self.scribed, "doctor", "--json"], env=self.environment,
                                 capture_output=True, text=True, timeout=TIME_LIMIT, check=False)
        command = json.loads(printed.stdout)
        self.assertEqual(set(said), set(command))
        for field in ("version", "headline", "works", "request", "sandbox", "packs", "pack_checks"):
            self.assertEqual(said[field], command[field], field)


if __name__ == "__main__":
    unittest.main()
