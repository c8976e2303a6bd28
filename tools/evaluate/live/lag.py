"""How far a daemon's text is behind the sound that it was given, as its metrics say."""

import re
import threading
import urllib.request

PERIOD_S = 0.5
METRIC = re.compile(r"^scribed_live_lag_seconds (\S+)$", re.MULTILINE)


class LagWatch:
    """Looks from begin() to end(); `worst_s` is the greatest lag."""

    def __init__(self, port):
        self._url = f"http://127.0.0.1:{port}/metrics"
        self.worst_s = 0.0
        self._stop = threading.Event()
        self._thread = threading.Thread(target=self._run)

    def begin(self):
        self._thread.start()

    def end(self):
        self._stop.set()
        self._thread.join()

    def _run(self):
        while not self._stop.wait(PERIOD_S):
            with urllib.request.urlopen(self._url, timeout=60) as answer:
                found = METRIC.search(answer.read().decode())
            self.worst_s = max(self.worst_s, float(found[1]))
