"""Clients come and go for a long time: does the daemon stay as it was?

    scripts/soak [MINUTES]
    tests/bench/soak.py [--minutes 30] [--clients 6] [--models base,tiny.en | --fake] [--sounds FOLDER]

It starts a daemon of its own and sends it a mix of good, broken and hostile traffic (soak_traffic.py).
Afterwards it prints requests by kind and status, each failure of the server that was not meant, and
what the processes held over time. It fails where there was such a failure, where the daemon died or
logged an error of its own, or where descriptors, threads or children are left over. Memory is for the reader to
judge: allocators keep what they had, so look at the slope of the later half.
"""

import argparse
import collections
import http.client
import os
import pathlib
import secrets
import sys
import tempfile
import threading
import time

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "integration"))
from daemon import Daemon  # noqa: E402
from scribed_command import FAKE, ROOT, bin_folder, processes, write_silence  # noqa: E402
from soak_traffic import Visitor, visit  # noqa: E402
from webhooks_test import Receiver  # noqa: E402

QUIET = 120  # seconds in which accepted work may end, and connections be closed


class Notes:
    """What was answered, from all clients."""

    def __init__(self):
        self.lock = threading.Lock()
        self.statuses = collections.defaultdict(collections.Counter)
        self.failures = []

    def add(self, kind, status, body, headers):
        # 503 and 507 with a time to come again are how a full server speaks.
        is_failure = isinstance(status, int) and status >= 500 and "retry-after" not in headers
        with self.lock:
            self.statuses[kind][status] += 1
            if is_failure:
                self.failures.append(f"{kind}: {status} {body[:300].decode(errors='replace')}")


class Clients:
    def __init__(self, count, make_visitor, notes):
        self.stopped = threading.Event()
        self.make_visitor, self.notes = make_visitor, notes
        self.threads = [threading.Thread(target=self.run) for _ in range(count)]
        for thread in self.threads:
            thread.start()

    def run(self):
        visitor = self.make_visitor()
        while not self.stopped.is_set():
            try:
                visit(visitor)
            except (OSError, http.client.HTTPException, ValueError) as failure:
                self.notes.add(f"no answer: {type(failure).__name__}", "-", b"", {})
                self.stopped.wait(1)

    def stop(self):
        self.stopped.set()
        for thread in self.threads:
            thread.join()


def status_field(pid, name):
    for line in open(f"/proc/{pid}/status"):
        if line.startswith(name + ":"):
            return int(line.split()[1])
    return 0


def look_at(daemon):
    """MiB of the daemon and of its workers; descriptors, threads and children of the daemon."""
    pid = daemon.process.pid
    children = {child: name for child, (parent, name) in processes().items() if parent == pid}
    workers = 0
    for child, name in children.items():
        try:
            workers += status_field(child, "VmRSS") if name.startswith("scribed-worker") else 0
        except OSError:
            pass  # it has just ended
    return {"daemon": status_field(pid, "VmRSS") / 1024, "workers": workers / 1024,
            "descriptors": len(os.listdir(f"/proc/{pid}/fd")),
            "threads": status_field(pid, "Threads"), "children": len(children)}


class Samples(threading.Thread):
    def __init__(self, daemon, interval):
        super().__init__()
        self.daemon_under_test, self.interval = daemon, interval
        self.taken = []  # (seconds, look_at())
        self.stopped = threading.Event()
        self.start()

    def run(self):
        begun = time.monotonic()
        while not self.stopped.wait(self.interval):
            try:
                self.taken.append((time.monotonic() - begun, look_at(self.daemon_under_test)))
            except OSError:
                return  # the daemon has died

    def stop(self):
        self.stopped.set()
        self.join()


def slope(points):
    """Units an hour, by least squares."""
    if len(points) < 3:
        return 0.0
    mean_x = sum(x for x, _ in points) / len(points)
    mean_y = sum(y for _, y in points) / len(points)
    spread = sum((x - mean_x) ** 2 for x, _ in points)
    return 3600 * sum((x - mean_x) * (y - mean_y) for x, y in points) / spread


def wait_until_quiet(daemon, keys):
    """Until nothing waits or runs, and nobody but this function is connected."""
    until = time.monotonic() + QUIET
    while time.monotonic() < until:
        answer = daemon.get("/v1/status", Authorization=f"Bearer {keys['user']}")
        if answer.status == 200 and answer.json["queue"] == {"waiting": 0, "running": 0}:
            time.sleep(3)  # lingering connections, and children that end
            return True
        time.sleep(1)
    return False


def print_traffic(notes):
    print(f"{'requests':40} {'number':>8}   by status")
    for kind, statuses in sorted(notes.statuses.items()):
        told = ", ".join(f"{status}: {count}" for status, count in sorted(statuses.items(), key=str))
        print(f"{kind:40} {sum(statuses.values()):8}   {told}")


