"""OpenAI's Realtime API for transcription: what a session tells and in which order, what it refuses, and the clients
that people have for it (tests/clients). See live_daemon.py for what it needs."""

import json
import unittest

import clients
from live_daemon import BUFFER, PATH, TEXT, TURNS, LiveDaemonTest, error_of, sound
from live_test import word_errors, words_of
from websocket_client import Refused, WebSocket

KEY = "a-key-of-the-realtime-test"


class SessionTest(LiveDaemonTest):
    model = "base"

    @classmethod
    def setUpClass(cls):
        super().setUpClass()
        cls.sound = sound("en-nogo", "en-thanks")

    def assert_nearly(self, text, expected, most=0.2):
        self.assertLess(word_errors(words_of(expected), words_of(text)), most, (text, expected))

    def test_the_text_is_nearly_that_of_the_whole_recordings(self):
        session = self.realtime()
        session.append(self.sound)
        session.finish()
        self.assert_nearly(session.text(), self.offline("en-nogo") + " " + self.offline("en-thanks"))

    def test_events_of_each_turn_come_in_order(self):
        session = self.realtime()
        session.append(self.sound)
        session.until_heard(self.sound)
        events = session.events
        self.assertEqual(events[0]["type"], "session.created")
        self.assertEqual(events[1]["type"], "session.updated")
        items = [event["item_id"] for event in session.of(BUFFER + "committed")]
        self.assertGreater(len(items), 1)
        self.assertEqual(len(set(items)), len(items))
        self.assertEqual([event["item_id"] for event in session.of(TEXT + "completed")], items)
        self.assertEqual([event["previous_item_id"] for event in session.of(BUFFER + "committed")],
                         [None, *items[:-1]])
        order = ["speech_started", "speech_stopped", "committed", "added", "done", "completed"]
        for item in [event["item_id"] for event in session.of(BUFFER + "speech_started")]:
            of_item = [event["type"].rpartition(".")[2] for event in events
                       if item in (event.get("item_id"), event.get("item", {}).get("id"))]
            self.assertEqual([kind for kind in of_item if kind != "delta"], order)
            self.assertLess(of_item.index("delta"), of_item.index("completed"))
        self.assertEqual(len({event["event_id"] for event in events}), len(events))

    def test_words_that_were_told_are_nearly_those_of_the_whole_turn(self):
        session = self.realtime()
        session.append(self.sound)
        session.until_heard(self.sound)
        told = 0
        for completed in session.of(TEXT + "completed"):
            deltas = [event["delta"] for event in session.of(TEXT + "delta")
                      if event["item_id"] == completed["item_id"]]
            if deltas:
                self.assert_nearly("".join(deltas), completed["transcript"], 0.3)
            told += len(deltas)
        self.assertGreater(told, 0)

    def test_words_come_before_the_turn_has_ended(self):
        session = self.realtime(turns=None)
        session.append(self.sound)
        session.until(TEXT + "delta")
        self.assertEqual(session.of(BUFFER + "committed"), [])

    def test_a_client_ends_turns_itself(self):
        session = self.realtime(turns=None)
        for name in ("en-thanks", "en-allbusy"):
            session.append(sound(name, silence_s=0.2))
            session.say(BUFFER + "commit")
        session.finish()
        texts = [event["transcript"] for event in session.of(TEXT + "completed")]
        self.assertEqual(len(texts), 2)
        self.assert_nearly(texts[0], self.offline("en-thanks"), 0.3)
        self.assert_nearly(texts[1], self.offline("en-allbusy"), 0.3)
        self.assertEqual(session.of(BUFFER + "speech_started"), [])

    def test_a_cleared_buffer_has_no_text(self):
        session = self.realtime(turns=None)
        session.append(sound("en-nogo"))
        session.say(BUFFER + "clear")
        session.until(BUFFER + "cleared")
        session.append(sound("en-thanks"))
        session.finish()
        self.assertEqual(len(session.of(TEXT + "completed")), 1)
        self.assert_nearly(session.text(), self.offline("en-thanks"), 0.3)

    def test_silence_is_no_turn_and_noise_has_no_words(self):
        session = self.realtime()
        session.append(sound("silence", "noise"))
        session.finish()
        self.assertEqual(session.text(), "")
        self.assertEqual(session.of(TEXT + "delta"), [])

    def test_sound_of_the_telephone(self):
        session = self.realtime()
        session.update({"format": {"type": "audio/pcmu"}})
        pcmu = clients.run(["ffmpeg", "-nostdin", "-loglevel", "error", "-f", "s16le", "-ar", 24000, "-ac", 1,
                            "-i", self.write(sound("en-thanks")), "-f", "mulaw", "-ar", 8000, self.folder / "talk.ul"])
        self.assertEqual(pcmu, "")
        session.append((self.folder / "talk.ul").read_bytes())
        session.finish()
        self.assert_nearly(session.text(), self.offline("en-thanks"), 0.4)

    def write(self, pcm):
        path = self.folder / "talk.s16"
        path.write_bytes(pcm)
        return path


