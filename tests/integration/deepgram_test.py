"""Deepgram's /v1/listen and the socket of Jitsi's Jigasi with real weights. See live_daemon.py for what it needs."""

import json
import subprocess
import unittest

import clients
from live_daemon import LiveDaemonTest
from live_test import word_errors, words_of
from recordings import recording
from websocket_client import Closed, Refused, WebSocket

RAW = "encoding=linear16&sample_rate=16000&language=en"
SECOND = 32000  # bytes
# The formats that browsers' recorders and internet radios stream, by FFmpeg's options.
STREAMED = {
    "webm": ["-c:a", "libopus", "-f", "webm", "-live", "1", "-cluster_time_limit", "250"],
    "ogg": ["-c:a", "libopus", "-f", "ogg", "-page_duration", "200000"],
    "mp4": ["-c:a", "aac", "-f", "mp4", "-movflags", "frag_keyframe+empty_moov+default_base_moof", "-frag_duration", "250000"],
    "mp3": ["-c:a", "libmp3lame", "-f", "mp3"],
    "aac": ["-c:a", "aac", "-f", "adts"],
    "flac": ["-c:a", "flac", "-f", "flac"],
}


def sound(*names, silence_s=1.0):
    """Recordings as 16-bit numbers at 16 kHz, each with silence behind it."""
    pcm = b""
    for name in names:
        command = ["ffmpeg", "-nostdin", "-loglevel", "error", "-i", recording(f"{name}.wav"), "-f", "s16le"]
        pcm += subprocess.run([*command, "-ac", "1", "-ar", "16000", "-"], capture_output=True, check=True).stdout
        pcm += bytes(2 * int(silence_s * 16000))
    return pcm


def transcript(result):
    return result["channel"]["alternatives"][0]["transcript"]


def text_of(messages):
    return " ".join(transcript(one) for one in messages
                    if one["type"] == "Results" and one["is_final"] and transcript(one))


