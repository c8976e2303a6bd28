"""The worker for CPUs transcribes without libtorch, and loads it for what needs it, behind its walls."""

import pathlib
import shutil
import subprocess
import sys
import tempfile
import unittest

from scribed_command import ROOT, bin_folder
from worker_device_test import model, no_gpu, pcm

sys.path.insert(0, str(ROOT / "scripts"))
from worker_client import Failed, Worker  # noqa: E402


def libraries(worker):
    """The names of the files that the worker has mapped."""
    maps = pathlib.Path(f"/proc/{worker.process.pid}/maps").read_text()
    return {pathlib.Path(line.split()[-1]).name for line in maps.splitlines() if "/" in line}


def of_libtorch(worker):
    return {name for name in libraries(worker) if "torch" in name}


class LibtorchTest(unittest.TestCase):
    def start(self, program):
        worker = Worker(program, environment=no_gpu(), stderr=subprocess.DEVNULL)
        self.addCleanup(worker.__exit__)
        worker.expect("hello")
        return worker

    def test_a_transcription_loads_none_of_it_and_speakers_do(self):
        speakers = model().parent / "speakers"
        if not speakers.is_dir():
            self.skipTest(f"no {speakers}")
        worker = self.start(bin_folder() / "scribed-worker")
        worker.load(model(), auxiliary={"speaker_recognition": str(speakers / "segmentation-3.0.pt")})
        sound = pcm(8)
        tokens, text = worker.transcribe(sound)
        self.assertIn("congratulations", text.lower())
        self.assertEqual(of_libtorch(worker), set())
        again, text = worker.transcribe(sound, diarize=True)
        self.assertEqual(again, tokens)
        self.assertLessEqual({"libscribed-torch.so", "libtorch_cpu.so"}, of_libtorch(worker))

    def test_a_library_that_is_missing_is_named_where_it_is_needed(self):
        with tempfile.TemporaryDirectory() as folder:
            for name in ("scribed-worker", "build-info.json"):
                shutil.copy(bin_folder() / name, folder)
            alone = self.start(pathlib.Path(folder) / "scribed-worker")
            alone.load(model())
            self.assertIn("congratulations", alone.transcribe(pcm(8))[1].lower())
            other = self.start(pathlib.Path(folder) / "scribed-worker")
            with self.assertRaises(Failed) as caught:
                other.load(model(), device="cuda:0")
            self.assertIn("libscribed-torch.so", caught.exception.error["message"])
            self.assertIn("beside scribed-worker", caught.exception.error["fix"])


if __name__ == "__main__":
    unittest.main()
