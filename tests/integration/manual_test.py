"""scribed(1) says everything that --help says: each command, each option, each exit code."""

import re
import shutil
import subprocess
import sys
import unittest

from scribed_command import ROOT, bin_folder

MAKE_PAGE = ROOT / "packaging" / "man" / "make_page.py"


class ManualTest(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.scribed = bin_folder() / "scribed"
        cls.source = cls.run_text([sys.executable, MAKE_PAGE, cls.scribed])
        cls.page = re.sub(r"\\f[BIR]", "", cls.source).replace("\\-", "-").replace("\\e", "\\")

    @staticmethod
    def run_text(command, **more):
        return subprocess.run(command, capture_output=True, text=True, check=True, timeout=60,
                              **more).stdout

    def commands(self, command=()):
        """Every command and its --help."""
        text = self.run_text([self.scribed, *command, "--help"])
        yield command, text
        for block in re.findall(r"^Subcommands:\n((?:  .*\n?)*)", text, re.M):
            for name in re.findall(r"^  (\S+)", block, re.M):
                yield from self.commands((*command, name))

    def test_every_command_and_option_is_in_it(self):
        found = dict(self.commands())
        self.assertIn(("models", "pull"), found)
        for command, text in found.items():
            for word in command:
                self.assertRegex(self.page, rf"scribed [\w ]*\b{word}\b")
            for option in re.findall(r"^  (?:-\w,)?(--[a-z-]+)", text, re.M):
                if option not in ("--help", "--version"):
                    with self.subTest(command=command, option=option):
                        self.assertRegex(self.page, rf"(?m)^(-\w, )?{option}(,| |$)")

    def test_a_group_of_options_stands_there_once(self):
        # `diarize` has another default.
        self.assertEqual(re.findall(r"(?m)^--compute-type .*=(\w+)$", self.page), ["auto", "float32"])
        self.assertRegex(self.page, r"Device: as of scribed transcribe")

    def test_descriptions_belong_to_their_options(self):
        self.assertRegex(self.page, r"--threads INT[^\n]*\nCPU threads; 0 is one per physical core")
        self.assertRegex(self.page, r"--carry-initial-prompt BOOL=false\nUse the initial prompt for every window")

    def test_every_exit_code_is_in_it(self):
        status = self.page[self.page.index("EXIT STATUS"):self.page.index("ENVIRONMENT")]
        for code in (0, 1, 2, 3, 4, 5, 6, 7, 8, 129, 130, 143):
            self.assertRegex(status, rf"\b{code} [a-z]")

    def test_a_formatter_has_nothing_to_object_to(self):
        if shutil.which("mandoc") is None:
            self.skipTest("no mandoc")
        checked = subprocess.run(["mandoc", "-Tlint", "-Wwarning"], input=self.source, text=True,
                                 capture_output=True, timeout=60)
        problems = [line for line in checked.stdout.splitlines() if "missing date" not in line]
        self.assertEqual(problems, [])


if __name__ == "__main__":
    unittest.main()
