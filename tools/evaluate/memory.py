"""Peak resident memory of a process and all its descendants, watched from outside."""

import collections
import os
import pathlib
import threading

PAGE = os.sysconf("SC_PAGE_SIZE")
PERIOD_S = 0.05


def descendants(pid):
    yield pid
    try:
        tasks = os.listdir(f"/proc/{pid}/task")
        children = [pathlib.Path(f"/proc/{pid}/task/{t}/children").read_text() for t in tasks]
    except OSError:
        return  # it ended between two looks
    for child in " ".join(children).split():
        yield from descendants(int(child))


def resident_of(pid):
    try:
        name = pathlib.Path(f"/proc/{pid}/comm").read_text().strip()
        return name, int(pathlib.Path(f"/proc/{pid}/statm").read_text().split()[1]) * PAGE
    except (OSError, IndexError):
        return None, 0


class MemoryWatch:
    """Samples while used as a context; one watch can be used for many processes in turn.

    Pages that processes share are counted once for each of them.
    """

    def __init__(self):
        self.peak_bytes = 0  # of the sum
        self.peak_by_name = collections.Counter()  # of each program's processes taken together

    def watch(self, pid):
        return _Watching(self, pid)

    def sample(self, pid):
        now = collections.Counter()
        for each in descendants(pid):
            name, resident = resident_of(each)
            if name:
                now[name] += resident
        self.peak_bytes = max(self.peak_bytes, sum(now.values()))
        self.peak_by_name |= now


class _Watching:
    def __init__(self, watch, pid):
        self._watch, self._pid = watch, pid
        self._stop = threading.Event()
        self._thread = threading.Thread(target=self._run)

    def _run(self):
        while not self._stop.wait(PERIOD_S):
            self._watch.sample(self._pid)

    def __enter__(self):
        self._thread.start()

    def __exit__(self, *_):
        self._stop.set()
        self._thread.join()
