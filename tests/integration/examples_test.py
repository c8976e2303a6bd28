"""The programs of examples/, as users run them: against the real daemon, decoder and worker, with real speech.

  SCRIBED_MODELS   folder with the model tiny.en (default: those installed for scribed)
"""

import base64
import hashlib
import hmac
import os
import pathlib
import re
import shutil
import subprocess
import tempfile
import threading
import time
import unittest
import urllib.error
import urllib.request

from daemon import Daemon
from recordings import fast_program
from scribed_command import ROOT, TIME_LIMIT, own_environment

EXAMPLES = ROOT / "examples"
MODELS = pathlib.Path(os.environ.get("SCRIBED_MODELS", ROOT / ".deps/data/models"))
# This file is in the Debian package that scripts/setup installs: 30 seconds, "Congratulations! You
# have …".
SPEECH = pathlib.Path("/usr/share/asterisk/sounds/en_US_f_Allison/demo-congrats.g722")
SAID = "successfully installed and executed"
KEY = "a-key-for-the-examples"


class ExamplesTest(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        for needed in (MODELS / "tiny.en", SPEECH):
            if not needed.exists():
                raise unittest.SkipTest(f"no {needed}")
        cls.scribed = fast_program()
        cls.folder = pathlib.Path(tempfile.mkdtemp(prefix="scribed-examples-"))
        cls.addClassCleanup(shutil.rmtree, cls.folder, ignore_errors=True)
        cls.talk = cls.folder / "talk.wav"
        subprocess.run(["ffmpeg", "-nostdin", "-loglevel", "error", "-f", "g722", "-i", SPEECH, cls.talk],
                       check=True)
        cls.secret = cls.folder / "secret"
        cls.secret.write_text("whsec_" + base64.b64encode(bytes(range(32))).decode() + "\n")
        cls.secret.chmod(0o600)
        cls.environment = {**own_environment(), "SCRIBED_DATA_DIR": str(MODELS.parent), "GPU_BACKEND": "cpu",
                           "HOME": str(cls.folder), "SCRIBED_API_KEY": KEY}
        for variable in ("SCRIBED_CONFIG", "XDG_CONFIG_HOME"):
            cls.environment.pop(variable, None)
        cls.daemon = Daemon(cls.scribed, cls.environment, "--model", "tiny.en",
                            "--state-folder", cls.folder / "state",
                            "--set", f"webhooks.secret_file={cls.secret}",
                            "--set", "webhooks.allow_hosts=127.0.0.1")
        cls.addClassCleanup(cls.daemon.end)
        cls.environment["SCRIBED_URL"] = f"http://127.0.0.1:{cls.daemon.port}"

    def run_example(self, name, *arguments, fails=False, **variables):
        ended = subprocess.run([EXAMPLES / name, *map(str, arguments)], text=True, capture_output=True,
                               env={**self.environment, **variables}, timeout=2 * TIME_LIMIT)
        self.assertEqual(ended.returncode != 0, fails, ended.stdout + ended.stderr)
        return ended

    def test_every_example_is_listed_and_can_be_run(self):
        listed = (EXAMPLES / "README.md").read_text()
        for program in EXAMPLES.iterdir():
            if program.suffix in (".py", ".sh"):
                self.assertIn(f"]({program.name})", listed)
                self.assertTrue(os.access(program, os.X_OK), program)

    def test_the_documentation_has_every_route(self):
        described = self.daemon.get("/openapi.json").json["paths"]
        page = (ROOT / "docs/api.md").read_text()
        for path, methods in described.items():
            for method, about in methods.items():
                self.assertRegex(page, rf"\| {method.upper()} \| `{re.escape(path)}` \| .* \| {re.escape(about['summary'])} \|")

    def test_transcribe_prints_text_or_subtitles(self):
        self.assertIn(SAID, self.run_example("transcribe.sh", self.talk).stdout)
        subtitles = self.run_example("transcribe.sh", self.talk, "srt").stdout
        self.assertTrue(subtitles.startswith("1\n00:00:00,000 --> "), subtitles)

    def test_transcribe_tells_an_error(self):
        refused = self.run_example("transcribe.sh", self.talk, SCRIBED_API_KEY="a-key-that-is-wrong", fails=True)
        self.assertIn("The API key is not valid", refused.stdout)

    def test_openai_stream_prints_the_text(self):
        said = self.run_example("openai_stream.py", self.talk).stdout
        self.assertIn(SAID, said)
        self.assertFalse(said.startswith(" "))

    def test_openai_stream_tells_an_error(self):
        nothing = self.folder / "nothing.wav"
        nothing.write_bytes(b"no sound")
        refused = self.run_example("openai_stream.py", nothing, fails=True)
        self.assertEqual(refused.stdout, "")
        self.assertNotIn("Traceback", refused.stderr)

    def test_a_missing_file_server_or_program_is_a_line_and_no_traceback(self):
        for name in ("openai_stream.py", "job_progress.py"):
            missing = self.run_example(name, self.folder / "missing.wav", fails=True).stderr
            self.assertRegex(missing, r"\A.*No such file.*missing\.wav'\n\Z")
            away = self.run_example(name, self.talk, fails=True, SCRIBED_URL="http://127.0.0.1:1").stderr
            self.assertRegex(away, r"\Ahttp://127\.0\.0\.1:1: .*refused\n\Z")
        absent = self.run_example("mcp_client.py", self.talk, self.folder / "absent", fails=True).stderr
        self.assertRegex(absent, r"\A.*No such file.*absent'\n\Z")

    def test_job_progress_tells_phases_and_prints_the_transcript(self):
        done = self.run_example("job_progress.py", self.talk, "vtt")
        self.assertTrue(done.stdout.startswith("WEBVTT"), done.stdout)
        self.assertIn(SAID, " ".join(done.stdout.split()))
        self.assertIn("ended 100 %", done.stderr)

    def test_webhook_receiver_believes_what_is_signed(self):
        receiver = subprocess.Popen([EXAMPLES / "webhook_receiver.py", self.secret, "0"], text=True,
                                    stdout=subprocess.PIPE)
        patience = threading.Timer(2 * TIME_LIMIT, receiver.kill)  # ends the reads below
        patience.start()
        try:
            port = receiver.stdout.readline().split()[-1]
            url = f"http://127.0.0.1:{port}/"
            job = self.daemon.post_form("/v1/jobs", [("webhook_url", url)], self.talk.read_bytes(),
                                        headers={"Authorization": f"Bearer {KEY}"})
            self.assertEqual(job.status, 202, job.text)
            self.assertRegex(receiver.stdout.readline(), r"^job\.done talk\.wav 30\.\d+ s$")
            for sent, secret in ((int(time.time()), b"another"), (1, bytes(range(32)))):
                signed = hmac.new(secret, f"x.{sent}.{{}}".encode(), hashlib.sha256).digest()
                headers = {"webhook-id": "x", "webhook-timestamp": str(sent),
                           "webhook-signature": "v1," + base64.b64encode(signed).decode()}
                with self.assertRaises(urllib.error.HTTPError) as refused:
                    urllib.request.urlopen(urllib.request.Request(url, b"{}", headers), timeout=TIME_LIMIT)
                refused.exception.close()
                self.assertEqual(refused.exception.code, 401)
                self.assertIn("refused", receiver.stdout.readline())
        finally:
            patience.cancel()
            receiver.kill()
            receiver.wait()
            receiver.stdout.close()

    def test_mcp_client_prints_the_tools_and_the_text(self):
        said = self.run_example("mcp_client.py", self.talk, self.scribed, "mcp", "--model", "tiny.en",
                                "--state-folder", self.folder / "mcp", "--allow-path", self.folder)
        self.assertIn("tools: ", said.stderr)
        self.assertIn("detect_language", said.stderr)
        self.assertIn(SAID, said.stdout)
        refused = self.run_example("mcp_client.py", self.folder / "missing.wav", self.scribed, "mcp", "--model",
                                   "tiny.en", "--state-folder", self.folder / "mcp", fails=True)
        self.assertIn("No such file", refused.stdout)

    def test_subtitles_are_made_once_for_every_file(self):
        folder = self.folder / "videos"
        (folder / "more").mkdir(parents=True)
        shutil.copy(self.talk, folder / "one.wav")
        shutil.copy(self.talk, folder / "more/two.WAV")
        (folder / "notes.txt").write_text("no sound")
        scribed = {"SCRIBED": str(self.wrapper())}
        made = self.run_example("subtitles.sh", folder, **scribed).stdout.split()
        self.assertEqual(sorted(made), [f"{folder}/more/two.srt", f"{folder}/one.srt"])
        lines = (folder / "one.srt").read_text().splitlines()
        self.assertEqual(lines[0], "1")
        self.assertLessEqual(max(map(len, lines)), 42)
        self.assertEqual(self.run_example("subtitles.sh", folder, **scribed).stdout, "")
        (folder / "bad.mp3").write_bytes(b"no sound")
        self.assertIn("1 without", self.run_example("subtitles.sh", folder, fails=True, **scribed).stderr)

    def test_tasks_of_an_array_share_a_list(self):
        folder = self.folder / "talks"
        folder.mkdir()
        names = ["one", "two", "three's a talk"]
        for name in names:
            shutil.copy(self.talk, folder / f"{name}.wav")
        listed = self.folder / "list"
        listed.write_text("".join(f"{folder}/{name}.wav\n" for name in names))
        texts = self.folder / "texts"
        slurm = {"SCRIBED": str(self.wrapper()), "SLURM_ARRAY_TASK_MIN": "1",
                 "SLURM_ARRAY_TASK_COUNT": "2"}
        self.run_example("slurm_array.sh", listed, texts, SLURM_ARRAY_TASK_ID="2", **slurm)
        self.assertEqual([file.name for file in texts.iterdir()], ["two.txt"])
        before = (texts / "two.txt").stat().st_mtime_ns
        for task in ("1", "2"):
            self.run_example("slurm_array.sh", listed, texts, SLURM_ARRAY_TASK_ID=task, **slurm)
        self.assertEqual({file.stem for file in texts.iterdir()}, set(names))
        self.assertIn(SAID, (texts / "one.txt").read_text())
        self.assertEqual((texts / "two.txt").stat().st_mtime_ns, before, "it was there already")
        refused = self.run_example("slurm_array.sh", listed, texts, fails=True, SLURM_ARRAY_TASK_ID="")
        self.assertIn("sbatch --array", refused.stderr)

    def wrapper(self):
        """scribed with the model that is here."""
        script = self.folder / "scribed"
        script.write_text(f'#!/bin/sh\ncommand=$1; shift\nexec "{self.scribed}" $command --model tiny.en "$@"\n')
        script.chmod(0o755)
        return script


if __name__ == "__main__":
    unittest.main()
