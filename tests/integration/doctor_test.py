"""`scribed doctor` on machines that are not there: every cause that can be seen before anything is
loaded, by its code; and what the report looks like."""

import json
import os
import pathlib
import pty
import re
import resource
import shutil
import subprocess
import tempfile
import unittest

import fake_machine as fake
from broken_machines import CAUSES
from failure_texts import (FAILURES, FAILURES_OF_AMD, FAILURES_OF_APPLE,
                           FAILURES_OF_THE_CPU)
from fake_machine import FakeMachine, doubles_folder
from noted_machines import NOTES
from scribed_command import ROOT, bin_folder, cpu_seconds

USAGE, WORKER = 2, 6
NOBODY = 65534
MUST_ANSWER_IN = 1  # CPU seconds, on a machine without a GPU


class DoctorTest(unittest.TestCase):
    def setUp(self):
        self.scribed = bin_folder() / "scribed"
        self.folder = pathlib.Path(tempfile.mkdtemp(prefix="scribed-doctor-"))
        self.addCleanup(shutil.rmtree, self.folder, ignore_errors=True)
        self.machine = FakeMachine(self.folder, doubles_folder())

    def doctor(self, *arguments, machine=None, **more):
        environment = (machine or self.machine).environment
        more = {"capture_output": True, "text": True, "timeout": 60, "env": environment, **more}
        return subprocess.run([self.scribed, "doctor", *map(str, arguments)], **more)

    def report(self, *arguments, machine=None, **more):
        result = self.doctor("--json", *arguments, machine=machine, **more)
        self.assertNotEqual(result.stdout, "", result.stderr)
        return json.loads(result.stdout)


