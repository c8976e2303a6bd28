"""How soon `scribed mcp` answers after its start, and what it and `scribed serve` hold when idle.

    tests/bench/first_answer.py [--times 50] [--model base]

The model is not loaded by any of it, as with a host that has just started. The home folder has the
layout of a user: state and models below it; the models are those of this machine
(SCRIBED_DATA_DIR, or its default).
"""

import argparse
import json
import os
import pathlib
import statistics
import subprocess
import sys
import tempfile
import time

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "integration"))
from daemon import Daemon  # noqa: E402
from scribed_command import bin_folder  # noqa: E402

IDLE_S = 3  # after its last request
FIRST = {
    "initialize": {"protocolVersion": "2025-11-25", "capabilities": {},
                   "clientInfo": {"name": "bench", "version": "1"}},
    "server/discover": {"_meta": {"io.modelcontextprotocol/protocolVersion": "2026-07-28",
                                  "io.modelcontextprotocol/clientCapabilities": {}}},
}


def home_of_a_user(folder):
    """An environment whose home folder is `folder`, with the models of this machine."""
    shared = os.environ.get("XDG_DATA_HOME", pathlib.Path.home() / ".local/share")
    source = pathlib.Path(os.environ.get("SCRIBED_DATA_DIR", pathlib.Path(shared) / "scribed"))
    data = folder / ".local/share/scribed"
    data.mkdir(parents=True)
    if (source / "models").is_dir():
        (data / "models").symlink_to(source / "models")
    environment = {name: value for name, value in os.environ.items()
                   if not name.startswith(("XDG_", "SCRIBED_"))}
    return {**environment, "HOME": str(folder)}


def options(model, environment):
    # Named, because root has its state elsewhere.
    return ["--model", model, "--state-folder", f"{environment['HOME']}/.local/state/scribed"]


def request(number, method):
    message = {"jsonrpc": "2.0", "id": number, "method": method, "params": FIRST[method]}
    return json.dumps(message).encode() + b"\n"


class Mcp:
    def __init__(self, model, environment):
        self.begun = time.monotonic()
        self.process = subprocess.Popen(
            [bin_folder() / "scribed", "mcp", *options(model, environment)],
            env=environment, cwd=environment["HOME"], stdin=subprocess.PIPE, stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL)

    def ask(self, method):
        self.process.stdin.write(request(1, method))
        self.process.stdin.flush()
        answer = json.loads(self.process.stdout.readline())
        assert "result" in answer, answer

    def end(self):
        self.process.stdin.close()
        self.process.wait()
        self.process.stdout.close()


def first_answer_ms(method, model, environment):
    mcp = Mcp(model, environment)
    mcp.ask(method)
    taken = (time.monotonic() - mcp.begun) * 1000
    mcp.end()
    return taken


def idle_mib(pid):
    """Resident memory: all, and without what is shared with the files of programs."""
    time.sleep(IDLE_S)
    found = {}
    for line in pathlib.Path(f"/proc/{pid}/status").read_text().splitlines():
        name, _, value = line.partition(":")
        if name in ("VmRSS", "RssAnon"):
            found[name] = round(int(value.split()[0]) / 1024, 1)
    return found


def spread(times):
    return {"median": round(statistics.median(times), 2), "least": round(min(times), 2),
            "most": round(max(times), 2), "runs": len(times)}


def measure(arguments, environment):
    told = {"program": str(bin_folder() / "scribed")}
    for method in FIRST:
        times = [first_answer_ms(method, arguments.model, environment)
                 for _ in range(arguments.times)]
        told[f"{method}_ms"] = spread(times)
    mcp = Mcp(arguments.model, environment)
    mcp.ask("initialize")
    told["idle_mcp_mib"] = idle_mib(mcp.process.pid)
    mcp.end()
    daemon = Daemon(bin_folder() / "scribed", environment, *options(arguments.model, environment))
    assert daemon.get("/livez").status == 200
    told["idle_serve_mib"] = idle_mib(daemon.process.pid)
    daemon.end()
    return told


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--times", type=int, default=50)
    parser.add_argument("--model", default="base")
    arguments = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        print(json.dumps(measure(arguments, home_of_a_user(pathlib.Path(folder))), indent=2))


if __name__ == "__main__":
    main()
