"""Nothing that was accepted is lost, however often the daemon and its workers are killed.

  SCRIBED_DAEMON_KILLS, SCRIBED_WORKER_KILLS   how often (scripts/crash_test: 200 and 100)
"""

import http.client
import os
import random
import signal
import socket
import sqlite3
import threading
import time
import unittest

from daemon import Daemon, DaemonTest
from scribed_command import processes, wait_for

DAEMON_KILLS = int(os.environ.get("SCRIBED_DAEMON_KILLS", "12"))
WORKER_KILLS = int(os.environ.get("SCRIBED_WORKER_KILLS", "12"))
CLIENTS = 4


def free_port():
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return probe.getsockname()[1]


class Client(threading.Thread):
    """Submits without end. What it was told to be accepted is in `accepted`."""

    def __init__(self, test, sounds):
        super().__init__()
        self.test = test
        self.sounds = sounds
        self.accepted = {}  # id: seconds of sound
        self.stopped = threading.Event()

    def run(self):
        while not self.stopped.is_set():
            seconds = random.choice(list(self.sounds))
            try:
                answer = self.test.daemon.post_form("/v1/jobs", [], self.sounds[seconds])
            except (OSError, http.client.HTTPException):
                self.stopped.wait(0.02)  # it was killed meanwhile
                continue
            if answer.status == 202:
                self.accepted[answer.json["id"]] = seconds
            self.stopped.wait(0.05 if answer.status == 202 else 0.2)


class CrashTest(DaemonTest):
    def restart(self):
        # More attempts than usual: most kills come before anything could be decided.
        self.daemon = Daemon(self.scribed, self.environment, "--model", self.model,
                             "--state-folder", self.state,
                             "--set", "jobs.max_attempts=100", "--set", "jobs.max_waiting=100",
                             "--set", "jobs.max_waiting_per_owner=100")

    def kill_daemon(self):
        time.sleep(random.uniform(0.0, 1.5))
        self.daemon.kill()
        self.restart()

    def kill_worker(self):
        time.sleep(random.uniform(0.0, 0.3))
        workers = [pid for pid, (parent, name) in processes().items()
                   if parent == self.daemon.process.pid and name == "scribed-worker"]
        for pid in workers[:1]:
            try:
                os.kill(pid, signal.SIGKILL)
            except ProcessLookupError:
                pass

    def under_load(self, kill, times):
        self.behave("slow")
        self.restart()
        self.addCleanup(lambda: self.daemon.end())
        clients = [Client(self, {s: self.sound(s) for s in (1, 6, 12, 20)})
                   for _ in range(CLIENTS)]
        for client in clients:
            client.start()
        try:
            for _ in range(times):
                kill()
        finally:
            for client in clients:
                client.stopped.set()
            for client in clients:
                client.join()
        return {job: s for client in clients for job, s in client.accepted.items()}

    def check_nothing_is_lost(self, accepted):
        self.assertGreater(len(accepted), 0)
        for job, seconds in accepted.items():
            done = self.daemon.wait_for_job(job)
            self.assertEqual(done["status"], "done", done)
            text = self.daemon.get(f"/v1/jobs/{job}/transcript").text
            self.assertEqual(text, "".join(f"Segment {i}.\n" for i in range(-(-seconds // 5))))
        listed = []
        page = self.daemon.get("/v1/jobs?limit=100").json
        while page["data"]:
            listed += [job["id"] for job in page["data"]]
            page = self.daemon.get(f"/v1/jobs?limit=100&after={listed[-1]}").json
        self.assertEqual(len(listed), len(set(listed)))
        self.assertLessEqual(set(accepted), set(listed))
        wait_for(lambda: not list((self.state / "inputs").iterdir()), "that no input is left")
        self.assertEqual(self.daemon.terminate(), 0)
        with sqlite3.connect(self.state / "jobs.sqlite") as database:
            self.assertEqual(database.execute("PRAGMA integrity_check").fetchall(), [("ok",)])
        if "SCRIBED_DAEMON_KILLS" in os.environ:
            print(f"\n{self._testMethodName}: {len(accepted)} accepted, {len(listed)} kept, 0 lost")

    def test_the_daemon_is_killed(self):
        self.check_nothing_is_lost(self.under_load(self.kill_daemon, DAEMON_KILLS))

    def test_the_worker_is_killed(self):
        self.check_nothing_is_lost(self.under_load(self.kill_worker, WORKER_KILLS))


if __name__ == "__main__":
    unittest.main()