class CauseTest(DoctorTest):
    """Each cause leads to its code, a headline, something to do, and a chapter of the guide."""

    def check(self, name, build, device, code):
        machine = FakeMachine(self.folder / re.sub(r"\W+", "-", name), doubles_folder())
        build(machine)
        report = self.report("--device", device, machine=machine)
        self.assertEqual(report["cause"]["code"] if report["cause"] else None, code,
                         json.dumps(report["verdicts"], indent=1))
        if code:
            self.assertTrue(report["cause"]["fix"], code)
            self.assertEqual(report["cause"]["link"], f"docs/gpu-findings.md#{code.lower()}")
            self.assertIn(f"({code})", report["headline"])
        self.assertEqual(report["choice"]["device"], "cpu")
        self.printed.append(f"{name:38} {report['headline']}")

    def test_every_cause_is_named(self):
        self.printed = []
        for name, (build, device, code) in CAUSES.items():
            with self.subTest(name):
                self.check(name, build, device, code)
        if os.environ.get("SCRIBED_SHOW_HEADLINES"):
            print("\n" + "\n".join(self.printed))

    def test_what_does_not_prevent_a_device_is_said_too(self):
        for name, (build, arguments, code) in NOTES.items():
            with self.subTest(name):
                machine = FakeMachine(self.folder / re.sub(r"\W+", "-", name), doubles_folder())
                build(machine)
                report = self.report(*arguments, machine=machine)
                found = {f["code"] for v in report["verdicts"] for f in v["findings"]}
                self.assertIn(code, found, json.dumps(report["verdicts"], indent=1))
                self.assertTrue(report["works"], report["headline"])

    def test_every_code_is_shown_by_a_machine_or_a_failure(self):
        matrix = json.loads((ROOT / "platform/matrix/compat_matrix.json").read_text())
        shown = {code for *_, code in [*CAUSES.values(), *NOTES.values()]}
        for texts in (FAILURES, FAILURES_OF_AMD, FAILURES_OF_APPLE, FAILURES_OF_THE_CPU):
            shown |= set(texts.values())
        shown |= {"NVIDIA_PERMISSION", "NO_SUCH_DEVICE", "SMOKE_RUN_FAILED", "WORKER_FAILED",
                  "CPU_PACK_MISSING"}
        shown |= {"PROBE_NOT_STARTED"}
        shown |= {"SYSTEM_CALL_REFUSED"}  # refused_calls_test.py
        only_on_a_mac = {"MPS_PACK_MISSING", "MPS_CARD_NOT_SUPPORTED", "MPS_ROSETTA"}
        self.assertEqual({row["code"] for row in matrix["findings"]} - shown, only_on_a_mac)

    def as_nobody(self):
        """Settings of a process of a user to whom nothing is granted; skips where root is needed."""
        if os.geteuid() != 0:
            self.skipTest("only root can become another user")
        self.folder.chmod(0o755)
        try:
            subprocess.run([self.scribed, "--version"], user=NOBODY, group=NOBODY,
                           extra_groups=[], capture_output=True, check=True)
        except (PermissionError, subprocess.CalledProcessError):
            self.skipTest("nobody may not read the build folder")
        return {"user": NOBODY, "group": NOBODY, "extra_groups": []}

    def test_nodes_that_this_user_may_not_open(self):
        nobody = self.as_nobody()
        for prepare, node, code in ((self.machine.nvidia, "nvidiactl", "NVIDIA_PERMISSION"),
                                    (self.machine.amd, "kfd", "KFD_PERMISSION")):
            with self.subTest(code):
                prepare()
                self.machine.fails("cuda", "cuInit", 304)
                self.machine.fails("nvml", "nvmlInit_v2", 4)
                self.machine.fails("hip", "hipInit", 100)
                (self.machine.root / "dev" / node).chmod(0o600)
                report = self.report("--device", "cuda" if "NVIDIA" in code else "rocm", **nobody)
                self.assertEqual(report["cause"]["code"], code)

    def test_a_probe_that_cannot_be_started_is_no_fault_of_the_driver(self):
        def few_files():
            resource.setrlimit(resource.RLIMIT_NOFILE, (6, 6))
        for prepare, pack, device in (
                (self.machine.nvidia, self.machine.cuda_pack, "cuda"),
                (self.machine.amd, lambda: self.machine.pack("rocm-6", fake.ROCM), "rocm")):
            with self.subTest(device):
                prepare()
                pack()
                report = self.report("--device", device, preexec_fn=few_files)
                self.assertEqual(report["cause"]["code"], "PROBE_NOT_STARTED", report["headline"])
                self.assertIn("cannot open a pipe: Too many open files", report["headline"])
        text = self.doctor("--device", "cuda", preexec_fn=few_files).stdout
        self.assertIn("could not be asked: cannot open a pipe", re.sub(r"\s+", " ", text))


    def test_without_any_pack_nothing_can_run(self):
        shutil.rmtree(self.machine.libexec)
        report = self.report()
        self.assertEqual(report["cause"]["code"], "CPU_PACK_MISSING")
        self.assertFalse(report["works"])
        self.assertEqual(self.doctor().returncode, WORKER)


class WorkingCardTest(DoctorTest):
    def test_a_card_that_works_is_used(self):
        self.machine.nvidia()
        self.machine.cuda_pack()
        report = self.report()
        self.assertEqual(report["choice"]["device"], "cuda:0", report["headline"])
        self.assertEqual(report["choice"]["compute_type"], "float16")
        self.assertIsNone(report["cause"])
        self.assertTrue(report["works"])
        self.assertIn("RTX 3060", report["headline"])

    def test_an_older_driver_of_the_same_major_is_a_note(self):
        self.machine.nvidia(driver="535.183.01", cuda=12020)
        self.machine.cuda_pack(fake.CUDA_12, name="cuda-12")
        report = self.report()
        self.assertEqual(report["choice"]["device"], "cuda:0", report["headline"])
        codes = [f["code"] for f in report["verdicts"][0]["findings"]]
        self.assertIn("CUDA_DRIVER_OLDER_THAN_TOOLKIT", codes)

    def test_of_several_cards_the_one_with_most_room(self):
        second = {**fake.RTX_3060, "name": "NVIDIA GeForce RTX 3090", "pci": "0000:02:00.0",
                  "uuid": fake.UUID.replace("5ca1", "5ca2"), "total_mib": 24576,
                  "free_mib": 23000}
        self.machine.nvidia(devices=[fake.RTX_3060, second])
        self.machine.cuda_pack()
        self.assertEqual(self.report()["choice"]["device"], "cuda:1")
        self.assertEqual(self.report("--gpu-device", 0)["choice"]["device"], "cuda:0")
        self.assertEqual(self.report("--device", "cuda:0")["choice"]["device"], "cuda:0")
        missing = self.report("--device", "cuda:7")
        self.assertEqual(missing["cause"]["code"], "NO_SUCH_DEVICE")
        self.assertFalse(missing["works"])

    def test_an_amd_card_that_works_is_used(self):
        self.machine.amd()
        self.machine.pack("rocm-6", fake.ROCM)
        self.assertEqual(self.report()["choice"]["device"], "rocm:0")


