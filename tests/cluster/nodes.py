"""The daemons of a run: real ones of every role, each a process that can be killed and paused."""

import dataclasses
import http.client
import signal
import subprocess
import time

from s3_server import free_port
from scribed_command import TIME_LIMIT

ACCEPTING = ("gateway", "both")
TRANSCRIBING = ("worker", "both")


@dataclasses.dataclass(frozen=True)
class NodeSettings:
    """What all nodes of a cluster have in common."""

    scribed: str
    environment: dict
    options: tuple


class Node:
    """A daemon with a port and a state folder that it keeps through all its starts."""

    def __init__(self, name, role, folder, settings, environment, options):
        self.name, self.role = name, role
        self.state = folder / name
        self.log_path = folder / f"{name}.log"
        self.port = free_port()
        self.command = [settings.scribed, "serve", "--listen", f"127.0.0.1:{self.port}",
                        "--role", role, "--state-folder", self.state,
                        *settings.options, *options]
        self.environment = {**settings.environment, **environment}
        self.process = None

    @property
    def accepts(self):
        return self.role in ACCEPTING

    @property
    def transcribes(self):
        return self.role in TRANSCRIBING

    def start(self, **environment):
        """Does not wait until it is ready: it may have to wait for a database that is away."""
        if self.is_up():
            return
        with open(self.log_path, "ab") as log:
            self.process = subprocess.Popen([str(word) for word in self.command], stdout=log,
                                            env={**self.environment, **environment}, stderr=log)

    def is_up(self):
        return self.process is not None and self.process.poll() is None

    def signal(self, number):
        if self.is_up():
            self.process.send_signal(number)

    def kill(self):
        self.signal(signal.SIGKILL)
        if self.process:
            self.process.wait()

    def terminate(self):
        self.signal(signal.SIGTERM)
        try:
            self.process.wait(TIME_LIMIT)
        except subprocess.TimeoutExpired:
            self.kill()

    def connect(self, timeout):
        return http.client.HTTPConnection("127.0.0.1", self.port, timeout=timeout)

    def is_ready(self):
        try:
            connection = self.connect(5)
            connection.request("GET", "/readyz")
            status = connection.getresponse().status
            connection.close()
            return status == 200
        except (OSError, http.client.HTTPException):
            return False

    def wait_until_ready(self, limit=TIME_LIMIT):
        until = time.monotonic() + limit
        while not self.is_ready():
            if time.monotonic() > until:
                raise AssertionError(f"{self.name} does not get ready: {self.log()[-2000:]}")
            if not self.is_up():
                self.start()
            time.sleep(0.1)

    def log(self):
        return self.log_path.read_text(encoding="utf-8", errors="replace")
