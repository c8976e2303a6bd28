"""Machines that are not there: trees of /proc, /sys and /dev for SCRIBED_SYSTEM_ROOT, doubles of
the vendors' libraries (tests/platform/doubles) with the document that they answer from.

  machine = FakeMachine(folder, doubles)      an empty Linux machine
  machine.nvidia(driver="550.54.14")          an RTX 3060 with a driver that works
  subprocess.run([scribed, "doctor"], env=machine.environment)
"""

import json
import os
import pathlib
import shutil
import unittest

from scribed_command import bin_folder

UUID = "GPU-5ca1ab1e-0000-4000-8000-00000000c0de"

# The cards that the tests put into machines, with the PCI ids of the real ones.
NVIDIA, AMD, INTEL = 0x10DE, 0x1002, 0x8086
RTX_3060 = {"name": "NVIDIA GeForce RTX 3060", "uuid": UUID, "pci": "0000:01:00.0", "cc": [8, 6],
            "total_mib": 12288, "multiprocessors": 28}
CUDA_13 = {"torch": "2.11.0", "variant": "cu130", "backend": "cuda", "cuda": "13.0",
           "cudnn": "9.19.0", "origin": "pytorch",
           "arch_list": ["7.5", "8.0", "8.6", "9.0", "10.0", "12.0"]}
CUDA_12 = {"torch": "2.10.0", "variant": "cu128", "backend": "cuda", "cuda": "12.8",
           "cudnn": "9.10.2.21", "origin": "pytorch",
           "arch_list": ["7.0", "7.5", "8.0", "8.6", "9.0", "10.0", "12.0"]}
CUDNN_8 = {"torch": "2.2.0", "variant": "cu118", "backend": "cuda", "cuda": "11.8",
           "cudnn": "8.7.0.84", "origin": "pytorch",
           "arch_list": ["3.7", "5.0", "6.0", "7.0", "7.5", "8.0", "8.6", "9.0"]}
ROCM = {"torch": "2.7.1", "variant": "rocm6.3", "backend": "rocm", "rocm": "6.3",
        "origin": "pytorch", "gfx_list": ["gfx900", "gfx906", "gfx908", "gfx90a", "gfx1030",
                                          "gfx1100", "gfx1101", "gfx942"]}
CPU = {"torch": "2.11.0", "variant": "cpu", "backend": "cpu"}
CUDNN_PARTS = ("", "_graph", "_ops", "_cnn", "_adv", "_heuristic", "_engines_precompiled",
               "_engines_runtime_compiled")


def doubles_folder():
    folder = bin_folder().parent / "tests" / "doubles"
    if not (folder / "cuda" / "libcuda.so.1").is_file():
        raise unittest.SkipTest(f"no doubles in {folder}")
    return folder


