"""The walls around decoders and workers, seen from outside: in /proc, and where one is missing.

  SCRIBED_MODELS       folder with the model base
  SCRIBED_RECORDINGS   see recordings.py
"""

import json
import os
import pathlib
import shutil
import subprocess
import sys
import unittest

from daemon import Daemon, DaemonTest
from recordings import recording
from scribed_command import (TIME_LIMIT, bin_folder, own_environment, processes, wait_for,
                             write_silence)

WITHOUT_LANDLOCK = [sys.executable, str(pathlib.Path(__file__).parent / "without_landlock.py")]
MODEL = pathlib.Path(os.environ.get("SCRIBED_MODELS", "/nonexistent")) / "base"
SECRETS = {"SCRIBED_API_KEY": "sk-hidden-1234567890", "HF_TOKEN": "hf_hidden",
           "AWS_SECRET_ACCESS_KEY": "aws_hidden", "DATABASE_URL": "postgres://u:hidden@host"}


def proc(pid, name):
    return pathlib.Path(f"/proc/{pid}/{name}").read_bytes().decode(errors="replace")


def status(pid):
    return dict(line.split(":\t", 1) for line in proc(pid, "status").splitlines() if ":\t" in line)


def missing_walls():
    """What this machine lacks, for tests that need all."""
    for program in ("scribed-decode", "scribed-worker"):
        answer = subprocess.run([bin_folder() / program, "--check-sandbox"], capture_output=True,
                                text=True, timeout=TIME_LIMIT)
        if answer.returncode != 0 or not all(
                wall["active"] for wall in json.loads(answer.stdout).values()):
            return f"{program}: {answer.stdout or 'not built'}"
    return ""


class EnvironmentTest(DaemonTest):
    """With the fake worker: what children are given does not depend on what they are."""

    def children(self, daemon):
        return {name: pid for pid, (parent, name) in processes().items()
                if parent == daemon.process.pid}

    def test_no_child_gets_a_secret(self):
        self.environment |= SECRETS
        self.behave("slow")
        daemon = self.start()
        key = {"Authorization": "Bearer " + SECRETS["SCRIBED_API_KEY"]}
        for _ in range(2):  # the second has a fork server
            answer = daemon.post_form("/v1/jobs", [], self.sound(60), headers=key)
            self.assertEqual(answer.status, 202, answer.text)
        found = wait_for(lambda: {"scribed-worker", "decode-forks"} <= set(
            name if name == "decode-forks" else "scribed-worker"
            for name in self.children(daemon)) and self.children(daemon), "children")
        self.assertGreaterEqual(len(found), 2, found)
        for name, pid in found.items():
            with self.subTest(name):
                self.assertNotIn("hidden", proc(pid, "environ"))
        own = proc(daemon.process.pid, "environ")
        self.assertNotIn(SECRETS["SCRIBED_API_KEY"], own)
        self.assertNotIn(SECRETS["HF_TOKEN"], own)

    def test_process_1_of_a_container_forgets_them(self):
        inside = subprocess.run(
            ["unshare", "--pid", "--fork", "--mount-proc", "--map-root-user", "true"],
            capture_output=True)
        if inside.returncode != 0:
            self.skipTest("no namespaces here")
        process = subprocess.Popen(
            ["unshare", "--pid", "--fork", "--kill-child", self.scribed, "serve", "--listen",
             "127.0.0.1:0", "--model", str(self.model), "--state-folder", str(self.state)],
            env={**self.environment, **SECRETS}, stderr=subprocess.PIPE, text=True)
        self.addCleanup(self.end, process)
        wait_for(lambda: "port=" in process.stderr.readline(), "the daemon")
        init = [pid for pid, (parent, _) in processes().items() if parent == process.pid]
        self.assertEqual(len(init), 1)
        self.assertNotIn("hidden", proc(init[0], "environ"))


