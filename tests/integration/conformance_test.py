"""The official MCP conformance suite (tests/clients): the server of tests/conformance passes it
whole, and the product whatever needs no fixtures. No failure is expected, in either revision.

With SCRIBED_PRINT=1 the totals are printed."""

import os
import re
import subprocess
import unittest

import clients
from daemon import DaemonTest
from scribed_command import TIME_LIMIT, bin_folder

OLD, NEW = "2025-11-25", "2026-07-28"
SUITE = "node_modules/@modelcontextprotocol/conformance/dist/index.js"

# The number of checks in each scenario of the pinned suite: a missing check is a failure too.
OF_THE_FIXTURES = {OLD: 75, NEW: 194}
OF_THE_PRODUCT = {
    OLD: {"server-initialize": 2, "ping": 2, "tools-list": 3, "resources-list": 2,
          "prompts-list": 2, "dns-rebinding-protection": 2},
    NEW: {"tools-list": 4, "resources-list": 2, "prompts-list": 2, "dns-rebinding-protection": 2,
          "server-sse-multiple-streams": 1, "caching": 8, "sep-2164-resource-not-found": 4,
          "input-required-result-unsupported-methods": 2, "http-header-validation": 14},
}
# Without session ids these scenarios have nothing to check, which the suite reports by warnings.
WITHOUT_SESSIONS = {"server-session-lifecycle": 0, "server-sse-multiple-streams": 1}  # warnings
STATELESS = 24  # checks of server-stateless; the rest needs tools that only ask for a check


def run_suite(*arguments):
    """(its exit status, what it printed)"""
    ended = subprocess.run([str(clients.NODE), str(clients.FOLDER / SUITE), "server",
                            *map(str, arguments)],
                           capture_output=True, text=True, timeout=5 * TIME_LIMIT)
    return ended.returncode, re.sub(r"\x1b\[\d*m", "", ended.stdout + ended.stderr)


def tell(line):
    if os.environ.get("SCRIBED_PRINT"):
        print(line)


class FixturesTest(unittest.TestCase):
    def setUp(self):
        clients.need()
        program = bin_folder().parent / "tests/scribed-conformance-server"
        if not program.is_file():
            raise unittest.SkipTest(f"no {program}")
        server = subprocess.Popen([program, "0"], stdout=subprocess.PIPE, text=True)
        self.addCleanup(server.stdout.close)
        self.addCleanup(server.wait)
        self.addCleanup(server.kill)
        self.url = server.stdout.readline().strip()

    def test_all_that_a_revision_requires_and_more_passes(self):
        for version, checks in OF_THE_FIXTURES.items():
            with self.subTest(version):
                status, said = run_suite("--url", self.url, "--requirements", version)
                self.assertEqual(status, 0, said[-4000:])
                scenarios = re.findall(r"^(\S) (\S+): (\d+) passed, (\d+) failed", said, re.M)
                self.assertEqual([name for mark, name, _, failed in scenarios
                                  if mark != "✓" or failed != "0"], [])
                total = re.search(r"^Total: (\d+) passed, (\d+) failed", said, re.M)
                tell(f"{version}: {len(scenarios)} scenarios, {total[0]}")
                self.assertEqual([int(number) for number in total.groups()], [checks, 0])


class ProductTest(DaemonTest):
    def setUp(self):
        clients.need()
        super().setUp()
        daemon = self.start("--allow-path", self.folder)
        daemon.wait_for_job(daemon.submit(self.sound(8)))  # so that there is a resource to be read
        self.url = f"http://127.0.0.1:{daemon.port}/mcp"

    def run_scenario(self, version, name):
        """(exit status, (passed, all, failed, warnings), what it printed)"""
        status, said = run_suite("--url", self.url, "--spec-version", version, "--scenario", name)
        found = re.search(r"^Passed: (\d+)/(\d+), (\d+) failed, (\d+) warnings", said, re.M)
        self.assertTrue(found, said)
        tell(f"{version} {name}: {found[0]}")
        return status, tuple(map(int, found.groups())), said

    def test_what_needs_no_fixtures_passes(self):
        for version, scenarios in OF_THE_PRODUCT.items():
            for name, checks in scenarios.items():
                with self.subTest(version=version, scenario=name):
                    status, figures, said = self.run_scenario(version, name)
                    self.assertEqual((status, figures), (0, (checks, checks, 0, 0)), said)

    def test_there_are_no_sessions(self):
        for name, warnings in WITHOUT_SESSIONS.items():
            with self.subTest(name):
                status, figures, said = self.run_scenario(OLD, name)
                self.assertEqual((status, figures), (0, (0, 0, 0, warnings)), said)

    def test_only_what_needs_fixtures_of_the_stateless_rules_is_not_tested(self):
        _, (passed, _, failed, _), said = self.run_scenario(NEW, "server-stateless")
        self.assertEqual(passed, STATELESS, said)
        reasons = re.findall(r"^ *Error: (.*)", said, re.M)
        self.assertEqual(len(reasons), failed)
        self.assertEqual([why for why in reasons if not why.startswith("Not testable")], [])


if __name__ == "__main__":
    unittest.main()