class ExitCodeTest(DoctorTest):
    def code(self, *arguments, **variables):
        self.machine.variables |= variables
        result = self.doctor(*arguments)
        for name in variables:
            del self.machine.variables[name]
        return result.returncode

    def test_says_whether_the_wanted_device_works(self):
        self.assertEqual(self.code(), 0)
        self.assertEqual(self.code("--device", "cpu"), 0)
        self.assertEqual(self.code("--device", "cuda"), WORKER)
        self.assertEqual(self.code("--require-gpu"), WORKER)
        self.assertEqual(self.code(SCRIBED_REQUIRE_GPU="1"), WORKER)
        self.machine.nvidia()
        self.assertEqual(self.code(), 0)  # the CPU does it
        self.assertEqual(self.code("--require-gpu"), WORKER)
        self.machine.cuda_pack()
        self.assertEqual(self.code("--require-gpu"), 0)
        self.assertEqual(self.code("--device", "cuda:1"), WORKER)
        self.assertEqual(self.code("--gpu-device", 1), WORKER)
        self.assertEqual(self.code("--gpu-device", 0), 0)

    def test_environment_gives_the_default_and_the_option_wins(self):
        self.machine.nvidia()
        self.assertEqual(self.code(GPU_BACKEND="cuda"), WORKER)
        self.assertEqual(self.code(GPU_BACKEND="cpu"), 0)
        self.assertEqual(self.code("--device", "cuda", GPU_BACKEND="cpu"), WORKER)
        self.machine.variables["USE_CUDA"] = "false"
        self.assertEqual(self.report()["request"]["device"], "cpu")
        self.machine.variables["USE_CUDA"] = "true"
        self.assertEqual(self.report()["request"]["device"], "auto")

    def test_wrong_values_name_what_is_wrong(self):
        for variable in ("GPU_BACKEND", "USE_CUDA", "SCRIBED_REQUIRE_GPU",
                         "SCRIBED_PROBE_SECONDS"):
            self.machine.variables |= {variable: "perhaps"}
            result = self.doctor()
            self.assertEqual(result.returncode, USAGE, variable)
            self.assertIn(variable, result.stderr)
            del self.machine.variables[variable]
        for arguments in (["--device", "toaster"], ["--device", "cuda:x"],
                          ["--device", "cpu", "--require-gpu"],
                          ["--device", "cpu", "--gpu-device", "1"],
                          ["--device", "cuda:0", "--gpu-device", "1"],
                          ["--matrix", self.folder / "none.json"]):
            self.assertEqual(self.doctor(*arguments).returncode, USAGE, arguments)


class MatrixTest(DoctorTest):
    def test_another_matrix_takes_effect_and_its_bad_rows_are_named(self):
        matrix = json.loads((ROOT / "platform/matrix/compat_matrix.json").read_text())
        for row in matrix["driver_floors"]:
            row["linux"] = "999"
        matrix["torch"][0] = {"torch": 5}
        file = self.folder / "matrix.json"
        file.write_text(json.dumps(matrix))
        self.machine.nvidia()
        self.machine.cuda_pack()
        report = self.report("--matrix", file)
        self.assertEqual(report["cause"]["code"], "CUDA_DRIVER_TOO_OLD")
        self.assertTrue(any(p.startswith("torch[0]") for p in report["matrix"]["problems"]),
                        report["matrix"])


