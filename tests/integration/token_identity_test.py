#!/usr/bin/env python3
"""scribed's tokens against openai-whisper's: float32, temperature 0, real weights, real processes.

The goldens in data/goldens were made by tools/make_goldens.py: those in its folder recordings from
the recordings that every checkout has (tests/recordings), the others from a larger collection. A
file named …-own-samples.jsonl holds clips that scribed-decode resamples otherwise than the ffmpeg
command; its lines replace those of the plain file, so that both engines are compared on equal
samples.

  SCRIBED_BIN          folder of the programs (default: build/release/bin, then build/dev/bin)
  SCRIBED_RECORDINGS   see recordings.py
  SCRIBED_SHARED       see recordings.py
  SCRIBED_MODELS       folder with the models base and tiny.en (default: those installed for scribed)
  SCRIBED_FULL=1       every golden clip of the collection instead of one of each folder

Without recordings, programs or an installed model the tests are skipped.
"""

import array
import json
import os
import pathlib
import subprocess
import tempfile
import unittest
import wave

from recordings import COLLECTION, NO_COLLECTION, RECORDINGS

ROOT = pathlib.Path(__file__).resolve().parents[2]
GOLDENS = pathlib.Path(__file__).resolve().parent / "data" / "goldens"
FULL = os.environ.get("SCRIBED_FULL") == "1"
SECONDS_FOR_A_RUN = 3600  # a run that takes longer hangs

ONLY_IN_FULL_RUNS = {"long", "joined"}


def programs():
    given = os.environ.get("SCRIBED_BIN")
    candidates = (
        [given] if given else [ROOT / "build" / kind / "bin" for kind in ("release", "dev")]
    )
    for folder in map(pathlib.Path, candidates):
        if (folder / "scribed").is_file():
            return folder
    raise unittest.SkipTest(f"no scribed in {' or '.join(map(str, candidates))}")


def model_argument(name):
    """What --model is given for this model."""
    folder = pathlib.Path(os.environ.get("SCRIBED_MODELS", "/nowhere")) / name
    if folder.is_dir():
        return folder
    shown = subprocess.run([programs() / "scribed", "models", "show", name], capture_output=True)
    if shown.returncode != 0:
        raise unittest.SkipTest(f"model {name} is not installed; scribed models pull {name}")
    return name


def read_goldens(folder, name):
    """Clip name → golden line, with the fields of each segment by name."""
    lines = {}
    for path in (folder / f"{name}.jsonl", folder / f"{name}-own-samples.jsonl"):
        if not path.is_file():
            continue
        header, *rest = path.read_text(encoding="utf-8").splitlines()
        fields = json.loads(header)["fields"]
        for line in map(json.loads, rest):
            if "segments" in line:
                line["segments"] = [dict(zip(fields, row, strict=True)) for row in line["segments"]]
            lines[line["clip"]] = line
    return lines


def chosen(goldens):
    if FULL:
        return goldens
    first = {}
    for name in goldens:
        first.setdefault(name.split("/")[0], name)
    return {name: goldens[name] for folder, name in first.items() if folder not in ONLY_IN_FULL_RUNS}


def decode_s16(file):
    """16-bit samples of a 16-bit 16 kHz recording, which scribed-decode hands on unchanged."""
    with open(file, "rb") as stream, open(os.devnull, "wb") as report:
        decoded = subprocess.run(
            [programs() / "scribed-decode", "--report-fd", str(report.fileno())],
            stdin=stream,
            capture_output=True,
            check=True,
            pass_fds=[report.fileno()],
        )
    samples = array.array("f", decoded.stdout)
    return array.array("h", (round(sample * 32768) for sample in samples)).tobytes()


def make_joined(folder):
    """The 50 clips of librispeech-test-other in name order, end to end: 381.5 s."""
    clips = sorted((COLLECTION / "librispeech-test-other").glob("*.flac"))
    target = folder / "joined.wav"
    with wave.open(os.fspath(target), "wb") as out:
        out.setnchannels(1)
        out.setsampwidth(2)
        out.setframerate(16000)
        for clip in clips:
            out.writeframes(decode_s16(clip))
    return target


