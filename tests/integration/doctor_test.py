"""`scribed doctor` on machines that are not there: every cause that can be seen before anything is
loaded, by its code; and what the report looks like."""

import json
import os
import pathlib
import pty
import re
import shutil
import subprocess
import tempfile
import time
import unittest

import fake_machine as fake
from fake_machine import FakeMachine
from scribed_command import ROOT, bin_folder

USAGE, WORKER = 2, 6
NOBODY = 65534
MUST_ANSWER_IN = 1  # seconds, on a machine without a GPU


def doubles_folder():
    folder = bin_folder().parent / "tests" / "doubles"
    if not (folder / "cuda" / "libcuda.so.1").is_file():
        raise unittest.SkipTest(f"no doubles in {folder}")
    return folder


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


# name: how the machine is broken, on top of an empty one. In the order of the causes.

def no_gpu(m):
    pass


def intel_only(m):
    m.pci("0000:00:02.0", fake.INTEL, 0x46A6, "i915")


def cpu_pack_beside_nvidia(m):
    m.nvidia()


def cpu_pack_beside_amd(m):
    m.amd()


def nvidia_given_to_a_guest(m):
    m.nvidia_card(driver="vfio-pci")
    m.cuda_pack()


def nouveau(m):
    m.nvidia_card(driver="nouveau")
    m.text("sys/module/nouveau/initstate", "live\n")
    m.cuda_pack()


def nvidia_module_missing(m):
    m.nvidia_card(driver="")
    m.cuda_pack()


def nvidia_node_missing(m):
    m.nvidia_card()
    m.nvidia_module()
    m.cuda_pack()


def nvidia_uvm_missing(m):
    m.nvidia_card()
    m.nvidia_module()
    m.node("nvidiactl", "nvidia0")
    m.cuda_pack()


def container_without_gpu(m):
    m.nvidia_card()
    m.nvidia_module()
    m.text(".dockerenv")
    m.cuda_pack()


def windows_driver_not_on_the_path(m):
    m.node("dxg")
    m.text("proc/sys/kernel/osrelease", "5.15.167.4-microsoft-standard-WSL2\n")
    m.text("usr/lib/wsl/lib/libcuda.so.1")
    m.cuda_pack()


def linux_driver_inside_wsl(m):
    m.node("dxg")
    m.text("usr/lib/x86_64-linux-gnu/libcuda.so.1")
    m.text("usr/lib/wsl/lib/libcuda.so.1")
    m.cuda_pack()


def no_libcuda(m):
    m.nvidia()
    m.library_path = [m.doubles / "nvml"]
    m.fails("nvml", "nvmlInit_v2", 12)
    m.cuda_pack()


def cuda_fails(code):
    def build(m):
        m.nvidia()
        m.fails("cuda", "cuInit", code)
        m.fails("nvml", "nvmlInit_v2", 999)
        m.cuda_pack()
    return build


def driver_and_library_differ(m):
    m.nvidia()
    m.fails("cuda", "cuInit", 803)
    m.fails("nvml", "nvmlInit_v2", 18)
    m.cuda_pack()


def gpu_lost(m):
    m.nvidia()
    m.fails("cuda", "cuInit", 999)
    m.fails("nvml", "nvmlInit_v2", 15)
    m.cuda_pack()


def compat_library_in_a_container(m):
    m.nvidia(driver="535.54.03")
    m.fails("cuda", "cuInit", 804)
    m.copied_double("cuda", "usr/local/cuda/compat")
    m.cuda_pack()


def driver_updated_without_a_reboot(m):
    m.nvidia(driver="550.54.14")
    m.fails("cuda", "cuInit", 804)
    m.fails("nvml", "nvmlInit_v2", 18)
    m.cuda_pack()


def cards_hidden(m):
    m.nvidia()
    m.variables["CUDA_VISIBLE_DEVICES"] = "-1"
    m.cuda_pack()


