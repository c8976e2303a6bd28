"""Long recordings in parallel windows, and silence without text: real weights, real processes.

  SCRIBED_BIN          folder of the programs (default: build/release/bin, then build/dev/bin)
  SCRIBED_RECORDINGS   see recordings.py

The models base and silero-vad must be installed; without them, or without recordings, the tests are
skipped.
"""

import array
import json
import pathlib
import subprocess
import tempfile
import unittest
import wave

from recordings import RATE, fast_program, recording, samples
from scribed_command import own_environment

SILENCE_S = 20
CLIPS = ("nogo", "moreinfo", "thanks", "allbusy", "noisy", "echotest")
MODEL_EXIT = 5


def overlap(first, second):
    return min(first[1], second[1]) - max(first[0], second[0])


class ParallelTest(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.program = fast_program()
        for model in ("base", "silero-vad"):
            shown = subprocess.run([cls.program, "models", "show", model], capture_output=True)
            if shown.returncode != 0:
                raise unittest.SkipTest(f"{model} is not installed; scribed models pull {model}")
        clips = [recording(f"en-{name}.wav") for name in CLIPS]
        cls.folder = tempfile.TemporaryDirectory()
        cls.addClassCleanup(cls.folder.cleanup)
        cls.recording = pathlib.Path(cls.folder.name) / "long.wav"
        cls.silence = cls.write_recording([array.array("h", samples(clip)) for clip in clips])

    @classmethod
    def write_recording(cls, parts):
        """The parts with a long silence in their middle; returns where that is."""
        middle = len(parts) // 2
        before = array.array("h", b"".join(part.tobytes() for part in parts[:middle]))
        after = array.array("h", b"".join(part.tobytes() for part in parts[middle:]))
        with wave.open(str(cls.recording), "wb") as sound:
            sound.setnchannels(1)
            sound.setsampwidth(2)
            sound.setframerate(RATE)
            sound.writeframes(before.tobytes() + bytes(2 * RATE * SILENCE_S) + after.tobytes())
        begin = len(before) / RATE
        return begin, begin + SILENCE_S

    def run_scribed(self, *options, data=None):
        environment = {**own_environment(), **({"SCRIBED_DATA_DIR": data} if data else {})}
        return subprocess.run(
            [self.program, "transcribe", "--quiet", "--format", "json", "--language", "en",
             "--temperature", "0", "--temperature-increment-on-fallback", "none",
             *map(str, options)], capture_output=True, text=True, timeout=1200, env=environment)

    def transcribe(self, *options):
        result = self.run_scribed(self.recording, "--model", "base", *options)
        self.assertEqual(result.returncode, 0, result.stderr)
        return json.loads(result.stdout)

    def test_parallel_windows_give_one_transcript_in_order(self):
        sequential = self.transcribe("--long-form", "sequential")
        parallel = self.transcribe("--long-form", "parallel")
        segments = parallel["segments"]
        self.assertEqual([s["id"] for s in segments], list(range(len(segments))))
        starts = [s["start"] for s in segments]
        self.assertEqual(starts, sorted(starts))
        for segment in segments:
            inside = overlap((segment["start"], segment["end"]), self.silence)
            self.assertLess(inside, 2, "text where nobody speaks: " + segment["text"])
        words = [set(t["text"].lower().split()) for t in (sequential, parallel)]
        self.assertGreater(len(words[0] & words[1]) / len(words[0] | words[1]), 0.8)

    def test_a_part_of_the_recording_has_the_recordings_times(self):
        begin = self.silence[1]
        parallel = self.transcribe("--long-form", "parallel", "--clip-timestamps", begin)
        self.assertTrue(parallel["segments"])
        self.assertGreaterEqual(parallel["segments"][0]["start"], begin - 0.02)
        self.assertLess(parallel["segments"][0]["start"], begin + 2)

    def test_silence_alone_gives_no_text(self):
        quiet = pathlib.Path(self.folder.name) / "quiet.wav"
        with wave.open(str(quiet), "wb") as sound:
            sound.setnchannels(1)
            sound.setsampwidth(2)
            sound.setframerate(RATE)
            sound.writeframes(bytes(2 * RATE * 40))
        for options in (("--long-form", "parallel"), ("--vad-filter", "true")):
            result = self.run_scribed(quiet, "--model", "base", *options)
            self.assertEqual(result.returncode, 0, result.stderr)
            self.assertEqual(json.loads(result.stdout)["segments"], [], options)

    def test_without_the_vad_it_says_what_to_install(self):
        shown = subprocess.run([self.program, "models", "show", "base", "--json"],
                               capture_output=True, check=True)
        base = json.loads(shown.stdout)["path"]
        with tempfile.TemporaryDirectory() as data:
            result = self.run_scribed(self.recording, "--model", base, "--long-form", "parallel",
                                      data=data)
        self.assertEqual(result.returncode, MODEL_EXIT, result.stderr)
        self.assertIn("scribed models pull silero-vad", result.stderr)


if __name__ == "__main__":
    unittest.main()
