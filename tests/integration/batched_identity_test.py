"""What the model of GPUs says of real speech, on this CPU in float32, is what the model of CPUs says:
the same tokens by every rule, though it chooses them elsewhere, one step ahead, and all side by side
(tests/engine/whisper/torch_model/decode_both_ways.cpp).

  SCRIBED_MODELS   folder with the models tiny.en and base
  SCRIBED_FULL=1   all recordings instead of some
"""

import difflib
import json
import os
import pathlib
import subprocess
import tempfile
import unittest

from recordings import RECORDINGS, samples
from scribed_command import bin_folder

FULL = os.environ.get("SCRIBED_FULL") == "1"
SOME = ["en-noisy.wav", "monkeys.wav"]
TIME_LIMIT = 3600
RULES = 13


def model_folder(name):
    folder = pathlib.Path(os.environ.get("SCRIBED_MODELS", "/nowhere")) / name
    if not folder.is_dir():
        raise unittest.SkipTest(f"no model {name}: see SCRIBED_MODELS")
    return folder


class BatchedIdentityTest(unittest.TestCase):
    def decode(self, model, names, *options):
        """Returns the program's lines, one for each recording and rule."""
        program = bin_folder().parent / "tests" / "decode_both_ways"
        if not program.is_file():
            self.skipTest("decode_both_ways is not built")
        folder = model_folder(model)
        files = [RECORDINGS / name for name in names]
        if not all(file.is_file() for file in files):
            self.skipTest("no recordings: run scripts/setup --tests")
        with tempfile.TemporaryDirectory() as scratch:
            raw = [pathlib.Path(scratch) / f"{file.stem}.s16le" for file in files]
            for source, target in zip(files, raw):
                target.write_bytes(samples(source))
            done = subprocess.run([program, *options, folder, *raw], capture_output=True, text=True,
                                  timeout=TIME_LIMIT)
        self.assertEqual(0, done.returncode, done.stderr)
        lines = [json.loads(line) for line in done.stdout.splitlines()]
        self.assertEqual(RULES * len(files), len(lines))
        return lines

    def check(self, model, names, *options):
        for line in self.decode(model, names, *options):
            with self.subTest(file=pathlib.Path(line["file"]).stem, rule=line["rule"]):
                self.assertEqual(line["plain"], line["batched"])
                self.assertAlmostEqual(line["plain_logprob"], line["batched_logprob"], delta=1e-3)

    def names(self, some):
        return sorted(file.name for file in RECORDINGS.glob("*.wav")) if FULL else some

    def test_the_english_model_says_the_same(self):
        self.check("tiny.en", self.names(SOME))

    def test_the_multilingual_model_says_the_same(self):
        self.check("base", self.names(["fr-nogo.wav"]))

    def test_the_kernels_for_cards_say_the_same(self):
        """Their twins on this CPU, which take long: one recording is all of them."""
        self.check("tiny.en", ["en-numbers.wav"], "--kernels")

    def test_weights_and_windows_in_int8_say_nearly_the_same(self):
        for line in self.decode("tiny.en", ["en-numbers.wav"], "--int8"):
            with self.subTest(rule=line["rule"]):
                if line["rule"] == "samples":
                    continue  # one draw that falls otherwise makes another text
                alike = difflib.SequenceMatcher(None, line["plain"], line["batched"]).ratio()
                self.assertGreater(alike, 0.9)
                self.assertAlmostEqual(line["plain_logprob"], line["batched_logprob"], delta=0.05)
                self.assertNotEqual(line["plain_logprob"], line["batched_logprob"])


if __name__ == "__main__":
    unittest.main()
