"""What one POST of odd JSON to /mcp costs its sender, and everybody else meanwhile.

    tests/bench/hostile_json.py [--rounds 5]

A line for each body: the status, how long its answer took, and how long /livez took another client
meanwhile, also as a multiple of what it takes on an idle daemon. A body that is not answered within
a minute is given up, and the daemon is started anew.
"""

import argparse
import http.client
import os
import pathlib
import sys
import tempfile
import threading
import time

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "integration"))
from daemon import Daemon  # noqa: E402
from scribed_command import bin_folder  # noqa: E402

LONGEST = 60  # seconds


def named(count, value):
    return "{" + ",".join(f'"{i}":{value}' for i in range(count)) + "}"


def listed(count, value):
    return "[" + ",".join([value] * count) + "]"


BODIES = {
    "one number": "1",
    "300,000 {} in an array": listed(300_000, "{}"),
    "300,000 {} in an object": named(300_000, "{}"),
    "9,900 {} in an array": listed(9_900, "{}"),
    "9,900 {} in an object": named(9_900, "{}"),
    "100,000 names": named(100_000, "1"),
    "2,000,000 [] in an array": listed(2_000_000, "[]"),
    "3,000,000 numbers": listed(3_000_000, "1"),
    "10,000 deep": "[" * 10_000 + "]" * 10_000,
    "6 MB of text": '"' + "a" * 6_000_000 + '"',
}


class Probe(threading.Thread):
    """Another client, that asks for /livez on and on over one connection."""

    def __init__(self, port):
        super().__init__()
        self.connection = http.client.HTTPConnection("127.0.0.1", port, timeout=2 * LONGEST)
        self.stop = threading.Event()
        self.times = []

    def ask(self):
        begun = time.monotonic()
        self.connection.request("GET", "/livez")
        self.connection.getresponse().read()
        self.times.append((time.monotonic() - begun) * 1000)

    def run(self):
        try:
            while not self.stop.is_set():
                self.ask()
                self.stop.wait(0.001)
        except (OSError, http.client.HTTPException):
            self.times.append(LONGEST * 1000)  # the daemon had to be killed
        self.connection.close()


def post(port, value):
    body = '{"jsonrpc":"2.0","id":1,"method":"ping","params":{"a":' + value + "}}"
    connection = http.client.HTTPConnection("127.0.0.1", port, timeout=LONGEST)
    begun = time.monotonic()
    try:
        connection.request("POST", "/mcp", body, {"Content-Type": "application/json",
                                                  "Accept": "application/json"})
        status = str(connection.getresponse().status)
    except TimeoutError:
        status = "none"
    finally:
        connection.close()
    return status, (time.monotonic() - begun) * 1000


def percentile(values, share):
    return sorted(values)[min(len(values) - 1, int(share * len(values)))]


def start(folder):
    return Daemon(bin_folder() / "scribed", dict(os.environ), "--state-folder", folder)


def idle(daemon, seconds=3):
    probe = Probe(daemon.port)
    probe.start()
    time.sleep(seconds)
    probe.stop.set()
    probe.join()
    return probe.times


def measure(daemon, value, rounds):
    probe = Probe(daemon.port)
    probe.start()
    time.sleep(0.05)
    probe.times.clear()
    answers = []
    while len(answers) < rounds and (not answers or answers[-1][0] != "none"):
        answers.append(post(daemon.port, value))
    if answers[-1][0] == "none":
        daemon.kill()
    while not probe.times:  # all was over before it was asked
        time.sleep(0.001)
    probe.stop.set()
    probe.join()
    return answers, probe.times


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--rounds", type=int, default=5)
    rounds = parser.parse_args().rounds
    with tempfile.TemporaryDirectory() as folder:
        daemon = start(folder)
        try:
            quiet = idle(daemon)
            print(f"/livez of an idle daemon: p50 {percentile(quiet, .5):.2f} ms, "
                  f"max {max(quiet):.1f} ms")
            print(f"{'body':26}{'kB':>7}{'status':>8}{'answer ms':>11}{'most':>9}"
                  f"{'/livez p50':>12}{'max':>9}{'× idle':>8}")
            for name, value in BODIES.items():
                answers, others = measure(daemon, value, rounds)
                times = [time for _, time in answers]
                print(f"{name:26}{len(value) // 1000:7}{answers[-1][0]:>8}"
                      f"{percentile(times, .5):11.1f}{max(times):9.1f}"
                      f"{percentile(others, .5):12.2f}{max(others):9.1f}{max(others) / max(quiet):8.1f}",
                      flush=True)
                if daemon.process.poll() is not None:
                    daemon = start(folder)
        finally:
            daemon.end()


if __name__ == "__main__":
    main()
