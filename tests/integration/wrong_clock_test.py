"""A daemon whose clock is wrong, and set right again: what ends by the clock ends, and nothing is lost by it that
would be there with a right one. Its clock is libfaketime's (tests/cluster/clocks.py)."""

import base64
import datetime
import json
import pathlib
import sys
import time
import unittest

from limits_test import ADA, REALTIME, KeysOfTest, loud
from websocket_client import WebSocket

sys.path.append(str(pathlib.Path(__file__).resolve().parents[1] / "cluster"))
from clocks import Clocks  # noqa: E402

HOUR, DAY = 3600, 86400
NODE = "daemon"


@unittest.skipUnless(Clocks.are_there(), "no libfaketime is installed")
class WrongClockTest(KeysOfTest):
    def setUp(self):
        super().setUp()
        self.clocks = Clocks(self.folder)
        self.environment |= self.clocks.variables(NODE)

    def jump(self, seconds):
        """Sets the clock that much ahead of the right one."""
        self.clocks.jump(NODE, seconds)

    def test_a_start_with_a_wrong_clock_ends_no_link_and_signs_nobody_out(self):
        daemon = self.start_with(f"ada {ADA}")
        key = {"Authorization": f"Bearer {ADA}"}
        job = self.post(daemon, ADA).json["id"]
        link = daemon.request("POST", f"/v1/jobs/{job}/shares", "{}", key).json["token"]
        signed_in = daemon.request("POST", "/v1/session", json.dumps({"key": ADA}))
        self.assertEqual(signed_in.status, 200, signed_in.text)
        cookie = signed_in.headers["set-cookie"].partition(";")[0].partition("=")[2]
        daemon.kill()

        def seen(daemon):
            name = f"scribed_{daemon.port}"
            session = daemon.get("/v1/session", Cookie=f"{name}={cookie}")
            return daemon.get(f"/v1/shares/{link}").status, session.json["name"]

        self.jump(400 * DAY)
        early = self.start_with(f"ada {ADA}")
        self.assertEqual(seen(early), (404, None), "they have ended by then")
        early.kill()
        self.jump(0)
        self.assertEqual(seen(self.start_with(f"ada {ADA}")), (200, "ada"))

    def test_a_live_session_goes_on_when_the_clock_is_set(self):
        daemon = self.start_with(f"ada {ADA}")
        session = WebSocket(daemon.port, REALTIME, [("Authorization", f"Bearer {ADA}")])
        self.addCleanup(session.end)
        session.send({"type": "session.update", "session": {
            "type": "transcription", "audio": {"input": {"turn_detection": None}}}})
        for number, hours in enumerate((0, 5, -5, 24 * 365)):
            self.jump(hours * HOUR)
            session.send({"type": "input_audio_buffer.append",
                          "audio": base64.b64encode(loud(1, 24000)).decode()})
            word = f"w{number}"  # the last is not sure yet
            events = number and session.receive_until(
                lambda event, word=word: event.get("delta", "").endswith(word)) or []
            self.assertNotIn("error", [event["type"] for event in events])
            time.sleep(2.5)  # the daemon looks at the time each second

    def test_the_sound_of_a_day_is_that_of_its_day(self):
        daemon = self.start_with(f"ada {ADA} sound_seconds_per_day=2")
        self.assertEqual(self.post(daemon, ADA, 2, "/v1/audio/transcriptions").status, 200)
        self.assert_refused(self.post(daemon, ADA), "too_much_sound")
        self.jump(DAY)
        self.assertEqual(self.post(daemon, ADA, 1, "/v1/audio/transcriptions").status, 200)
        self.jump(0)
        self.assert_refused(self.post(daemon, ADA), "too_much_sound")

    def test_requests_of_a_minute_ask_no_clock_that_is_set(self):
        daemon = self.start_with(f"ada {ADA} requests_per_minute=2")
        for _ in range(2):
            self.assertEqual(self.get(daemon, "/v1/models", ADA).status, 200)
        for seconds in (DAY, -DAY):
            self.jump(seconds)
            refused = self.get(daemon, "/v1/models", ADA)
            self.assert_refused(refused, "rate_limit_exceeded")
            self.assertLessEqual(int(refused.headers["retry-after"]), 60)

    def test_a_key_ends_by_the_clock_and_is_there_again_with_it(self):
        until = datetime.datetime.now(datetime.timezone.utc).date() + datetime.timedelta(days=2)
        daemon = self.start_with(f"ada {ADA} until={until}")
        for days, status in ((0, 200), (5, 401), (0, 200)):
            self.jump(days * DAY)
            self.assertEqual(self.get(daemon, "/v1/models", ADA).status, status)


if __name__ == "__main__":
    unittest.main()
