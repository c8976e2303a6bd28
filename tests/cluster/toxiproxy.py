"""toxiproxy between daemons and what they share: a way for each daemon to each service, which can
be slow, silent or reset. scripts/toxiproxy installs it."""

import http.client
import json
import os
import pathlib
import shutil
import subprocess

from s3_server import free_port
from scribed_command import TIME_LIMIT, wait_for

ROOT = pathlib.Path(__file__).resolve().parents[2]


def program():
    """None where it is not installed."""
    path = f"{ROOT / '.deps/toxiproxy'}:{os.environ.get('PATH', '')}"
    return shutil.which("toxiproxy-server", path=path)


class Toxiproxy:
    def __init__(self):
        self.port = free_port()
        self.process = subprocess.Popen(
            [program(), "-host", "127.0.0.1", "-port", str(self.port)],
            stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        wait_for(self._answers, "toxiproxy")

    def _answers(self):
        try:
            return self._ask("GET", "/version")
        except OSError:
            return False

    def _ask(self, method, path, body=None):
        connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=TIME_LIMIT)
        try:
            connection.request(method, path, json.dumps(body) if body is not None else None)
            answer = connection.getresponse()
            text = answer.read()
            return answer.status < 300 or text.decode(errors="replace")
        finally:
            connection.close()

    def add(self, name, port):
        """Returns the port of a way to `port`."""
        listen = free_port()
        made = self._ask("POST", "/proxies", {"name": name, "listen": f"127.0.0.1:{listen}",
                                              "upstream": f"127.0.0.1:{port}", "enabled": True})
        assert made is True, made
        return listen

    def hinder(self, name, toxic, **attributes):
        """Both directions: `latency` (latency, jitter in ms), `timeout` (0 is silence),
        `reset_peer`. Connections that are silent are closed when the hindrance ends."""
        for stream in ("upstream", "downstream"):
            self._ask("POST", f"/proxies/{name}/toxics",
                      {"name": f"{toxic}_{stream}", "type": toxic, "stream": stream,
                       "attributes": attributes})

    def free(self, name, toxic):
        for stream in ("upstream", "downstream"):
            self._ask("DELETE", f"/proxies/{name}/toxics/{toxic}_{stream}")

    def end(self):
        self.process.kill()
        self.process.wait()
