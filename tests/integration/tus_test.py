"""Uploads that come in parts, by the protocol tus 1.0."""

import base64
import email.utils
import hashlib
import http.client
import json
import socket
import time
import unittest

from daemon import DaemonTest
from scribed_command import TIME_LIMIT, wait_for

ADA, BOB = "ada-has-this-key-of-hers", "bob-has-this-key-of-his"
TUS = {"Tus-Resumable": "1.0.0"}
PART = {**TUS, "Content-Type": "application/offset+octet-stream"}


class TusTest(DaemonTest):
    def setUp(self):
        super().setUp()
        keys = self.folder / "keys"
        keys.write_text(f"ada {ADA}\nbob {BOB}\n")
        keys.chmod(0o600)
        self.options = ["--key-file", keys]
        self.daemon = self.start(*self.options)
        self.who = {"Authorization": f"Bearer {ADA}"}

    def restart(self, *options):
        self.daemon.kill()
        self.daemon = self.start(*self.options, *options)

    def ask(self, method, path, body=None, **headers):
        headers = {name.replace("_", "-"): str(value) for name, value in headers.items()}
        return self.daemon.request(method, path, body, {**self.who, **headers})

    def begin(self, length, name="talk.wav", body=None, **headers):
        metadata = "filename " + base64.b64encode(name.encode()).decode()
        return self.ask("POST", "/v1/uploads", body, Upload_Length=length,
                        Upload_Metadata=metadata, **{**TUS, **headers})

    def begun(self, length):
        answer = self.begin(length)
        self.assertEqual(answer.status, 201, answer.text)
        return answer.headers["location"]

    def send(self, place, offset, part, **headers):
        return self.ask("PATCH", place, part, Upload_Offset=offset, **{**PART, **headers})

    def offset(self, place):
        answer = self.ask("HEAD", place, **TUS)
        self.assertEqual(answer.status, 200)
        return int(answer.headers["upload-offset"])

    def transcribe(self, place):
        handle = "upload://" + place.rsplit("/", 1)[1]
        return self.daemon.post_form("/v1/jobs", [("upload", handle)], headers=self.who)


