"""Several daemons that work on the jobs of one database."""

import re
import signal
import subprocess
import threading
import time
import unittest

from cluster_daemons import LEASE_S, ClusterDaemonsTest
from daemon import Daemon
from scribed_command import TIME_LIMIT, wait_for


class ClusterTest(ClusterDaemonsTest):
    def test_jobs_of_one_daemon_are_done_by_all(self):
        self.behave("slow")
        here, there = self.start_node("here"), self.start_node("there")
        jobs = {here.submit(self.sound(10)) for _ in range(6)}
        for job in jobs:
            self.assertEqual(here.wait_for_job(job)["status"], "done")
        wait_for(lambda: self.begun_by(here) | self.begun_by(there) == jobs, "a line of each job's begin")
        mine, others = self.begun_by(here), self.begun_by(there)
        self.assertEqual(mine & others, set())
        self.assertTrue(others, "the other one helped")
        for job in jobs:
            self.assertEqual(self.texts(here, job), self.texts(there, job))
        wait_for(lambda: not list((self.shared / "inputs").iterdir()), "that none is kept any more")

    def test_what_a_killed_daemon_ran_goes_on_elsewhere(self):
        self.behave("slow")
        here = self.start_node("here")
        job = here.submit(self.sound(60))
        wait_for(lambda: here.job(job).get("progress", {}).get("segments_so_far", 0) or
                 self.server.ask("SELECT sum(segments) FROM scribed.jobs").stdout.strip() not in
                 ("", "0"), "a segment")
        there = self.start_node("there")
        here.process.send_signal(signal.SIGKILL)
        here.end()
        self.assertEqual(there.wait_for_job(job)["status"], "done")
        wait_for(lambda: job in self.begun_by(there), "the line of its begin")
        rows = self.server.ask("SELECT first, count FROM scribed.segments ORDER BY first").stdout
        end = 0
        for row in rows.split():
            first, count = map(int, row.split("|"))
            self.assertEqual(first, end, "without a gap, and none twice")
            end += count
        self.assertEqual(end, 12)

    def test_a_job_is_cancelled_by_any_daemon(self):
        self.behave("slow")
        here = self.start_node("here")
        job = here.submit(self.sound(600))
        wait_for(lambda: here.job(job)["status"] == "running", "its begin")
        there = self.start_node("there")
        self.assertEqual(there.request("POST", f"/v1/jobs/{job}/cancel").status, 200)
        self.assertEqual(here.job(job)["status"], "cancelled")
        next_job = here.submit(self.sound(5))
        self.assertEqual(there.wait_for_job(next_job)["status"], "done")

    def test_a_client_that_waits_is_served_by_its_daemon(self):
        here, there = self.start_node("here"), self.start_node("there")
        answer = here.post_form("/v1/audio/transcriptions", [("model", "whisper-1")], self.sound(5))
        self.assertEqual(answer.status, 200, answer.text)
        wait_for(lambda: len(self.begun_by(here)) == 1, "the line of its begin")
        self.assertEqual(self.begun_by(there), set())

    def test_without_the_database_clients_are_told_when_to_try_again(self):
        here = self.start_node("here")
        self.server.stop()
        try:
            refused = here.post_form("/v1/jobs", [], self.sound(5))
            self.assertEqual(refused.status, 503, refused.text)
            self.assertEqual(refused.json["error"]["code"], "database_unavailable")
            self.assertTrue(refused.headers["retry-after"])
            self.assertEqual(here.get("/readyz").status, 503)
            self.assertEqual(here.get("/livez").status, 200)
        finally:
            self.server.start()
        sound = self.sound(5)
        accepted = wait_for(lambda: (answer := here.post_form("/v1/jobs", [], sound)).status == 202
                            and answer, "the database")
        self.assertEqual(here.wait_for_job(accepted.json["id"])["status"], "done")
        wait_for(lambda: here.get("/readyz").status == 200, "readiness")

    def test_what_runs_outlives_a_database_that_is_away_for_longer_than_a_lease(self):
        self.behave("slow")
        here, there = self.start_node("here"), self.start_node("there")
        job = here.submit(self.sound(120))
        wait_for(lambda: here.job(job)["status"] == "running", "its begin")
        self.server.stop()
        try:
            time.sleep(2 * LEASE_S)
        finally:
            self.server.start()
        wait_for(lambda: here.get("/readyz").status == 200, "the database")
        self.assertEqual(here.wait_for_job(job)["status"], "done")
        begins = [*re.findall('msg="job begun"', here.log() + there.log())]
        self.assertEqual(len(begins), 1, "it went on where it was")

    def test_a_start_waits_for_the_database(self):
        self.server.stop()
        starting = threading.Timer(3, self.server.start)
        starting.start()
        try:
            here = self.start_node("here")
        finally:
            starting.join()
        self.assertIn("waiting for the database", here.log())
        self.assertEqual(here.wait_for_job(here.submit(self.sound(5)))["status"], "done")

    def test_a_start_that_waits_for_the_database_can_be_ended(self):
        self.server.stop()
        try:
            waiting = subprocess.Popen(
                [self.scribed, "serve", "--listen", "127.0.0.1:0",
                 "--state-folder", self.folder / "here", "--set", f"cluster.inputs={self.shared}"],
                env=self.environment, stderr=subprocess.PIPE, text=True)
            self.addCleanup(waiting.stderr.close)
            wait_for(lambda: "waiting for the database" in waiting.stderr.readline(), "its word")
            waiting.terminate()
            self.assertEqual(waiting.wait(TIME_LIMIT), 0)
        finally:
            self.server.start()

    def test_a_state_folder_is_one_daemons(self):
        self.start_node("here")
        with self.assertRaisesRegex(AssertionError, "in use by another scribed"):
            self.start_node("here")

    def test_a_folder_for_recordings_is_asked_for(self):
        with self.assertRaisesRegex(AssertionError, "cluster.objects and cluster.inputs"):
            Daemon(self.scribed, self.environment, "--state-folder", self.folder / "here")

    def test_a_database_is_checked_and_migrated(self):
        empty = self.database("check")
        self.assertEqual(empty.returncode, 5)
        self.assertIn("scribed database migrate", empty.stderr)
        self.assertEqual(self.database("migrate").returncode, 0)
        self.assertEqual(self.database("migrate").returncode, 0)
        self.start_node("here")
        fine = self.database("check")
        self.assertEqual(fine.returncode, 0, fine.stderr)
        self.assertIn("daemons: 1, jobs: 0 waiting, 0 running", fine.stdout)
        self.server.ask("UPDATE scribed.meta SET version = 99, min_reader = 99")
        newer = self.database("check")
        self.assertEqual(newer.returncode, 5)
        self.assertIn("later version", newer.stderr)


if __name__ == "__main__":
    unittest.main()
