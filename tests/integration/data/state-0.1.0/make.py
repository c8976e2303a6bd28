#!/usr/bin/env python3
"""Makes this folder anew: what scribed leaves on the disk when it is killed in the middle of its work.

    make.py BIN WORKER     the folder of scribed's programs, and scribed-fake-worker of the tests

It was made with the programs of scribed 0.1.0 and is not made again: that later versions go on with it
is what it is for. Paths and ports of the machine become @STATE@ and @PORT@.
"""

import json
import os
import pathlib
import shutil
import signal
import socket
import sqlite3
import sys
import threading
import time

HERE = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parents[1]))
import nano_model  # noqa: E402
from daemon import Daemon  # noqa: E402
from scribed_command import wait_for  # noqa: E402
from mcp_host import MODERN  # noqa: E402

ROOT = pathlib.Path("/tmp/scribed-0.1.0")
KEYS = {"ada": "ada-has-this-key-of-hers", "bob": "bob-has-this-key-of-his"}
SOUND = (HERE / "silence.flac").read_bytes()  # 60 seconds


def run(bin_folder, *arguments):
    import subprocess
    subprocess.run([bin_folder / "scribed", *arguments], check=True,
                   env={**os.environ, "SCRIBED_DATA_DIR": str(ROOT / "data")})


def install_model(bin_folder):
    folder = ROOT / "nano"
    folder.mkdir()
    for name, content in nano_model.files().items():
        (folder / name).write_bytes(content)
    run(bin_folder, "models", "import", folder, "--name", "nano")
    target = HERE / "models" / "nano"
    target.mkdir(parents=True)
    # nano_model.py makes the other files.
    shutil.copy(ROOT / "data/models/nano/model.json", target)


class Maker:
    def __init__(self, bin_folder, worker):
        libexec = ROOT / "libexec"
        libexec.mkdir()
        (libexec / "scribed-decode").symlink_to(bin_folder / "scribed-decode")
        (libexec / "scribed-worker").symlink_to(worker)
        shutil.copy(HERE / "keys", ROOT / "keys")
        (ROOT / "keys").chmod(0o600)
        config = (HERE / "config.toml").read_text().replace("@KEYS@", str(ROOT / "keys"))
        (ROOT / "config.toml").write_text(config)
        self.daemon = Daemon(bin_folder / "scribed",
                             {**os.environ, "SCRIBED_LIBEXEC": str(libexec), "GPU_BACKEND": "cpu",
                              "HOME": str(ROOT), "SCRIBED_DATA_DIR": str(ROOT / "data")},
                             "--config", ROOT / "config.toml", "--state-folder", ROOT / "state")

    def post(self, path, fields, file=None, who="ada", **headers):
        return self.daemon.post_form(path, fields, file,
                                     {"Authorization": f"Bearer {KEYS[who]}", **headers})

    def job(self, fields, file=None, who="ada", **headers):
        answer = self.post("/v1/jobs", fields, file, who, **headers)
        assert answer.status == 202, answer.text
        return answer.json["id"]

    def wait(self, job, *states, who="ada"):
        headers = {"Authorization": f"Bearer {KEYS[who]}"}
        return wait_for(lambda: (found := self.daemon.get(f"/v1/jobs/{job}", **headers).json)
                        ["status"] in states and found, f"{states} of {job}")

    def cancel(self, job):
        body = {"jsonrpc": "2.0", "id": 1, "method": "tools/call",
                "params": {"name": "cancel_job", "arguments": {"job": job}, "_meta": MODERN}}
        answer = self.daemon.request("POST", "/mcp", json.dumps(body), {
            "Content-Type": "application/json", "Accept": "application/json",
            "Mcp-Method": "tools/call", "Mcp-Name": "cancel_job",
            "MCP-Protocol-Version": "2026-07-28", "Authorization": f"Bearer {KEYS['ada']}"})
        assert answer.status == 200, answer.text

    def work(self, port):
        """A job of each kind, with names by which the test knows them."""
        hook = f"http://127.0.0.1:{port}/hook"
        jobs = {}
        jobs["done"] = self.job([("language", "en"), ("prompt", "Minutes of the meeting."),
                                 ("timestamp_granularities[]", "word"), ("webhook_url", hook)],
                                SOUND, **{"Idempotency-Key": "minutes-1"})
        self.wait(jobs["done"], "done")
        jobs["failed"] = self.job([("keywords", "fake:fail")], SOUND)
        self.wait(jobs["failed"], "failed")
        jobs["of_bob"] = self.job([], SOUND, "bob")
        self.wait(jobs["of_bob"], "done", who="bob")
        upload = self.post("/v1/uploads", [], SOUND).json
        jobs["running"] = self.job([("prompt", "fake:slow"), ("language", "en")], SOUND)
        wait_for(lambda: self.wait(jobs["running"], "running")["segments"] >= 3, "some segments")
        jobs["queued"] = self.job([("upload", upload["handle"]), ("webhook_url", hook)])
        jobs["cancelled"] = self.job([], SOUND)
        self.cancel(jobs["cancelled"])
        self.wait(jobs["cancelled"], "cancelled")
        waiting = threading.Thread(target=self.wait_in_vain, daemon=True)
        waiting.start()
        wait_for(lambda: len(list((ROOT / "state/inputs").iterdir())) == 3, "who waits")
        time.sleep(0.2)
        self.daemon.process.send_signal(signal.SIGKILL)
        self.daemon.end()
        return {"jobs": jobs, "upload": upload["id"]}

    def wait_in_vain(self):
        try:
            self.post("/v1/audio/transcriptions", [("model", "whisper-1")], SOUND)
        except OSError:
            pass


def dump(names, port):
    database = sqlite3.connect(ROOT / "state/jobs.sqlite")
    version = database.execute("PRAGMA user_version").fetchone()[0]
    lines = [f"PRAGMA user_version = {version};", *database.iterdump()]
    text = "\n".join(lines) + "\n"
    text = text.replace(str(ROOT / "state"), "@STATE@").replace(f"127.0.0.1:{port}", "127.0.0.1:@PORT@")
    (HERE / "jobs.sql").write_text(text)
    for part in ("inputs", "uploads"):
        (HERE / part).mkdir()
        for file in (ROOT / "state" / part).iterdir():
            shutil.copy(file, HERE / part)
    (HERE / "names.json").write_text(json.dumps(names, indent=1) + "\n")


def main():
    bin_folder, worker = (pathlib.Path(path).resolve() for path in sys.argv[1:])
    for path in (ROOT, HERE / "models", HERE / "inputs", HERE / "uploads"):
        shutil.rmtree(path, ignore_errors=True)
    ROOT.mkdir()
    with socket.socket() as closed:
        closed.bind(("127.0.0.1", 0))  # nobody answers there
        port = closed.getsockname()[1]
        install_model(bin_folder)
        dump(Maker(bin_folder, worker).work(port), port)
    shutil.rmtree(ROOT)


main()
