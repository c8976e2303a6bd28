"""What 1,000 slow clients do to a daemon: how long /readyz takes meanwhile, and a transcription.

    tests/bench/slow_clients.py SOUND [--clients 1000] [--seconds 60] [--model base]

SOUND is transcribed twice, without and with the slow clients; its ratio is what matters. Half of the
clients send a header, and half a body, of one byte a second; each that is cut off comes again.
"""

import argparse
import http.client
import json
import os
import pathlib
import resource
import socket
import sys
import tempfile
import threading
import time

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "integration"))
from daemon import Daemon  # noqa: E402
from scribed_command import bin_folder  # noqa: E402

HEADER = b"GET /livez HTTP/1.1\r\nHost: localhost\r\nX-Slow: "
BODY = (b"POST /v1/jobs HTTP/1.1\r\nHost: localhost\r\nContent-Length: 1000000\r\n"
        b"Content-Type: multipart/form-data; boundary=b\r\n\r\n")


class SlowClients(threading.Thread):
    def __init__(self, port, count):
        super().__init__()
        self.port, self.count = port, count
        self.stop = threading.Event()
        self.cut_off = 0
        self.most = 0

    def connect(self, number):
        client = socket.create_connection(("127.0.0.1", self.port), 5)
        client.setblocking(False)
        client.send(HEADER if number % 2 else BODY)
        return client

    def run(self):
        clients = {}
        while not self.stop.is_set():
            begun = time.monotonic()
            for number in range(self.count):
                try:
                    if number not in clients:
                        clients[number] = self.connect(number)
                    clients[number].send(b"a")
                except OSError:
                    self.cut_off += 1
                    client = clients.pop(number, None)
                    if client:
                        client.close()
                if self.stop.is_set():
                    break
            self.most = max(self.most, len(clients))
            self.stop.wait(max(0, 1 - (time.monotonic() - begun)))
        for client in clients.values():
            client.close()


def percentile(values, share):
    return sorted(values)[min(len(values) - 1, int(share * len(values)))]


def probe(daemon, seconds, pause=0.05):
    """Milliseconds that /readyz takes, a connection each."""
    times = []
    until = time.monotonic() + seconds
    while time.monotonic() < until:
        begun = time.monotonic()
        answer = daemon.get("/readyz")
        assert answer.status == 200, answer.text
        times.append((time.monotonic() - begun) * 1000)
        time.sleep(pause)
    return times


def transcribe(daemon, sound, answers):
    begun = time.monotonic()
    answer = daemon.post_form("/v1/audio/transcriptions", [("model", "whisper-1")], sound)
    assert answer.status == 200, answer.text
    answers.append((time.monotonic() - begun, answer.json["text"]))


def resident_mib(pid):
    for line in open(f"/proc/{pid}/status"):
        if line.startswith("VmRSS"):
            return int(line.split()[1]) / 1024


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("sound", type=pathlib.Path)
    parser.add_argument("--clients", type=int, default=1000)
    parser.add_argument("--seconds", type=float, default=60)
    parser.add_argument("--model", default="base")
    arguments = parser.parse_args()
    limit = resource.getrlimit(resource.RLIMIT_NOFILE)[1]
    resource.setrlimit(resource.RLIMIT_NOFILE, (limit, limit))
    sound = arguments.sound.read_bytes()

    with tempfile.TemporaryDirectory() as folder:
        daemon = Daemon(bin_folder() / "scribed", dict(os.environ), "--model", arguments.model,
                        "--state-folder", folder)
        try:
            run(daemon, sound, arguments)
        finally:
            daemon.end()


def run(daemon, sound, arguments):
    transcribe(daemon, sound[:len(sound)], [])  # loads the model
    idle = resident_mib(daemon.process.pid)
    alone, beside = [], []
    quiet = probe_beside(daemon, sound, alone, arguments.seconds)
    slow = SlowClients(daemon.port, arguments.clients)
    slow.start()
    time.sleep(3)
    busy = probe_beside(daemon, sound, beside, arguments.seconds)
    held = resident_mib(daemon.process.pid)
    slow.stop.set()
    slow.join()
    print(json.dumps({
        "clients": slow.most, "cut_off": slow.cut_off,
        "readyz_ms_without": {"p50": percentile(quiet, .5), "p99": percentile(quiet, .99)},
        "readyz_ms_with": {"p50": percentile(busy, .5), "p99": percentile(busy, .99)},
        "transcription_s_without": alone[0][0], "transcription_s_with": beside[0][0],
        "ratio": beside[0][0] / alone[0][0], "same_text": alone[0][1] == beside[0][1],
        "daemon_mib_idle": idle, "daemon_mib_with": held}, indent=2))


def probe_beside(daemon, sound, answers, seconds):
    worker = threading.Thread(target=transcribe, args=(daemon, sound, answers))
    worker.start()
    times = probe(daemon, seconds)
    worker.join()
    return times


if __name__ == "__main__":
    main()