def nvidia_probe_hangs(m):
    m.nvidia()
    m.behaves("cuda", "cuInit", "hang")
    m.variables["SCRIBED_PROBE_SECONDS"] = "0.5"
    m.cuda_pack()


def nvidia_probe_aborts(m):
    m.nvidia()
    m.behaves("cuda", "cuInit", "abort")
    m.cuda_pack()


def driver_below_the_floor(m):
    m.nvidia(driver="535.183.01", cuda=12020)
    m.cuda_pack()


def driver_too_old_for_blackwell(m):
    card = {**fake.RTX_3060, "name": "NVIDIA GeForce RTX 5090", "cc": [12, 0], "id": 0x2B85}
    m.nvidia(driver="550.54.14", cuda=12040, devices=[card])
    m.cuda_pack(fake.CUDA_12, name="cuda-12")


def no_kernels_for_pascal(m):
    card = {**fake.RTX_3060, "name": "NVIDIA GeForce GTX 1080", "cc": [6, 1], "id": 0x1B80,
            "total_mib": 8192}
    m.nvidia(devices=[card], free_mib=8000)
    m.cuda_pack()


def ptx_newer_than_the_driver(m):
    card = {**fake.RTX_3060, "name": "NVIDIA Future", "cc": [13, 0], "id": 0x2B85}
    m.nvidia(driver="575.51.03", cuda=12090, devices=[card])
    m.cuda_pack({**fake.CUDA_12, "cuda": "12.9", "variant": "cu129", "torch": "2.8.0",
                 "ptx_list": ["12.0"]}, name="cuda-12")
    m.gpu["cuda"]["driver_cuda"] = 12080


def cudnn_8_missing(m):
    m.nvidia()
    m.cuda_pack(fake.CUDNN_8, name="cuda-11")
    m.library_path.remove(m.doubles / "cudnn")


def cudnn_9_missing(m):
    m.nvidia()
    m.cuda_pack()
    m.library_path.remove(m.doubles / "cudnn")


def foreign_cudnn(m):
    m.nvidia()
    m.cuda_pack()
    m.gpu["cudnn"] = {"version": 90100}


def cudnn_too_new_for_volta(m):
    card = {**fake.RTX_3060, "name": "Tesla V100-PCIE-16GB", "cc": [7, 0], "id": 0x1DB4}
    m.nvidia(devices=[card])
    m.cuda_pack({**fake.CUDA_13, "arch_list": ["7.0", "7.5"]})


def too_little_free_memory(m):
    m.nvidia(free_mib=300)
    m.cuda_pack()


def amdgpu_missing(m):
    m.amd_card(driver="")
    m.pack("rocm-6", fake.ROCM)


def kfd_missing(m):
    m.amd_card()
    m.pack("rocm-6", fake.ROCM)


def hip_missing(m):
    m.amd_card()
    m.node("kfd")
    m.pack("rocm-6", fake.ROCM)


def rocm_on_wsl(m):
    m.amd_card()
    m.node("dxg")
    m.pack("rocm-6", fake.ROCM)


def hip_without_device(m):
    m.amd()
    m.fails("hip", "hipInit", 100)
    m.fails("hip", "hipGetDeviceCount", 100)
    m.pack("rocm-6", fake.ROCM)


def hip_hidden(m):
    m.amd()
    m.fails("hip", "hipInit", 100)
    m.fails("hip", "hipGetDeviceCount", 100)
    m.variables["HIP_VISIBLE_DEVICES"] = "-1"
    m.pack("rocm-6", fake.ROCM)


def hip_hangs(m):
    m.amd()
    m.behaves("hip", "hipInit", "hang")
    m.variables["SCRIBED_PROBE_SECONDS"] = "0.5"
    m.pack("rocm-6", fake.ROCM)


def no_kernels_for_the_6700_xt(m):
    m.amd("gfx1031", 100301, 0x73DF, "AMD Radeon RX 6700 XT")
    m.pack("rocm-6", fake.ROCM)


