"""The table of clients (tests/clients/table): its recorded requests, which need no packages, and its page."""

import json
import subprocess
import sys
import tomllib
import unittest

from daemon import DaemonTest
from scribed_command import ROOT, write_silence

TABLE = ROOT / "tests/clients/table"
PAGE = ROOT / "docs/clients.md"
CLIENTS = tomllib.loads((TABLE / "clients.toml").read_text())["client"]
KEY = "a-key-of-this-test"

sys.path.append(str(TABLE))
import page  # noqa: E402
import versions  # noqa: E402


class RecordedRequestsTest(DaemonTest):
    def setUp(self):
        super().setUp()
        self.daemon = self.start()
        self.environment["SCRIBED_API_KEY"] = KEY
        self.state = self.folder / "other_state"
        self.keyed = self.start()
        self.file = self.folder / "talk.wav"
        write_silence(self.file, 12)
        self.raw = self.folder / "talk.s16"
        self.raw.write_bytes(bytes(12 * 32000))

    def rows(self, program):
        url = "http://127.0.0.1:{}".format
        given = {"URL": url(self.daemon.port), "KEYED_URL": url(self.keyed.port), "KEY": KEY, "WAV": self.file, "PCM16": self.raw,
                 "LONG": self.file, "PCM24": self.raw, "WYOMING": "", "WORD": "segment"}
        ended = subprocess.run([sys.executable, TABLE / "recorded" / program], capture_output=True, text=True, check=True, timeout=120,
                               env={"PYTHONPATH": str(TABLE / "python"), "PYTHONDONTWRITEBYTECODE": "1",
                                    **{f"CLIENT_{name}": str(value) for name, value in given.items()}})
        return [json.loads(line) for line in ended.stdout.splitlines()]

    def test_every_recorded_request_gets_what_it_asks_for(self):
        for client in CLIENTS:
            if "package" in client:
                continue
            rows = self.rows(client["program"])
            self.assertTrue(rows, client["name"])
            for row in rows:
                with self.subTest(client=client["name"], did=row["did"]):
                    self.assertTrue(row["ok"], row["got"])


class FaultsTest(unittest.TestCase):
    def test_each_fault_of_the_table_has_its_test(self):
        lines = (ROOT / "tests/clients/faults.md").read_text().splitlines()
        rows = [line.strip("| ").split(" | ") for line in lines if line.startswith("| ") and "`" in line]
        self.assertGreater(len(rows), 30)
        for what, file, test in rows:
            with self.subTest(what):
                self.assertIn(test.strip("`"), (ROOT / "tests" / file.strip("`")).read_text())


class PageTest(unittest.TestCase):
    def test_has_every_client_in_its_version_and_no_fault_of_scribed(self):
        lines = PAGE.read_text().splitlines()
        for client in CLIENTS:
            start = f"| {page.cell(client['name'])} | {client['language']} | {page.cell(versions.version_of(client))} |"
            found = [line for line in lines if line.startswith(start)]
            with self.subTest(client["name"]):
                self.assertEqual(len(found), 1, start)
                self.assertTrue(found[0].endswith("| 0 |"), found[0])


if __name__ == "__main__":
    unittest.main()
