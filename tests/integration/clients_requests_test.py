"""Requests of programs that are no packages to run here: as their sources send them, and what these read
of the answer. docs/connect.md names the versions."""

import json
import unittest
import urllib.parse

from client_commands import KEY
from daemon import DaemonTest

OPENAI = "/v1/audio/transcriptions"
OBSIDIAN = "app://obsidian.md"


def multipart(boundary, parts):
    """A body of (head, content) pairs; `head` is what follows "form-data; " and further fields."""
    body = b""
    for head, content in parts:
        body += f"--{boundary}\r\nContent-Disposition: form-data; {head}\r\n\r\n".encode() + content + b"\r\n"
    return body + f"--{boundary}--\r\n".encode()


def field(name, value):
    return f'name="{name}"', value.encode()


class RequestTest(DaemonTest):
    def post(self, daemon, path, boundary, parts, headers=None, quoted=False, chunked=False):
        body = multipart(boundary, parts)
        kind = f'"{boundary}"' if quoted else boundary
        headers = {"Content-Type": f"multipart/form-data; boundary={kind}", **(headers or {})}
        pieces = iter([body[:65536], body[65536:]])  # which http.client sends without a length
        return daemon.request("POST", path, pieces if chunked else body, headers)


class ObsidianTest(RequestTest):
    """The plugin Whisper posts by axios from Obsidian's window, so its requests have that origin."""

    def preflight(self, daemon):
        return daemon.request("OPTIONS", OPENAI, headers={
            "Origin": OBSIDIAN, "Access-Control-Request-Method": "POST",
            "Access-Control-Request-Headers": "authorization"})

    def dictate(self, daemon, key="none"):
        parts = [('name="file"; filename="2026-11-30T04-30-00.wav"\r\nContent-Type: audio/wav', self.sound(6)),
                 field("model", "whisper-1"), field("language", "")]
        return self.post(daemon, OPENAI, "----WebKitFormBoundaryAbCdEfGh12345678", parts,
                         {"Origin": OBSIDIAN, "Authorization": f"Bearer {key}", "Sec-Fetch-Site": "cross-site",
                          "Sec-Fetch-Mode": "cors", "Accept": "application/json, text/plain, */*"})

    def test_an_origin_of_the_list_may_dictate(self):
        daemon = self.start("--set", f"server.allowed_origins={OBSIDIAN}")
        asked = self.preflight(daemon)
        self.assertEqual(asked.status, 204, asked.text)
        self.assertEqual(asked.headers["access-control-allow-origin"], OBSIDIAN)
        self.assertIn("authorization", asked.headers["access-control-allow-headers"].lower())
        answer = self.dictate(daemon)
        self.assertEqual(answer.status, 200, answer.text)
        self.assertEqual(answer.headers["access-control-allow-origin"], OBSIDIAN)
        self.assertEqual(answer.json["text"], "Segment 0. Segment 1.")

    def test_without_keys_the_refusal_names_the_setting(self):
        daemon = self.start()
        for answer in (self.preflight(daemon), self.dictate(daemon)):
            self.assertEqual(answer.status, 403)
            message = answer.json["error"]["message"]
            self.assertIn(f'"{OBSIDIAN}"', message)
            self.assertIn("server.allowed_origins", message)

    def test_with_a_key_the_origin_refuses_nobody(self):
        self.environment["SCRIBED_API_KEY"] = KEY
        daemon = self.start()
        answer = self.dictate(daemon, KEY)
        self.assertEqual(answer.status, 200, answer.text)
        self.assertEqual(self.dictate(daemon, "wrong-key-of-a-stranger").status, 401)


class DotNetTest(RequestTest):
    """.NET's MultipartFormDataContent: a quoted boundary, names without quotes, the file first."""

    def send(self, daemon, path, *fields):
        parts = [("name=file; filename=audio.wav; filename*=utf-8''audio.wav\r\nContent-Type: audio/wav",
                  self.sound(6))]
        parts += [(f"name={name}\r\nContent-Type: text/plain; charset=utf-8", value.encode())
                  for name, value in fields]
        return self.post(daemon, path, "8f1c6a52-2f0e-4a3b-9a55-0f2b8a6f1d77", parts, quoted=True)


class JellyfinTest(DotNetTest):
    """The plugin WhisperSubs, which takes an OpenAI-compatible server as a worker."""

    def test_subtitles_of_a_film(self):
        answer = self.send(self.start(), OPENAI, ("model", "whisper-1"), ("response_format", "srt"), ("language", "en"))
        self.assertEqual(answer.status, 200, answer.text)
        self.assertTrue(answer.text.startswith("1\n00:00:00,000 --> "), answer.text)

    def test_a_worker_without_a_model_of_its_own(self):
        answer = self.send(self.start(), OPENAI, ("model", ""), ("response_format", "srt"))
        self.assertEqual(answer.status, 200, answer.text)

    def test_the_language_is_told_by_its_name(self):
        answer = self.send(self.start(), OPENAI, ("model", "whisper-1"), ("response_format", "verbose_json"))
        self.assertEqual(answer.json["language"], "english")

    def test_a_translation_names_the_language_of_the_film(self):
        answer = self.send(self.start(), "/v1/audio/translations", ("model", "whisper-1"), ("response_format", "srt"),
                           ("language", "de"))
        self.assertEqual(answer.status, 200, answer.text)
        self.assertTrue(answer.text.startswith("1\n00:00:00,000 --> "), answer.text)


