"""Work beside live sessions: a long file that the same daemon transcribes."""

import pathlib
import subprocess
import tempfile
import threading
import time


class LongFile(threading.Thread):
    """A client that has a long file transcribed by the daemon, again and again, until it is stopped."""

    def __init__(self, scribed, daemon, recording, repeats=10):
        super().__init__()
        self._folder = tempfile.TemporaryDirectory(prefix="long-")
        self._file = pathlib.Path(self._folder.name) / "long.wav"
        command = ["ffmpeg", "-nostdin", "-loglevel", "error", "-stream_loop", str(repeats - 1), "-i", recording.file]
        subprocess.run([*command, self._file], check=True)
        self._command = [scribed.program, "transcribe", "--quiet", "--server", f"http://127.0.0.1:{daemon.port}",
                         self._file]  # fmt: skip
        self._seconds = recording.seconds * repeats
        self._stopped = threading.Event()
        self._begun, self.done = time.monotonic(), []  # when each was ready

    @property
    def times_real_time(self):
        """None where none became ready."""
        return len(self.done) * self._seconds / (self.done[-1] - self._begun) if self.done else None

    def run(self):
        while not self._stopped.is_set():
            child = subprocess.Popen(self._command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
            while child.poll() is None and not self._stopped.wait(0.05):
                pass
            if child.poll() is None:
                child.terminate()
            if child.wait() != 0:
                return
            self.done.append(time.monotonic())

    def stop(self):
        self._stopped.set()
        self.join()
        self._folder.cleanup()