def rocblas_without_kernels(m):
    m.amd("gfx906", 90006, 0x66AF, "AMD Radeon VII")
    m.pack("rocm-7", {**fake.ROCM, "torch": "2.10.0", "variant": "rocm7.0", "rocm": "7.0"})


def steam_deck(m):
    m.amd("gfx1033", 100303, 0x163F, "AMD Custom GPU 0405")
    m.pack("rocm-6", fake.ROCM)


def harmful_override(m):
    m.amd("gfx1103", 110003, 0x15BF, "AMD Radeon 780M")
    m.variables["HSA_OVERRIDE_GFX_VERSION"] = "11.0.0"
    m.pack("rocm-6", fake.ROCM)


CAUSES = {
    "no GPU": (no_gpu, "auto", None),
    "a GPU is asked for and there is none": (no_gpu, "cuda", "NO_GPU"),
    "an Intel card": (intel_only, "auto", None),
    "CPU pack beside an NVIDIA card": (cpu_pack_beside_nvidia, "auto", "CUDA_PACK_MISSING"),
    "CPU pack beside an AMD card": (cpu_pack_beside_amd, "auto", "ROCM_PACK_MISSING"),
    "card given to a guest": (nvidia_given_to_a_guest, "auto", "CARD_IN_OTHER_HANDS"),
    "nouveau": (nouveau, "auto", "NVIDIA_NOUVEAU"),
    "module not loaded": (nvidia_module_missing, "auto", "NVIDIA_MODULE_MISSING"),
    "no /dev/nvidiactl": (nvidia_node_missing, "auto", "NVIDIA_NODE_MISSING"),
    "no /dev/nvidia-uvm": (nvidia_uvm_missing, "auto", "NVIDIA_UVM_MISSING"),
    "container without GPU": (container_without_gpu, "auto", "CONTAINER_NO_GPU"),
    "WSL, path": (windows_driver_not_on_the_path, "auto", "WSL_LIBCUDA"),
    "WSL, Linux driver": (linux_driver_inside_wsl, "auto", "WSL_LINUX_DRIVER"),
    "no libcuda": (no_libcuda, "auto", "CUDA_NO_DRIVER"),
    "cuInit 3": (cuda_fails(3), "auto", "CUDA_NOT_INITIALIZED"),
    "cuInit 34": (cuda_fails(34), "auto", "CUDA_STUB_LIBRARY"),
    "cuInit 35": (cuda_fails(35), "auto", "CUDA_DRIVER_TOO_OLD"),
    "cuInit 46": (cuda_fails(46), "auto", "CUDA_DEVICE_BUSY"),
    "cuInit 100": (cuda_fails(100), "auto", "CUDA_NO_DEVICE"),
    "cuInit 304": (cuda_fails(304), "auto", "CUDA_OS_CALL_FAILED"),
    "cuInit 802": (cuda_fails(802), "auto", "CUDA_FABRIC_NOT_READY"),
    "cuInit 803": (cuda_fails(803), "auto", "CUDA_DRIVER_MISMATCH"),
    "cuInit 804": (cuda_fails(804), "auto", "CUDA_FORWARD_COMPAT"),
    "cuInit 805": (cuda_fails(805), "auto", "CUDA_MPS_DAEMON"),
    "cuInit 999": (cuda_fails(999), "auto", "CUDA_UNKNOWN_ERROR"),
    "NVML 18": (driver_and_library_differ, "auto", "CUDA_DRIVER_MISMATCH"),
    "NVML 15": (gpu_lost, "auto", "GPU_LOST"),
    "804 by a compat library": (compat_library_in_a_container, "auto", "CUDA_COMPAT_IN_CONTAINER"),
    "804 by an update": (driver_updated_without_a_reboot, "auto", "CUDA_DRIVER_NOT_REBOOTED"),
    "CUDA_VISIBLE_DEVICES": (cards_hidden, "auto", "CUDA_DEVICES_HIDDEN"),
    "libcuda hangs": (nvidia_probe_hangs, "auto", "PROBE_HUNG"),
    "libcuda aborts": (nvidia_probe_aborts, "auto", "PROBE_CRASHED"),
    "driver below the floor": (driver_below_the_floor, "auto", "CUDA_DRIVER_TOO_OLD"),
    "Blackwell under R550": (driver_too_old_for_blackwell, "auto", "CUDA_DRIVER_TOO_OLD_FOR_CARD"),
    "Pascal under cu130": (no_kernels_for_pascal, "auto", "CUDA_NO_KERNEL_IMAGE"),
    "PTX alone": (ptx_newer_than_the_driver, "auto", "CUDA_UNSUPPORTED_PTX"),
    "cuDNN 8 missing": (cudnn_8_missing, "auto", "CUDNN8_MISSING"),
    "cuDNN 9 missing": (cudnn_9_missing, "auto", "CUDNN9_MISSING"),
    "foreign cuDNN": (foreign_cudnn, "auto", "CUDNN_VERSION_MISMATCH"),
    "cuDNN 9.17 on Volta": (cudnn_too_new_for_volta, "auto", "CUDNN_TOO_NEW_FOR_CARD"),
    "GPU memory in use": (too_little_free_memory, "auto", "MEMORY_TOO_SMALL"),
    "amdgpu not loaded": (amdgpu_missing, "auto", "AMDGPU_MODULE_MISSING"),
    "no /dev/kfd": (kfd_missing, "auto", "KFD_MISSING"),
    "no HIP runtime": (hip_missing, "auto", "ROCM_NOT_INSTALLED"),
    "ROCm on WSL": (rocm_on_wsl, "auto", "ROCM_ON_WSL"),
    "HIP shows nothing": (hip_without_device, "auto", "HIP_NO_DEVICE"),
    "HIP_VISIBLE_DEVICES": (hip_hidden, "auto", "HIP_DEVICES_HIDDEN"),
    "HIP hangs": (hip_hangs, "auto", "PROBE_HUNG"),
    "gfx1031": (no_kernels_for_the_6700_xt, "auto", "HIP_NO_KERNELS"),
    "gfx906 under ROCm 7": (rocblas_without_kernels, "auto", "ROCBLAS_NO_KERNELS"),
    "gfx1033": (steam_deck, "auto", "GFX_COMPUTES_WRONG"),
    "11.0.0 on gfx1103": (harmful_override, "auto", "HSA_OVERRIDE_HARMFUL"),
    "MPS on Linux": (no_gpu, "mps", "MPS_NO_METAL"),
}


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
            self.assertEqual(report["cause"]["link"], f"platform/GPU.md#{code.lower()}")
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
            row["linux_driver"] = "999"
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

    def test_variables_that_influence_gpus_are_shown(self):
        self.machine.variables["CUDA_VISIBLE_DEVICES"] = "0"
        self.assertIn("CUDA_VISIBLE_DEVICES=0", self.doctor().stdout)

    def test_the_container_and_its_memory_limit_are_shown(self):
        self.machine.text(".dockerenv")
        self.assertIn("docker", self.doctor().stdout)


class SpeedTest(unittest.TestCase):
    def test_this_machine_is_seen_at_once(self):
        scribed = bin_folder() / "scribed"
        began = time.monotonic()
        result = subprocess.run([scribed, "doctor", "--json"], capture_output=True, text=True,
                                timeout=60)
        took = time.monotonic() - began
        report = json.loads(result.stdout)
        if not report["facts"]["pci"]:
            self.assertLess(took, MUST_ANSWER_IN)
        self.assertEqual(set(report), {"version", "headline", "works", "request", "choice",
                                       "cause", "facts", "packs", "verdicts", "matrix"})


if __name__ == "__main__":
    unittest.main()
