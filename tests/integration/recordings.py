"""Recordings of real speech, for tests with real weights.

  SCRIBED_SHARED   folder with audio/ (default: ../shared beside the repository)
"""

import os
import pathlib
import subprocess
import unittest

from scribed_command import ROOT, bin_folder

AUDIO = pathlib.Path(os.environ.get("SCRIBED_SHARED", ROOT.parent / "shared")) / "audio"
CLIPS = AUDIO / "ljspeech"
RATE = 16000


def fast_program():
    """`scribed` of the optimised build where there is one: weights take their time."""
    return bin_folder(("release", "dev")) / "scribed"


def recording(name):
    if not (AUDIO / name).is_file():
        raise unittest.SkipTest(f"no {AUDIO / name}")
    return AUDIO / name


def samples(file):
    """Mono, 16-bit, as bytes."""
    return subprocess.run(["ffmpeg", "-nostdin", "-loglevel", "error", "-i", file, "-f", "s16le",
                           "-ac", "1", "-ar", str(RATE), "-"], capture_output=True,
                          check=True).stdout