def transcribe(model, folder, names, *options):
    """Clip name → scribed's JSON, by one command for all of them."""
    with tempfile.TemporaryDirectory() as scratch:
        scratch = pathlib.Path(scratch)
        output = scratch / "out"
        output.mkdir()
        files = {n: make_joined(scratch) if n == "joined" else folder / n for n in names}
        assert len({f.stem for f in files.values()}) == len(files), "outputs would collide"
        command = [programs() / "scribed", "transcribe", "--model", model, "--quiet"]
        command += ["--compute-type", "float32", "--format", "json", "--output", output]
        command += ["--temperature", "0", "--temperature-increment-on-fallback", "none"]
        command += ["--loop-detection", "false"]  # the reference loops on to the window's end
        command += ["--fallback", "openai", "--language-detection-candidates", "1"]
        command += [*options, *files.values()]
        done = subprocess.run(
            list(map(os.fspath, command)), capture_output=True, timeout=SECONDS_FOR_A_RUN
        )
        if done.returncode != 0:
            complaint = done.stderr.decode(errors="replace")
            raise AssertionError(f"scribed ended with exit code {done.returncode}:\n{complaint}")
        return {n: json.loads((output / f"{f.stem}.json").read_text()) for n, f in files.items()}


def difference(golden, found):
    """Where two lists of segments part, in words; empty where they agree token by token."""
    for number, (want, got) in enumerate(zip(golden, found)):
        if want["tokens"] != got["tokens"]:
            pairs = zip([*want["tokens"], None], [*got["tokens"], None])
            at = next((i for i, (a, b) in enumerate(pairs) if a != b), 0)
            return (
                f"segment {number} (seek {want['seek']}), token {at}: "
                f"{want['tokens'][at : at + 4]} became {got['tokens'][at : at + 4]}\n"
                f"  expected:{want['text']}\n  got:     {got['text']}"
            )
        for field, digits in (("seek", 0), ("start", 2), ("end", 2)):
            if round(want[field], digits) != round(got[field], digits):
                return f"segment {number}: {field} {want[field]} became {got[field]}"
    if len(golden) != len(found):
        extra = (golden + found)[min(len(golden), len(found))]
        return (
            f"{len(golden)} segments became {len(found)}; first without a partner: {extra['text']}"
        )
    return ""


class TokenIdentity(unittest.TestCase):
    AUDIO = RECORDINGS
    GOLDENS = GOLDENS / "recordings"
    MISSING = "no recordings: run scripts/setup --tests"

    def setUp(self):
        if not self.AUDIO.is_dir():
            self.skipTest(self.MISSING)

    def goldens(self, name):
        return read_goldens(self.GOLDENS, name)

    def check_greedy(self, model):
        argument = model_argument(model)
        goldens = self.goldens(f"{model}-greedy")
        found = transcribe(argument, self.AUDIO, goldens, "--beam-size", "1")
        for name, golden in goldens.items():
            with self.subTest(clip=name):
                self.assertEqual(golden["language"], found[name]["language"])
                wrong = difference(golden["segments"], found[name]["segments"])
                self.assertEqual("", wrong, f"\n{name}: {wrong}")
                for want, got in zip(golden["segments"], found[name]["segments"]):
                    for figure in ("avg_logprob", "no_speech_prob", "compression_ratio"):
                        self.assertAlmostEqual(want[figure], got[figure], delta=0.005, msg=figure)

    def test_base_greedy_gives_the_reference_tokens(self):
        self.check_greedy("base")

    def test_english_only_tiny_greedy_gives_the_reference_tokens(self):
        self.check_greedy("tiny.en")

    def test_base_beam_gives_the_reference_text_on_99_clips_of_100(self):
        argument = model_argument("base")
        goldens = self.goldens("base-beam")
        found = transcribe(argument, self.AUDIO, goldens, "--beam-size", "5")
        wrong = [
            f"{name}:\n  expected:{golden['text']}\n  got:     {found[name]['text']}"
            for name, golden in goldens.items()
            if golden["text"] != found[name]["text"]
        ]
        self.assertLessEqual(len(wrong), len(goldens) // 100, "\n" + "\n".join(wrong))


class TokenIdentityOfTheCollection(TokenIdentity):
    AUDIO = COLLECTION
    GOLDENS = GOLDENS
    MISSING = NO_COLLECTION

    def goldens(self, name):
        return chosen(super().goldens(name))


if __name__ == "__main__":
    unittest.main()