class WorkerWallsTest(unittest.TestCase):
    """The real worker at work with a real model."""

    def setUp(self):
        if not (MODEL / "model.json").exists() and not MODEL.is_dir():
            self.skipTest(f"no {MODEL}")
        if missing := missing_walls():
            self.skipTest(f"this machine lacks walls: {missing}")
        self.folder = pathlib.Path("/var/tmp") / f"scribed-walls-{os.getpid()}"
        self.addCleanup(shutil.rmtree, self.folder, ignore_errors=True)
        (self.folder / "cache").mkdir(parents=True)
        self.environment = {**own_environment(), **SECRETS, "HOME": str(self.folder),
                            "SCRIBED_DATA_DIR": str(MODEL.parent.parent),
                            "CACHE_DIRECTORY": str(self.folder / "cache"), "GPU_BACKEND": "cpu"}
        self.environment.pop("SCRIBED_CONFIG", None)

    def transcribe(self, state, compute_type="int8"):
        daemon = Daemon(bin_folder() / "scribed", self.environment, "--model", "base",
                        "--state-folder", self.folder / state, "--compute-type", compute_type,
                        "--set", "server.require_sandbox=true")
        self.addCleanup(daemon.end)
        key = {"Authorization": "Bearer " + SECRETS["SCRIBED_API_KEY"]}
        answer = daemon.post_form("/v1/audio/transcriptions", [("model", "base")],
                                  recording("en-nogo.wav").read_bytes(), headers=key)
        self.assertEqual(answer.status, 200, answer.text)
        text = answer.json["text"]
        worker = [pid for pid, (parent, name) in processes().items()
                  if parent == daemon.process.pid and name.startswith("scribed-worker")]
        self.assertEqual(len(worker), 1)
        return daemon, worker[0], text, daemon.get("/v1/status", **key).json

    def damage_pack(self):
        [pack] = (self.folder / "cache").glob("*.int8")
        with open(pack, "r+b") as file:
            file.seek(10_000_000)
            byte = file.read(1)
            file.seek(10_000_000)
            file.write(bytes([byte[0] ^ 1]))

    def test_stand_while_it_transcribes(self):
        for cache in ("a fresh cache", "a used cache", "a damaged cache"):
            with self.subTest(cache):
                if cache == "a damaged cache":
                    self.damage_pack()
                daemon, worker, text, state = self.transcribe(cache.split()[1])
                if cache == "a damaged cache":
                    daemon.wait_for_log("was damaged; it is made again")
                else:
                    self.assertNotIn("was damaged", daemon.log())
                self.assertIn("create a connection", text)
                facts = status(worker)
                self.assertEqual(facts["NoNewPrivs"], "1")
                self.assertEqual(facts["Seccomp"], "2")
                self.assertIn("Max core file size        0                    0",
                              proc(worker, "limits"))
                self.assertNotIn("hidden", proc(worker, "environ"))
                sandbox = state["models"][0]["sandbox"]
                self.assertEqual(sandbox["missing"], [])
                self.assertTrue(any(wall.startswith("landlock") for wall in sandbox["active"]))
                self.assertEqual(len(list((self.folder / "cache").glob("*.int8"))), 1)
                daemon.end()

    def test_leave_a_core_limit_and_rights_of_an_ordinary_user(self):
        _, worker, _, _ = self.transcribe("rights", "float32")
        kept = int(status(worker)["CapEff"], 16)
        self.assertEqual(kept & ~(1 << 1 | 1 << 2 | 1 << 14), 0)


class MissingWallTest(DaemonTest):
    """A kernel without Landlock, and a worker that says it has no sandbox."""

    def decode(self, *options):
        with open(self.silence(), "rb") as sound:
            return subprocess.run(
                [*WITHOUT_LANDLOCK, bin_folder() / "scribed-decode", *options], stdin=sound,
                capture_output=True, timeout=TIME_LIMIT)

    def silence(self):
        path = self.folder / "silence.wav"
        write_silence(path, 1)
        return path

    def test_is_a_warning_of_the_decoder_or_its_end(self):
        warned = self.decode("--report-fd", "2")
        self.assertEqual(warned.returncode, 0)
        self.assertIn(b"The decoder runs without landlock", warned.stderr)
        refused = self.decode("--report-fd", "2", "--require-sandbox")
        self.assertEqual(refused.returncode, 19)
        self.assertEqual(refused.stdout, b"")
        self.assertIn(b"sandbox_missing", refused.stderr)

    def test_is_a_warning_of_the_job(self):
        self.behave("no_sandbox")
        daemon = self.start()
        job = daemon.wait_for_job(daemon.submit(self.sound(6)))
        self.assertEqual(job["status"], "done")
        self.assertIn("The worker runs without landlock: of a test.", json.dumps(job))

    def test_refuses_all_work_where_it_is_required(self):
        self.behave("no_sandbox")
        daemon = self.start("--set", "server.require_sandbox=true")
        ready = daemon.get("/readyz")
        self.assertEqual(ready.status, 503)
        self.assertIn("sandbox", ready.text)
        self.assertIn("scribed-worker would have to run without landlock",
                      daemon.get("/v1/status").json["problem"])
        job = daemon.wait_for_job(daemon.submit(self.sound(6)))
        self.assertEqual(job["status"], "failed")
        self.assertEqual(job["error"]["code"], "sandbox_missing")

    def test_whole_walls_are_no_hindrance(self):
        if missing := missing_walls():
            self.skipTest(f"this machine lacks walls: {missing}")
        daemon = self.start("--set", "server.require_sandbox=true")
        self.assertEqual(daemon.wait_for_job(daemon.submit(self.sound(6)))["status"], "done")
        self.assertEqual(daemon.get("/readyz").status, 200)

    def test_is_shown_by_doctor(self):
        report = subprocess.run([*WITHOUT_LANDLOCK, bin_folder() / "scribed", "doctor"],
                                capture_output=True, text=True, timeout=TIME_LIMIT)
        self.assertIn("without landlock: the kernel has none", report.stdout)


if __name__ == "__main__":
    unittest.main()
