"""What many large or half requests of one client cost, and what is answered where memory for them, descriptors
or tries of keys are used up."""

import os
import pathlib
import resource
import socket
import unittest

from daemon import BOUNDARY, DaemonTest
from scribed_command import TIME_LIMIT, wait_for

ADA, BOB = "ada-has-this-key-of-hers", "bob-has-this-key-of-his"
MIB = 1 << 20


class ExhaustedTest(DaemonTest):
    def serve(self, *options):
        keys = self.folder / "keys"
        keys.write_text(f"ada {ADA}\nbob {BOB}\n")
        keys.chmod(0o600)
        return self.start("--key-file", keys, *options)

    def begin(self, daemon, method, path, length, kind, key=ADA):
        """A connection that has sent the head of a request."""
        client = socket.create_connection(("127.0.0.1", daemon.port), TIME_LIMIT)
        self.addCleanup(client.close)
        client.sendall(f"{method} {path} HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer {key}\r\n"
                       f"If-Match: *\r\nContent-Type: {kind}\r\nContent-Length: {length}\r\n\r\n".encode())
        return client

    def send(self, daemon, method, path, body, key=BOB):
        return daemon.request(method, path, body, {"Authorization": f"Bearer {key}", "If-Match": "*"})

    def memory(self, daemon):
        status = pathlib.Path(f"/proc/{daemon.process.pid}/status").read_text()
        return next(int(line.split()[1]) for line in status.splitlines() if line.startswith("VmRSS")) * 1024


class ChildrenTest(ExhaustedTest):
    def test_workers_are_told_how_much_of_the_disk_to_leave_free(self):
        daemon = self.serve("--set", "inputs.min_free_bytes=12345678")
        answer = daemon.post_form("/v1/audio/transcriptions", [("model", "whisper-1")], self.sound(1),
                                  {"Authorization": f"Bearer {ADA}"})
        self.assertEqual(answer.status, 200, answer.text)
        worker = pathlib.Path(f"/proc/{self.children(daemon.process)['scribed-worker']}")
        environment = (worker / "environ").read_bytes().split(b"\0")
        self.assertIn(b"SCRIBED_SPOOL_MIN_FREE=12345678", environment)
        self.assertIn(b"SCRIBED_SPOOL_IS_SHARED=1", environment)


class BodiesTest(ExhaustedTest):
    def test_clips_of_speakers_go_to_the_disk(self):
        daemon = self.serve()
        before = self.memory(daemon)
        head = (f"--{BOUNDARY}\r\nContent-Disposition: form-data; name=\"known_speaker_references[]\"\r\n\r\n"
                "data:audio/wav;base64,").encode()
        clip = head + b"A" * (4 * MIB - 100) + b"\r\n"
        for _ in range(12):
            client = self.begin(daemon, "POST", "/v1/jobs", 100 * MIB, f"multipart/form-data; boundary={BOUNDARY}")
            client.sendall(clip * 5)
        files = self.state / "inputs"
        sizes = lambda: [file.stat().st_size for file in files.iterdir()]
        wait_for(lambda: len([size for size in sizes() if size > 2 * MIB]) >= 60, "60 clips on the disk")
        self.assertLess(self.memory(daemon) - before, 64 * MIB, "of 240 MiB that came")
        self.assertEqual(self.send(daemon, "GET", "/v1/jobs", None, ADA).status, 200)

    def test_half_edits_of_one_owner_leave_room_for_others(self):
        daemon = self.serve()
        before = self.memory(daemon)
        path = f"/v1/jobs/{'x' * 26}/transcript"
        clients = [self.begin(daemon, "PATCH", path, 4 * MIB, "application/json") for _ in range(30)]
        statuses = []
        for client in clients:
            client.settimeout(0)
            sent = 0
            try:
                while sent < 4 * MIB - 4096:
                    sent += client.send(b" " * min(65536, 4 * MIB - 4096 - sent))
            except BlockingIOError:
                pass  # it is not read
            client.settimeout(TIME_LIMIT)
        for client in clients[16:]:
            answer = client.recv(4096)
            statuses.append(answer[9:12])
            self.assertIn(b"retry-after", answer)
        self.assertEqual(set(statuses), {b"429"})
        self.assertLess(self.memory(daemon) - before, 90 * MIB, "of 120 MiB that were sent")
        answer = self.send(daemon, "PATCH", path, " " * MIB)
        self.assertNotIn(answer.status, (429, 503), answer.text)
        for key in (ADA, BOB):
            self.assertEqual(self.send(daemon, "GET", "/v1/jobs", None, key).status, 200)


class DescriptorsTest(ExhaustedTest):
    def test_a_request_without_a_descriptor_may_come_again(self):
        daemon = self.serve()
        pid = daemon.process.pid
        most = resource.prlimit(pid, resource.RLIMIT_NOFILE)
        used = {int(name) for name in os.listdir(f"/proc/{pid}/fd")}
        free = [number for number in range(len(used) + 2) if number not in used]
        resource.prlimit(pid, resource.RLIMIT_NOFILE, (free[1], most[1]))  # the first is the connection's
        sound = self.sound(1)
        answer = daemon.post_form("/v1/audio/transcriptions", [("model", "whisper-1")], sound,
                                  {"Authorization": f"Bearer {ADA}"})
        self.assertEqual((answer.status, answer.json["error"]["code"]), (503, "out_of_descriptors"), answer.text)
        self.assertGreater(int(answer.headers["retry-after"]), 0)
        self.assertNotIn("/", answer.json["error"]["message"])
        resource.prlimit(pid, resource.RLIMIT_NOFILE, most)
        answer = daemon.post_form("/v1/audio/transcriptions", [("model", "whisper-1")], sound,
                                  {"Authorization": f"Bearer {ADA}"})
        self.assertEqual(answer.status, 200, answer.text)


class GuessesTest(ExhaustedTest):
    def status(self, daemon, path, key):
        return daemon.get(path, Authorization=f"Bearer {key}").status

    def test_keys_are_not_guessed_at_any_door(self):
        daemon = self.serve()
        self.assertEqual(self.status(daemon, "/v1/models", ADA), 200)
        for number, path in enumerate(("/v1/models", "/v1/jobs/x", "/mcp", "/metrics", "/v1/backup")):
            self.assertEqual(self.status(daemon, path, f"guess-number-{number}"), 401, path)
        refused = daemon.get("/v1/session", Authorization=f"Bearer {BOB}")
        self.assertEqual((refused.status, refused.json["error"]["code"]), (429, "rate_limit_exceeded"))
        self.assertLessEqual(int(refused.headers["retry-after"]), 12)
        for path in ("/v1/models", "/v1/listen", "/mcp"):
            self.assertEqual(self.status(daemon, path, BOB), 429, path)
        self.assertEqual(self.status(daemon, "/v1/models", ADA), 200, "its key was right here before")


if __name__ == "__main__":
    unittest.main()