class SubtitleEditTest(DotNetTest):
    """Its engine "OpenAI compatible" asks for json with granularities, and for a stream if that is on."""

    ASKED = (("model", "whisper-1"), ("language", "en"), ("response_format", "json"),
             ("timestamp_granularities[]", "segment"), ("timestamp_granularities[]", "word"))

    def test_the_text(self):
        answer = self.send(self.start(), OPENAI, *self.ASKED)
        self.assertEqual(answer.status, 200, answer.text)
        self.assertEqual(answer.json["text"], "Segment 0. Segment 1.")

    def test_a_stream_has_the_names_of_its_events(self):
        answer = self.send(self.start(), OPENAI, *self.ASKED, ("stream", "true"))
        self.assertEqual(answer.status, 200, answer.text)
        events = []  # what its parser takes: events with both a name and data
        for block in answer.text.split("\n\n"):
            lines = dict(line.split(": ", 1) for line in block.splitlines() if ": " in line)
            if "event" in lines and lines.get("data", "").startswith("{"):
                events.append((lines["event"], json.loads(lines["data"])))
        text = "".join(data["delta"] for name, data in events if name == "transcript.text.delta")
        self.assertEqual(text.strip(), "Segment 0. Segment 1.")


class NodeFormTest(RequestTest):
    """form-data for Node, which LibreChat and n8n use by axios."""

    BOUNDARY = "-" * 26 + "bf41b34bb5b3a145eeb48f92"

    def test_librechat_sends_a_stream_of_unknown_length(self):
        parts = [('name="file"; filename="audio.webm"\r\nContent-Type: video/webm', self.sound(6)),
                 field("model", "whisper-1"), field("language", "en")]
        answer = self.post(self.start(), OPENAI, self.BOUNDARY, parts, {"Authorization": "Bearer none"}, chunked=True)
        self.assertEqual(answer.status, 200, answer.text)
        self.assertEqual(answer.json["text"], "Segment 0. Segment 1.")

    def test_n8n_sends_the_file_last(self):
        parts = [field("model", "whisper-1"), field("language", "en"), field("temperature", "0.5"),
                 ('name="file"; filename="Aufnahme größer.wav"\r\nContent-Type: audio/wav', self.sound(6))]
        answer = self.post(self.start(), OPENAI, self.BOUNDARY, parts, {"Authorization": "Bearer none"})
        self.assertEqual(answer.status, 200, answer.text)
        self.assertEqual(answer.json["text"], "Segment 0. Segment 1.")

    def test_n8n_translates(self):
        parts = [field("model", "whisper-1"),
                 ('name="file"; filename="talk.wav"\r\nContent-Type: audio/wav', self.sound(6))]
        answer = self.post(self.start(), "/v1/audio/translations", self.BOUNDARY, parts)
        self.assertEqual(answer.status, 200, answer.text)


class OpenWebUiTest(RequestTest):
    def test_a_recording_of_the_browser(self):
        """aiohttp: fields first, and a file that is read while it is sent, so nothing has a length."""
        parts = [("name=\"model\"\r\nContent-Type: text/plain; charset=utf-8", b"whisper-1"),
                 ("name=\"language\"\r\nContent-Type: text/plain; charset=utf-8", b"en"),
                 ('name="file"; filename="5f1c0bb2-1f6a-4f52-8a3e-2b9f6d7a1c11.wav"\r\n'
                  "Content-Type: application/octet-stream", self.sound(6))]
        answer = self.post(self.start(), OPENAI, "9d1f0a3c5b7e4826a1b2c3d4e5f60718", parts,
                           {"Authorization": "Bearer none"}, chunked=True)
        self.assertEqual(answer.status, 200, answer.text)
        self.assertEqual(answer.json["text"], "Segment 0. Segment 1.")


class AsrTest(RequestTest):
    """Clients of whisper-asr-webservice besides Bazarr (asr_test.py)."""

    def ask(self, daemon, content, name, **query):
        return self.post(daemon, f"/asr?{urllib.parse.urlencode(query)}", "a3d2f5b0c1e84796",
                         [(f'name="audio_file"; filename="{name}"\r\nContent-Type: audio/wav', content)])

    def test_speakr_asks_for_speakers_by_two_names(self):
        answer = self.ask(self.start(), self.sound(12), "meeting.wav", encode="true", task="transcribe", output="json",
                          language="en", diarize="true", enable_diarization="true", min_speakers=1, max_speakers=5,
                          initial_prompt="Minutes.", hotwords="Speakr")
        self.assertEqual(answer.status, 200, answer.text)
        self.assertEqual([one["speaker"] for one in answer.json["segments"]], ["A", "B", "A"])

    def test_speakr_without_speakers(self):
        answer = self.ask(self.start(), self.sound(6), "meeting.wav", encode="true", task="transcribe", output="json",
                          diarize="false", enable_diarization="false")
        self.assertEqual((answer.status, answer.json["text"]), (200, " Segment 0. Segment 1."))

    def test_clients_of_subgen(self):
        daemon = self.start()
        answer = self.ask(daemon, bytes(32000 * 6), "audio_file", task="transcribe", language="en", encode="false",
                          video_file="/tv/A show/S01E01.mkv", initial_prompt="", output="srt", word_timestamps="false")
        self.assertEqual(answer.status, 200, answer.text)
        self.assertTrue(answer.text.startswith("1\n00:00:00,000 --> "), answer.text)


if __name__ == "__main__":
    unittest.main()
