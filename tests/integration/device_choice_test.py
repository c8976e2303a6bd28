"""Which device `scribed transcribe` takes, and that it never takes the CPU without a word: machines
that are not there (fake_machine), and a worker that fails as libraries do (fake_worker.cpp)."""

import json
import pathlib
import re
import subprocess
import unittest

import fake_machine as fake
from failure_texts import FAILURES, FAILURES_OF_AMD, FAILURES_OF_THE_CPU
from fake_machine import FakeMachine, doubles_folder
from scribed_command import SANDBOX_WARNING, TIME_LIMIT, FAKE, FakeWorkerTest, bin_folder

USAGE, MODEL, WORKER, EXHAUSTED = 2, 5, 6, 7


class DeviceTest(FakeWorkerTest):
    def setUp(self):
        super().setUp()
        self.machine = FakeMachine(self.folder / "machine", doubles_folder())
        self.fake_worker = bin_folder().parent / "tests" / FAKE
        self.machine.pack("cpu", fake.CPU, self.fake_worker)
        (self.machine.libexec / "scribed-decode").symlink_to(bin_folder() / "scribed-decode")
        self.behaviour = ""

    def working_card(self):
        self.machine.nvidia()
        self.machine.cuda_pack(worker=self.fake_worker)

    def transcribe(self, *arguments, inputs=1):
        environment = {**self.machine.environment, "SCRIBED_FAKE_WORKER": self.behaviour}
        sounds = [self.sound(6, f"talk{index}.wav") for index in range(inputs)]
        result = subprocess.run(self.command(*sounds, *arguments), capture_output=True,
                                text=True, timeout=TIME_LIMIT, env=environment)
        result.stderr = "".join(line for line in result.stderr.splitlines(keepends=True)
                                if SANDBOX_WARNING not in line)
        return result

    def transcript(self, *arguments):
        result = self.transcribe("--format", "json", *arguments)
        self.assertEqual(result.returncode, 0, result.stderr)
        return json.loads(result.stdout), result.stderr


class ChoiceTest(DeviceTest):
    def test_without_a_gpu_the_cpu_is_no_fallback(self):
        transcript, said = self.transcript()
        self.assertEqual(transcript["device"], "cpu")
        self.assertIn("no GPU", transcript["device_reason"])
        self.assertIsNone(transcript["fallback"])
        self.assertNotIn("warning", said)

    def test_a_working_card_is_used_and_named(self):
        self.working_card()
        transcript, said = self.transcript()
        self.assertEqual(transcript["device"], "cuda:0")
        self.assertEqual(transcript["compute_type"], "float16")
        self.assertIsNone(transcript["fallback"])
        self.assertRegex(said, r"model on cuda:0 \(float16\): .*NVIDIA GeForce RTX 3060")

    def test_the_cpu_that_was_asked_for_is_no_fallback(self):
        self.working_card()
        transcript, said = self.transcript("--device", "cpu")
        self.assertEqual(transcript["device"], "cpu")
        self.assertIsNone(transcript["fallback"])
        self.assertNotIn("warning", said)

    def test_a_wanted_compute_type_reaches_the_worker(self):
        self.working_card()
        transcript, _ = self.transcript("--compute-type", "float32")
        self.assertEqual(transcript["compute_type"], "float32")

    def test_environment_decides_where_no_option_does(self):
        self.working_card()
        self.machine.variables["USE_CUDA"] = "false"
        self.assertEqual(self.transcript()[0]["device"], "cpu")
        self.assertEqual(self.transcript("--device", "cuda")[0]["device"], "cuda:0")
        self.machine.variables["GPU_BACKEND"] = "cuda"
        self.assertEqual(self.transcript()[0]["device"], "cuda:0")
        self.machine.variables["GPU_BACKEND"] = "gpu"
        result = self.transcribe()
        self.assertEqual(result.returncode, USAGE)
        self.assertIn("GPU_BACKEND", result.stderr)


