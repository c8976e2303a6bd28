"""Commands that a daemon answers, under test."""

import subprocess

from daemon import DaemonTest
from scribed_command import TIME_LIMIT, write_silence

KEY = "ada-has-this-key-of-hers"


class ClientTest(DaemonTest):
    def setUp(self):
        super().setUp()
        for variable in ("SCRIBED_SERVER", "XDG_RUNTIME_DIR"):
            self.environment.pop(variable, None)

    def file(self, seconds, name="talk.wav"):
        path = self.folder / name
        write_silence(path, seconds)
        return path

    def ask(self, *words, daemon=None, code=0, **variables):
        """What the command prints on stdout."""
        environment = {**self.environment, **variables}
        if daemon:
            environment.setdefault("SCRIBED_SERVER", f"127.0.0.1:{daemon.port}")
        ended = subprocess.run([self.scribed, *map(str, words)], capture_output=True, text=True,
                               timeout=TIME_LIMIT, env=environment)
        self.said = ended.stderr
        self.assertEqual(ended.returncode, code, ended.stderr + ended.stdout)
        return ended.stdout

    def jobs(self, daemon):
        return daemon.get("/v1/jobs").json["data"]
