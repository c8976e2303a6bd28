"""Keys that end, limits of a key, and what who manages the server may do with the jobs of others."""

import datetime
import unittest

from daemon import DaemonTest
from scribed_command import wait_for

ADA, BOB, EVE = "ada-has-this-key-of-hers", "bob-has-this-key-of-his", "eve-runs-this-server"


class KeysOfTest(DaemonTest):
    def start_with(self, *lines):
        keys = self.folder / "keys"
        keys.write_text("\n".join(lines) + "\n")
        keys.chmod(0o600)
        return self.start("--key-file", keys)

    def post(self, daemon, key, seconds=1, path="/v1/jobs"):
        fields = [("model", "whisper-1")] if path.startswith("/v1/audio") else []
        return daemon.post_form(path, fields, self.sound(seconds),
                                {"Authorization": f"Bearer {key}"})

    def get(self, daemon, path, key):
        return daemon.get(path, Authorization=f"Bearer {key}")

    def assert_refused(self, answer, code):
        self.assertEqual(answer.status, 429, answer.text)
        self.assertEqual(answer.json["error"]["code"], code)
        self.assertGreaterEqual(int(answer.headers["retry-after"]), 1)


class LimitsTest(KeysOfTest):
    def test_a_key_ends_on_its_day(self):
        today = datetime.datetime.now(datetime.timezone.utc).date()
        day = datetime.timedelta(days=1)
        daemon = self.start_with(f"ada {ADA} until={today + day}", f"bob {BOB} until={today - day}")
        self.assertEqual(self.get(daemon, "/v1/models", ADA).status, 200)
        ended = self.get(daemon, "/v1/models", BOB)
        self.assertEqual(ended.status, 401)
        self.assertIn("has ended", ended.json["error"]["message"])

    def test_requests_of_a_minute(self):
        daemon = self.start_with(f"ada {ADA} requests_per_minute=2", f"bob {BOB}")
        for left in ("1", "0"):
            answer = self.get(daemon, "/v1/models", ADA)
            self.assertEqual(answer.status, 200)
            self.assertEqual(answer.headers["x-ratelimit-remaining-requests"], left)
        self.assert_refused(self.get(daemon, "/v1/models", ADA), "rate_limit_exceeded")
        self.assertEqual(self.get(daemon, "/v1/models", BOB).status, 200)

    def test_jobs_that_have_not_ended(self):
        self.behave("slow")
        daemon = self.start_with(f"ada {ADA} running_jobs=1", f"bob {BOB}")
        first = self.post(daemon, ADA, 100)
        self.assertEqual(first.status, 202, first.text)
        refused = self.post(daemon, ADA)
        self.assert_refused(refused, "too_many_jobs")
        self.assertEqual(refused.headers["x-ratelimit-remaining-jobs"], "0")
        self.assert_refused(self.post(daemon, ADA, path="/v1/audio/transcriptions"), "too_many_jobs")
        self.assertEqual(self.post(daemon, BOB).status, 202)
        self.assertEqual(daemon.request("DELETE", f"/v1/jobs/{first.json['id']}", headers={
            "Authorization": f"Bearer {ADA}"}).status, 200)
        self.assertEqual(self.post(daemon, ADA).status, 202)

    def test_bytes_on_the_disk(self):
        daemon = self.start_with(f"ada {ADA} stored_bytes=100000", f"bob {BOB}")
        upload = self.post(daemon, ADA, 2, "/v1/uploads")  # 64 kB
        self.assertEqual(upload.status, 201, upload.text)
        refused = self.post(daemon, ADA, 2, "/v1/uploads")
        self.assert_refused(refused, "too_many_bytes")
        self.assertLess(int(refused.headers["x-ratelimit-remaining-bytes"]), 40000)
        self.assertEqual(self.post(daemon, BOB, 2, "/v1/uploads").status, 201)

    def test_sound_of_a_day_also_after_a_restart(self):
        line = f"ada {ADA} sound_seconds_per_day=3"
        daemon = self.start_with(line)
        self.assertEqual(self.post(daemon, ADA, 2, "/v1/audio/transcriptions").status, 200)
        self.assertEqual(self.post(daemon, ADA, 2, "/v1/audio/transcriptions").status, 200)
        refused = self.post(daemon, ADA, 1, "/v1/audio/transcriptions")
        self.assert_refused(refused, "too_much_sound")
        self.assertEqual(refused.headers["x-ratelimit-remaining-sound-seconds"], "0")
        self.assertEqual(daemon.terminate(), 0)
        self.assert_refused(self.post(self.start_with(line), ADA), "too_much_sound")


class ManageTest(KeysOfTest):
    def test_who_manages_sees_and_ends_everybodys_jobs_and_reads_no_text(self):
        self.behave("slow")
        daemon = self.start_with(f"ada {ADA}", f"bob {BOB}", f"eve {EVE} [transcribe, manage]")
        job = self.post(daemon, ADA, 20).json["id"]
        other = self.post(daemon, BOB, 20).json["id"]
        self.assertEqual(self.get(daemon, "/v1/jobs", EVE).json["data"], [])
        seen = self.get(daemon, "/v1/jobs?owner=*", EVE).json["data"]
        self.assertEqual([(one["id"], one["owner"]) for one in seen], [(other, "bob"), (job, "ada")])
        self.assertEqual([one["id"] for one in
                          self.get(daemon, "/v1/jobs?owner=ada", EVE).json["data"]], [job])
        self.assertEqual(self.get(daemon, f"/v1/jobs/{job}", EVE).json["owner"], "ada")
        for path in (f"/v1/jobs/{job}/transcript", f"/v1/jobs/{job}/events"):
            self.assertEqual(self.get(daemon, path, EVE).status, 404, path)
        ended = daemon.request("DELETE", f"/v1/jobs/{job}",
                               headers={"Authorization": f"Bearer {EVE}"})
        self.assertEqual(ended.status, 200, ended.text)
        self.assertEqual(self.get(daemon, f"/v1/jobs/{job}", ADA).status, 404)

    def test_others_do_not(self):
        daemon = self.start_with(f"ada {ADA}", f"bob {BOB}")
        job = self.post(daemon, ADA).json["id"]
        for owner in ("*", "ada"):
            self.assertEqual(self.get(daemon, f"/v1/jobs?owner={owner}", BOB).status, 403)
        self.assertEqual(self.get(daemon, "/v1/jobs?owner=bob", BOB).status, 200)
        self.assertEqual(self.get(daemon, f"/v1/jobs/{job}", BOB).status, 404)
        self.assertEqual(daemon.request("DELETE", f"/v1/jobs/{job}", headers={
            "Authorization": f"Bearer {BOB}"}).status, 404)
        wait_for(lambda: self.get(daemon, f"/v1/jobs/{job}", ADA).json["status"] == "done", "its end")


if __name__ == "__main__":
    unittest.main()
