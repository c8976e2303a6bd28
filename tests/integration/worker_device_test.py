"""The worker and its device, spoken to directly: a device that cannot be used is refused with a
sentence, the smoke run is made when asked for, and the worker of a CUDA pack is a whole worker on a
machine without a GPU."""

import json
import os
import pathlib
import subprocess
import sys
import tempfile
import unittest

from scribed_command import ROOT, bin_folder

sys.path.insert(0, str(ROOT / "scripts"))
from worker_client import Failed, Worker  # noqa: E402

SOUND = pathlib.Path("/usr/share/asterisk/sounds/en_US_f_Allison/demo-congrats.g722")


def packs():
    """Name → worker, of the packs that were built."""
    folder = bin_folder()
    found = {"cpu": folder / "scribed-worker"}
    found |= {path.parent.name: path for path in folder.glob("runtimes/*/scribed-worker")}
    return {name: path for name, path in found.items() if path.is_file()}


def model():
    path = pathlib.Path(os.environ.get("SCRIBED_MODELS", ROOT / ".deps/data/models")) / "tiny.en"
    if not path.is_dir():
        raise unittest.SkipTest(f"no {path}")
    return path


def pcm(seconds):
    if not SOUND.is_file():
        raise unittest.SkipTest(f"no {SOUND}")
    return subprocess.run(
        ["ffmpeg", "-v", "error", "-f", "g722", "-i", SOUND, "-t", str(seconds), "-f", "f32le",
         "-ar", "16000", "-ac", "1", "-"], check=True, stdout=subprocess.PIPE).stdout


def no_gpu():
    """A GPU of this machine is hidden, so that the tests say the same everywhere."""
    return {**os.environ, "CUDA_VISIBLE_DEVICES": ""}


class WorkerDeviceTest(unittest.TestCase):
    def setUp(self):
        self.packs = packs()
        if not self.packs:
            self.skipTest("no scribed-worker")

    def start(self, pack):
        worker = Worker(self.packs[pack], environment=no_gpu(), stderr=subprocess.DEVNULL)
        self.addCleanup(worker.__exit__)
        return worker, json.loads(worker.expect("hello")["build"])

    def refusal(self, pack, **load):
        worker, _ = self.start(pack)
        with self.assertRaises(Failed) as caught:
            worker.load("/nonexistent", **load)
        return caught.exception.error

    def test_every_pack_says_what_it_is(self):
        for pack in self.packs:
            _, build = self.start(pack)
            self.assertRegex(build["torch"], r"^\d+\.\d+\.\d+$")
            self.assertEqual(build["backend"], pack.partition("-")[0])
            beside = json.loads((self.packs[pack].parent / "build-info.json").read_text())
            self.assertEqual(build, beside)
            if build["backend"] == "cuda":
                self.assertIn("9.0", build["arch_list"])
                self.assertRegex(build["cudnn"], r"^\d+\.\d+\.\d+")

    def test_a_pack_refuses_devices_it_has_no_code_for(self):
        for pack in self.packs:
            backend = pack.partition("-")[0]
            for device in {"cuda:0", "rocm:0", "mps"} - {f"{backend}:0"}:
                error = self.refusal(pack, device=device)
                self.assertEqual(error["code"], "device_unavailable")
                self.assertIn(f"no code for the device '{device}'", error["message"])

    def test_a_cuda_pack_without_a_gpu_says_why_in_the_librarys_words(self):
        for pack in self.packs:
            if pack.startswith("cuda"):
                error = self.refusal(pack, device="cuda:0")
                self.assertEqual(error["code"], "device_unavailable")
                self.assertRegex(error["message"], "NVIDIA|CUDA")
                return
        self.skipTest("no CUDA pack was built")

    def test_float16_is_refused_on_a_cpu(self):
        error = self.refusal("cpu", compute_type="float16")
        self.assertEqual(error["code"], "invalid_option")
        self.assertIn("bfloat16", error["fix"])

    def test_every_pack_transcribes_the_same_on_the_cpu_where_nothing_is_tried_before(self):
        path, sound = model(), pcm(8)
        answers = set()
        for pack in self.packs:
            worker, _ = self.start(pack)
            loaded = worker.load(path, compute_type="float32")
            self.assertEqual(loaded["device"], "cpu")
            self.assertEqual(loaded["smoke_s"], 0)
            tokens, text = worker.transcribe(sound)
            self.assertIn("congratulations", text.lower())
            answers.add((tuple(tokens), text))
        self.assertEqual(len(answers), 1, answers)

    def test_whose_request_has_failed_stands_in_the_log(self):
        path, sound = model(), pcm(1)
        with tempfile.TemporaryFile("w+") as log, Worker(self.packs["cpu"], no_gpu(), log) as worker:
            worker.expect("hello")
            worker.load(path, smoke_test=False)
            with self.assertRaises(Failed) as caught:  # no Silero VAD is named
                worker.transcribe(sound, request_id="from-ada", vad_filter=True)
            log.seek(0)
            self.assertIn(f"request from-ada failed: {caught.exception.error['code']}\n", log.read())

    def test_without_being_asked_there_is_no_smoke_run(self):
        worker, _ = self.start("cpu")
        self.assertEqual(worker.load(model(), smoke_test=False)["smoke_s"], 0)


if __name__ == "__main__":
    unittest.main()
