"""Short windows (`encoder_window`) at every interface: real weights, real processes.

  SCRIBED_BIN          folder of the programs (default: build/release/bin, then build/dev/bin)
  SCRIBED_RECORDINGS   see recordings.py
  SCRIBED_MODELS       folder with the model base (default: those of .deps/data)

Without the model or recordings the tests are skipped.
"""

import difflib
import json
import os
import pathlib
import re
import shutil
import subprocess
import tempfile
import unittest

from daemon import Daemon
from recordings import fast_program, recording
from scribed_command import ROOT, own_environment

MODELS = pathlib.Path(os.environ.get("SCRIBED_MODELS", ROOT / ".deps/data/models"))
# Recordings whose words are the same in full and in short windows: in float32 at all levels of a CPU, in int8 with AVX2
# (other levels round otherwise).
SAME_WORDS = ("en-allbusy", "en-echotest", "en-moreinfo", "en-nogo", "en-noisy", "en-numbers", "fr-nogo",
              "fr-noisy", "ru-nogo", "ru-abouttotry")
MOST_OTHER_WORDS = 0.02  # as a share
GREEDY = ("--beam-size", "1", "--temperature", "0", "--temperature-increment-on-fallback", "none")


def plain(text):
    """Words without case and punctuation, in which rounding shows first."""
    return re.sub(r"[^\w\s]", "", text.lower()).split()


def other_words(first, second):
    """How many words of two lists have no counterpart in the other, or another one."""
    blocks = difflib.SequenceMatcher(None, first, second, autojunk=False).get_matching_blocks()
    return max(len(first), len(second)) - sum(block.size for block in blocks)


def windows_of(metrics):
    """The metric's values by kind."""
    lines = [line for line in metrics.splitlines() if line.startswith("scribed_windows_total{")]
    return {line.split('"')[1]: float(line.split()[-1]) for line in lines}


class ShortWindowsTest(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        if not (MODELS / "base").exists():
            raise unittest.SkipTest("no model base: see SCRIBED_MODELS")
        recording("en-nogo.wav")  # skips where there are none
        cls.program = fast_program()
        cls.folder = pathlib.Path(tempfile.mkdtemp(prefix="scribed-windows-"))
        cls.addClassCleanup(shutil.rmtree, cls.folder, ignore_errors=True)
        cls.environment = {**own_environment(), "SCRIBED_DATA_DIR": str(MODELS.parent), "GPU_BACKEND": "cpu",
                           "HOME": str(cls.folder)}
        for variable in ("SCRIBED_API_KEY", "SCRIBED_CONFIG", "XDG_CONFIG_HOME"):
            cls.environment.pop(variable, None)

    def transcribe(self, names, *options, compute_type="int8"):
        """The transcripts of the recordings."""
        with tempfile.TemporaryDirectory(dir=self.folder) as out:
            result = subprocess.run(
                [self.program, "transcribe", "--quiet", "--model", "base", "--compute-type", compute_type,
                 "--format", "json", "--output", out, *GREEDY, *options,
                 *(str(recording(f"{name}.wav")) for name in names)],
                capture_output=True, text=True, timeout=1200, env=self.environment)
            self.assertEqual(result.returncode, 0, result.stderr)
            return {name: json.loads((pathlib.Path(out) / f"{name}.json").read_text()) for name in names}

    def kinds(self, transcript):
        return {segment.get("encoder_window", "full") for segment in transcript["segments"]}

    def test_words_are_those_of_full_windows(self):
        full = self.transcribe(SAME_WORDS, "--encoder-window", "full")
        short = self.transcribe(SAME_WORDS)
        expected, words = ([plain(transcripts[name]["text"]) for name in SAME_WORDS] for transcripts in (full, short))
        other = sum(other_words(*pair) for pair in zip(expected, words, strict=True))
        self.assertLessEqual(other, MOST_OTHER_WORDS * sum(map(len, expected)), words)
        for name in SAME_WORDS:
            self.assertEqual(short[name]["language"], full[name]["language"], name)
            self.assertEqual(self.kinds(full[name]), {"full"}, name)
        kinds = [kind for transcript in short.values() for kind in self.kinds(transcript)]
        self.assertGreaterEqual(kinds.count("short"), 8, kinds)
        self.assertNotIn("full", kinds)

    def test_words_in_float32_are_exactly_those_of_full_windows(self):
        full, short = (self.transcribe(SAME_WORDS, "--encoder-window", kind, compute_type="float32")
                       for kind in ("full", "short"))
        for name in SAME_WORDS:
            with self.subTest(name):
                self.assertEqual(plain(short[name]["text"]), plain(full[name]["text"]))
                self.assertEqual((self.kinds(full[name]), self.kinds(short[name])), ({"full"}, {"short"}))

    def test_words_have_their_times_in_the_recording(self):
        options = ("--word-timestamps", "true", "--language", "en")
        full = self.transcribe(["en-moreinfo"], *options, "--encoder-window", "full")["en-moreinfo"]
        short = self.transcribe(["en-moreinfo"], *options)["en-moreinfo"]
        self.assertEqual(self.kinds(short), {"short"})
        words, expected = ([word for segment in transcript["segments"] for word in segment["words"]]
                           for transcript in (short, full))
        self.assertEqual([plain(word["word"]) for word in words], [plain(word["word"]) for word in expected])
        late = [word["word"] for word, other in zip(words, expected, strict=True)
                if abs(word["start"] - other["start"]) > 0.3]
        self.assertLessEqual(len(late), len(words) / 20, late)

    def test_float32_is_short_only_on_request(self):
        for options, kind in (((), "full"), (("--encoder-window", "short"), "short")):
            transcript = self.transcribe(["en-thanks"], *options, compute_type="float32")["en-thanks"]
            self.assertEqual(self.kinds(transcript), {kind})

    def test_a_form_a_setting_and_the_metrics(self):
        daemon = Daemon(self.program, self.environment, "--model", "base", "--state-folder", self.folder / "state",
                        "--set", "model.compute_type=int8", "--set", "transcription.encoder_window=full")
        self.addCleanup(daemon.end)
        sound = recording("en-thanks.wav").read_bytes()
        counts = {"full": 0, "short": 0, "checked": 0}
        self.assertEqual(windows_of(daemon.get("/metrics").text), counts)
        for fields, kind in (((), "full"), ((("encoder_window", "short"),), "short")):
            answer = daemon.post_form("/v1/audio/transcriptions",
                                      [("model", "base"), ("response_format", "verbose_json"), *fields], sound)
            self.assertEqual(answer.status, 200, answer.text)
            self.assertEqual({segment["encoder_window"] for segment in answer.json["segments"]}, {kind})
            counts[kind] += 1
            self.assertEqual(windows_of(daemon.get("/metrics").text), counts)
        wrong = daemon.post_form("/v1/audio/transcriptions", [("model", "base"), ("encoder_window", "half")], sound)
        self.assertEqual(wrong.status, 400)
        self.assertEqual(wrong.json["error"]["param"], "encoder_window")


if __name__ == "__main__":
    unittest.main()
