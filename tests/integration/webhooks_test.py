"""Webhooks of the daemon: signed, repeated, and told once after a restart."""

import base64
import contextlib
import hashlib
import hmac
import http.server
import json
import sqlite3
import subprocess
import tarfile
import threading
import unittest

from daemon import DaemonTest
from scribed_command import TIME_LIMIT, wait_for

SECRET = bytes(range(32))


class Receiver(http.server.ThreadingHTTPServer):
    def __init__(self, answers=()):
        super().__init__(("127.0.0.1", 0), Handler)
        self.answers = list(answers)  # statuses; 200 when there are no more
        self.calls = []
        self.thread = threading.Thread(target=self.serve_forever)
        self.thread.start()

    def end(self):
        self.shutdown()
        self.thread.join()
        self.server_close()


class Handler(http.server.BaseHTTPRequestHandler):
    def do_POST(self):
        body = self.rfile.read(int(self.headers["content-length"]))
        status = self.server.answers.pop(0) if self.server.answers else 200
        self.server.calls.append((dict(self.headers.items()), body, status))
        self.send_response(status)
        self.send_header("content-length", "0")
        self.end_headers()

    def log_message(self, *_):
        pass


class WebhooksTest(DaemonTest):
    def receiver(self, answers=()):
        receiver = Receiver(answers)
        self.addCleanup(receiver.end)
        return receiver, f"http://127.0.0.1:{receiver.server_port}/hook"

    def start_with_secret(self):
        secret = self.folder / "secret"
        secret.write_text("whsec_" + base64.b64encode(SECRET).decode())
        secret.chmod(0o600)
        return self.start("--set", f"webhooks.secret_file={secret}",
                          "--set", "webhooks.allow_hosts=127.0.0.1")

    def all_are_delivered(self, daemon):
        """Whether the daemon has noted it, as a copy of its jobs says: their file is the daemon's alone."""
        backup = self.folder / "backup.tar"
        backup.unlink(missing_ok=True)
        subprocess.run([self.scribed, "backup", backup, "--server", f"127.0.0.1:{daemon.port}"],
                       env=self.environment, capture_output=True, check=True, timeout=TIME_LIMIT)
        with tarfile.open(backup) as archive:
            archive.extract("jobs.sqlite", self.folder)
        with contextlib.closing(sqlite3.connect(self.folder / "jobs.sqlite")) as jobs:
            return jobs.execute("SELECT min(delivered) FROM jobs").fetchone() == (1,)

    def test_the_end_of_a_job_is_told_with_a_signature(self):
        receiver, url = self.receiver()
        daemon = self.start_with_secret()
        job = daemon.submit(self.sound(6), webhook_url=url)
        headers, body, _ = wait_for(lambda: receiver.calls, "the webhook")[0]
        headers = {name.lower(): value for name, value in headers.items()}
        signed = f"{headers['webhook-id']}.{headers['webhook-timestamp']}.".encode() + body
        wanted = base64.b64encode(hmac.new(SECRET, signed, hashlib.sha256).digest()).decode()
        self.assertEqual(headers["webhook-signature"], "v1," + wanted)
        self.assertEqual((headers["webhook-id"], json.loads(body)["type"]), (job, "job.done"))
        self.assertEqual(json.loads(body)["data"]["id"], job)
        self.assertNotIn(b"Segment", body)

    def test_what_was_not_told_is_told_after_a_restart_and_only_once(self):
        receiver, url = self.receiver([500])
        daemon = self.start_with_secret()
        job = daemon.submit(self.sound(1), webhook_url=url)
        wait_for(lambda: receiver.calls, "a first try")
        daemon.kill()
        again = self.start_with_secret()
        wait_for(lambda: len(receiver.calls) == 2, "the second try")
        wait_for(lambda: again.job(job)["status"] == "done", "the job")
        wait_for(lambda: self.all_are_delivered(again), "that the daemon has heard the receiver's answer")
        again.terminate()
        third = self.start_with_secret()
        self.assertEqual(third.get("/readyz").status, 200)
        third.terminate()
        self.assertEqual([status for _, _, status in receiver.calls], [500, 200])


if __name__ == "__main__":
    unittest.main()