def print_samples(taken):
    names = ["daemon", "workers", "descriptors", "threads", "children"]
    print("\n" + f"{'minutes':>8}" + "".join(f"{name:>13}" for name in names))
    step = max(1, -(-len(taken) // 20))
    for seconds, sample in taken[::step]:
        print(f"{seconds / 60:8.1f}" + "".join(f"{sample[name]:13.0f}" for name in names))
    # Memory that is loaded and cached at first is no leak.
    for part in ("daemon", "workers"):
        late = [(seconds, sample[part]) for seconds, sample in taken[len(taken) // 2:]]
        all_but_first = [(seconds, sample[part]) for seconds, sample in taken[len(taken) // 5:]]
        print(f"memory of the {part}: {slope(all_but_first):+.1f} MiB/h behind the first fifth, "
              f"{slope(late):+.1f} MiB/h in the second half")


def problems_of(daemon, before, after, is_quiet, notes):
    found = [f"not meant: {failure}" for failure in notes.failures]
    if not is_quiet:
        found.append(f"work was left after {QUIET} s of quiet")
    for what in ("descriptors", "threads", "children"):
        print(f"{what}: {before[what]} before, {after[what]} after")
        if after[what] > before[what] + 2:
            found.append(f"{what} are left over: {before[what]} became {after[what]}")
    errors = [line.strip() for line in daemon.lines
              if "level=error" in line and "msg=request" not in line]
    return found + [f"in the log: {line}" for line in errors]


def soak(daemon, keys, arguments, sounds, models, hook):
    notes = Notes()

    def make_visitor():
        return Visitor(daemon.port, keys, sounds, hook, models, notes.add)

    make_visitor().transcribe()  # loads a model
    wait_until_quiet(daemon, keys)
    before = look_at(daemon)
    samples = Samples(daemon, max(1.0, arguments.minutes * 60 / 120))
    clients = Clients(arguments.clients, make_visitor, notes)
    until = time.monotonic() + arguments.minutes * 60
    while time.monotonic() < until and daemon.process.poll() is None:
        time.sleep(1)
    clients.stop()
    samples.stop()
    print_traffic(notes)
    print_samples(samples.taken)
    if daemon.process.poll() is not None:
        return [f"the daemon died with {daemon.process.returncode}", *daemon.lines[-20:]]
    is_quiet = wait_until_quiet(daemon, keys)
    make_visitor().transcribe()  # the same models as before
    time.sleep(3)
    return problems_of(daemon, before, look_at(daemon), is_quiet, notes)


def fake_worker(folder, environment):
    libexec = folder / "libexec"
    libexec.mkdir()
    programs = bin_folder()
    (libexec / "scribed-decode").symlink_to(programs / "scribed-decode")
    (libexec / "scribed-worker").symlink_to(programs.parent / "tests" / FAKE)
    (folder / "model").mkdir()
    environment |= {"SCRIBED_LIBEXEC": str(libexec), "GPU_BACKEND": "cpu"}
    return str(folder / "model")


def read_sounds(folder, scratch):
    """Short ones: many requests matter here, not much sound."""
    files = sorted(folder.glob("*.*"), key=lambda file: file.stat().st_size) if folder.is_dir() else []
    sounds = [file.read_bytes() for file in files if file.suffix in (".wav", ".flac", ".mp3")][:6]
    for seconds in (1, 7):
        write_silence(scratch / "silence.wav", seconds)
        sounds.append((scratch / "silence.wav").read_bytes())
    return sounds


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--minutes", type=float, default=30)
    parser.add_argument("--clients", type=int, default=6)
    parser.add_argument("--models", default="base,tiny.en", help="the first one is the default")
    parser.add_argument("--fake", action="store_true", help="a worker without an engine, of build/dev")
    parser.add_argument("--sounds", type=pathlib.Path, help="a folder of short recordings",
                        default=pathlib.Path(os.environ.get("SCRIBED_SHARED", ROOT.parent / "shared"))
                        / "audio/short-commands")
    arguments = parser.parse_args()
    keys = {"user": secrets.token_hex(16), "manager": secrets.token_hex(16)}
    with tempfile.TemporaryDirectory(prefix="scribed-soak-") as folder:
        folder = pathlib.Path(folder)
        environment = dict(os.environ)
        models = arguments.models.split(",")
        default = models[0]
        if arguments.fake:
            default, models = fake_worker(folder, environment), ["whisper-1"]
        key_file = folder / "keys"
        key_file.write_text(f"user {keys['user']}\nmanager {keys['manager']} [manage]\n")
        secret = folder / "secret"
        secret.write_text("whsec_MDEyMzQ1Njc4OWFiY2RlZjAxMjM0NTY3ODlhYmNkZWY=")
        for file in (key_file, secret):
            file.chmod(0o600)
        settings = {"server.key_file": key_file, "webhooks.secret_file": secret,
                    "webhooks.allow_hosts": "127.0.0.1", "jobs.keep_results_s": 120,
                    "inputs.upload_keep_s": 60}
        options = [part for name, value in settings.items() for part in ("--set", f"{name}={value}")]
        sink = Receiver()
        daemon = Daemon(bin_folder(("release", "dev")) / "scribed", environment,
                        "--model", default, "--state-folder", folder / "state", *options)
        try:
            problems = soak(daemon, keys, arguments, read_sounds(arguments.sounds, folder), models,
                            f"http://127.0.0.1:{sink.server_port}/")
            print(f"webhooks received: {len(sink.calls)}")
        finally:
            daemon.end()
            sink.end()
    for problem in problems:
        print(problem, file=sys.stderr)
    return 1 if problems else 0


if __name__ == "__main__":
    sys.exit(main())
