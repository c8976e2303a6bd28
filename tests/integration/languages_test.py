"""Languages that are chosen among or change within a recording, and text that repeats itself: real
weights, real processes.

  SCRIBED_BIN          folder of the programs (default: build/release/bin, then build/dev/bin)
  SCRIBED_RECORDINGS   see recordings.py
  SCRIBED_SHARED       see recordings.py
  SCRIBED_MODELS       folder with the models base and tiny.en (default: those installed for scribed)

Without recordings, programs or an installed model the tests are skipped.
"""

import itertools
import json
import os
import pathlib
import subprocess
import unittest

from recordings import fast_program, recording, recording_of_the_collection

CHANGE_S = 40  # of fr-then-en.wav: so late that no window of 30 s hears both languages
# The greedy model base repeats "AHHHHH" for this recording until the window is full.
LOOPING = "monkeys.wav"
# Here it repeats "sa sa sa", but only in the language that openai/whisper's detection chooses.
LOOPING_IN_LATIN = "librispeech-test-other/2033-164914-0001.flac"
AS_HEARD = ("--language-detection-candidates", "1")
TEXT_END = 50257  # the first special token of multilingual models
GREEDY = ("--beam-size", "1", "--temperature-increment-on-fallback", "none")


def model(name):
    folder = pathlib.Path(os.environ.get("SCRIBED_MODELS", "/nowhere")) / name
    if folder.is_dir():
        return folder
    if subprocess.run([fast_program(), "models", "show", name], capture_output=True).returncode != 0:
        raise unittest.SkipTest(f"{name} is not installed; scribed models pull {name}")
    return name


def text_of(segments):
    return "".join(segment["text"] for segment in segments)


def text_tokens(transcript):
    tokens = itertools.chain.from_iterable(s["tokens"] for s in transcript["segments"])
    return [token for token in tokens if token < TEXT_END]


class CommandTest(unittest.TestCase):
    def run_scribed(self, name, file, *options):
        return subprocess.run(
            [fast_program(), "transcribe", "--quiet", "--format", "json", "--model", model(name),
             *GREEDY, *options, file], capture_output=True, text=True, timeout=600)

    def transcribe(self, file, *options):
        result = self.run_scribed("base", file, *options)
        self.assertEqual(result.returncode, 0, result.stderr)
        return json.loads(result.stdout)


class LanguagesTest(CommandTest):
    def test_detection_chooses_among_the_languages_that_are_allowed(self):
        clip = recording("fr-allbusy.wav")
        self.assertEqual(self.transcribe(clip)["language"], "fr")
        for allowed in ("pt,de", "German,Portuguese"):
            self.assertEqual(self.transcribe(clip, "--languages", allowed)["language"], "pt")

    def test_a_model_of_english_only_refuses_other_languages(self):
        clip = recording("en-thanks.wav")
        for options in (("--multilingual", "true"), ("--languages", "en,de")):
            result = self.run_scribed("tiny.en", clip, *options)
            self.assertNotEqual(result.returncode, 0)
            self.assertIn("English-only", result.stderr)
            self.assertIn("without .en", result.stderr)


class MultilingualTest(CommandTest):
    @classmethod
    def setUpClass(cls):
        cls.file = recording("fr-then-en.wav")

    def check(self, transcript):
        segments = transcript["segments"]
        self.assertEqual(transcript["language"], "fr")
        self.assertEqual({s["language"] for s in segments}, {"fr", "en"})
        for segment in segments:
            expected = "fr" if segment["end"] < CHANGE_S else "en"
            self.assertEqual(segment["language"], expected, segment["text"])
        self.assertIn("désolé", text_of(segments))
        self.assertIn("visit", text_of(segments))

    def test_each_window_has_a_language_of_its_own(self):
        self.check(self.transcribe(self.file, "--multilingual", "true"))
        self.check(self.transcribe(self.file, "--multilingual", "true", "--languages", "fr,en,nl"))

    def test_otherwise_all_of_it_is_in_the_first_language(self):
        transcript = self.transcribe(self.file)
        self.assertEqual(transcript["language"], "fr")
        for segment in transcript["segments"]:
            self.assertNotIn("language", segment)

    def test_parallel_windows_have_languages_too(self):
        if subprocess.run([fast_program(), "models", "show", "silero-vad"],
                          capture_output=True).returncode != 0:
            self.skipTest("silero-vad is not installed; scribed models pull silero-vad")
        self.check(self.transcribe(self.file, "--multilingual", "true", "--long-form", "parallel"))


class RepetitionTest(CommandTest):
    def tokens(self, *options):
        return text_tokens(self.transcribe(
            recording(LOOPING), "--compute-type", "float32", *AS_HEARD, *options))

    def test_a_loop_ends_early(self):
        endless = self.tokens("--loop-detection", "false")
        stopped = self.tokens()
        self.assertGreater(len(endless), 200)
        self.assertLess(len(stopped), 100)
        self.assertEqual(endless[: len(stopped)], stopped)

    def test_a_language_in_which_the_text_loops_is_not_chosen(self):
        clip = recording_of_the_collection(LOOPING_IN_LATIN)
        transcript = self.transcribe(clip, "--compute-type", "float32")
        self.assertNotEqual(transcript["language"], "la")
        self.assertLess(len(text_tokens(transcript)), 100)

    def test_a_window_that_loops_is_decoded_again(self):
        ladder = ("--temperature", "0,0.6", "--compression-ratio-threshold", "none",
                  "--logprob-threshold", "none")
        for loops, temperature in (("true", 0.6), ("false", 0)):
            transcript = self.transcribe(recording(LOOPING), "--compute-type", "float32", *AS_HEARD,
                                         *ladder, "--loop-detection", loops)
            self.assertEqual(transcript["segments"][0]["temperature"], temperature)

    def test_no_ngram_occurs_twice(self):
        tokens = self.tokens("--no-repeat-ngram-size", "3")
        ngrams = list(zip(tokens, tokens[1:], tokens[2:]))
        self.assertGreater(len(ngrams), 0)
        self.assertEqual(len(ngrams), len(set(ngrams)))

    def test_a_penalty_breaks_the_loop(self):
        self.assertLess(len(self.tokens("--repetition-penalty", "1.5", "--loop-detection",
                                        "false")), 100)


if __name__ == "__main__":
    unittest.main()
