"""Silence has no vote on the language and no words: real weights, real processes.

  SCRIBED_BIN          folder of the programs (default: build/release/bin, then build/dev/bin)
  SCRIBED_RECORDINGS   see recordings.py

The models base and silero-vad must be installed; without them, or without recordings, the tests are
skipped.
"""

import array
import json
import pathlib
import random
import subprocess
import tempfile
import unittest
import wave

from recordings import RATE, fast_program, recording, samples
from scribed_command import own_environment

GREEDY = ("--beam-size", "1", "--temperature", "0", "--temperature-increment-on-fallback", "none")
PROMPT = "Dr. Miller speaks with Mrs. Kowalski about the meeting."


def silence(seconds):
    return array.array("h", bytes(2 * RATE * seconds))


def faint_noise(seconds):
    """White noise, 64 dB below the loudest sound that there may be."""
    numbers = random.Random(1)
    return array.array("h", (int(numbers.gauss(0, 20)) for _ in range(seconds * RATE)))


def speech(name):
    return array.array("h", samples(recording(name)))


class SilenceTest(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.program = fast_program()
        for model in ("base", "silero-vad"):
            shown = subprocess.run([cls.program, "models", "show", model], capture_output=True)
            if shown.returncode != 0:
                raise unittest.SkipTest(f"{model} is not installed; scribed models pull {model}")
        cls.noise = faint_noise(35)

    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.file = pathlib.Path(folder.name) / "sound.wav"

    def transcribe(self, parts, *options):
        with wave.open(str(self.file), "wb") as sound:
            sound.setnchannels(1)
            sound.setsampwidth(2)
            sound.setframerate(RATE)
            for part in parts:
                sound.writeframes(part.tobytes())
        ended = subprocess.run(
            [self.program, "transcribe", "--quiet", "--format", "json", "--model", "base", *GREEDY,
             *options, self.file], capture_output=True, text=True, timeout=600, env=own_environment())
        self.assertEqual(ended.returncode, 0, ended.stderr)
        return json.loads(ended.stdout)

    def test_the_language_is_that_of_the_first_speech(self):
        french = speech("fr-nogo.wav")
        for before in (silence(35), self.noise, self.noise[:29 * RATE]):
            transcript = self.transcribe([before, french])
            self.assertEqual(transcript["language"], "fr", transcript["text"])

    def test_silence_before_speech_takes_no_sentence_and_no_time(self):
        french = speech("fr-nogo.wav")
        alone = self.transcribe([french], "--language", "fr")["text"].split()
        for seconds in (15, 24, 27, 29):
            for before in (silence(seconds), self.noise[:seconds * RATE]):
                for words in ("false", "true"):
                    transcript = self.transcribe([before, french], "--word-timestamps", words)
                    with self.subTest(seconds=seconds, noise=any(before), words=words):
                        found = transcript["text"].split()
                        self.assertEqual(found[0], alone[0], transcript["text"])
                        self.assertAlmostEqual(len(found), len(alone), delta=2, msg=transcript["text"])
                        starts = [segment["start"] for segment in transcript["segments"]]
                        self.assertGreater(min(starts), seconds - 0.35)
                        if not any(before):
                            self.assertGreater(min(starts), seconds - 0.03)

    def test_no_word_begins_or_ends_in_inserted_silence(self):
        first, second = speech("en-nogo.wav"), speech("en-thanks.wav")
        for gap in (3, 12, 25):
            transcript = self.transcribe([first, silence(gap), second], "--language", "en", "--word-timestamps", "true")
            begin = len(first) / RATE
            for segment in transcript["segments"]:
                for word in segment["words"]:
                    in_hole = begin + 0.03 < word["start"] < begin + gap - 0.03
                    ends_in_hole = begin + 0.03 < word["end"] < begin + gap - 0.03
                    self.assertFalse(in_hole or ends_in_hole, (gap, begin, word))

    def test_the_prompt_is_no_text_where_nobody_speaks(self):
        prompts = ("--initial-prompt", PROMPT, "--carry-initial-prompt", "true")
        english = speech("en-nogo.wav")
        parts = [english, self.noise, self.noise, speech("en-thanks.wav")]
        for options in (prompts, ("--hotwords", "Kubernetes, Priya Raman, Grafana")):
            transcript = self.transcribe(parts, "--language", "en", *options)
            for name in ("Kowalski", "Grafana", "Raman", "Kubernetes"):
                self.assertNotIn(name, transcript["text"])
            self.assertEqual(transcript["text"].count("debugging information"), 1)

    def test_with_the_vad_filter_text_begins_where_speech_does(self):
        first, second = speech("en-nogo.wav"), speech("en-thanks.wav")
        gap = 35
        transcript = self.transcribe([first, silence(gap), second], "--language", "en", "--vad-filter", "true")
        begin = len(first) / RATE + gap
        starts = [s["start"] for s in transcript["segments"] if s["start"] > len(first) / RATE]
        self.assertTrue(starts, transcript["text"])
        self.assertGreater(min(starts), begin - 0.5)
        self.assertLess(min(starts), begin + 1)

    def test_no_time_lies_behind_the_end(self):
        clip = [speech("en-nogo.wav"), silence(35), speech("en-thanks.wav")]
        for parts in ([speech("en-congrats.wav")], [speech("fr-nogo.wav")], clip):
            sound = b"".join(part.tobytes() for part in parts)
            for word_timestamps in ("false", "true"):
                transcript = self.transcribe(parts, "--word-timestamps", word_timestamps)
                for segment in transcript["segments"]:
                    self.assertLessEqual(segment["end"], len(sound) / 2 / RATE + 0.02)
                    self.assertLess(segment["start"], segment["end"])

    def test_options_that_have_no_effect_are_told(self):
        transcript = self.transcribe([speech("en-nogo.wav")], "--language", "en", "--clip-timestamps", "0,2,500,600",
                                     "--initial-prompt", "a word and " * 120)
        warnings = " ".join(transcript["warnings"])
        self.assertIn("Clip 2 begins at 500.0 s", warnings)
        self.assertIn("the model reads 223 at most", warnings)


if __name__ == "__main__":
    unittest.main()