class PartsTest(TusTest):
    def test_says_what_it_takes(self):
        answer = self.daemon.request("OPTIONS", "/v1/uploads")
        self.assertEqual(answer.status, 204)
        self.assertEqual(answer.headers["tus-version"], "1.0.0")
        self.assertEqual(answer.headers["tus-extension"],
                         "checksum,creation,creation-with-upload,expiration,termination")
        self.assertEqual(answer.headers["tus-checksum-algorithm"], "sha1,sha256,md5")
        self.assertEqual(int(answer.headers["tus-max-size"]), 2 << 30)

    def test_a_recording_comes_in_parts_and_is_transcribed(self):
        sound = self.sound(12)
        place = self.begun(len(sound))
        self.assertEqual(self.transcribe(place).json["error"]["code"], "upload_unfinished")
        for begin in range(0, len(sound), 100_000):
            answer = self.send(place, begin, sound[begin:begin + 100_000])
            self.assertEqual(answer.status, 204, answer.text)
            self.assertEqual(int(answer.headers["upload-offset"]),
                             min(begin + 100_000, len(sound)))
            self.assertGreater(email.utils.parsedate_to_datetime(
                answer.headers["upload-expires"]).timestamp(), time.time() + 3600)
        shown = self.ask("GET", place).json
        self.assertTrue(shown["complete"])
        self.assertEqual((shown["filename"], shown["received_bytes"]), ("talk.wav", len(sound)))
        job = self.transcribe(place)
        self.assertEqual(job.status, 202, job.text)
        self.assertEqual(self.ask("DELETE", place, **TUS).status, 204)
        ended = wait_for(lambda: (found := self.ask("GET", f"/v1/jobs/{job.json['id']}").json)
                         ["status"] == "done" and found, "the job")
        self.assertEqual((ended["duration"], ended["title"]), (12, "talk.wav"))

    def test_the_beginning_may_bring_the_first_part(self):
        answer = self.begin(10, body=b"some ", Content_Type=PART["Content-Type"])
        self.assertEqual((answer.status, answer.headers["upload-offset"]), (201, "5"))
        self.assertEqual(self.send(answer.headers["location"], 5, b"sound").status, 204)

    def test_the_method_may_stand_in_a_field(self):
        place = self.begun(10)
        answer = self.ask("POST", place, b"some ", Upload_Offset=0, X_HTTP_Method_Override="PATCH",
                          **PART)
        self.assertEqual((answer.status, answer.headers["upload-offset"]), (204, "5"))
        self.assertEqual(self.ask("POST", place, X_HTTP_Method_Override="DELETE", **TUS).status, 204)

    def test_extensions_that_are_not_offered_are_refused_at_once(self):
        for field in ({"Upload_Concat": "partial"}, {"Upload_Defer_Length": "1"}):
            answer = self.begin(10, **field)
            self.assertEqual(answer.status, 400)
            self.assertIn("not offered", answer.json["error"]["message"])
        self.assertEqual(self.ask("GET", "/v1/uploads").json["data"], [])

    def test_a_part_is_what_its_checksum_says_or_is_not_taken(self):
        def checksum(algorithm, part):
            digest = hashlib.new(algorithm, part).digest()
            return {"Upload_Checksum": f"{algorithm} {base64.b64encode(digest).decode()}"}

        sound = self.sound(6)
        place = self.begun(len(sound))
        self.assertEqual(self.send(place, 0, sound[:100_000], **checksum("sha1", sound[:100_000])).status, 204)
        wrong = self.send(place, 100_000, sound[100_000:], **checksum("sha256", b"another"))
        self.assertEqual((wrong.status, wrong.json["error"]["code"]), (460, "checksum_mismatch"))
        self.assertEqual(self.offset(place), 100_000)
        right = self.send(place, 100_000, sound[100_000:], **checksum("md5", sound[100_000:]))
        self.assertEqual((right.status, self.offset(place)), (204, len(sound)))
        self.assertEqual(self.transcribe(place).status, 202)

    def test_goes_on_after_a_broken_line(self):
        sound = self.sound(6)
        place = self.begun(len(sound))
        head = (f"PATCH {place} HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer {ADA}\r\n"
                "Tus-Resumable: 1.0.0\r\nContent-Type: application/offset+octet-stream\r\n"
                f"Upload-Offset: 0\r\nContent-Length: {len(sound)}\r\n\r\n")
        with socket.create_connection(("127.0.0.1", self.daemon.port), TIME_LIMIT) as line:
            line.sendall(head.encode() + sound[:70_000])
            wait_for(lambda: self.offset(place) == 70_000, "what was sent")
        self.assertEqual(self.send(place, 70_000, sound[70_000:]).status, 204)
        self.assertEqual(self.transcribe(place).status, 202)

    def test_goes_on_beside_a_line_that_hangs(self):
        place = self.begun(10)
        head = (f"PATCH {place} HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer {ADA}\r\n"
                "Tus-Resumable: 1.0.0\r\nContent-Type: application/offset+octet-stream\r\n"
                "Upload-Offset: 0\r\nContent-Length: 10\r\n\r\n")
        with socket.create_connection(("127.0.0.1", self.daemon.port), TIME_LIMIT) as hanging:
            hanging.sendall(head.encode() + b"some ")
            wait_for(lambda: self.offset(place) == 5, "what was sent")
            self.assertEqual(self.send(place, 5, b"sou").status, 204)
            hanging.sendall(b"other")
            self.assertIn(b" 409 ", hanging.recv(4096))
        self.assertEqual(self.offset(place), 8)
        self.assertEqual(self.send(place, 8, b"nd").status, 204)
        file = self.state / "uploads" / place.rsplit("/", 1)[1]
        self.assertEqual(file.read_bytes(), b"some sound")

    def test_goes_on_after_the_daemon_was_killed(self):
        sound = self.sound(6)
        place = self.begun(len(sound))
        self.assertEqual(self.send(place, 0, sound[:50_000]).status, 204)
        for _ in range(3):
            line = http.client.HTTPConnection("127.0.0.1", self.daemon.port, timeout=TIME_LIMIT)
            there = self.offset(place)
            line.putrequest("PATCH", place)
            for name, value in {**self.who, **PART, "Upload-Offset": there,
                                "Content-Length": len(sound) - there}.items():
                line.putheader(name, str(value))
            line.endheaders(sound[there:there + 40_000])
            wait_for(lambda: self.offset(place) > there, "some of it")
            self.restart()
            line.close()
            self.assertGreater(self.offset(place), there)
        there = self.offset(place)
        self.assertEqual(self.send(place, there, sound[there:]).status, 204)
        file = self.state / "uploads" / place.rsplit("/", 1)[1]
        self.assertEqual(file.read_bytes(), sound)
        self.assertEqual(self.transcribe(place).status, 202)


