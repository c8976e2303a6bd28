"""The documentation names what there is: options, settings, metrics, tools, exit codes, parameters."""

import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile
import unittest

from scribed_command import ROOT, TIME_LIMIT, bin_folder

sys.path.append(str(ROOT / "examples"))
from mcp_client import Client  # noqa: E402

PAGES = sorted(ROOT.glob("docs/**/*.md"))
SECTIONS = "server|model|transcription|jobs|inputs|cluster|webhooks|mcp|log"
# Files whose names look like settings.
NO_SETTINGS = {"jobs.sqlite", "model.bin", "model.ended", "model.json", "model.progress", "model.removed",
               "model.safetensors", "server.json"}


def page(name):
    return (ROOT / "docs" / name).read_text()


def section(name, heading):
    return re.search(rf"(?ms)^## {heading}\n(.*?)(?=^## |\Z)", page(name))[1]


class DocsTest(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.scribed = bin_folder() / "scribed"
        cls.home = pathlib.Path(tempfile.mkdtemp(prefix="scribed-docs-"))
        cls.addClassCleanup(shutil.rmtree, cls.home, ignore_errors=True)

    def run_scribed(self, *arguments):
        return subprocess.run([self.scribed, *arguments], capture_output=True, text=True, check=True,
                              timeout=TIME_LIMIT).stdout

    def help_of(self, *command):
        text = self.run_scribed(*command, "--help")
        for block in re.findall(r"^Subcommands:\n((?:  .*\n?)*)", text, re.M):
            for name in re.findall(r"^  (\S+)", block, re.M):
                text += self.help_of(*command, name)
        return text

    def test_options_of_the_user_guide_and_the_readme_exist(self):
        known = set(re.findall(r"--[a-z-]+", self.help_of()))
        for line in (page("user-guide.md") + (ROOT / "README.md").read_text()).splitlines():
            if "docker" in line or "claude" in line:
                continue
            for option in re.findall(r"(?<![\w-])--[a-z][a-z-]+", line):
                self.assertIn(option, known, line)

    def test_every_error_code_is_documented(self):
        constants = dict(re.findall(r'constexpr char (\w+)\[\] = "([^"]+)"', "".join(
            (ROOT / header).read_text()
            for header in ("server/base/error.h", "server/base/exhausted.h", "protocol/error.h"))))
        rows = re.findall(r'Row\{(?:"(\w+)"|\w+::(\w+)), ExitCode::\w+, (\d+)\}',
                          (ROOT / "server/base/error.cpp").read_text())
        self.assertGreater(len(rows), 120)
        for code, constant, _ in rows:
            self.assertIn(f"`{code or constants[constant]}`", page("api.md"))

    def test_settings_exist(self):
        example = self.run_scribed("config", "example")
        known = {f"{name}.{key}" for name, body in re.findall(r"(?ms)^\[(\w+)\]\n(.*?)(?=^\[|\Z)", example)
                 for key in re.findall(r"(?m)^#(\w+) = ", body)}
        self.assertIn("server.listen", known)
        for file in PAGES:
            for name in re.findall(rf"`((?:{SECTIONS})\.[a-z_]+)\b", file.read_text()):
                if name not in NO_SETTINGS:
                    self.assertIn(name, known, file.name)

    def test_every_metric_is_described(self):
        source = next((ROOT / "server").rglob("metrics.cpp")).read_text()
        told = set(re.findall(r'"((?:scribed|process)_[a-z_]+)"', source))
        described = set(re.findall(r"`((?:scribed|process)_[a-z_]+)", section("operations.md", "Metrics")))
        self.assertGreater(len(told), 10)
        self.assertEqual(told, described)

    def test_every_exit_code_is_described(self):
        said = re.search(r"Exit codes: (.*?)\.\n", self.run_scribed("--help"), re.S)[1]
        for number, meaning in re.findall(r"(\d+) ([a-z][^,(:]+)", said.replace("\n", " ")):
            self.assertRegex(section("operations.md", "Exit codes"), rf"\b{number}\b.*{meaning.split()[0]}")

    def test_every_parameter_of_the_api_is_described(self):
        # Parameters are described in the tables, or in the sentence about those that are refused.
        described = "".join(re.findall(r"(?m)^\|.*", section("api.md", "Parameters")))
        source = next((ROOT / "server").rglob("form_parameters.cpp")).read_text()
        fields = re.findall(r'FormParameter\{"(\w+)"', source)
        table = (ROOT / "protocol/option_table.cpp").read_text()
        options = [(name, re.search(r'\.alias = "(\w+)"', row))
                   for name, row in re.findall(r'\.name = "(\w+)",(.*?)\},\n', table, re.S)
                   if re.search(r"\.offered = (recording|asked_by_tools|everywhere)", row)]
        self.assertGreater(min(len(fields), len(options)), 5)
        for field in fields + [alias[1] if alias else name for name, alias in options]:
            self.assertRegex(described, rf"`{field}(\[\])?`", field)

    def test_tools_and_their_arguments_are_described(self):
        variables = {"HOME": str(self.home), "SCRIBED_DATA_DIR": str(self.home)}
        client = Client(["env", *(f"{name}={value}" for name, value in variables.items()),
                         os.fspath(self.scribed), "mcp", "--state-folder", os.fspath(self.home / "state"),
                         "--set", "inputs.url_hosts=example.org"])
        self.addCleanup(client.process.stdout.close)
        self.addCleanup(client.close)
        client.request("initialize", protocolVersion="2025-11-25", capabilities={},
                       clientInfo={"name": "test", "version": "1"})
        tools = {tool["name"]: tool for tool in client.request("tools/list")["tools"]}
        table = section("mcp.md", "Tools")
        rows = [re.findall(r"`(\w+)`", line) for line in table.splitlines() if line.startswith("| `")]
        self.assertEqual({name for name in re.findall(r"`(\w+)`", table) if name in tools}, set(tools))
        for row in rows:
            named = [word for word in row if word in tools]
            known = {key for name in named for key in tools[name]["inputSchema"]["properties"]}
            for argument in row:
                # Uploads are for clients by HTTP.
                if argument not in tools and argument not in ("manage", "read_status", "upload"):
                    self.assertIn(argument, known, row)
        prompts = {prompt["name"] for prompt in client.request("prompts/list")["prompts"]}
        for name in prompts:
            self.assertIn(f"`{name}`", page("mcp.md"))


if __name__ == "__main__":
    unittest.main()
