"""Transcription of sound that is still coming in: with a fake worker, and with real weights.

  SCRIBED_BIN          folder of the programs (default: build/dev/bin, then build/release/bin)
  SCRIBED_RECORDINGS   see recordings.py

Tests with real weights need the models base and silero-vad and recordings, and are skipped without them.
"""

import array
import json
import pathlib
import random
import re
import signal
import subprocess
import threading
import unittest

from recordings import recording, samples
from scribed_command import TIME_LIMIT, FakeWorkerTest, bin_folder, wait_for

SECOND = 2 * 16000  # bytes
AUDIO_EXIT, INTERRUPTED_EXIT = 4, 130


def silence(seconds):
    return bytes(int(seconds * SECOND))


def events(text):
    return [json.loads(line) for line in text.splitlines()]


class CommandTest(FakeWorkerTest):
    def run_live(self, sound, *options):
        result = self.run_scribed("--live", *options, "-", input=sound, text=False)
        return result.returncode, result.stdout.decode()

    def run_scribed(self, *arguments, **more):
        more = {"capture_output": True, "timeout": 60, "env": self.environment, **more}
        return subprocess.run(self.command(*arguments), **more)

    def start_live(self, *options):
        return self.start_scribed("--live", *options, "-", stdin=subprocess.PIPE, text=False,
                                  bufsize=0)

    @staticmethod
    def read_until(process, text):
        found = b""
        while text not in found:
            piece = process.stdout.read(1)
            if not piece:
                raise AssertionError(f"{found} ended before {text}")
            found += piece
        return found

    def test_raw_sound_that_comes_at_once_is_transcribed_to_its_end(self):
        self.assertEqual(self.run_live(silence(12), "--quiet"),
                         (0, "Segment 0.\nSegment 1.\nSegment 2.\n"))

    def test_words_come_out_while_sound_comes_in(self):
        process = self.start_live("--quiet")
        process.stdin.write(silence(2))
        self.assertEqual(self.read_until(process, b"Segment"), b"Segment")
        process.stdin.write(silence(4))
        self.assertEqual(self.read_until(process, b"\nSegment"), b" 0.\nSegment")
        process.stdin.close()
        self.assertEqual(process.stdout.read(), b" 1.\n")
        self.assertEqual(process.wait(TIME_LIMIT), 0)

    def test_events_are_lines_of_json(self):
        code, text = self.run_live(silence(6), "--quiet", "--format", "jsonl")
        found = events(text)
        self.assertEqual(code, 0)
        self.assertEqual([e["type"] for e in found], ["partial"] * 4 + ["segment", "partial"]
                         + ["partial", "segment", "done"])
        self.assertEqual(found[0], {"type": "partial", "heard_s": 1.0, "text": " Segment",
                                    "tail": " perhaps"})
        self.assertEqual(found[4]["text"], " Segment 0.")
        self.assertEqual(found[-1]["text"], " Segment 0. Segment 1.")

    def test_other_rates_and_formats_can_be_named(self):
        code, text = self.run_live(bytes(8 * 48000 * 4), "--quiet", "--format", "json",
                                   "--input-format", "f32le", "--input-sample-rate", "48000")
        self.assertEqual(code, 0)
        self.assertAlmostEqual(json.loads(text)["duration"], 8, places=1)
        recording = self.sound(7).read_bytes()
        self.assertEqual(self.run_live(recording, "--quiet", "--input-format", "wav"),
                         (0, "Segment 0.\nSegment 1.\n"))

    def test_ctrl_c_ends_the_input_and_decides_the_rest(self):
        process = self.start_live("--quiet")
        process.stdin.write(silence(7))
        self.read_until(process, b"Segment 0.\nSegment")
        process.send_signal(signal.SIGINT)
        self.assertEqual(process.stdout.read(), b" 1.\n")
        self.assertEqual(process.wait(TIME_LIMIT), 0)

    def test_a_second_ctrl_c_ends_everything(self):
        process = self.start_live("--quiet", "--hotwords", "fake:hang")
        process.stdin.write(silence(7))
        self.read_until(process, b"Segment 0.\n")
        for _ in range(2):
            process.send_signal(signal.SIGINT)
            wait_for(lambda: not self.pending(process), "the signal to be taken")
        self.assertEqual(process.wait(TIME_LIMIT), INTERRUPTED_EXIT)

    @staticmethod
    def pending(process):
        """Whether a signal waits for the process; signals of one kind do not queue."""
        try:
            status = pathlib.Path(f"/proc/{process.pid}/status").read_text()
        except OSError:
            return False
        return int(re.search(r"ShdPnd:\s*(\w+)", status)[1], 16) != 0

    def test_a_recorder_that_is_killed_is_the_end_of_the_input(self):
        recorder = subprocess.Popen(["sh", "-c", f"head -c {7 * SECOND} /dev/zero; exec sleep 60"],
                                    stdout=subprocess.PIPE)
        self.addCleanup(recorder.stdout.close)
        process = self.start_scribed("--live", "--quiet", "-", stdin=recorder.stdout, text=False,
                                     bufsize=0)
        self.read_until(process, b"Segment 0.\nSegment")
        recorder.kill()
        recorder.wait(TIME_LIMIT)
        self.assertEqual(process.stdout.read(), b" 1.\n")
        self.assertEqual(process.wait(TIME_LIMIT), 0)

    def test_no_sound_at_all_is_an_error(self):
        self.assertEqual(self.run_live(b"", "--quiet"), (AUDIO_EXIT, ""))

    def test_what_cannot_go_together_is_refused(self):
        for options in (["--live", "-", "b.wav"], ["--live", "--long-form", "parallel", "-"],
                        ["--live", "--vad-filter", "True", "-"], ["--format", "jsonl", "-"]):
            result = self.run_scribed(*options, input="", text=True)
            self.assertEqual((result.returncode, result.stdout), (2, ""), options)
            self.assertIn("--live", result.stderr)