class DeepgramTest(LiveDaemonTest):
    model = "base"

    @classmethod
    def setUpClass(cls):
        super().setUpClass()
        cls.sound = sound("en-nogo", "en-thanks", silence_s=2.5)

    def open(self, query=RAW):
        socket = WebSocket(self.daemon.port, f"/v1/listen?{query}", limit=300)
        self.addCleanup(socket.end)
        return socket

    def say(self, socket, pcm):
        for begin in range(0, len(pcm), SECOND):
            socket.send(pcm[begin:begin + SECOND])

    def assert_heard(self, text):
        expected = words_of(self.offline("en-nogo") + " " + self.offline("en-thanks"))
        self.assertLess(word_errors(expected, words_of(text)), 0.2, text)

    def assert_without_gaps(self, messages):
        end = 0
        for one in messages:
            if one["type"] == "Results":
                self.assertAlmostEqual(one["start"], end, delta=0.002)
                end += one["duration"] if one["is_final"] else 0

    def test_a_stream_is_heard_to_its_end(self):
        socket = self.open(RAW + "&interim_results=true&vad_events=true&utterance_end_ms=1000")
        self.say(socket, self.sound)
        socket.send({"type": "CloseStream"})
        messages, end = socket.receive_all()
        self.assertEqual(end.code, 1000)
        self.assertEqual({one["type"] for one in messages}, {"Results", "SpeechStarted", "UtteranceEnd", "Metadata"})
        self.assert_heard(text_of(messages))
        self.assert_without_gaps(messages)
        self.assertTrue(any(one.get("speech_final") for one in messages))
        self.assertTrue(any(one.get("is_final") is False for one in messages))
        self.assertEqual(messages[-1]["type"], "Metadata")
        self.assertAlmostEqual(messages[-1]["duration"], len(self.sound) / SECOND, places=2)

    def test_a_stream_of_a_file_format_is_heard_as_it_comes(self):
        for name, options in STREAMED.items():
            with self.subTest(name):
                socket = self.open("language=en&interim_results=true")
                command = ["ffmpeg", "-nostdin", "-loglevel", "error", "-f", "s16le", "-ar", "16000", "-i", "-", *options,
                           "-flush_packets", "1", "-"]
                stream = subprocess.run(command, input=self.sound, capture_output=True, check=True).stdout
                half = len(stream) // 2
                for begin in range(0, half, 1021):
                    socket.send(stream[begin:min(begin + 1021, half)])
                first = socket.receive_until(lambda one: one["type"] == "Results" and transcript(one))
                for begin in range(half, len(stream), 4096):
                    socket.send(stream[begin:begin + 4096])
                socket.send({"type": "CloseStream"})
                rest, end = socket.receive_all()
                self.assertEqual(end.code, 1000)
                self.assert_heard(text_of(first + rest))
                self.assert_without_gaps(first + rest)
                self.assertAlmostEqual(rest[-1]["duration"], len(self.sound) / SECOND, delta=0.2)

    def test_a_finalize_holds_for_the_bytes_before_it(self):
        socket = self.open("language=en")
        command = ["ffmpeg", "-nostdin", "-loglevel", "error", "-f", "s16le", "-ar", "16000", "-i", "-", *STREAMED["webm"], "-"]
        socket.send(subprocess.run(command, input=self.sound, capture_output=True, check=True).stdout)
        socket.send({"type": "Finalize"})
        self.assert_heard(text_of(socket.receive_until(lambda one: one.get("from_finalize"))))

    def test_a_stream_that_is_no_audio_is_told(self):
        socket = self.open("language=en")
        socket.send(b"no audio" * 10_000)
        socket.send({"type": "CloseStream"})
        messages, end = socket.receive_all()
        self.assertEqual(end.code, 1008)
        self.assertEqual(messages[-1]["type"], "Error")
        self.assertIn("Supported are wav, flac", messages[-1]["description"])

    def test_a_stream_that_is_declared_as_raw_is_told(self):
        socket = self.open()
        command = ["ffmpeg", "-nostdin", "-loglevel", "error", "-f", "s16le", "-ar", "16000", "-i", "-", *STREAMED["webm"], "-"]
        socket.send(subprocess.run(command, input=self.sound, capture_output=True, check=True).stdout)
        messages, end = socket.receive_all()
        self.assertEqual(end.code, 1008)
        self.assertIn("Leave out the parameters encoding and sample_rate", messages[-1]["description"])

    def test_finalize_is_answered_with_and_without_sound(self):
        socket = self.open()
        socket.send({"type": "Finalize"})
        first, = socket.receive_until(lambda one: one.get("from_finalize"))
        self.assertEqual(transcript(first), "")
        self.say(socket, self.sound)
        socket.send({"type": "Finalize"})
        messages = socket.receive_until(lambda one: one.get("from_finalize"))
        self.assert_heard(text_of(messages))

    def test_each_channel_has_its_own_results(self):
        mono = sound("en-thanks")
        frames = [mono[at:at + 2] + b"\0\0" for at in range(0, len(mono), 2)]
        socket = self.open(RAW + "&channels=2&multichannel=true")
        self.say(socket, b"".join(frames))
        socket.send(b"")  # the end, as older clients say it
        messages, _ = socket.receive_all()
        heard = [one["channel_index"] for one in messages if one["type"] == "Results" and transcript(one)]
        self.assertTrue(heard)
        self.assertTrue(all(index == [0, 2] for index in heard), heard)

    def test_what_cannot_be_is_refused_before_the_upgrade(self):
        for query in ("encoding=speex", "encoding=linear16", RAW + "&utterance_end_ms=1000"):
            with self.subTest(query), self.assertRaises(Refused) as refused:
                self.open(query)
            self.assertEqual(refused.exception.status, 400)
            body = json.loads(refused.exception.body)
            self.assertEqual(body["err_code"], "INVALID_QUERY_PARAMETER")
            self.assertEqual(body["request_id"], refused.exception.headers["x-request-id"])

    def test_mistakes_of_files_have_the_status_that_its_clients_read(self):
        for query, body, why in (("model=no-such", self.sound, "There is no model named 'no-such'. "),
                                 (RAW, b"", "The request has no recording. "),
                                 ("model=base", b"no sound" * 100, "")):
            with self.subTest(query):
                answer = self.daemon.request("POST", f"/v1/listen?{query}", body)
                self.assertEqual(answer.status, 400, answer.text)
                self.assertEqual(set(answer.json), {"err_code", "err_msg", "request_id"})
                self.assertTrue(answer.json["err_msg"].startswith(why), answer.text)

    def test_sound_may_be_cut_within_samples(self):
        socket = self.open()
        for begin in range(0, len(self.sound), SECOND + 1):
            socket.send(self.sound[begin:begin + SECOND + 1])
        socket.send({"type": "CloseStream"})
        messages, _ = socket.receive_all()
        self.assert_heard(text_of(messages))

    def test_a_message_that_means_nothing_ends_nothing(self):
        socket = self.open()
        socket.send("hello")
        self.assertEqual(socket.receive_json()["variant"], "SchemaError")
        socket.send({"type": "Configure", "keyterms": ["PBX"]})
        self.assertEqual(socket.receive_json()["type"], "ConfigureSuccess")

    def test_deepgrams_package(self):
        clients.need_live()
        pcm = self.folder / "talk.s16"
        pcm.write_bytes(self.sound)
        url = f"http://127.0.0.1:{self.daemon.port}"
        told = json.loads(clients.run_python("deepgram_client.py", url, pcm, recording("en-nogo.wav")))
        self.assertEqual(told["kinds"], ["Metadata", "Results", "SpeechStarted", "UtteranceEnd"])
        self.assert_heard(told["text"])
        self.assertGreater(told["interims"], 0)
        self.assertGreater(told["ends_of_speech"], 0)
        self.assertGreater(told["utterances"], 0)
        self.assertLess(word_errors(words_of(self.offline("en-nogo")), words_of(told["file"])), 0.2)

    def test_raw_sound_without_a_socket(self):
        answer = self.daemon.request("POST", f"/v1/listen?{RAW}&punctuate=true", self.sound + b"\0",
                                     {"Content-Type": "application/octet-stream"})
        self.assertEqual(answer.status, 200, answer.text)
        self.assert_heard(answer.json["results"]["channels"][0]["alternatives"][0]["transcript"])
        self.assertAlmostEqual(answer.json["metadata"]["duration"], len(self.sound) / SECOND, places=1)


