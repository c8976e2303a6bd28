"""Hours that pass for daemons in a moment, by a library of ours (passing_time.c): what they do once
in an hour or so is done at once."""

import shutil
import struct
import subprocess

from scribed_command import ROOT

SOURCE = ROOT / "tests/cluster/passing_time.c"
LONGEST_PAUSE_S = 91 * 60  # between two looks of a daemon at the whole bucket


class PassingTime:
    def __init__(self, folder):
        self.file, self.library, self.seconds = folder / "passed", folder / "passing_time.so", 0
        self._write()
        subprocess.run(["cc", "-shared", "-fPIC", "-O2", "-o", self.library, SOURCE, "-ldl"],
                       check=True)

    @staticmethod
    def is_there():
        return shutil.which("cc") is not None

    @property
    def variables(self):
        return {"LD_PRELOAD": str(self.library), "SCRIBED_PASSING_TIME": str(self.file)}

    def _write(self):
        """In place: daemons have the file mapped."""
        with open(self.file, "r+b" if self.file.exists() else "wb") as file:
            file.write(struct.pack("q", self.seconds))

    def pass_by(self, seconds=LONGEST_PAUSE_S):
        self.seconds += seconds
        self._write()
