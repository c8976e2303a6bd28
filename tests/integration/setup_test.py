"""`scribed setup mcp` on real files of settings, and what `scribed` alone says."""

import json
import os
import pathlib
import pty
import select
import shutil
import subprocess
import tempfile
import time
import tomllib
import unittest

from scribed_command import bin_folder

USAGE = 2


class SetupTest(unittest.TestCase):
    def setUp(self):
        self.home = pathlib.Path(tempfile.mkdtemp(prefix="scribed-setup-"))
        self.addCleanup(shutil.rmtree, self.home, ignore_errors=True)
        self.program = str(bin_folder() / "scribed")

    def environment(self):
        return {"PATH": "/usr/bin:/bin", "HOME": str(self.home), "TERM": "xterm",
                "SCRIBED_DATA_DIR": str(self.home / "data")}

    def setup_mcp(self, *arguments, **more):
        return subprocess.run([self.program, "setup", "mcp", *arguments], capture_output=True,
                              text=True, env=self.environment(), timeout=60,
                              **{"cwd": self.home, "stdin": subprocess.DEVNULL, **more})

    def on_terminal(self, *arguments, answer=None):
        """What a terminal shows, and the exit status."""
        pid, terminal = pty.fork()
        if pid == 0:
            os.chdir(self.home)
            os.execve(self.program, [self.program, *arguments], self.environment())
        shown, deadline = b"", time.monotonic() + 60
        while time.monotonic() < deadline:
            if not select.select([terminal], [], [], 1)[0]:
                continue
            try:
                piece = os.read(terminal, 4096)
            except OSError:
                break
            if not piece:
                break
            shown += piece
            if answer and b"[y/N]" in shown:
                os.write(terminal, answer)
                answer = None
        os.close(terminal)
        return shown.decode().replace("\r\n", "\n"), os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1])

    def backups(self, file):
        return sorted(file.parent.glob(file.name + ".*.bak"))