def words_of(text):
    return re.findall(r"[\w']+", text.lower())


def word_errors(reference, hypothesis):
    """Levenshtein distance of the words, over those of the reference."""
    row = list(range(len(hypothesis) + 1))
    for i, expected in enumerate(reference, 1):
        previous, row[0] = row[0], i
        for j, found in enumerate(hypothesis, 1):
            previous, row[j] = row[j], min(row[j] + 1, row[j - 1] + 1,
                                           previous + (expected != found))
    return row[-1] / len(reference)


class RealModelTest(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.scribed = bin_folder() / "scribed"
        shown = subprocess.run([cls.scribed, "models", "show", "base"], capture_output=True)
        if shown.returncode != 0:
            raise unittest.SkipTest("base is not installed; scribed models pull base")
        shown = subprocess.run([cls.scribed, "models", "show", "silero-vad"], capture_output=True)
        if shown.returncode != 0:
            raise unittest.SkipTest("no model silero-vad: scribed models pull silero-vad")
        cls.sound = samples(recording("en-echotest.wav"))
        cls.offline = cls.transcribe("--input-format", "s16le", "--format", "txt")

    @classmethod
    def transcribe(cls, *options, sound=None):
        result = subprocess.run([cls.scribed, "transcribe", "--quiet", "--model", "base",
                                 "--language", "en", *options, "-"],
                                input=cls.sound if sound is None else sound, capture_output=True,
                                timeout=600)
        if result.returncode != 0:
            raise AssertionError(result.stderr.decode())
        return result.stdout.decode()

    def test_the_text_is_nearly_that_of_the_whole_recording(self):
        live = self.transcribe("--live", "--format", "txt")
        self.assertLess(word_errors(words_of(self.offline), words_of(live)), 0.1, live)

    # For the decoder, the last window of this sound ends after "Please hold".
    def test_what_a_last_window_has_not_heard_is_decoded_too(self):
        names = ("en-nogo", "en-moreinfo", "en-thanks", "en-allbusy")
        sound = b"".join(samples(recording(f"{name}.wav")) for name in names)
        text = " ".join(words_of(self.transcribe("--live", "--format", "txt", sound=sound)))
        self.assertTrue(text.endswith("please hold and your call will be answered in the order it was "
                                      "received"), text)

    def test_nothing_that_was_committed_is_taken_back(self):
        found = events(self.transcribe("--live", "--format", "jsonl", "--live-chunk", "2",
                                       "--word-timestamps", "True"))
        open_text, segments = "", []
        for event in found[:-1]:
            self.assertTrue(event["text"].startswith(open_text), (open_text, event))
            open_text = event["text"] if event["type"] == "partial" else ""
            if event["type"] == "segment":
                segments.append(event)
        self.assertEqual(open_text, "")
        self.assertEqual(found[-2]["tail"], "")
        self.assertEqual("".join(s["text"] for s in segments), found[-1]["text"])
        starts = [word["start"] for s in segments for word in s["words"]]
        self.assertEqual(starts, sorted(starts))
        self.assertGreaterEqual(len(segments), 3)

    def test_text_comes_before_the_sound_has_ended(self):
        process = subprocess.Popen([self.scribed, "transcribe", "--quiet", "--model", "base",
                                    "--language", "en", "--live", "--format", "jsonl", "-"],
                                   stdin=subprocess.PIPE, stdout=subprocess.PIPE)
        self.addCleanup(process.stdout.close)
        self.addCleanup(process.kill)
        timer = threading.Timer(TIME_LIMIT, process.kill)
        self.addCleanup(timer.cancel)
        timer.start()
        process.stdin.write(self.sound[:10 * SECOND])
        process.stdin.flush()
        sure = ""
        while not sure:
            event = json.loads(process.stdout.readline())
            self.assertEqual(event["type"], "partial")
            sure = event["text"]
        process.stdin.close()
        done = json.loads(process.stdout.readlines()[-1])
        self.assertEqual(process.wait(TIME_LIMIT), 0)
        self.assertTrue(done["text"].startswith(sure))

    def test_a_silence_says_how_far_it_was_heard(self):
        found = events(self.transcribe("--live", "--format", "jsonl", sound=silence(5)))
        heard = [event["heard_s"] for event in found if event["type"] == "partial"]
        self.assertGreaterEqual(len(heard), 3)
        self.assertEqual(heard, sorted(heard))
        self.assertEqual(found[-1]["text"], "")

    # The model by itself says "you" of it.
    def test_a_faint_hiss_has_no_words(self):
        random.seed(1)
        hiss = array.array("h", (round(random.uniform(-5, 5)) for _ in range(60 * SECOND // 2)))
        self.assertEqual(self.transcribe("--live", "--format", "txt", sound=hiss.tobytes()).strip(), "")

    def test_words_behind_a_long_silence_are_heard(self):
        quiet = self.transcribe("--live", "--format", "txt", sound=silence(40) + self.sound)
        self.assertLess(word_errors(words_of(self.offline), words_of(quiet)), 0.1, quiet)


if __name__ == "__main__":
    unittest.main()
