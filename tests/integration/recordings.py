"""Recordings of real speech, for tests with real weights: those that tests/recordings makes.

  SCRIBED_RECORDINGS   their folder (default: .deps/recordings, where scripts/setup --tests puts them)
  SCRIBED_SHARED       folder with audio/, a larger collection that no checkout has (default: ../shared
                       beside the repository)
"""

import os
import pathlib
import subprocess
import unittest

from scribed_command import ROOT, bin_folder

RECORDINGS = pathlib.Path(os.environ.get("SCRIBED_RECORDINGS", ROOT / ".deps" / "recordings"))
COLLECTION = pathlib.Path(os.environ.get("SCRIBED_SHARED", ROOT.parent / "shared")) / "audio"
NO_COLLECTION = "no collection of recordings: see SCRIBED_SHARED"
RATE = 16000


def fast_program():
    """`scribed` of the optimised build where there is one: weights take their time."""
    return bin_folder(("release", "dev")) / "scribed"


def recording(name):
    if not (RECORDINGS / name).is_file():
        raise unittest.SkipTest("no recordings: run scripts/setup --tests")
    return RECORDINGS / name


def recording_of_the_collection(name):
    if not (COLLECTION / name).is_file():
        raise unittest.SkipTest(NO_COLLECTION)
    return COLLECTION / name


def samples(file):
    """Mono, 16-bit, as bytes."""
    return subprocess.run(["ffmpeg", "-nostdin", "-loglevel", "error", "-i", file, "-f", "s16le",
                           "-ac", "1", "-ar", str(RATE), "-"], capture_output=True,
                          check=True).stdout
