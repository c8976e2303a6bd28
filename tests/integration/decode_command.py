"""scribed-decode under test: where it is, how to run it, and what can be said about its sound.

  SCRIBED_BIN      folder of the programs (default: build/dev/bin)
  SCRIBED_SHARED   see recordings.py
"""

import array
import json
import math
import os
import pathlib
import shutil
import subprocess
import tempfile
import unittest

from recordings import COLLECTION, NO_COLLECTION

ROOT = pathlib.Path(__file__).resolve().parents[2]
RATE = 16000  # of the PCM that scribed-decode writes
TIME_LIMIT = 60  # seconds


class Outcome:
    def __init__(self, status, pcm, report):
        self.status = status
        self.pcm = array.array("f", pcm[:len(pcm) // 4 * 4])
        self.messages = [json.loads(line) for line in report.splitlines()]

    @property
    def seconds(self):
        return len(self.pcm) / RATE

    def only(self, kind):
        return [message for message in self.messages if message["type"] == kind]

    @property
    def format(self):
        return self.only("format")[0]

    @property
    def warnings(self):
        return [warning["code"] for warning in self.only("warning")]

    @property
    def error(self):
        """The code of the failure, or None."""
        failed = self.only("failed")
        return failed[0]["error"]["code"] if failed else None

    def strength(self, hertz, start=0.2, seconds=1.0):
        """How much of the power in a stretch is one tone: near 1 for a pure one."""
        part = self.pcm[int(start * RATE):int((start + seconds) * RATE)]
        power = sum(x * x for x in part)
        if power == 0:
            return 0.0
        step = 2 * math.pi * hertz / RATE
        real = sum(x * math.cos(step * i) for i, x in enumerate(part))
        imaginary = sum(x * math.sin(step * i) for i, x in enumerate(part))
        return 2 * (real * real + imaginary * imaginary) / (len(part) * power)


def program():
    given = os.environ.get("SCRIBED_BIN")
    path = (pathlib.Path(given) if given else ROOT / "build/dev/bin") / "scribed-decode"
    if not path.is_file():
        raise unittest.SkipTest(f"no {path}")
    return path.resolve()


def sandboxed():
    """False in builds that give up the sandbox for a sanitizer."""
    checked = subprocess.run([program(), "--check-sandbox"], capture_output=True, check=True)
    return json.loads(checked.stdout).get("seccomp", {}).get("active", False)


def decode(source, *options, piped=False):
    """`source`: a path or bytes. `piped`: through a pipe, which cannot be sought in."""
    if piped:
        return run(options, {"input": source if isinstance(source, bytes) else source.read_bytes()})
    with tempfile.TemporaryFile() if isinstance(source, bytes) else source.open("rb") as file:
        if isinstance(source, bytes):
            file.write(source)
            file.seek(0)
        return run(options, {"stdin": file})


def run(options, given, wrapper=()):
    reader, writer = os.pipe()  # holds 64 KiB; a report is a few lines
    with open(reader, "rb") as report:
        try:
            command = [*wrapper, program(), "--report-fd", str(writer), *map(str, options)]
            ended = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                                   pass_fds=[writer], timeout=TIME_LIMIT, **given)
        finally:
            os.close(writer)
        return Outcome(ended.returncode, ended.stdout, report.read().decode())


def tone(hertz, seconds=2):
    """ffmpeg's options for an input that is a tone."""
    return ["-f", "lavfi", "-i", f"sine={hertz}:sample_rate=44100:duration={seconds}"]


class DecodeTest(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        program()
        if shutil.which("ffmpeg") is None:
            raise unittest.SkipTest("no ffmpeg program to make recordings with")
        cls.folder = pathlib.Path(tempfile.mkdtemp(prefix="scribed-decode-"))
        cls.addClassCleanup(shutil.rmtree, cls.folder, ignore_errors=True)

    def ffmpeg(self, name, *arguments):
        """Makes a recording; None where this ffmpeg has no encoder for it."""
        path = self.folder / name
        made = subprocess.run(["ffmpeg", "-nostdin", "-v", "error", "-y", *arguments, path],
                              capture_output=True, text=True, timeout=TIME_LIMIT)
        if "Unknown encoder" in made.stderr:
            return None
        self.assertEqual(made.returncode, 0, made.stderr)
        return path

    def collection(self, *names):
        if not COLLECTION.is_dir():
            self.skipTest(NO_COLLECTION)
        return [COLLECTION / name for name in names]

    def assert_fails(self, outcome, code, status, message):
        self.assertEqual((outcome.error, outcome.status), (code, status))
        self.assertEqual(len(outcome.messages), len(outcome.only("format")) + 1)
        error = outcome.only("failed")[0]["error"]
        self.assertIn(message, error["message"])
        self.assertTrue(error["fix"])
