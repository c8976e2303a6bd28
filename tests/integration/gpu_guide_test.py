"""The reports in docs/gpus.md are parts of what `scribed doctor` prints on such machines, and its table of
memory is what `scribed doctor --json` returns for each model.

SCRIBED_WRITE_GUIDE=1 writes them into the guide instead of comparing."""

import functools
import json
import os
import pathlib
import re
import shlex
import shutil
import subprocess
import tempfile
import unittest

import broken_machines as broken
import fake_machine as fake
from fake_machine import FakeMachine, doubles_folder
from scribed_command import ROOT, bin_folder

GUIDE = ROOT / "docs" / "gpus.md"
MATRIX = ROOT / "platform" / "matrix" / "compat_matrix.json"
CPUINFO = ("processor: 0\nmodel name: AMD Ryzen 7 5800X 8-Core Processor\n"
           "flags: sse4_2 avx avx2 fma f16c\n\n")
SHOWN_FOLDER = "/opt/stand-in"  # as long as the folder that it stands for: lines break alike


def nvidia(m):
    m.nvidia()
    m.cuda_pack()


# Maps a block of the guide to its machine, its command, and the sections of the report that it shows.
REPORTS = {
    "card": (broken.nvidia_module_missing, "scribed doctor --device cuda", ("Verdicts",)),
    "nvidia": (nvidia, "scribed doctor --device cuda --model base", ("GPUs", "NVIDIA driver")),
}


def block(name):
    return re.compile(rf"(<!-- output:{name} -->\n).*?(<!-- end -->)", re.S)


def shortened(report, sections):
    """Returns the first paragraph of a report and the named sections; "…" stands for what is left out."""
    first, *rest = report.rstrip().split("\n\n")
    kept = [part if part.split("\n")[0] in sections else "…" for part in rest]
    return "\n\n".join([first] + [part for i, part in enumerate(kept)
                                   if part != "…" or i == 0 or kept[i - 1] != "…"])


class GuideTest(unittest.TestCase):
    def machine(self, build):
        folder = pathlib.Path(tempfile.mkdtemp(prefix="", dir="/tmp"))
        self.addCleanup(shutil.rmtree, folder, ignore_errors=True)
        machine = FakeMachine(folder, doubles_folder())
        machine.text("proc/cpuinfo", CPUINFO)
        build(machine)
        machine.gather_doubles()
        return machine

    def printed(self, machine, command):
        program, *arguments = shlex.split(command)
        return subprocess.run([bin_folder() / program, *arguments], env=machine.environment,
                              capture_output=True, text=True, timeout=60).stdout

    def report(self, name):
        build, command, sections = REPORTS[name]
        machine = self.machine(build)
        text = self.printed(machine, command).replace(str(machine.folder), SHOWN_FOLDER)
        return f"```\n$ {command}\n{shortened(text, sections)}\n```\n"

    def gib_to_have(self, machine, model, compute_type):
        report = json.loads(self.printed(
            machine, f"scribed doctor --json --device cuda --model {model} --compute-type {compute_type}"))
        [card] = [v for v in report["verdicts"] if v["device"] == "cuda:0"]
        return f"{card['memory_needed'] / 2 ** 30:.1f}"

    def memory(self):
        machine = self.machine(nvidia)
        lines = ["| model | float32, GiB free | float16 or bfloat16, GiB free | int8, GiB free | minimum GB "
                 "| recommended GB |",
                 "|---|---|---|---|---|---|"]
        for model in json.loads(MATRIX.read_text())["models"]:
            cells = [model["name"]]
            cells += [self.gib_to_have(machine, model["name"], t) for t in ("float32", "float16", "int8")]
            cells += [f"{model[k]:g}" if k in model else "–"
                      for k in ("minimum_gb", "recommended_gb")]
            lines.append(f"| {' | '.join(cells)} |")
        return "\n".join(lines) + "\n"

    def check(self, texts):
        """`texts` maps the blocks of the guide to what makes them."""
        guide = GUIDE.read_text()
        for name, make in texts.items():
            guide = block(name).sub(lambda found: found[1] + make() + found[2], guide)
        if os.environ.get("SCRIBED_WRITE_GUIDE"):
            GUIDE.write_text(guide)
        self.assertEqual(guide, GUIDE.read_text())

    def test_shows_what_doctor_prints(self):
        self.check({name: functools.partial(self.report, name) for name in REPORTS})

    def test_names_the_memory_that_doctor_wants_free(self):
        self.check({"memory": self.memory})

    def test_has_no_other_blocks_of_output(self):
        self.assertEqual(set(re.findall(r"<!-- output:([a-z-]+) -->", GUIDE.read_text())),
                         {*REPORTS, "memory"})


if __name__ == "__main__":
    unittest.main()
