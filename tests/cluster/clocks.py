"""Clocks of single daemons that can jump, by libfaketime (Debian's package faketime). Monotonic
clocks go on as they are: those of machines do, too."""

import os
import pathlib

LIBRARIES = sorted(pathlib.Path("/usr/lib").glob("*/faketime/libfaketimeMT.so.1"))


class Clocks:
    """Keeps a file for each node that its processes read again for each look at the clock."""

    def __init__(self, folder):
        self.folder = folder

    @staticmethod
    def are_there():
        return bool(LIBRARIES)

    def _file(self, name):
        return self.folder / f"{name}.clock"

    def variables(self, name):
        """The environment of a node, of whatever name, whose clock is to jump."""
        self.jump(name, 0)
        return {"LD_PRELOAD": str(LIBRARIES[0]), "FAKETIME_TIMESTAMP_FILE": str(self._file(name)),
                "FAKETIME_NO_CACHE": "1", "FAKETIME_DONT_FAKE_MONOTONIC": "1",
                "FAKETIME_DONT_RESET": "1"}

    def jump(self, name, seconds):
        """Sets how many seconds the clock is ahead of the machine's."""
        new = self._file(name).with_suffix(".new")
        new.write_text(f"{seconds:+.0f}\n", encoding="utf-8")
        os.replace(new, self._file(name))
