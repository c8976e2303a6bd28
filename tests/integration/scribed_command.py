"""The `scribed` command under test: where it is, how to run it, and what it leaves behind.

  SCRIBED_BIN   folder of the programs (default: build/dev/bin, then build/release/bin)
"""

import os
import pathlib
import resource
import shutil
import signal
import subprocess
import tempfile
import time
import unittest
import wave

ROOT = pathlib.Path(__file__).resolve().parents[2]
FAKE = "scribed-fake-worker"
SANDBOX_WARNING = "The decoder runs without"  # on a kernel, or with a sanitizer, that hinders it
TIME_LIMIT = 60  # seconds; a command that takes longer hangs


def cpu_seconds():
    """What all children that have ended have computed: unlike the clock, it knows no other programs."""
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


# A run in the background ignores Ctrl-C or the end of its terminal, and so would the programs that
# it starts. They do not inherit a handler.
signal.signal(signal.SIGINT, signal.default_int_handler)
if signal.getsignal(signal.SIGHUP) is signal.SIG_IGN:
    signal.signal(signal.SIGHUP, lambda *_: None)


def bin_folder(kinds=("dev", "release")):
    given = os.environ.get("SCRIBED_BIN")
    folders = [given] if given else [ROOT / "build" / kind / "bin" for kind in kinds]
    for folder in map(pathlib.Path, folders):
        if (folder / "scribed").is_file() and (folder / "scribed-decode").is_file():
            return folder.resolve()
    raise unittest.SkipTest(f"no scribed in {' or '.join(map(str, folders))}")


# What these tests themselves are told by the environment: scribed would warn of it.
OF_TESTS = {f"SCRIBED_{name}" for name in (
    "BIN", "BUILD", "CLIENTS", "DAEMON_KILLS", "FULL", "JOBS", "LIVE_BREAKS", "MODELS", "PAGE_KILLS",
    "PAGE_TESTS", "PRINT", "RECORDINGS", "SHARED", "SHOW_HEADLINES", "WEB", "WORKER_KILLS",
    "WRITE_GUIDE")}


def own_environment(**more):
    """The environment of this process as scribed gets it."""
    return {k: v for k, v in os.environ.items() if k not in OF_TESTS} | more


def write_silence(path, seconds, channels=1):
    with wave.open(str(path), "wb") as sound:
        sound.setnchannels(channels)
        sound.setsampwidth(2)
        sound.setframerate(16000)
        sound.writeframes(bytes(32000 * channels * seconds))


def processes():
    """pid → (parent's pid, name) of every process that is not a zombie."""
    found = {}
    for entry in pathlib.Path("/proc").iterdir():
        if not entry.name.isdigit():
            continue
        try:
            head, _, tail = (entry / "stat").read_text().rpartition(")")
        except OSError:
            continue
        state, parent = tail.split()[:2]
        if state != "Z":
            found[int(entry.name)] = (int(parent), head.partition("(")[2])
    return found


def wait_for(condition, what):
    until = time.monotonic() + TIME_LIMIT
    while time.monotonic() < until:
        value = condition()
        if value:
            return value
        time.sleep(0.01)
    raise AssertionError(f"waited in vain for {what}")


class FakeWorkerTest(unittest.TestCase):
    """Real scribed and scribed-decode with the worker of tests/server/fake_worker.cpp, which makes a
    segment of every five seconds of sound."""

    def setUp(self):
        folder = bin_folder()
        fake = folder.parent / "tests" / FAKE
        if not fake.is_file():
            raise unittest.SkipTest(f"no {fake}")
        self.scribed = folder / "scribed"
        self.folder = pathlib.Path(tempfile.mkdtemp(prefix="scribed-test-"))
        self.addCleanup(shutil.rmtree, self.folder, ignore_errors=True)
        libexec = self.folder / "libexec"
        libexec.mkdir()
        (libexec / "scribed-decode").symlink_to(folder / "scribed-decode")
        (libexec / "scribed-worker").symlink_to(fake)
        self.model = self.folder / "model"
        self.model.mkdir()
        # The fake worker has only this device, whatever the machine has.
        self.environment = own_environment(SCRIBED_LIBEXEC=str(libexec), GPU_BACKEND="cpu")

    def sound(self, seconds, name="talk.wav"):
        path = self.folder / name
        write_silence(path, seconds)
        return path

    def command(self, *arguments):
        return [self.scribed, "transcribe", "--model", self.model, *map(str, arguments)]

    def behave(self, behaviour):
        self.environment["SCRIBED_FAKE_WORKER"] = behaviour

    def run_scribed(self, *arguments, **more):
        more = {"capture_output": True, "text": True, "timeout": TIME_LIMIT,
                "env": self.environment, **more}
        result = subprocess.run(self.command(*arguments), **more)
        result.stderr = "".join(line for line in result.stderr.splitlines(keepends=True)
                                if SANDBOX_WARNING not in line)
        return result

    def start_scribed(self, *arguments, **more):
        more = {"stdout": subprocess.PIPE, "stderr": subprocess.PIPE, "text": True,
                "env": self.environment, **more}
        process = subprocess.Popen(self.command(*arguments), **more)
        self.addCleanup(self.end, process)
        return process

    @staticmethod
    def end(process):
        if process.poll() is None:
            process.kill()
        process.wait()
        for stream in (process.stdin, process.stdout, process.stderr):
            if stream:
                stream.close()

    @staticmethod
    def children(process):
        """Name → pid; names as the kernel cuts them off."""
        return {name: pid for pid, (parent, name) in processes().items() if parent == process.pid}

    def in_mid_work(self, process):
        """Waits until a first segment came out; gives the children (see children())."""
        first = process.stdout.readline()
        self.assertEqual(first, "Segment 0.\n")
        children = self.children(process)
        self.assertEqual(len(children), 2, children)
        return children

    def assert_gone(self, pids):
        wait_for(lambda: not set(pids) & set(processes()), f"the end of {pids}")
