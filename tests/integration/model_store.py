"""A folder of models and a hub on loopback, for tests of `scribed models`."""

import json
import os
import pathlib
import shutil
import subprocess
import tempfile
import time
import unittest

import fake_hub
import nano_model
from scribed_command import own_environment

ROOT = pathlib.Path(__file__).resolve().parents[2]
FILES = nano_model.files()
# A model of which only the hub knows the hashes, so that ours can stand in for it.
NAME = "distil-small.en"
MODEL_EXIT = 5


def find_program():
    for folder in (os.environ.get("SCRIBED_BIN"), ROOT / "build/dev/bin", ROOT / "build/release/bin"):
        if folder and (pathlib.Path(folder) / "scribed").exists():
            return str(pathlib.Path(folder) / "scribed")
    return shutil.which("scribed")


@unittest.skipUnless(find_program(), "scribed is not built")
class ModelsTest(unittest.TestCase):
    def setUp(self):
        self.data = pathlib.Path(tempfile.mkdtemp(prefix="scribed-models-"))
        self.addCleanup(shutil.rmtree, self.data, ignore_errors=True)
        self.store = self.data / "models"
        self.hub = fake_hub.FakeHub(FILES)
        self.addCleanup(self.hub.close)

    def environment(self, **more):
        kept = {k: v for k, v in own_environment().items()
                if k.lower() not in ("hf_token", "http_proxy", "https_proxy", "all_proxy")}
        return {**kept, "SCRIBED_DATA_DIR": str(self.data), "HF_ENDPOINT": self.hub.endpoint, **more}

    def scribed(self, *arguments, **more):
        # The VAD model that is pulled along comes from a package index, which may be out of reach.
        alone = ["--without-vad"] if arguments[0] == "pull" else []
        return subprocess.run([find_program(), "models", *map(str, arguments), *alone], text=True,
                              capture_output=True, env=self.environment(**more), timeout=300)

    def succeed(self, *arguments, **more):
        result = self.scribed(*arguments, **more)
        self.assertEqual(result.returncode, 0, result.stderr)
        return result

    def fail_with(self, code, text, *arguments, **more):
        result = self.scribed(*arguments, **more)
        self.assertEqual(result.returncode, code, result.stdout + result.stderr)
        self.assertIn(text, result.stderr)
        return result

    def installed(self, name=NAME):
        return json.loads(self.succeed("show", name, "--json", "--verify").stdout)

    def start_stalled_pull(self, after):
        self.hub.stall_after = after
        pull = subprocess.Popen([find_program(), "models", "pull", NAME, "--without-vad"], env=self.environment(),
                                stdout=subprocess.PIPE, stderr=subprocess.PIPE)
        self.addCleanup(pull.stdout.close)
        self.addCleanup(pull.stderr.close)
        self.addCleanup(pull.wait)
        self.addCleanup(pull.kill)
        self.assertTrue(self.hub.stalled.wait(60))
        part = self.partial_file()
        while not part.exists() or part.stat().st_size == 0:
            self.assertIsNone(pull.poll(), "it ended before anything arrived")
            time.sleep(0.01)
        return pull

    def partial_file(self):
        return self.store / ".partial" / NAME / "hub" / "model" / "model.safetensors.part"
