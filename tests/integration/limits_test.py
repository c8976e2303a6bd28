"""Keys that end, limits of a key, and what who manages the server may do with the jobs of others."""

import base64
import datetime
import json
import subprocess
import unittest

from daemon import DaemonTest
from scribed_command import wait_for
from websocket_client import Refused, WebSocket

ADA, BOB, EVE = "ada-has-this-key-of-hers", "bob-has-this-key-of-his", "eve-runs-this-server"
REALTIME = "/v1/realtime?intent=transcription"
LISTEN = "/v1/listen?encoding=linear16&sample_rate=16000&language=en"


class KeysOfTest(DaemonTest):
    def start_with(self, *lines, options=()):
        keys = self.folder / "keys"
        keys.write_text("\n".join(lines) + "\n")
        keys.chmod(0o600)
        return self.start("--key-file", keys, *options)

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
        self.assertIn("has expired", ended.json["error"]["message"])

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


def loud(seconds, rate):
    """Samples in which somebody speaks, to the fake worker."""
    return (b"\x00\x40" * 100 + b"\x00\xc0" * 100) * (seconds * rate // 200)


class LiveLimitsTest(KeysOfTest):
    """Live sessions use what their key may use, as jobs do."""

    def socket(self, daemon, key, path=REALTIME):
        one = WebSocket(daemon.port, path, [("Authorization", f"Bearer {key}")])
        self.addCleanup(one.end)
        return one

    def refused(self, daemon, key, path=REALTIME):
        with self.assertRaises(Refused) as found:
            self.socket(daemon, key, path)
        self.assertEqual(found.exception.status, 429)
        self.assertGreaterEqual(int(found.exception.headers["retry-after"]), 1)
        return json.loads(found.exception.body)

    def left(self, daemon, what="sound-seconds", key=ADA):
        return int(self.get(daemon, "/v1/jobs", key).headers[f"x-ratelimit-remaining-{what}"])

    def realtime(self, daemon, key=ADA, seconds=0):
        """A session without turns of its own, which has heard so much."""
        session = self.socket(daemon, key)
        session.send({"type": "session.update", "session": {
            "type": "transcription", "audio": {"input": {"turn_detection": None}}}})
        for _ in range(seconds):
            session.send({"type": "input_audio_buffer.append",
                          "audio": base64.b64encode(loud(1, 24000)).decode()})
        return session

    def test_a_session_ends_where_the_sound_of_the_day_does(self):
        line = f"ada {ADA} sound_seconds_per_day=6"
        daemon = self.start_with(line, f"bob {BOB}")
        session = self.realtime(daemon, seconds=10)
        events, closed = session.receive_all()
        kinds = [event["type"].rpartition(".")[2] for event in events]
        error = events[kinds.index("error")]["error"]
        self.assertEqual((error["type"], error["code"]), ("rate_limit_error", "too_much_sound"))
        completed = [event for event in events if event["type"].endswith("transcription.completed")]
        self.assertEqual([one["transcript"] for one in completed], ["w1 w2 w3 w4 w5 w6"])
        self.assertEqual(closed.code, 1008)
        wait_for(lambda: self.left(daemon) == 0, "that it is counted")
        self.assertEqual(self.refused(daemon, ADA)["error"]["code"], "too_much_sound")
        self.assertEqual(daemon.get("/v1/realtime", Authorization=f"Bearer {ADA}").json["error"]["code"],
                         "too_much_sound")
        self.assert_refused(self.post(daemon, ADA), "too_much_sound")
        self.socket(daemon, BOB)
        self.assertEqual(daemon.terminate(), 0)
        again = self.start_with(line)
        self.assertEqual(self.refused(again, ADA)["error"]["code"], "too_much_sound")

    def test_a_crash_loses_less_than_a_step_of_it(self):
        line = f"ada {ADA} sound_seconds_per_day=100"
        daemon = self.start_with(line)
        session = self.realtime(daemon, seconds=12)
        session.receive_until(lambda event: event.get("delta", "").endswith("w6"))
        wait_for(lambda: self.left(daemon) <= 95, "the first step")
        daemon.kill()
        self.assertLessEqual(self.left(self.start_with(line)), 95)

    def test_a_client_secret_uses_what_its_maker_has(self):
        daemon = self.start_with(f"ada {ADA} sound_seconds_per_day=6")
        made = daemon.request("POST", "/v1/realtime/client_secrets", "{}", {"Authorization": f"Bearer {ADA}"})
        secret = made.json["value"]
        _, closed = self.realtime(daemon, secret, 10).receive_all()
        self.assertEqual(closed.code, 1008)
        wait_for(lambda: self.left(daemon) == 0, "that it is counted")
        self.assertEqual(self.refused(daemon, secret)["error"]["code"], "too_much_sound")

    def test_what_clients_of_deepgram_read(self):
        daemon = self.start_with(f"ada {ADA} sound_seconds_per_day=6")
        stream = self.socket(daemon, ADA, LISTEN)
        for _ in range(10):
            stream.send(loud(1, 16000))
        events, closed = stream.receive_all()
        self.assertEqual(closed.code, 1008)
        error, = [event for event in events if event["type"] == "Error"]
        self.assertEqual(error["variant"], "TooManyRequests")
        self.assertEqual((events[-1]["type"], events[-1]["duration"]), ("Metadata", 10.0))
        self.assertIn("w6", events[-2]["channel"]["alternatives"][0]["transcript"])
        wait_for(lambda: self.left(daemon) == 0, "that it is counted")
        self.assertEqual(self.refused(daemon, ADA, LISTEN)["err_code"], "too_much_sound")

    def test_what_jigasi_reads(self):
        daemon = self.start_with(f"ada {ADA} sound_seconds_per_day=6")
        conference = self.socket(daemon, ADA, "/streaming-whisper/ws/a-conference")
        for speaker in ("one", "two"):
            conference.send(f"{speaker}|en".encode().ljust(60, b"\0") + loud(4, 16000))
        texts, closed = conference.receive_all()
        self.assertEqual(closed.code, 1008)
        self.assertEqual({one["participant_id"]: one["text"] for one in texts if one["type"] == "final"},
                         {"one": "w1 w2 w3 w4", "two": "w1 w2"})
        wait_for(lambda: self.left(daemon) == 0, "that it is counted")
        self.assertEqual(self.refused(daemon, ADA, "/streaming-whisper/ws/b")["error"]["code"], "too_much_sound")

    def test_a_session_is_a_job_that_runs(self):
        daemon = self.start_with(f"ada {ADA} running_jobs=1", f"bob {BOB}")
        session = self.realtime(daemon, seconds=1)
        session.send({"type": "scribed.keep", "title": "Talk"})
        session.receive_until(lambda event: event["type"] == "scribed.kept")
        self.assertEqual(self.left(daemon, "jobs"), 0)
        self.assert_refused(self.post(daemon, ADA), "too_many_jobs")
        self.assertEqual(self.refused(daemon, ADA)["error"]["code"], "too_many_jobs")
        self.assertEqual(self.post(daemon, BOB).status, 202)
        session.end()
        wait_for(lambda: self.left(daemon, "jobs") == 1, "the end of the session")
        self.behave("slow")
        self.assertEqual(self.post(daemon, ADA, 100).status, 202)
        self.assertEqual(self.refused(daemon, ADA)["error"]["code"], "too_many_jobs")

    def test_no_key_has_more_than_half_of_the_sessions(self):
        options = ("--set", "live.max_sessions=4", "--set", "live.max_sessions_of_one_key=4")
        keys = self.folder / "keys"
        keys.write_text(f"ada {ADA}\nbob {BOB}\n")
        keys.chmod(0o600)
        daemon = self.start("--key-file", keys, *options)
        for _ in range(2):
            self.socket(daemon, ADA)
        self.assertEqual(self.refused(daemon, ADA)["error"]["code"], "too_many_sessions")
        for _ in range(2):
            self.socket(daemon, BOB)

    def test_without_keys_everybody_has_all_sessions(self):
        daemon = self.start("--set", "live.max_sessions=4", "--set", "live.max_sessions_of_one_key=4")
        for _ in range(4):
            self.addCleanup(WebSocket(daemon.port, REALTIME).end)


class BatchLimitsTest(KeysOfTest):
    def batch(self, daemon, calls):
        return daemon.request("POST", "/mcp", json.dumps([
            {"jsonrpc": "2.0", "id": number, "method": "tools/call",
             "params": {"name": "list_jobs", "arguments": {}}} for number in range(calls)]), {
                 "Authorization": f"Bearer {ADA}", "Content-Type": "application/json",
                 "Accept": "application/json", "MCP-Protocol-Version": "2025-03-26"})

    def test_each_call_of_a_batch_is_a_request(self):
        daemon = self.start_with(f"ada {ADA} requests_per_minute=10")
        self.assert_refused(self.batch(daemon, 30), "rate_limit_exceeded")  # a request, whatever it holds
        answered = self.batch(daemon, 5)
        self.assertEqual((answered.status, len(answered.json)), (200, 5), answered.text)
        self.assert_refused(self.batch(daemon, 5), "rate_limit_exceeded")
        self.assertEqual(self.batch(daemon, 1).status, 200)


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


class BeamsTest(KeysOfTest):
    """limits.max_beams at every interface that takes beams."""

    def setUp(self):
        super().setUp()
        self.daemon = self.start_with(f"ada {ADA} [transcribe]", f"eve {EVE} [transcribe, manage]")

    def ask(self, path, fields, key=ADA):
        headers = {"Authorization": f"Bearer {key}"}
        return self.daemon.post_form(path, [("model", "whisper-1"), *fields], self.sound(1), headers)

    def test_more_beams_than_the_limit_are_refused(self):
        for path in ("/v1/audio/transcriptions", "/v1/audio/translations", "/v1/jobs"):
            for name, fields in (("beam_size", [("beam_size", 11)]), ("best_of", [("best_of", 100)]),
                                 ("patience", [("beam_size", 4), ("patience", 3)])):
                with self.subTest(path=path, name=name):
                    answer = self.ask(path, fields)
                    self.assertEqual(answer.status, 400, answer.text)
                    self.assertEqual(answer.json["error"]["param"], name)
                    self.assertIn("may have 10 at most", answer.json["error"]["message"])
                    self.assertIn("limits.max_beams", answer.json["error"]["message"])
        self.assertEqual(self.daemon.get("/v1/jobs", Authorization=f"Bearer {ADA}").json["data"], [])

    def test_as_many_as_the_limit_are_taken(self):
        fields = [("beam_size", 10), ("best_of", 10)]
        self.assertEqual(self.ask("/v1/audio/transcriptions", fields).status, 200)
        self.assertEqual(self.ask("/inference", fields).status, 200)

    def test_the_form_of_whisper_cpp(self):
        for name in ("beam_size", "best_of"):
            answer = self.ask("/inference", [(name, 11)])
            self.assertEqual(answer.status, 400, answer.text)
            self.assertIn("may have 10 at most", answer.text)
        self.assertEqual(self.ask("/inference", [("beam_size", 100)], EVE).status, 200)

    def test_who_may_manage_has_up_to_a_hundred(self):
        self.assertEqual(self.ask("/v1/audio/transcriptions", [("beam_size", 100)], EVE).status, 200)
        refused = self.ask("/v1/audio/transcriptions", [("beam_size", 101)], EVE)
        self.assertEqual(refused.status, 400, refused.text)
        self.assertIn("from 1 to 100", refused.json["error"]["message"])

    def test_a_job_that_is_done_again(self):
        job = self.ask("/v1/jobs", []).json["id"]
        wait_for(lambda: self.get(self.daemon, f"/v1/jobs/{job}", ADA).json["status"] == "done",
                 "the job")
        headers = {"Authorization": f"Bearer {ADA}"}
        refused = self.daemon.request("POST", f"/v1/jobs/{job}/again", '{"beam_size": 11}', headers)
        self.assertEqual(refused.status, 400, refused.text)
        self.assertEqual(refused.json["error"]["param"], "beam_size")

    def test_the_command_line_hears_of_it_from_its_server_alone(self):
        recording = self.folder / "talk.wav"
        recording.write_bytes(self.sound(1))
        command = [self.scribed, "transcribe", "--beam-size", "11", "--quiet", recording]
        place = ["--server", f"127.0.0.1:{self.daemon.port}"]
        asked = subprocess.run([*command, *place], capture_output=True, text=True,
                               env={**self.environment, "SCRIBED_API_KEY": ADA})
        self.assertNotEqual(asked.returncode, 0)
        self.assertIn("may have 10 at most", asked.stderr)
        here = subprocess.run([*command, "--model", self.model], capture_output=True, text=True,
                              env=self.environment)
        self.assertEqual(here.returncode, 0, here.stderr)

    def test_the_servers_own_defaults_are_allowed_and_the_limit_can_be_set(self):
        self.daemon.terminate()
        self.daemon.end()
        daemon = self.start_with(f"ada {ADA} [transcribe]", options=[
            "--set", "limits.max_beams=3", "--set", "transcription.beam_size=20"])
        headers = {"Authorization": f"Bearer {ADA}"}
        for fields, status in (([], 200), ([("beam_size", 20)], 200), ([("beam_size", 21)], 400),
                               ([("best_of", 6)], 400), ([("best_of", 5)], 200)):
            answer = daemon.post_form("/v1/audio/transcriptions", [("model", "whisper-1"), *fields],
                                      self.sound(1), headers)
            self.assertEqual(answer.status, status, answer.text)


if __name__ == "__main__":
    unittest.main()
