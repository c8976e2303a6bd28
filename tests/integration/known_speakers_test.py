"""Speakers who are known by name, by clips of their voices: the way of a clip with the fake worker, which
names those first whose clips have sound, and a conversation of two people with the real networks.

Without recordings, or the model speakers, the test of the networks is skipped.
"""

import base64
import json
import pathlib
import struct
import subprocess
import tempfile
import unittest
import wave

from daemon import DaemonTest
from mcp_host import MODERN, text_of
from recordings import fast_program, recording
from scribed_command import FakeWorkerTest, write_silence


def data_url(sound):
    return "data:audio/wav;base64," + base64.b64encode(sound).decode()


def padded(sound, size):
    """The WAV file with so much junk between its header and its sound."""
    head, data = sound[:36], sound[36:]
    return (head[:4] + struct.pack("<I", len(head) + size + len(data)) + head[8:] + b"junk" + struct.pack("<I", size)
            + bytes(size) + data)


class CommandTest(FakeWorkerTest):
    def clip(self, seconds, name="ada.wav"):
        write_silence(self.folder / name, seconds)
        return self.folder / name

    def test_a_known_speaker_has_the_name_and_another_a_letter(self):
        text = self.run_scribed(self.sound(12), "--quiet", "--speaker", f"Ada L.={self.clip(3)}").stdout
        self.assertEqual(text, "Ada L.: Segment 0.\nA: Segment 1.\nAda L.: Segment 2.\n")
        vtt = self.run_scribed(self.sound(6), "--quiet", "--speaker", f"<Ada> & co={self.clip(3)}",
                               "--format", "vtt").stdout
        self.assertIn("<v &lt;Ada&gt; &amp; co>Segment 0.", vtt)

    def test_who_is_not_heard_is_a_warning(self):
        clip = self.clip(3)
        names = ("Ada", "Grace", "Hedy", "Joan")
        result = self.run_scribed(self.sound(12), *(word for name in names for word in ("--speaker", f"{name}={clip}")))
        self.assertEqual(result.returncode, 0, result.stderr)
        self.assertIn('No voice in the recording is that of "Hedy", "Joan".', result.stderr)

    def test_a_clip_is_read_no_further_than_its_limit(self):
        large = self.folder / "large.wav"
        large.write_bytes(padded(self.clip(3).read_bytes(), 65 << 20))
        result = self.run_scribed(self.sound(5), "--speaker", f"Ada={large}")
        self.assertEqual(result.returncode, 4, result.stderr)
        self.assertIn("The clip of Ada cannot be used: The input is larger than the limit", result.stderr)

    def test_what_is_no_clip_is_refused(self):
        nonsense = self.folder / "nonsense.wav"
        nonsense.write_bytes(b"nonsense" * 100)
        table = (("Ada", 2, "NAME=FILE"), ("=x.wav", 2, "name"), (f"Ada={self.folder / 'none.wav'}", 3, "--speaker Ada="),
                 (f"Ada={nonsense}", 4, "The clip of Ada cannot be used"),
                 (f"Ada={self.clip(20)}", 4, "The clip of Ada is longer than 15 s"))
        for speaker, code, part in table:
            with self.subTest(speaker):
                result = self.run_scribed(self.sound(5), "--speaker", speaker)
                self.assertEqual(result.returncode, code, result.stderr)
                self.assertIn(part, result.stderr)
        result = self.run_scribed(self.sound(5), "--num-speakers", "1", "--speaker", f"Ada={self.clip(3)}",
                                  "--speaker", f"Grace={self.clip(3)}")
        self.assertEqual(result.returncode, 2, result.stderr)
        self.assertIn("num_speakers is 1", result.stderr)