class Write(SetupTest):
    FILES = {"claude": (".claude.json", "mcpServers"), "cursor": (".cursor/mcp.json", "mcpServers"),
             "vscode": (".config/Code/User/mcp.json", "servers")}

    def test_every_host_gets_a_file_that_starts_this_program(self):
        for host, (name, key) in self.FILES.items():
            with self.subTest(host):
                result = self.setup_mcp(host, "--yes")
                self.assertEqual(result.returncode, 0, result.stderr)
                self.assertIn("scribed models pull base", result.stdout)
                entry = json.loads((self.home / name).read_text())[key]["scribed"]
                self.assertEqual([entry["command"], *entry["args"]], [self.program, "mcp"])
        self.assertEqual(self.setup_mcp("codex", "--yes").returncode, 0)
        settings = tomllib.loads((self.home / ".codex/config.toml").read_text())
        self.assertEqual(settings["mcp_servers"]["scribed"], {"command": self.program, "args": ["mcp"]})

    def test_what_is_written_is_an_mcp_server(self):
        self.setup_mcp("cursor", "--yes")
        entry = json.loads((self.home / ".cursor/mcp.json").read_text())["mcpServers"]["scribed"]
        hello = {"jsonrpc": "2.0", "id": 1, "method": "initialize",
                 "params": {"protocolVersion": "2025-06-18", "capabilities": {},
                            "clientInfo": {"name": "test", "version": "1"}}}
        ran = subprocess.run([entry["command"], *entry["args"]], input=json.dumps(hello) + "\n",
                             capture_output=True, text=True, env=self.environment(), timeout=60)
        self.assertEqual(json.loads(ran.stdout.splitlines()[0])["result"]["serverInfo"]["name"],
                         "scribed")

    def test_other_settings_stay_byte_for_byte_and_the_old_file_is_kept(self):
        file = self.home / ".claude.json"
        old = '{\n  "mcpServers": {\n    "other": {"command": "x"}\n  },\n  "tips" : 1.50\n}\n'
        file.write_text(old)
        file.chmod(0o600)
        result = self.setup_mcp("claude", "--yes")
        self.assertEqual(result.returncode, 0, result.stderr)
        self.assertIn('+     "scribed": {', result.stdout)
        new = file.read_text()
        self.assertTrue(new.startswith(old[:old.index("\n  },")]))
        self.assertTrue(new.endswith('\n  },\n  "tips" : 1.50\n}\n'))
        self.assertEqual(file.stat().st_mode & 0o777, 0o600)
        (backup,) = self.backups(file)
        self.assertEqual(backup.read_text(), old)
        self.assertEqual(backup.stat().st_mode & 0o777, 0o600)

    def test_a_second_time_nothing_is_written(self):
        self.setup_mcp("claude", "--yes")
        before = (self.home / ".claude.json").stat().st_mtime_ns
        result = self.setup_mcp("claude")
        self.assertEqual(result.returncode, 0, result.stderr)
        self.assertIn("has scribed already", result.stdout)
        self.assertEqual((self.home / ".claude.json").stat().st_mtime_ns, before)
        self.assertEqual(self.backups(self.home / ".claude.json"), [])

    def test_comments_are_not_destroyed(self):
        file = self.home / ".config/Code/User/mcp.json"
        file.parent.mkdir(parents=True)
        file.write_text('{\n  // mine\n  "servers": {}\n}\n')
        result = self.setup_mcp("vscode", "--yes")
        self.assertEqual(result.returncode, USAGE)
        self.assertIn("have comments", result.stderr)
        self.assertEqual(json.loads(result.stdout)["servers"]["scribed"]["command"], self.program)
        self.assertIn("// mine", file.read_text())

    def test_the_folders_own_settings_and_more_arguments(self):
        self.setup_mcp("claude", "--project", "--yes", "--", "--model", "small")
        entry = json.loads((self.home / ".mcp.json").read_text())["mcpServers"]["scribed"]
        self.assertEqual(entry["args"], ["mcp", "--model", "small"])
        self.assertFalse((self.home / ".claude.json").exists())

    def test_a_link_stays_one(self):
        (self.home / "dotfiles").mkdir()
        real = self.home / "dotfiles/claude.json"
        real.write_text("{}")
        (self.home / ".claude.json").symlink_to(real)
        self.assertEqual(self.setup_mcp("claude", "--yes").returncode, 0)
        self.assertTrue((self.home / ".claude.json").is_symlink())
        self.assertIn("scribed", real.read_text())

    def test_printing_writes_nothing(self):
        result = self.setup_mcp("codex", "--print")
        self.assertEqual(tomllib.loads(result.stdout)["mcp_servers"]["scribed"]["args"], ["mcp"])
        self.assertEqual(list(self.home.iterdir()), [])

    def test_without_a_terminal_somebody_has_to_say_yes(self):
        result = self.setup_mcp("claude")
        self.assertEqual(result.returncode, USAGE)
        self.assertIn("--yes", result.stderr)
        self.assertEqual(list(self.home.iterdir()), [])

    def test_unknown_hosts_are_refused(self):
        self.assertEqual(self.setup_mcp("emacs").returncode, USAGE)


class OnATerminal(SetupTest):
    def test_the_answer_decides(self):
        shown, status = self.on_terminal("setup", "mcp", "cursor", answer=b"n\n")
        self.assertEqual(status, 0)
        self.assertIn("Nothing was written.", shown)
        self.assertFalse((self.home / ".cursor").exists())
        shown, status = self.on_terminal("setup", "mcp", "cursor", answer=b"y\n")
        self.assertEqual(status, 0)
        self.assertLess(shown.index("+ "), shown.index("[y/N]"), "it is shown before")
        self.assertTrue((self.home / ".cursor/mcp.json").exists())

    def test_scribed_alone_says_what_to_do(self):
        shown, status = self.on_terminal()
        self.assertEqual(status, 0)
        self.assertEqual(len(shown.splitlines()), 5, shown)
        self.assertIn("scribed models pull base", shown.splitlines()[0])

    def test_in_a_script_it_stays_a_mistake(self):
        result = subprocess.run([self.program], capture_output=True, text=True,
                                env=self.environment(), timeout=60)
        self.assertEqual((result.returncode, result.stdout), (USAGE, ""))
        self.assertIn("--help", result.stderr)


if __name__ == "__main__":
    unittest.main()