class FallbackTest(DeviceTest):
    """No path leads to the CPU beside a card without a warning and a field."""

    def assert_loud(self, code, wanted="auto", arguments=()):
        for more in ((), ("--quiet",)):
            transcript, said = self.transcript(*arguments, *more)
            self.assertEqual(transcript["device"], "cpu")
            fallback = transcript["fallback"]
            self.assertIsNotNone(fallback, said)
            self.assertEqual((fallback["wanted"], fallback["code"]), (wanted, code))
            self.assertTrue(fallback["headline"])
            warnings = [line for line in said.splitlines() if "scribed: warning: " in line]
            self.assertEqual(len(warnings), 1, said)
            self.assertIn(" is not used: ", warnings[0])
            self.assertTrue(
                warnings[0].endswith("; transcribing on the CPU. See: scribed doctor"), said)
        return warnings[0]

    def test_a_card_without_a_pack(self):
        self.machine.nvidia()
        warning = self.assert_loud("CUDA_PACK_MISSING")
        self.assertIn("warning: NVIDIA GeForce RTX 3060 is not used: ", warning)

    def test_an_explicit_device_that_is_not_there(self):
        self.assert_loud("NO_GPU", "cuda", ["--device", "cuda"])
        self.working_card()
        self.assert_loud("NO_SUCH_DEVICE", "cuda:3", ["--device", "cuda:3"])
        self.assert_loud("NO_SUCH_DEVICE", "rocm", ["--device", "rocm"])

    def test_a_driver_that_hangs(self):
        self.working_card()
        self.machine.behaves("cuda", "cuInit", "hang")
        self.machine.variables["SCRIBED_PROBE_SECONDS"] = "0.5"
        self.assert_loud("PROBE_HUNG")

    def test_a_driver_that_is_too_old(self):
        self.machine.nvidia(driver="535.183.01", cuda=12020)
        self.machine.cuda_pack(worker=self.fake_worker)
        self.assert_loud("CUDA_DRIVER_TOO_OLD")

    def test_a_model_that_does_not_fit(self):
        self.machine.nvidia(free_mib=100)
        self.machine.cuda_pack(worker=self.fake_worker)
        (self.folder / "base").symlink_to(self.model)  # the size goes by the name
        self.model = self.folder / "base"
        self.assert_loud("MEMORY_TOO_SMALL")

    def test_a_worker_that_refuses_the_device(self):
        self.working_card()
        self.behaviour = "gpu_refuses:CUDA error: no kernel image is available for execution"
        self.assert_loud("CUDA_NO_KERNEL_IMAGE")
        self.behaviour = "gpu_is_wrong:smoke run failed: the product differs from the CPU's by 0.4"
        self.assert_loud("SMOKE_RUN_FAILED")
        self.behaviour = "gpu_refuses:something else"
        self.assertIn("something else", self.assert_loud("WORKER_FAILED"))

    def test_a_worker_that_cannot_be_started(self):
        self.working_card()
        worker = self.machine.libexec / "runtimes" / "cuda-13" / "scribed-worker"
        worker.unlink()
        worker.write_text("no program")
        self.assertIn("cannot start", self.assert_loud("WORKER_FAILED"))

    def test_a_worker_that_dies_of_every_known_cause(self):
        self.working_card()
        for text, code in FAILURES.items():
            with self.subTest(text):
                self.behaviour = "gpu_dies:" + text
                self.assert_loud(code)

    def test_a_worker_that_dies_of_every_cause_known_of_amd(self):
        self.machine.amd()
        self.machine.pack("rocm-6", fake.ROCM, worker=self.fake_worker)
        for text, code in FAILURES_OF_AMD.items():
            with self.subTest(text):
                self.behaviour = "gpu_dies:" + text
                self.assert_loud(code)

    def test_the_next_card_is_tried_first(self):
        second = {**fake.RTX_3060, "name": "NVIDIA GeForce RTX 3090", "pci": "0000:02:00.0",
                  "uuid": fake.UUID.replace("5ca1", "5ca2"), "total_mib": 24576,
                  "free_mib": 23000}
        self.machine.nvidia(devices=[fake.RTX_3060, second])
        self.machine.cuda_pack(worker=self.fake_worker)
        self.behaviour = "cuda:1_dies:CUDA error: unknown error"
        transcript, said = self.transcript()
        self.assertEqual(transcript["device"], "cuda:0")
        self.assertEqual(transcript["fallback"]["code"], "CUDA_UNKNOWN_ERROR")
        self.assertIn("RTX 3090 is not used", said)
        self.assertIn("transcribing on NVIDIA GeForce RTX 3060 (cuda:0)", said)

    def test_a_card_that_is_lost_between_two_inputs(self):
        self.working_card()
        self.behaviour = f"gpu_is_lost:{self.folder / 'lost'}"
        result = self.transcribe(inputs=3)
        self.assertEqual(result.returncode, WORKER)
        warnings = [line for line in result.stderr.splitlines() if " is not used: " in line]
        self.assertEqual(len(warnings), 1, result.stderr)
        self.assertIn("transcribing on the CPU", warnings[0])
        self.assertIn("model on cpu (", result.stderr)

    def test_a_damaged_model_is_not_the_cards_fault(self):
        self.working_card()
        self.behaviour = "refuse_model"
        result = self.transcribe()
        self.assertEqual(result.returncode, MODEL)
        self.assertNotIn("is not used", result.stderr)


class RefusalTest(DeviceTest):
    """What not even the CPU can do is no matter of a GPU."""

    def test_names_what_is_asked_too_much(self):
        result = self.transcribe("--device", "cpu", "--compute-type", "float16")
        self.assertEqual(result.returncode, USAGE, result.stderr)
        self.assertIn("PRECISION_NOT_SUPPORTED", result.stderr)
        self.machine.text("proc/meminfo", "MemTotal: 204800 kB\nMemAvailable: 102400 kB\n")
        (self.folder / "base").symlink_to(self.model)
        self.model = self.folder / "base"
        result = self.transcribe("--device", "cpu")
        self.assertEqual(result.returncode, EXHAUSTED, result.stderr)
        self.assertIn("MEMORY_TOO_SMALL", result.stderr)