class ServerTest(DaemonTest):
    def fields(self, *names):
        clip = data_url(self.sound(2))
        return [pair for name in names for pair in
                (("known_speaker_names[]", name), ("known_speaker_references[]", clip))]

    def test_a_form_names_the_speakers(self):
        answer = self.start().post_form(
            "/v1/audio/transcriptions",
            [("model", "whisper-1"), ("response_format", "diarized_json"), *self.fields("Ada")], self.sound(12))
        self.assertEqual([s["speaker"] for s in answer.json["segments"]], ["Ada", "A", "Ada"])

    def test_a_job_knows_them_after_the_daemon_was_killed_and_keeps_no_clip(self):
        self.behave("slow")
        daemon = self.start()
        job = daemon.post_form("/v1/jobs", self.fields("Ada", "Grace"), self.sound(30)).json["id"]
        daemon.kill()
        daemon = self.start()
        ended = daemon.wait_for_job(job)
        self.assertEqual(ended["status"], "done", ended)
        rttm = daemon.get(f"/v1/jobs/{job}/transcript?format=rttm").text
        self.assertEqual([line.split()[7] for line in rttm.splitlines()], ["Ada", "Grace"] * 3)
        self.assertEqual([file for file in (self.state / "spool").glob("*") if file.is_file()], [])

    def test_a_server_gets_the_clips_of_the_command(self):
        daemon = self.start()
        clip = self.folder / "ada.wav"
        sound = self.sound(2)
        clip.write_bytes(padded(sound, (3 << 20) - len(sound) - 8))  # as large as it may be
        talk = self.folder / "talk.wav"
        talk.write_bytes(self.sound(6))
        result = subprocess.run(
            [self.scribed, "transcribe", "--server", f"127.0.0.1:{daemon.port}", "--speaker", f"Ada={clip}", talk],
            capture_output=True, text=True, timeout=60, env=self.environment)
        self.assertEqual(result.stdout, "Ada: Segment 0.\nA: Segment 1.\n", result.stderr)

    def test_a_tool_takes_paths_and_data_urls(self):
        daemon = self.start("--allow-path", self.folder)
        (self.folder / "ada.wav").write_bytes(self.sound(2))
        (self.folder / "talk.wav").write_bytes(self.sound(12))
        headers = {"Content-Type": "application/json", "Mcp-Method": "tools/call", "Mcp-Name": "transcribe",
                   "Accept": "application/json", "MCP-Protocol-Version": "2026-07-28"}
        arguments = {"path": str(self.folder / "talk.wav"),
                     "known_speakers": {"Ada": str(self.folder / "ada.wav"), "Grace": data_url(self.sound(2))}}
        body = {"jsonrpc": "2.0", "id": 1, "method": "tools/call",
                "params": {"name": "transcribe", "arguments": arguments, "_meta": MODERN}}
        answer = daemon.request("POST", "/mcp", json.dumps(body), headers).json
        self.assertIn("Ada: Segment 0.\nGrace: Segment 1.\nAda: Segment 2.", text_of(answer["result"]))


class ConversationTest(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        shown = subprocess.run([fast_program(), "models", "show", "speakers"], capture_output=True)
        if shown.returncode != 0:
            raise unittest.SkipTest("speakers is not installed; scribed models pull speakers")
        folder = tempfile.TemporaryDirectory()
        cls.addClassCleanup(folder.cleanup)
        cls.folder = pathlib.Path(folder.name)
        cls.talk = cls.join("talk.wav", ("en-nogo.wav", None), ("ru-nogo.wav", None), ("en-allbusy.wav", None))
        cls.allison = cls.join("allison.wav", ("en-noisy.wav", 5))
        cls.two = cls.join("two.wav", ("en-noisy.wav", 4), ("ru-congrats.wav", 4))
        cls.silence = cls.join("silence.wav", ("silence.wav", 5))

    @classmethod
    def join(cls, name, *parts):
        """The beginnings of recordings, each of so many seconds or whole, with a pause behind each."""
        with wave.open(str(cls.folder / name), "wb") as whole:
            whole.setparams((1, 2, 16000, 0, "NONE", ""))
            for part, seconds in parts:
                with wave.open(str(recording(part)), "rb") as sound:
                    whole.writeframes(sound.readframes(16000 * seconds if seconds else sound.getnframes()))
                whole.writeframes(bytes(2 * 6400))
        return cls.folder / name

    def diarize(self, *arguments):
        return subprocess.run([fast_program(), "diarize", *map(str, arguments), self.talk], text=True,
                              capture_output=True, timeout=600)

    def test_a_voice_is_known_by_another_recording_of_it(self):
        result = self.diarize("--speaker", f"Allison={self.allison}")
        speakers = [line.split(maxsplit=2)[2] for line in result.stdout.splitlines()]
        self.assertEqual(list(dict.fromkeys(speakers)), ["Allison", "A"], result.stderr)
        self.assertEqual((speakers[0], speakers[-1]), ("Allison", "Allison"))

    def test_clips_of_several_voices_and_of_none_are_refused(self):
        for clip, part in ((self.two, "has several voices"), (self.silence, "has no speech")):
            result = self.diarize("--speaker", f"Ada={clip}")
            self.assertEqual(result.returncode, 4, result.stderr)
            self.assertIn(f"The clip of Ada {part}", result.stderr)


if __name__ == "__main__":
    unittest.main()
