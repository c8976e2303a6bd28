"""Containers under test: started by podman, asked over HTTP, looked into through /proc."""

import http.client
import json
import os
import pathlib
import shlex
import shutil
import socket
import subprocess
import tempfile
import time
import uuid

# The engine with the options that this machine needs; docker/test sets both.
ENGINE = shlex.split(os.environ.get("SCRIBED_PODMAN", "podman"))
RUN_OPTIONS = shlex.split(os.environ.get("SCRIBED_PODMAN_RUN", ""))
# As docker/compose.yaml starts it.
HARDENED = ["--read-only", "--tmpfs", "/tmp", "--cap-drop", "ALL",
            "--security-opt", "no-new-privileges"]
LIMIT = 240  # seconds; what takes longer hangs


def engine(*arguments, check=True, **more):
    ended = subprocess.run([*ENGINE, *map(str, arguments)], text=True, timeout=LIMIT,
                           stdout=subprocess.PIPE, stderr=subprocess.PIPE, **more)
    if check and ended.returncode != 0:
        raise AssertionError(f"{' '.join(map(str, arguments))} ended with {ended.returncode}:\n"
                             f"{ended.stdout}{ended.stderr}")
    return ended


def free_port():
    with socket.socket() as listener:
        listener.bind(("127.0.0.1", 0))
        return listener.getsockname()[1]


def wait_for(condition, what, pause=0.02, limit=LIMIT):
    until = time.monotonic() + limit
    while time.monotonic() < until:
        if value := condition():
            return value
        time.sleep(pause)
    raise AssertionError(f"waited in vain for {what}")


def run_once(image, *arguments, options=(), check=True):
    """A container without a network that ends by itself."""
    return engine("run", "--rm", "--network", "none", *RUN_OPTIONS, *options, image, *arguments,
                  check=check)


class Volume:
    """A folder for /var/lib/scribed that any user may write, as the image's own is."""

    def __init__(self, models=None):
        self.path = pathlib.Path(tempfile.mkdtemp(prefix="scribed-volume-"))
        self.path.chmod(0o1777)
        (self.path / "models").mkdir(mode=0o1777)
        (self.path / "models").chmod(0o1777)
        for model in models or []:
            shutil.copytree(model, self.path / "models" / model.name)

    def remove(self):
        shutil.rmtree(self.path, ignore_errors=True)


class Container:
    """A container that was made, so that what it takes to start is not what it takes to copy the
    image. Its server listens on a port of this machine's loopback, or as the image says it."""

    def __init__(self, image, *command, options=(), volume=None, user="10001:10001",
                 network="host", hardened=True, **variables):
        self.name = f"scribed-test-{uuid.uuid4().hex[:8]}"
        self.port = free_port()
        if network == "host":
            variables = {"SCRIBED_SERVER_LISTEN": f"127.0.0.1:{self.port}", **variables}
        self.options = ["--network", network, "--user", user, *(HARDENED if hardened else []),
                        *(["-v", f"{volume.path}:/var/lib/scribed"] if volume else []), *options,
                        *(word for pair in variables.items() for word in ("-e", "=".join(pair)))]
        engine("create", "--name", self.name, *RUN_OPTIONS, *self.options, image, *command)

    def start(self):
        self.started = time.monotonic()
        engine("start", self.name)
        return self

    def remove(self):
        engine("rm", "-f", "-t", "0", self.name, check=False)

    def execute(self, *command, check=True):
        return engine("exec", self.name, *command, check=check)

    def inspect(self, form):
        return engine("inspect", "--format", form, self.name).stdout.strip()

    def log(self):
        ended = engine("logs", self.name)
        return ended.stdout + ended.stderr

    def wait(self):
        """Its exit code."""
        return int(engine("wait", self.name).stdout)

    def request(self, method, path, body=None, headers=None):
        connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=LIMIT)
        try:
            connection.request(method, path, body, headers or {})
            answer = connection.getresponse()
            return answer.status, answer.read()
        finally:
            connection.close()

    def get(self, path, **headers):
        return self.request("GET", path, headers=headers)

    def json(self, path):
        return json.loads(self.get(path)[1])

    def wait_for_health(self):
        """As the container itself sees it: for those that nobody else reaches."""
        wait_for(lambda: self.execute("scribed", "health", check=False).returncode == 0, "health",
                 0.2)
        return self

    def is_ready(self):
        try:
            return self.get("/readyz")[0] == 200
        except OSError:
            if self.inspect("{{.State.Running}}") != "true":
                raise AssertionError("the container has ended: " + self.log()) from None
            return False

    def seconds_to_ready(self):
        wait_for(self.is_ready, f"{self.name} to be ready")
        return time.monotonic() - self.started

    def pids(self):
        """Of its processes, as this machine counts them."""
        first = int(self.inspect("{{.State.Pid}}"))
        found = [first]
        for pid in found:
            for task in pathlib.Path(f"/proc/{pid}/task").glob("*/children"):
                found += [int(child) for child in task.read_text().split()]
        return found

    def memory_mb(self):
        """What its processes have for themselves, and their share of what they have in common."""
        total = 0
        for pid in self.pids():
            for line in pathlib.Path(f"/proc/{pid}/smaps_rollup").read_text().splitlines():
                if line.startswith("Pss:"):
                    total += int(line.split()[1])
        return total / 1024

    def zombies(self):
        states = [pathlib.Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0]
                  for pid in self.pids()]
        return states.count("Z")
