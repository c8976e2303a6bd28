"""scribed as it is measured: `scribed serve`, `scribed transcribe --live`, and the whole recording."""

import dataclasses
import json
import os
import pathlib
import re
import subprocess
import tempfile
import threading
import time

from ..engines import EngineError
from .line_reader import LineReader
from .pacing import feed
from .recordings import DETECT, RATE
from .usage import Usage

READY_S = 5.0  # before the first sample a command loads its model


@dataclasses.dataclass(frozen=True)
class Scribed:
    program: pathlib.Path
    model: str
    compute_type: str
    threads: int

    def transcribe(self, *options):
        return [os.fspath(self.program), "transcribe", "--quiet", "--model", os.fspath(self.model), "--compute-type",
                self.compute_type, "--threads", str(self.threads), *map(str, options)]  # fmt: skip


def _language(language):
    return [] if language == DETECT else ["--language", language]


def offline(scribed, recording):
    """The transcript of the whole recording, greedy as live sound is decoded, with the times of words."""
    command = scribed.transcribe("--format", "json", "--word-timestamps", "true", "--beam-size", 1,
                                 *_language(recording.language))  # fmt: skip
    ended = subprocess.run([*command, recording.file], capture_output=True, text=True)
    if ended.returncode != 0:
        raise EngineError(f"scribed transcribe failed: {ended.stderr.strip()}")
    return json.loads(ended.stdout)


def live(scribed, recording, piece_s, options):
    """The Trace and the Usage of `scribed transcribe --live`."""
    command = scribed.transcribe("--live", "--format", "jsonl", *_language(recording.language), *options, "-")
    child = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, bufsize=0)
    begun, usage, reader, late = time.monotonic() + READY_S, Usage(child.pid), LineReader(), []

    def give():
        time.sleep(max(0.0, begun - time.monotonic()))
        usage.begin()
        try:
            late.append(feed(recording.pcm, 2 * RATE, piece_s, begun, child.stdin.write))
        except BrokenPipeError:
            pass  # its exit code says why
        finally:
            child.stdin.close()

    feeder = threading.Thread(target=give)
    feeder.start()
    for line in child.stdout:
        reader.take(time.monotonic() - begun, json.loads(line))
    feeder.join()
    usage.end()
    trace = reader.trace()
    trace.seconds, trace.late_s = recording.seconds, max(late, default=0.0)
    trace.ended_at = time.monotonic() - begun
    if child.wait() != 0:
        trace.failed = f"scribed transcribe --live ended with exit code {child.returncode}"
    return trace, usage


class Daemon:
    """`scribed serve` on a free port, with its model loaded."""

    def __init__(self, scribed, settings):
        self._folder = tempfile.TemporaryDirectory(prefix="live-")
        environment = {k: v for k, v in os.environ.items() if k not in ("SCRIBED_API_KEY", "SCRIBED_CONFIG")}
        sets = [f"model.compute_type={scribed.compute_type}", "model.keep_alive=-1", *settings]
        self._process = subprocess.Popen(
            [scribed.program, "serve", "--listen", "127.0.0.1:0", "--model", scribed.model, "--threads",
             str(scribed.threads), "--state-folder", self._folder.name, *(f"--set={one}" for one in sets)],
            stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True, env=environment,
        )  # fmt: skip
        self.pid, self.port, self._lines = self._process.pid, None, []
        self._listening = threading.Event()
        self._reader = threading.Thread(target=self._read)
        self._reader.start()
        self._listening.wait(60)
        if self.port is None:
            self.close()
            raise EngineError(f"scribed serve did not start: {''.join(self._lines[-5:]).strip()}")

    def _read(self):
        for line in self._process.stderr:
            self._lines = [*self._lines[-50:], line]
            found = re.search(r"msg=listening .*port=(\d+)", line)
            if found:
                self.port = int(found[1])
                self._listening.set()
        self._listening.set()

    def close(self):
        if self._process.poll() is None:
            self._process.terminate()
        try:
            self._process.wait(60)
        except subprocess.TimeoutExpired:
            self._process.kill()
            self._process.wait()
        self._reader.join()
        self._process.stderr.close()
        self._folder.cleanup()