class FakeMachine:
    def __init__(self, folder, doubles):
        self.folder = pathlib.Path(folder)
        self.doubles = pathlib.Path(doubles)
        self.root = self.folder / "root"
        self.gpu = {}
        self.library_path = []
        self.libexec = self.folder / "libexec"
        # Variables of the machine that runs the tests must not influence them.
        influence = ("CUDA_", "NVIDIA_", "HIP_", "ROCR_", "HSA_", "GPU_", "USE_CUDA", "SCRIBED_",
                     "PYTORCH_", "TORCH_", "LD_LIBRARY_PATH", "KUBERNETES_", "container")
        self.variables = {k: v for k, v in os.environ.items() if not k.startswith(influence)}
        self.variables |= {"SCRIBED_SYSTEM_ROOT": str(self.root),
                           "SCRIBED_FAKE_GPU": str(self.folder / "gpu.json"),
                           "SCRIBED_LIBEXEC": str(self.libexec),
                           "SCRIBED_DATA_DIR": str(self.folder / "data"),
                           "SCRIBED_PROBE_SECONDS": "10"}
        self.text("etc/os-release", 'PRETTY_NAME="Debian GNU/Linux 12 (bookworm)"\n')
        self.text("proc/sys/kernel/osrelease", "6.1.0-28-amd64\n")
        self.text("proc/sys/kernel/arch", "x86_64\n")
        self.text("proc/meminfo", "MemTotal: 16384000 kB\nMemAvailable: 12288000 kB\n")
        self.pack("cpu", CPU)

    @property
    def environment(self):
        (self.folder / "gpu.json").write_text(json.dumps(self.gpu))
        path = ":".join(map(str, self.library_path))
        return {**self.variables, "LD_LIBRARY_PATH": path} if path else dict(self.variables)

    # Files -----------------------------------------------------------------------------------

    def text(self, path, content=""):
        file = self.root / path
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(content)
        return file

    def node(self, *names):
        for name in names:
            self.text(f"dev/{name}").chmod(0o666)

    def pci(self, address, vendor, device, driver="", kind="0x030000"):
        folder = f"sys/bus/pci/devices/{address}"
        self.text(f"{folder}/vendor", f"0x{vendor:04x}\n")
        self.text(f"{folder}/device", f"0x{device:04x}\n")
        self.text(f"{folder}/class", f"{kind}\n")
        if driver:
            target = self.root / "sys/bus/pci/drivers" / driver
            target.mkdir(parents=True, exist_ok=True)
            (self.root / folder / "driver").symlink_to(f"../../drivers/{driver}")

    # Runtime packs ---------------------------------------------------------------------------

    def pack(self, name, build, worker=None):
        folder = self.libexec if name == "cpu" else self.libexec / "runtimes" / name
        folder.mkdir(parents=True, exist_ok=True)
        program = folder / "scribed-worker"
        if worker:
            program.unlink(missing_ok=True)
            program.symlink_to(worker)
        elif not program.exists():
            program.write_text("#!/bin/sh\nexit 1\n")
            program.chmod(0o755)
        (folder / "build-info.json").write_text(json.dumps(build))
        return folder

    def cuda_pack(self, build=CUDA_13, worker=None, name="cuda-13"):
        self.pack(name, build, worker)
        self.double("cudnn", "cublas")

    # Libraries -------------------------------------------------------------------------------

    def double(self, *kinds):
        for kind in kinds:
            if self.doubles / kind not in self.library_path:
                self.library_path.append(self.doubles / kind)

    def copied_double(self, kind, folder):
        """The double under another path, which some verdicts turn on."""
        target = self.folder / folder
        target.mkdir(parents=True, exist_ok=True)
        for file in (self.doubles / kind).iterdir():
            shutil.copy2(file, target)
        self.library_path.insert(0, target)
        return target

    def gather_doubles(self):
        """All doubles of this machine in one folder of its own, as in a real system."""
        target = self.folder / "lib"
        target.mkdir()
        for folder in self.library_path:
            for file in folder.iterdir():
                (target / file.name).symlink_to(file)
        self.library_path = [target] if self.library_path else []

    # Cards -----------------------------------------------------------------------------------

    def nvidia_card(self, address="0000:01:00.0", device=0x2504, driver="nvidia"):
        self.pci(address, NVIDIA, device, driver)

    def nvidia_module(self, version="580.95.05"):
        self.text("proc/driver/nvidia/version",
                  f"NVRM version: NVIDIA UNIX x86_64 Kernel Module  {version}  Tue Sep 23 2025\n")
        self.text("sys/module/nvidia/version", f"{version}\n")

    def nvidia(self, driver="580.95.05", cuda=13000, devices=(RTX_3060,), free_mib=11900):
        """Cards whose driver works. More is broken by hand afterwards."""
        for device in devices:
            self.nvidia_card(device["pci"], device.get("id", 0x2504))
        self.nvidia_module(driver)
        self.node("nvidiactl", "nvidia-uvm",
                  *(f"nvidia{index}" for index in range(len(devices))))
        self.gpu["cuda"] = {"driver_cuda": cuda, "devices": list(devices)}
        self.gpu["nvml"] = {"driver": driver, "devices": [
            {"name": d["name"], "uuid": d["uuid"], "pci": d["pci"], "total_mib": d["total_mib"],
             "free_mib": d.get("free_mib", free_mib)} for d in devices]}
        self.gpu["cudnn"] = {"version": 91900}
        self.double("cuda", "nvml")

    def amd_card(self, gfx_version=100300, device=0x73BF, address="0000:03:00.0",
                 driver="amdgpu"):
        self.pci(address, AMD, device, driver)
        if driver != "amdgpu":
            return
        self.text("sys/module/amdgpu/initstate", "live\n")
        self.text("sys/class/kfd/kfd/topology/nodes/1/properties",
                  f"vendor_id {AMD}\ndevice_id {device}\ngfx_target_version {gfx_version}\n"
                  f"location_id {int(address[5:7], 16) << 8}\n")

    def amd(self, gfx="gfx1030", gfx_version=100300, device=0x73BF, name="AMD Radeon RX 6800 XT"):
        """A card whose driver and runtime work."""
        self.amd_card(gfx_version, device)
        self.node("kfd", "dri/renderD128")
        self.gpu["hip"] = {"runtime": 60342000, "devices": [
            {"name": name, "gfx": f"{gfx}:xnack-", "pci": "0000:03:00.0", "total_mib": 16368,
             "free_mib": 16000}]}
        self.double("hip", "rocblas")

    def fails(self, library, function, code):
        self.gpu.setdefault(library, {}).setdefault("results", {})[function] = code

    def behaves(self, library, function, behaviour):
        self.gpu.setdefault(library, {}).setdefault("behaviour", {})[function] = behaviour
