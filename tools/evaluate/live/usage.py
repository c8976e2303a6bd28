"""What processes compute and hold while sound is fed to them."""

import os
import pathlib
import threading

from ..memory import descendants, resident_of

TICKS = os.sysconf("SC_CLK_TCK")
PERIOD_S = 0.1


def _cpu_s(pid):
    """Of a process alone; None where it has ended."""
    try:
        fields = pathlib.Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
    except OSError:
        return None
    return (int(fields[11]) + int(fields[12])) / TICKS


class Usage:
    """Of a process and all that it has started, from begin() to end()."""

    def __init__(self, pid):
        self._pid = pid
        self._first, self._last = {}, {}
        self.peak_bytes = 0
        self._stop = threading.Event()
        self._thread = threading.Thread(target=self._run)

    def begin(self):
        self._first = self._look()
        self._thread.start()

    def end(self):
        self._look()
        self._stop.set()
        self._thread.join()

    @property
    def cpu_s(self):
        """A process that began later counts from its start, and one that has ended as it was seen last."""
        return sum(used - self._first.get(pid, 0.0) for pid, used in self._last.items())

    def _run(self):
        while not self._stop.wait(PERIOD_S):
            self._look()

    def _look(self):
        pids = list(descendants(self._pid))
        now = {pid: used for pid in pids if (used := _cpu_s(pid)) is not None}
        self._last |= now
        self.peak_bytes = max(self.peak_bytes, sum(resident_of(pid)[1] for pid in pids))
        return now