class JigasiTest(LiveDaemonTest):
    model = "base"

    def test_each_participant_has_a_text_of_their_own(self):
        socket = WebSocket(self.daemon.port, "/streaming-whisper/ws/a-meeting?auth_token=a.b.c", limit=300)
        self.addCleanup(socket.end)
        talks = {"room/ada": sound("en-nogo"), "room/bob": sound("en-thanks")}
        for begin in range(0, max(map(len, talks.values())), SECOND):
            for name, pcm in talks.items():
                if piece := pcm[begin:begin + SECOND]:
                    socket.send(f"{name}|en-US".encode().ljust(60, b"\0") + piece)
        socket.send(b"\0")
        answers, end = socket.receive_all()
        self.assertEqual(end.code, 1000)
        for name, recorded in (("room/ada", "en-nogo"), ("room/bob", "en-thanks")):
            finals = [one for one in answers if one["participant_id"] == name and one["type"] == "final"]
            text = " ".join(one["text"] for one in finals)
            self.assertLess(word_errors(words_of(self.offline(recorded)), words_of(text)), 0.3, text)
            self.assertEqual(len({one["id"] for one in finals}), len(finals))
        self.assertTrue(all(isinstance(one["variance"], float) for one in answers))
        self.assertIn("partial", {one["type"] for one in answers})

    def test_a_connection_in_which_nobody_speaks_ends_well(self):
        socket = WebSocket(self.daemon.port, "/streaming-whisper/ws/silent", limit=300)
        self.addCleanup(socket.end)
        socket.send(b"too short")
        socket.send(b"\0")
        with self.assertRaises(Closed) as closed:
            socket.receive()
        self.assertEqual(closed.exception.code, 1000)


if __name__ == "__main__":
    unittest.main()