class TextTest(DoctorTest):
    """What a person reads."""

    def test_the_answer_comes_first(self):
        lines = self.doctor().stdout.splitlines()
        self.assertTrue(lines[0].startswith("scribed uses cpu"), lines[0])
        self.machine.nvidia()
        self.assertIn("CUDA_PACK_MISSING", " ".join(self.doctor().stdout.splitlines()[:2]))

    def test_every_report_is_readable_at_80_columns(self):
        for name, (build, device, _) in CAUSES.items():
            machine = FakeMachine(self.folder / re.sub(r"\W+", "-", name), doubles_folder())
            build(machine)
            text = self.doctor("--device", device, machine=machine).stdout
            for line in text.splitlines():
                self.assertLessEqual(len(line), 80, f"{name}: {line}")
            self.assertNotIn("\x1b", text)

    def on_a_terminal(self):
        ours, theirs = pty.openpty()
        with subprocess.Popen([self.scribed, "doctor"], env=self.machine.environment,
                              stdout=theirs, stderr=theirs, stdin=subprocess.DEVNULL) as process:
            os.close(theirs)
            text = b""
            try:
                while chunk := os.read(ours, 65536):
                    text += chunk
            except OSError:  # how a terminal ends
                pass
            process.wait(timeout=20)
        os.close(ours)
        return text.decode()

    def test_colour_is_for_terminals_that_want_it(self):
        self.machine.variables["TERM"] = "xterm"
        self.machine.variables.pop("NO_COLOR", None)
        self.assertIn("\x1b[", self.on_a_terminal())
        self.machine.variables["NO_COLOR"] = "1"
        self.assertNotIn("\x1b[", self.on_a_terminal())

    def test_names_and_numbers_of_a_machine_are_masked(self):
        self.machine.nvidia()
        self.machine.cuda_pack()
        self.machine.variables |= {"USER": "adalovelace", "HOME": "/home/adalovelace",
                                   "CUDA_VISIBLE_DEVICES": fake.UUID,
                                   "HOSTNAME": "analyticalengine"}
        self.machine.text("etc/hostname", "analyticalengine\n")
        for arguments in ([], ["--json"]):
            text = self.doctor(*arguments).stdout
            self.assertIn("CUDA_VISIBLE_DEVICES", text)
            for secret in (fake.UUID, "adalovelace", "analyticalengine"):
                self.assertNotIn(secret, text)

    def test_a_name_that_is_a_word_of_the_report_leaves_it_whole(self):
        self.machine.nvidia()
        self.machine.cuda_pack()
        plain = self.report()
        for user in ("scribed", "nvidia", "model", "42", "true"):
            home = f"/var/lib/{user}"
            self.machine.variables |= {"USER": user, "HOME": home, "HOSTNAME": user,
                                       "CUDA_HOME": f"{home}/cuda", "CUDA_PATH": f"/home/{user}/x"}
            self.machine.text("etc/hostname", f"{user}\n")
            report = self.report()
            set_variables = {one["name"]: one["value"] for one in report["facts"]["environment"]}
            self.assertEqual(set_variables["CUDA_HOME"], "~/cuda")
            self.assertEqual(set_variables["CUDA_PATH"], "/home/<user>/x")
            report["facts"]["environment"] = plain["facts"]["environment"]
            for part in ("headline", "request", "choice", "facts", "matrix"):
                if part == "choice":
                    self.assertEqual(report[part].keys(), plain[part].keys())
                else:
                    self.assertEqual(report[part], plain[part], user)

    def test_variables_that_influence_gpus_are_shown(self):
        self.machine.variables["CUDA_VISIBLE_DEVICES"] = "0"
        self.assertIn("CUDA_VISIBLE_DEVICES=0", self.doctor().stdout)

    def test_the_container_and_its_memory_limit_are_shown(self):
        self.machine.text(".dockerenv")
        self.assertIn("docker", self.doctor().stdout)


class SpeedTest(unittest.TestCase):
    def test_this_machine_is_seen_at_once(self):
        scribed = bin_folder() / "scribed"
        before = cpu_seconds()
        result = subprocess.run([scribed, "doctor", "--json"], capture_output=True, text=True,
                                timeout=60)
        took = cpu_seconds() - before
        report = json.loads(result.stdout)
        if not report["facts"]["pci"]:
            self.assertLess(took, MUST_ANSWER_IN)
        self.assertEqual(set(report), {"version", "pack_checks", "headline", "works", "request", "choice",
                                       "cause", "facts", "packs", "verdicts", "matrix", "sandbox"})


if __name__ == "__main__":
    unittest.main()