class RequiredGpuTest(DeviceTest):
    def refuse(self, text, *arguments):
        result = self.transcribe("--require-gpu", *arguments)
        self.assertEqual(result.returncode, WORKER, result.stderr)
        self.assertEqual(result.stdout, "")
        self.assertIn(text, result.stderr)
        self.assertIn("docs/gpu-findings.md#", result.stderr)

    def test_refuses_to_start_without_one(self):
        self.refuse("NO_GPU")
        self.machine.nvidia()
        self.refuse("CUDA_PACK_MISSING")

    def test_refuses_when_the_card_fails_at_loading(self):
        self.working_card()
        self.behaviour = "gpu_dies:CUDA out of memory. Tried to allocate"
        self.refuse("GPU_OUT_OF_MEMORY")

    def test_names_every_card_that_failed(self):
        second = {**fake.RTX_3060, "name": "NVIDIA GeForce RTX 3090", "pci": "0000:02:00.0",
                  "uuid": fake.UUID.replace("5ca1", "5ca2"), "total_mib": 24576,
                  "free_mib": 23000}
        self.machine.nvidia(devices=[fake.RTX_3060, second])
        self.machine.cuda_pack(worker=self.fake_worker)
        self.behaviour = "gpu_dies:CUDA error: unknown error"
        self.refuse("RTX 3090 is not used: ")

    def test_is_content_with_a_card_that_works(self):
        self.working_card()
        self.assertEqual(self.transcript("--require-gpu")[0]["device"], "cuda:0")

    def test_can_be_set_for_all_commands(self):
        self.machine.variables["SCRIBED_REQUIRE_GPU"] = "true"
        self.assertEqual(self.transcribe().returncode, WORKER)


class DeathTest(DeviceTest):
    def test_a_device_that_failed_in_a_job_gets_a_new_worker(self):
        self.working_card()
        self.behaviour = "gpu_job_fails:CUDA error: an illegal memory access was encountered"
        result = self.transcribe(inputs=2)
        self.assertEqual(result.returncode, WORKER)
        processes = set(re.findall(r"job of process (\d+)", result.stderr))
        self.assertEqual(len(processes), 2, result.stderr)

    def test_a_job_that_dies_of_a_known_cause_names_it(self):
        self.working_card()
        self.behaviour = "gpu_job_dies:CUDA out of memory. Tried to allocate 2.00 GiB"
        result = self.transcribe()
        self.assertEqual(result.returncode, WORKER)
        self.assertIn("CUDA out of memory. Tried to allocate", result.stderr)  # its own words
        self.assertIn("scribed-worker was killed by signal 6 (SIGABRT)", result.stderr)
        self.assertIn("GPU_OUT_OF_MEMORY", result.stderr)

    def test_a_worker_of_the_cpu_that_dies_names_the_cause(self):
        for text, code in FAILURES_OF_THE_CPU.items():
            with self.subTest(text):
                self.behaviour = "cpu_dies:" + text
                result = self.transcribe()
                self.assertEqual(result.returncode, WORKER)
                self.assertIn(f"({code})", result.stderr)
        # A text that looks like a GPU's failure is none on the CPU.
        self.behaviour = "cpu_dies:CUDA unknown error"
        self.assertNotIn("CUDA_UNKNOWN_ERROR", self.transcribe().stderr)


class LoadTest(DeviceTest):
    """What the worker is told about the device."""

    def setUp(self):
        super().setUp()
        self.working_card()
        self.behaviour = "tell_load"

    def test_whether_attention_may_be_fused(self):
        self.assertIn(", with flash_attn", self.transcribe().stderr)
        self.assertIn(", without flash_attn", self.transcribe("--flash-attn", "false").stderr)

    def test_the_smoke_run_is_wanted_once_for_each_way_to_compute(self):
        for way in ((), ("--flash-attn", "false"), ("--compute-type", "float32")):
            self.assertIn("with a smoke run", self.transcribe(*way).stderr)
            self.assertIn("without a smoke run", self.transcribe(*way).stderr)

    def test_the_smoke_run_is_wanted_again_when_the_machine_has_changed(self):
        self.assertIn("with a smoke run", self.transcribe().stderr)
        pathlib.Path(self.machine.root / "sys/module/nvidia/version").write_text("580.99.01\n")
        self.machine.text("proc/driver/nvidia/version",
                          "NVRM version: NVIDIA UNIX x86_64 Kernel Module  580.99.01  x\n")
        self.assertIn("with a smoke run", self.transcribe().stderr)


if __name__ == "__main__":
    unittest.main()
