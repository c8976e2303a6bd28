"""The scripts of `scribed completion` in the shells they are for, with the real program behind them."""

import os
import pathlib
import shutil
import subprocess
import tempfile
import unittest

from scribed_command import bin_folder

BASH = """
source "$SCRIPT"
COMP_WORDS=("$@")
COMP_CWORD=$(($# - 1))
_scribed
printf '%s\\n' "${COMPREPLY[@]}"
complete -p scribed >&2
"""

# Outside of a line that is edited zsh has no completion: what _scribed hands to it is printed.
ZSH = """
compdef() { print -u2 -- "$@" }
_describe() { print -l -- "${(@P)2}" }
_files() { print files }
source "$SCRIPT"
words=("$@")
CURRENT=$#
_scribed
"""

FISH = 'source "$SCRIPT"; complete -C "$argv"'


class CompletionTest(unittest.TestCase):
    def setUp(self):
        self.scribed = bin_folder() / "scribed"
        self.folder = pathlib.Path(tempfile.mkdtemp(prefix="scribed-completion-"))
        self.addCleanup(shutil.rmtree, self.folder)
        (self.folder / "a sound.wav").touch()
        self.environment = {**os.environ, "PATH": f"{bin_folder()}:{os.environ['PATH']}",
                            "HOME": str(self.folder), "SCRIBED_DATA_DIR": str(self.folder / "data")}

    def shell(self, name, *command, words):
        if shutil.which(name) is None:
            self.skipTest(f"no {name}")
        script = subprocess.run([self.scribed, "completion", name], capture_output=True, text=True,
                                check=True, timeout=60)
        path = self.folder / f"script.{name}"
        path.write_text(script.stdout)
        ran = subprocess.run([name, *command, *words], capture_output=True, text=True, timeout=60,
                             cwd=self.folder, env={**self.environment, "SCRIPT": str(path)})
        self.assertEqual(ran.returncode, 0, ran.stderr)
        return ran.stdout.splitlines()

    def bash(self, *words):
        return self.shell("bash", "--norc", "-c", BASH, "bash", words=words)

    def zsh(self, *words):
        return self.shell("zsh", "-f", "-c", ZSH, "zsh", words=words)

    def fish(self, line):
        return self.shell("fish", "--no-config", "-c", FISH, words=[line])

    def test_bash_completes_commands_options_and_values(self):
        self.assertEqual(self.bash("scribed", "tr"), ["transcribe"])
        self.assertEqual(self.bash("scribed", "models", "pu"), ["pull"])
        self.assertIn("--output", self.bash("scribed", "transcribe", "--o"))
        self.assertEqual(self.bash("scribed", "transcribe", "--format", "s"), ["srt"])
        self.assertEqual(self.bash("scribed", "transcribe", "--format", "=", "s"), ["srt"])

    def test_bash_completes_names_of_files(self):
        self.assertEqual(self.bash("scribed", "transcribe", "a"), ["a sound.wav"])
        self.assertEqual(self.bash("scribed", "serve", "--config", "=", "a"), ["a sound.wav"])

    def test_zsh_completes_with_descriptions(self):
        self.assertEqual(self.zsh("scribed", "tr"),
                         ["transcribe:Transcribe audio or video files"])
        self.assertEqual(self.zsh("scribed", "transcribe", "--format", "s"), ["srt:"])
        self.assertEqual(self.zsh("scribed", "transcribe", "a"), ["files"])

    def test_fish_completes_with_descriptions(self):
        self.assertEqual(self.fish("scribed tr"),
                         ["transcribe\tTranscribe audio or video files"])
        self.assertEqual(self.fish("scribed transcribe --format=s"), ["--format=srt"])
        self.assertEqual([line.split("\t")[0] for line in self.fish("scribed transcribe a")],
                         ["a sound.wav"])

    def complete(self, *words):
        ran = subprocess.run([self.scribed, "complete", "--", *words], capture_output=True,
                             text=True, check=True, timeout=60, env=self.environment)
        return [line.split("\t")[0] for line in ran.stdout.splitlines()]

    def test_models_are_those_that_are_installed_and_for_pull_those_that_there_are(self):
        self.assertEqual(self.complete("transcribe", "--model", ""), [])
        self.assertIn("large-v3", self.complete("models", "pull", "large"))

    def test_nothing_is_said_of_what_is_not_for_people(self):
        self.assertNotIn("complete", self.complete(""))
        self.assertEqual(self.complete("no-such-command", "--nothing=x"), [])


if __name__ == "__main__":
    unittest.main()