class RefusalTest(LiveDaemonTest):
    def refusal(self, session, message, **more):
        session.send(message)
        event = session.until("error")
        self.assertTrue(event["error"]["message"])
        self.assertEqual(event["error"]["type"], "invalid_request_error")
        for name, value in more.items():
            self.assertEqual(event["error"][name], value, event)
        return event["error"]

    def test_what_is_not_understood_is_an_error_and_the_session_goes_on(self):
        session = self.realtime()
        self.refusal(session, "not JSON", code="invalid_event")
        self.refusal(session, "[]", code="invalid_event")
        self.refusal(session, {"event_id": "mine"}, code="invalid_event", event_id="mine")
        self.refusal(session, {"type": "response.create"})
        self.refusal(session, b"binary", code="invalid_event")
        self.refusal(session, {"type": BUFFER + "append", "audio": "?"}, param="audio")
        session.append(sound("en-thanks"))
        session.finish()
        self.assertIn("thank", session.text().lower())

    def test_sound_that_is_cut_within_samples_is_joined(self):
        session = self.realtime()
        pcm = sound("en-thanks")
        for begin in range(0, len(pcm), 9601):
            session.append(pcm[begin:begin + 9601])
        session.finish()
        self.assertIn("thank", session.text().lower())

    def test_any_language_is_heard(self):
        session = self.realtime()
        for language in ("auto", ""):
            session.update({"transcription": {"language": language}})
        session.append(sound("en-thanks"))
        session.finish()
        self.assertIn("thank", session.text().lower())

    def test_a_commit_of_nothing_names_the_event(self):
        session = self.realtime()
        self.refusal(session, {"type": BUFFER + "commit", "event_id": "mine"}, event_id="mine",
                     code="input_audio_buffer_commit_empty")

    def test_settings_that_cannot_be_change_nothing(self):
        session = self.realtime()
        before = session.of("session.updated")[-1]["session"]
        for wrong in ({"turn_detection": {"type": "server_vad", "threshold": 3}},
                      {"turn_detection": {"type": "server_vad", "silence_duration_ms": -1}},
                      {"format": {"type": "audio/pcm", "rate": 1}},
                      {"transcription": {"model": "whisper-1", "language": "klingon"}},
                      {"transcription": {"model": "bsae"}}):
            update = {"type": "session.update", "session": {"type": "transcription", "audio": {"input": {
                "noise_reduction": {"type": "far_field"}, **wrong}}}}
            self.assertTrue(self.refusal(session, update)["param"], wrong)
        self.assertEqual(session.update({})["session"]["audio"], before["audio"])

    def test_a_model_that_is_not_there_is_refused_before_the_upgrade(self):
        answer = self.daemon.get(PATH + "&model=bsae", Upgrade="websocket", Connection="Upgrade")
        self.assertEqual((answer.status, answer.json["error"]["code"]), (404, "model_not_found"))
        self.assertIn("Did you mean base", answer.json["error"]["message"])

    def test_a_plain_request_is_told_to_upgrade(self):
        answer = self.daemon.get(PATH)
        self.assertIn(answer.status, (400, 426))
        self.assertIn("WebSocket", answer.json["error"]["message"])


