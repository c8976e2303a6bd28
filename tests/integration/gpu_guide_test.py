"""The reports that docs/gpus.md shows are what `scribed doctor` prints on such machines.

SCRIBED_WRITE_GUIDE=1 writes them into the guide instead of comparing."""

import os
import pathlib
import re
import shlex
import shutil
import subprocess
import tempfile
import unittest

import broken_amd_machines as broken_amd
import broken_machines as broken
import fake_machine as fake
from fake_machine import FakeMachine, doubles_folder
from scribed_command import ROOT, bin_folder

GUIDE = ROOT / "docs" / "gpus.md"
CPUINFO = ("processor: 0\nmodel name: AMD Ryzen 7 5800X 8-Core Processor\n"
           "flags: sse4_2 avx avx2 fma f16c\n\n")
SHOWN_FOLDER = "/opt/stand-in"  # as long as the folder that it stands for: lines break alike


def nvidia(m):
    m.nvidia()
    m.cuda_pack()


def amd(m):
    m.amd()
    m.pack("rocm-6", fake.ROCM)


# Maps a block of the guide to its machine and command.
REPORTS = {
    "cpu": (broken.no_gpu, "scribed doctor"),
    "card": (broken.nvidia_module_missing, "scribed doctor --device cuda"),
    "nvidia": (nvidia, "scribed doctor --device cuda --model base"),
    "amd": (amd, "scribed doctor --device rocm --model base"),
    "amd-old": (broken_amd.rocblas_without_kernels, "scribed doctor"),
    "other": (broken.intel_only, "scribed doctor"),
}


def block(name):
    return re.compile(rf"(<!-- output:{name} -->\n).*?(<!-- end -->)", re.S)


class GuideTest(unittest.TestCase):
    def report(self, name):
        build, command = REPORTS[name]
        folder = pathlib.Path(tempfile.mkdtemp(prefix="", dir="/tmp"))
        self.addCleanup(shutil.rmtree, folder, ignore_errors=True)
        machine = FakeMachine(folder, doubles_folder())
        machine.text("proc/cpuinfo", CPUINFO)
        build(machine)
        machine.gather_doubles()
        program, *arguments = shlex.split(command)
        result = subprocess.run([bin_folder() / program, *arguments], env=machine.environment,
                                capture_output=True, text=True, timeout=60)
        text = result.stdout.replace(str(folder), SHOWN_FOLDER)
        # Which shields are active depends on the machine that runs the test, and the guide is about
        # GPUs.
        text = re.sub(r"^Sandbox\n(?:  .*\n)+\n", "", text, flags=re.M)
        return f"```\n$ {command}\n{text.rstrip()}\n```\n"

    def test_shows_what_doctor_prints(self):
        guide = GUIDE.read_text()
        self.assertEqual(set(re.findall(r"<!-- output:([a-z-]+) -->", guide)), set(REPORTS))
        for name in REPORTS:
            guide = block(name).sub(lambda found: found[1] + self.report(name) + found[2], guide)
        if os.environ.get("SCRIBED_WRITE_GUIDE"):
            GUIDE.write_text(guide)
        self.assertEqual(guide, GUIDE.read_text())


if __name__ == "__main__":
    unittest.main()