class RefusalsTest(TusTest):
    def test_what_does_not_fit_is_refused(self):
        place = self.begun(10)
        for offset, part, status in ((5, b"x", 409), (0, b"x" * 11, 413)):
            answer = self.send(place, offset, part)
            self.assertEqual(answer.status, status, answer.text)
        self.assertEqual(self.offset(place), 0)
        self.assertEqual(self.send(place, 0, b"x", Content_Type="text/plain").status, 415)
        self.assertEqual(self.ask("PATCH", place, b"x", **PART).status, 400)
        self.assertEqual(self.ask("POST", "/v1/uploads", **TUS).status, 400)
        self.assertEqual(self.begin(1 << 40).status, 413)
        self.assertEqual(self.begin("many").status, 400)
        wrong = self.ask("POST", "/v1/uploads", Upload_Length=1, Tus_Resumable="0.2")
        self.assertEqual((wrong.status, wrong.headers["tus-version"]), (412, "1.0.0"))
        wrong = self.ask("POST", "/v1/uploads", Upload_Length=1, Upload_Metadata="filename %%",
                         **TUS)
        self.assertEqual((wrong.status, wrong.json["error"]["param"]), (400, "upload-metadata"))

    def test_is_of_its_owner_alone(self):
        place = self.begun(10)
        self.who = {"Authorization": f"Bearer {BOB}"}
        self.assertEqual(self.ask("HEAD", place, **TUS).status, 404)
        self.assertEqual(self.send(place, 0, b"x").status, 404)
        self.assertEqual(self.ask("DELETE", place, **TUS).status, 404)
        self.assertEqual(self.transcribe(place).status, 404)
        self.who = {}
        self.assertEqual(self.begin(1).status, 401)
        self.assertEqual(self.ask("HEAD", place, **TUS).status, 401)

    def test_counts_with_its_first_bytes_from_the_beginning(self):
        self.restart("--set=inputs.max_disk_bytes_per_owner=500000",
                     "--set=server.max_upload_bytes=500000",
                     "--set=server.max_body_bytes_sync=500000")
        place = self.begun(400_000)
        refused = self.begin(200_000)
        self.assertEqual((refused.status, refused.json["error"]["code"]), (429, "too_many_bytes"))
        self.restart("--set=inputs.max_disk_bytes_per_owner=500000",
                     "--set=server.max_upload_bytes=500000",
                     "--set=server.max_body_bytes_sync=500000")
        self.assertEqual(self.begin(200_000).status, 429)
        self.assertEqual(self.ask("DELETE", place, **TUS).status, 204)
        self.assertEqual(self.begin(200_000).status, 201)

    def test_what_is_announced_and_not_sent_keeps_nobody_out(self):
        self.restart("--set=inputs.max_uploads_bytes=100000000")
        while self.begin(40_000_000).status == 201:
            continue
        others = self.who
        self.who = {"Authorization": f"Bearer {BOB}"}
        self.assertEqual(self.begin(40_000_000).status, 201)
        self.who = others

    def test_a_full_disk_is_told(self):
        place = self.begun(10)
        self.restart("--set", f"inputs.min_free_bytes={1 << 40}")
        for answer in (self.begin(10), self.send(place, 0, b"some sound")):
            self.assertEqual((answer.status, answer.json["error"]["code"]), (507, "out_of_disk"))
        self.assertEqual(self.offset(place), 0)

    def test_so_many_may_be_unfinished(self):
        for _ in range(100):
            self.begun(1)
        refused = self.begin(1)
        self.assertEqual((refused.status, refused.json["error"]["code"]), (429, "too_many_uploads"))


class OthersTest(TusTest):
    def test_forms_are_taken_as_before(self):
        answer = self.daemon.post_form("/v1/uploads", [], self.sound(1), self.who)
        self.assertEqual(answer.status, 201)
        self.assertTrue(answer.json["complete"])
        listed = json.loads(self.ask("GET", "/v1/uploads").body)["data"]
        self.assertEqual([one["id"] for one in listed], [answer.json["id"]])
        deleted = self.ask("DELETE", f"/v1/uploads/{answer.json['id']}")
        self.assertEqual((deleted.status, deleted.json["deleted"]), (200, True))


if __name__ == "__main__":
    unittest.main()
