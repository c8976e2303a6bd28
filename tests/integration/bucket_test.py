"""Several daemons whose recordings are in a bucket of S3: they share no folder."""

import signal
import unittest

from cluster_bucket import ClusterBucketTest
from s3_server import KEY, SECRET
from scribed_command import wait_for


class BucketTest(ClusterBucketTest):
    # The sound of jobs, which would stay in the bucket for longer, has its own tests.
    def recordings_options(self):
        return (*super().recordings_options(), "--set", "jobs.keep_audio=false")

    def wait_until_empty(self):
        wait_for(lambda: not self.s3.names(), "an empty bucket")

    def spooled(self, name):
        return list((self.folder / name / "received").iterdir())

    def test_a_recording_that_one_was_sent_is_transcribed_by_another(self):
        self.behave("slow")
        here, there = self.start_node("here"), self.start_node("there")
        jobs = {here.submit(self.sound(10)) for _ in range(6)}
        self.assertTrue(all(name.startswith(f"{self.prefix}/") for name in self.s3.names()))
        for job in jobs:
            self.assertEqual(here.wait_for_job(job)["status"], "done")
        mine, others = self.begun_by(here), self.begun_by(there)
        self.assertEqual(mine | others, jobs)
        self.assertTrue(others, "the other one helped")
        self.wait_until_empty()
        self.assertEqual(self.spooled("here") + self.spooled("there"), [])

    def test_a_client_that_waits_at_a_gateway_gets_the_text_of_a_worker(self):
        gateway = self.start_node("gateway", "--role", "gateway")
        worker = self.start_node("worker", "--role", "worker")
        answer = gateway.post_form("/v1/audio/transcriptions", [("model", "whisper-1")],
                                   self.sound(5))
        self.assertEqual(answer.status, 200, answer.text)
        self.assertTrue(answer.json["text"])
        self.assertEqual(len(self.begun_by(worker)), 1)
        self.assertIsNone(gateway.get("/v1/status").json["last_load_error"], "it needs no model")
        self.wait_until_empty()
        self.assertEqual(self.spooled("gateway") + self.spooled("worker"), [])

    def test_what_a_killed_daemon_ran_goes_on_elsewhere(self):
        self.behave("slow")
        here = self.start_node("here")
        job = here.submit(self.sound(60))
        wait_for(lambda: self.server.ask("SELECT sum(segments) FROM scribed.jobs").stdout.strip()
                 not in ("", "0"), "a segment")
        there = self.start_node("there")
        here.process.send_signal(signal.SIGKILL)
        here.end()
        self.assertEqual(there.wait_for_job(job)["status"], "done")
        self.assertIn(job, self.begun_by(there))
        rows = self.server.ask("SELECT first, count FROM scribed.segments ORDER BY first").stdout
        end = 0
        for row in rows.split():
            first, count = map(int, row.split("|"))
            self.assertEqual(first, end, "without a gap, and none twice")
            end += count
        self.assertEqual(end, 12)
        self.wait_until_empty()

    def test_without_the_bucket_clients_are_told_when_to_try_again(self):
        here = self.start_node("here")
        job_before = here.submit(self.sound(5))
        self.assertEqual(here.wait_for_job(job_before)["status"], "done")
        self.wait_until_empty()
        self.s3.stop()
        try:
            refused = here.post_form("/v1/jobs", [], self.sound(5))
            self.assertEqual(refused.status, 503, refused.text)
            self.assertEqual(refused.json["error"]["code"], "recordings_unavailable")
            self.assertTrue(refused.headers["retry-after"])
            self.assertNotIn("127.0.0.1", refused.text)
            waited = here.post_form("/v1/audio/transcriptions", [("model", "whisper-1")],
                                    self.sound(5))
            self.assertEqual(waited.status, 200, "nobody else needs this one's recording")
        finally:
            self.s3.start()
        self.assertEqual(here.wait_for_job(here.submit(self.sound(5)))["status"], "done")
        self.wait_until_empty()
        self.assertEqual(self.spooled("here"), [])

    def test_jobs_wait_for_the_bucket_without_losing_an_attempt(self):
        self.behave("slow")
        here = self.start_node("here")
        running = here.submit(self.sound(20))
        wait_for(lambda: here.job(running)["status"] == "running", "its begin")
        waiting = here.submit(self.sound(5))
        self.s3.stop()
        try:
            self.assertEqual(here.wait_for_job(running)["status"], "done", "it has its recording")
            wait_for(lambda: "cannot fetch a recording" in here.log(), "the log's line")
            self.assertIn(here.job(waiting)["status"], ("queued", "running"))
        finally:
            self.s3.start()
        self.assertEqual(here.wait_for_job(waiting)["status"], "done")
        attempts = self.server.ask("SELECT attempts FROM scribed.jobs ORDER BY number").stdout
        self.assertEqual(attempts.split(), ["1", "1"])
        self.wait_until_empty()

    def test_a_job_whose_recording_is_lost_fails_once(self):
        self.behave("slow")
        here = self.start_node("here")
        running = here.submit(self.sound(20))
        wait_for(lambda: here.job(running)["status"] == "running", "its begin")
        names = set(self.s3.names())
        lost = here.submit(self.sound(5))
        for name in set(self.s3.names()) - names:
            (self.s3.bucket / name).unlink()
        job = here.wait_for_job(lost)
        self.assertEqual(job["status"], "failed")
        self.assertEqual(job["error"]["code"], "input_lost")
        self.assertEqual(here.wait_for_job(running)["status"], "done")
        self.wait_until_empty()

    def test_a_cancelled_job_leaves_nothing_behind(self):
        self.behave("slow")
        here, there = self.start_node("here"), self.start_node("there")
        job = here.submit(self.sound(600))
        self.assertEqual(there.request("POST", f"/v1/jobs/{job}/cancel").status, 200)
        self.wait_until_empty()

    def test_a_bucket_that_refuses_ends_the_start(self):
        self.environment["AWS_SECRET_ACCESS_KEY"] = "another"
        with self.assertRaisesRegex(AssertionError, "cluster.objects: the bucket answered 403"):
            self.start_node("here")
        del self.environment["AWS_SECRET_ACCESS_KEY"]
        with self.assertRaisesRegex(AssertionError, "no keys for the bucket"):
            self.start_node("here")

    def test_keys_are_read_from_a_file(self):
        del self.environment["AWS_ACCESS_KEY_ID"], self.environment["AWS_SECRET_ACCESS_KEY"]
        keys = self.folder / "keys"
        keys.write_text(f"[default]\naws_access_key_id = {KEY}\naws_secret_access_key = {SECRET}\n",
                        encoding="utf-8")
        here = self.start_node("here", "--set", f"cluster.objects_keys={keys}")
        self.assertEqual(here.wait_for_job(here.submit(self.sound(5)))["status"], "done")
        self.wait_until_empty()


if __name__ == "__main__":
    unittest.main()
