"""`scribed bench` with the real worker: every figure is there, for models with and without a file,
and what cannot be measured is refused with a sentence."""

import json
import os
import pathlib
import signal
import subprocess
import tempfile
import time
import unittest

from recordings import recording
from scribed_command import bin_folder, own_environment

USAGE, INPUT, MODEL, INTERRUPTED = 2, 3, 5, 130


class BenchTest(unittest.TestCase):
    def setUp(self):
        self.scribed = bin_folder() / "scribed"
        if not (self.scribed.parent / "scribed-worker").is_file():
            self.skipTest("no scribed-worker")
        folder = tempfile.TemporaryDirectory(prefix="scribed-bench-")
        self.addCleanup(folder.cleanup)
        self.environment = {**own_environment(), "GPU_BACKEND": "cpu", "SCRIBED_DATA_DIR": folder.name}

    def command(self, *arguments, seconds=0):
        return [self.scribed, "bench", "--seconds", str(seconds), *arguments]

    def bench(self, *arguments):
        return subprocess.run(self.command(*arguments), env=self.environment, capture_output=True,
                              text=True, timeout=300)

    def report(self, *arguments):
        result = self.bench("--json", *arguments)
        self.assertEqual(result.returncode, 0, result.stderr)
        return json.loads(result.stdout)

    def check(self, report, batches):
        self.assertEqual(report["device"], "cpu")
        self.assertGreater(report["giga_operations_per_s"], 0)
        self.assertGreater(report["gigabytes_per_s"], 0)
        self.assertTrue(report["notes"])
        for kernel in report["kernels"]:
            self.assertTrue(kernel["part"] and kernel["kernel"] and kernel["reason"], kernel)
        self.assertEqual([step["batch"] for step in report["steps"]], batches)
        for measured in (report["encoder"], *(step["time"] for step in report["steps"])):
            self.assertGreater(measured["ms"], 0)
            self.assertGreater(measured["ideal_ms"], 0)
            self.assertIn(measured["bound"], ("compute", "memory"))
        for step in report["steps"]:
            self.assertAlmostEqual(step["tokens_per_s"],
                                   1000 * step["batch"] / step["time"]["ms"], delta=1e-6 *
                                   step["tokens_per_s"])

    def test_a_recording_is_measured_from_its_file_to_its_text(self):
        models = pathlib.Path(os.environ.get("SCRIBED_MODELS", "/nonexistent"))
        if not (models / "tiny.en").is_dir():
            self.skipTest("no tiny.en")
        self.environment["SCRIBED_DATA_DIR"] = str(models.parent)
        file = recording("en-thanks.wav")
        measured = self.report("--model", "tiny.en", "--batch", "1", file)["transcription"]
        self.assertAlmostEqual(measured["sound_s"], 5.52, places=2)
        self.assertGreaterEqual(measured["runs"], 3)
        self.assertGreater(measured["load_s"], 0)
        self.assertAlmostEqual(measured["times_real_time"],
                               measured["sound_s"] / measured["transcribe_s"], places=6)
        missing = self.bench("--model", "tiny.en", file.with_name("nowhere.wav"))
        self.assertEqual(missing.returncode, INPUT, missing.stderr)

    def test_a_synthetic_model_needs_no_file(self):
        report = self.report("--synthetic", "base", "--batch", "1,2")
        self.assertEqual(report["model"], "base")
        self.check(report, [1, 2])

    def test_int8_and_the_order_of_batches(self):
        if " avx2 " not in pathlib.Path("/proc/cpuinfo").read_text():
            self.skipTest("int8 needs AVX2")
        report = self.report("--synthetic", "tiny", "--batch", "2,1", "--compute-type", "int8")
        self.assertEqual(report["compute_type"], "int8")
        self.check(report, [1, 2])

    def test_a_level_limits_the_cpu_and_one_that_is_not_there_is_refused(self):
        if " avx2 " not in pathlib.Path("/proc/cpuinfo").read_text():
            self.skipTest("needs AVX2")
        self.environment["SCRIBED_CPU"] = "avx2"
        for compute_type in ("float32", "bfloat16", "int8"):
            report = self.report("--synthetic", "tiny", "--batch", "1", "--compute-type",
                                 compute_type)
            self.assertEqual({kernel["kernel"] for kernel in report["kernels"]}, {"avx2"})
        self.environment["SCRIBED_CPU"] = "avx9"
        refused = self.bench("--synthetic", "tiny")
        self.assertEqual(refused.returncode, USAGE)
        self.assertIn("SCRIBED_CPU is 'avx9', which is no level of a CPU", refused.stderr)

    def test_the_report_for_people_has_the_figures_and_the_kernels(self):
        result = self.bench("--synthetic", "tiny", "--batch", "1")
        self.assertEqual(result.returncode, 0, result.stderr)
        for words in ("window of 30 s", "step, batch 1", "reading memory", "linear layers"):
            self.assertIn(words, result.stdout)
        self.assertIn("measuring tiny", result.stderr)

    def test_an_installed_model_is_measured_by_its_name(self):
        models = pathlib.Path(os.environ.get("SCRIBED_MODELS", "/nonexistent"))
        if not (models / "tiny.en").is_dir():
            self.skipTest("no tiny.en")
        self.environment["SCRIBED_DATA_DIR"] = str(models.parent)
        report = self.report("--model", "tiny.en", "--batch", "1")
        self.assertEqual(report["model"], "tiny.en")
        self.check(report, [1])

    def test_what_cannot_be_measured_is_refused(self):
        unknown = self.bench("--synthetic", "huge")
        self.assertEqual(unknown.returncode, USAGE, unknown.stderr)
        self.assertIn("large-v3-turbo", unknown.stderr)
        self.assertEqual(self.bench("--batch", "0").returncode, USAGE)
        self.assertEqual(self.bench("--model", "tiny", "--synthetic", "tiny").returncode, USAGE)
        self.assertEqual(self.bench("--model", "not-installed").returncode, MODEL)

    def test_a_model_of_a_card_is_computed_at_once(self):
        result = self.bench("--json", "--model-of", "h100", "--synthetic", "large-v3",
                            "--batch", "1,128")
        self.assertEqual(result.returncode, 0, result.stderr)
        report = json.loads(result.stdout)
        self.assertEqual((report["model"], report["compute_type"]), ("large-v3", "float16"))
        one, many = report["card"]["steps"]
        self.assertEqual(one["launches"], 8 * 32 + 4)
        self.assertEqual(one["bound"], "memory")
        self.assertLess(one["ms"], 0.9)
        self.assertGreater(many["times_real_time"], 1000)
        # Whatever this CPU is good at, the card's type is the one that was asked for.
        narrow = json.loads(self.bench("--json", "--model-of", "h100", "--synthetic", "large-v3",
                                       "--compute-type", "int8", "--batch", "128").stdout)
        self.assertEqual(narrow["compute_type"], "int8")
        self.assertLess(narrow["card"]["steps"][0]["ms"], 0.6 * many["ms"])
        wide = json.loads(self.bench("--json", "--model-of", "h100", "--synthetic", "tiny",
                                     "--compute-type", "float32").stdout)
        self.assertEqual(wide["compute_type"], "float32")
        self.assertEqual(self.bench("--model-of", "h100").returncode, USAGE)
        unknown = self.bench("--model-of", "voodoo2", "--synthetic", "tiny")
        self.assertEqual(unknown.returncode, USAGE, unknown.stderr)
        self.assertIn("h200", unknown.stderr)

    def test_an_interrupt_ends_it_and_its_worker(self):
        process = subprocess.Popen(self.command("--synthetic", "small", seconds=60),
                                   env=self.environment, stdout=subprocess.PIPE,
                                   stderr=subprocess.PIPE, text=True)
        self.addCleanup(process.stdout.close)
        self.addCleanup(process.stderr.close)
        self.assertIn("measuring small", process.stderr.readline())
        time.sleep(0.5)
        process.send_signal(signal.SIGINT)
        self.assertEqual(process.wait(timeout=30), INTERRUPTED)


if __name__ == "__main__":
    unittest.main()
