"""Daemons whose database is behind a pooler between transactions, which keeps nothing of a connection
from one transaction to the next, and lets no news through."""

import json
import signal
import unittest

from cluster_daemons import ClusterDaemonsTest
from pgbouncer_server import PgbouncerServer
from scribed_command import wait_for

# What a transaction could leave in a connection: what it listens to, locks of the session, settings,
# statements and tables.
LEFT = ("SELECT json_build_object("
        "'channels', (SELECT count(*) FROM pg_listening_channels()), "
        "'locks', (SELECT count(*) FROM pg_locks WHERE locktype = 'advisory'), "
        "'search_path', current_setting('search_path'), "
        "'timeouts', current_setting('statement_timeout') || ' ' || "
        "current_setting('lock_timeout') || ' ' || "
        "current_setting('idle_in_transaction_session_timeout'), "
        "'statements', (SELECT count(*) FROM pg_prepared_statements), "
        "'tables', (SELECT count(*) FROM pg_class WHERE relpersistence = 't'))")
NOTHING = {"channels": 0, "locks": 0, "search_path": '"$user", public', "timeouts": "0 0 0",
           "statements": 0, "tables": 0}


class PoolerTest(ClusterDaemonsTest):
    @classmethod
    def setUpClass(cls):
        super().setUpClass()
        cls.pooler = PgbouncerServer(cls.server)
        cls.addClassCleanup(cls.pooler.end)

    def setUp(self):
        super().setUp()
        self.environment["SCRIBED_DATABASE"] = self.pooler.address

    def start_both(self, **more):
        return (self.start_node("gateway", "--role", "gateway"),
                self.start_node("worker", "--role", "worker", **more))

    def assert_nothing_is_left(self):
        """Somebody who listened would do so in a connection that is another's now."""
        left = self.pooler.ask_each_connection(LEFT)
        self.assertEqual({process: json.loads(answer) for process, answer in left.items()},
                         dict.fromkeys(left, NOTHING))

    def test_jobs_are_accepted_followed_and_done(self):
        self.behave("slow")
        gateway, worker = self.start_both(parallel=2)
        jobs = [gateway.submit(self.sound(10)) for _ in range(6)]
        followed = gateway.get(f"/v1/jobs/{jobs[-1]}/events").text
        self.assertEqual(followed.count('"type":"job.segment"'), 2, followed)
        for job in jobs:
            self.assertEqual(gateway.wait_for_job(job)["status"], "done")
            self.assertEqual(len(self.texts(gateway, job)), 2)
        self.assertEqual(self.begun_by(worker), set(jobs))
        self.assert_nothing_is_left()

    def test_a_job_that_runs_is_cancelled(self):
        self.behave("slow")
        gateway, worker = self.start_both()
        job = gateway.submit(self.sound(600))
        wait_for(lambda: gateway.job(job)["status"] == "running", "its begin")
        self.assertEqual(gateway.request("POST", f"/v1/jobs/{job}/cancel").status, 200)
        after = gateway.submit(self.sound(5))
        self.assertEqual(gateway.wait_for_job(after)["status"], "done")
        self.assertEqual(gateway.job(job)["status"], "cancelled")
        wait_for(lambda: after in self.begun_by(worker), "the line of its begin")
        self.assert_nothing_is_left()

    def test_a_client_that_waits_gets_its_text(self):
        gateway, _ = self.start_both()
        answer = gateway.post_form("/v1/audio/transcriptions", [("model", "whisper-1")],
                                   self.sound(5))
        self.assertEqual(answer.status, 200, answer.text)
        self.assertTrue(answer.json["text"])

    def test_what_a_killed_daemon_ran_goes_on_elsewhere(self):
        self.behave("slow")
        gateway, worker = self.start_both()
        job = gateway.submit(self.sound(30))
        wait_for(lambda: gateway.job(job)["status"] == "running", "its begin")
        other = self.start_node("other", "--role", "worker")
        worker.process.send_signal(signal.SIGKILL)
        self.assertEqual(gateway.wait_for_job(job)["status"], "done")
        wait_for(lambda: job in self.begun_by(other), "the line of its begin")
        self.assertEqual(len(self.texts(gateway, job)), 6)

    def test_tables_are_made_checked_and_brought_up_to_date(self):
        self.assertEqual(self.database("check").returncode, 5)
        for _ in range(2):
            migrated = self.database("migrate")
            self.assertEqual(migrated.returncode, 0, migrated.stderr)
        checked = self.database("check")
        self.assertEqual(checked.returncode, 0, checked.stderr)
        self.assertIn("daemons: 0, jobs: 0 waiting, 0 running", checked.stdout)
        self.assert_nothing_is_left()


if __name__ == "__main__":
    unittest.main()
