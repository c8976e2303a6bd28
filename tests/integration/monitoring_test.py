"""The Grafana board and the alert rules that are shipped: do they ask for what /metrics has?"""

import json
import re
import shutil
import subprocess
import unittest

from daemon import DaemonTest
from scribed_command import ROOT, TIME_LIMIT

FOLDER = ROOT / "packaging/monitoring"
PROMTOOL = shutil.which("promtool")
NAME = re.compile(r"\b(?:scribed|process)_[a-z_]+")
SELECTOR = re.compile(r"\b((?:scribed|process)_[a-z_]+)\{([^}]*)\}")


def expressions_of(node):
    """All queries of a board, whatever they lie in."""
    if isinstance(node, dict):
        for key, value in node.items():
            if key in ("expr", "query") and isinstance(value, str):
                yield value
            else:
                yield from expressions_of(value)
    elif isinstance(node, list):
        for value in node:
            yield from expressions_of(value)


def rule_expressions(text):
    """What stands behind "expr:", on its line or, behind a bar, in the deeper lines below."""
    lines = text.splitlines()
    for number, line in enumerate(lines):
        if not (found := re.match(r"( +)expr: (.*)", line)):
            continue
        if found[2] != "|":
            yield found[2]
            continue
        deeper = found[1] + "  "
        block = []
        for below in lines[number + 1:]:
            if not below.startswith(deeper):
                break
            block.append(below)
        yield "\n".join(block)


class MonitoringTest(DaemonTest):
    def metrics(self):
        """name -> the labels that it has, of a daemon that has done something of all kinds."""
        daemon = self.start()
        daemon.wait_for_job(daemon.submit(self.sound(1)))
        daemon.wait_for_job(daemon.submit(b"no sound at all"))
        found = {}
        for line in daemon.get("/metrics").text.splitlines():
            if sample := re.match(r"([a-z_]+)(?:\{(.*)\})? ", line):
                labels = re.findall(r'([a-z_]+)="', sample[2] or "")
                found.setdefault(sample[1], set()).update(labels)
        return found

    def test_every_metric_and_label_that_they_name_is_there(self):
        there = self.metrics()
        board = list(expressions_of(json.loads((FOLDER / "grafana-board.json").read_text())))
        rules = list(rule_expressions((FOLDER / "prometheus-rules.yml").read_text()))
        self.assertGreater(len(board), 15)
        self.assertGreater(len(rules), 5)
        asked = set()
        for expression in board + rules:
            names = set(NAME.findall(expression))
            self.assertEqual(names - set(there), set(), expression)
            asked |= names
            for name, selector in SELECTOR.findall(expression):
                # Prometheus adds these two.
                labels = set(re.findall(r"([a-z_]+)\s*[=!]", selector)) - {"instance", "job"}
                self.assertLessEqual(labels, there[name], expression)
        self.assertIn("scribed_queue_wait_seconds_bucket", asked)

    @unittest.skipUnless(PROMTOOL, "promtool is not installed")
    def test_the_rules_are_ones_of_prometheus(self):
        said = subprocess.run([PROMTOOL, "check", "rules", FOLDER / "prometheus-rules.yml"],
                              capture_output=True, text=True, timeout=TIME_LIMIT)
        self.assertEqual(said.returncode, 0, said.stdout + said.stderr)


if __name__ == "__main__":
    unittest.main()