class KeysTest(LiveDaemonTest):
    variables = {"SCRIBED_API_KEY": KEY}

    def offer(self, *protocols):
        return [("Sec-WebSocket-Protocol", ", ".join(protocols))]

    def test_a_key_comes_as_a_bearer_token_or_as_a_subprotocol(self):
        bearer = self.realtime(headers=[("Authorization", f"Bearer {KEY}")])
        self.assertNotIn("sec-websocket-protocol", bearer.headers)
        page = self.realtime(headers=self.offer("realtime", f"openai-insecure-api-key.{KEY}"))
        self.assertEqual(page.headers["sec-websocket-protocol"], "realtime")

    def test_the_beta_of_the_protocol_is_known_by_its_subprotocol(self):
        with WebSocket(self.daemon.port, PATH, self.offer(
                "realtime", f"openai-insecure-api-key.{KEY}", "openai-beta.realtime-v1")) as page:
            self.assertEqual(page.headers["sec-websocket-protocol"], "realtime")
            self.assertEqual(page.receive_json()["type"], "transcription_session.created")

    def test_a_wrong_key_is_refused_before_the_upgrade(self):
        for headers in ([], [("Authorization", "Bearer another")], self.offer("realtime"),
                        self.offer("realtime", "openai-insecure-api-key.another")):
            with self.assertRaises(Refused) as refused:
                WebSocket(self.daemon.port, PATH, headers)
            self.assertEqual(refused.exception.status, 401, headers)
            self.assertIn("key", error_of(refused.exception.body)["message"])
        self.assertNotIn(KEY, self.daemon.log())

    def secret(self, **body):
        answer = self.daemon.request("POST", "/v1/realtime/client_secrets", json.dumps(body),
                                     {"Authorization": f"Bearer {KEY}", "Content-Type": "application/json"})
        self.assertEqual(answer.status, 200, answer.text)
        return answer.json

    def test_a_client_secret_opens_sessions_and_nothing_else(self):
        audio = {"input": {"turn_detection": TURNS | {"silence_duration_ms": 321}}}
        made = self.secret(session={"type": "transcription", "audio": audio})
        self.assertTrue(made["value"].startswith("ek_"))
        with WebSocket(self.daemon.port, PATH,
                       self.offer("realtime", f"openai-insecure-api-key.{made['value']}")) as page:
            created = page.receive_json()
        self.assertEqual(created["session"]["audio"]["input"]["turn_detection"]["silence_duration_ms"], 321)
        answer = self.daemon.get("/v1/models", Authorization=f"Bearer {made['value']}")
        self.assertEqual(answer.status, 401)


class ClientsTest(LiveDaemonTest):
    """Other people's programs. Each gets the sound of "Thank you for trying out …", and prints its text."""

    model = "base"

    @classmethod
    def setUpClass(cls):
        clients.need_live()
        super().setUpClass()
        cls.url = f"http://127.0.0.1:{cls.daemon.port}"
        cls.file = cls.folder / "talk.s16"
        cls.file.write_bytes(sound("en-thanks"))

    def assert_heard(self, printed):
        self.assertLess(word_errors(words_of(self.offline("en-thanks")), words_of(printed)), 0.3, printed)

    def test_openai_for_python(self):
        self.assert_heard(clients.run_python("realtime_client.py", self.url, self.file, "released"))

    def test_openai_for_python_with_the_beta(self):
        self.assert_heard(clients.run_python("realtime_client.py", self.url, self.file, "beta"))

    def test_agents_for_python_cuts_turns_by_meaning(self):
        self.assert_heard(clients.run_python("realtime_agents.py", self.url, self.file))

    def test_livekit(self):
        clients.need_agents()
        self.assert_heard(clients.run_python("realtime_livekit.py", self.url, self.file))

    def test_pipecat_with_turns_of_the_server_and_of_its_own(self):
        clients.need_agents()
        turns_of_server, turns_of_pipecat = clients.run_python("realtime_pipecat.py", self.url, self.file).splitlines()
        self.assert_heard(turns_of_server)
        self.assert_heard(turns_of_pipecat)

    def test_ws_for_node_offers_subprotocols_as_browsers_do(self):
        self.assert_heard(clients.run_node("realtime_client.mjs", self.url, self.file))


if __name__ == "__main__":
    unittest.main()
