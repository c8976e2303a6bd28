"""The Compose files of docker/: they are what the specification of Compose knows, build images that
there are, name settings that there are, and have no secret in them."""

import json
import re
import unittest

import yaml

from scribed_command import ROOT

FILES = sorted((ROOT / "docker").glob("compose*.yaml"))
SCHEMA = ROOT / ".deps/tools/compose-spec.json"
EXAMPLE = ROOT / "docker/cluster.env.example"


def services():
    for file in FILES:
        for name, service in yaml.safe_load(file.read_text())["services"].items():
            yield f"{file.name}: {name}", service


class ComposeTest(unittest.TestCase):
    def test_the_specification_of_compose_knows_every_field(self):
        if not SCHEMA.exists():
            self.skipTest("no tools for charts (scripts/chart_tools)")
        import jsonschema
        checker = jsonschema.Draft202012Validator(json.loads(SCHEMA.read_text()))
        for file in FILES:
            problems = [f"{list(one.path)}: {one.message}"
                        for one in checker.iter_errors(yaml.safe_load(file.read_text()))]
            self.assertEqual(problems, [], file.name)
        self.assertTrue(list(checker.iter_errors({"services": {"a": {"imagee": "b"}}})))

    def test_images_of_ours_are_stages_of_the_dockerfile(self):
        stages = re.findall(r"^FROM \S+ AS (\S+)$", (ROOT / "docker/Dockerfile").read_text(), re.M)
        for name, service in services():
            if service["image"].startswith("scribed:"):
                self.assertIn(service["image"].removeprefix("scribed:"), stages, name)
                self.assertEqual("scribed:" + service["build"]["target"], service["image"], name)

    def test_variables_are_settings(self):
        known = set(re.findall(r"SCRIBED_[A-Z0-9_]+",
                               (ROOT / "packaging/config.toml").read_text()))
        for name, service in services():
            used = {key for key in service.get("environment", {}) if key.startswith("SCRIBED_")}
            self.assertEqual(used - known, set(), name)

    def test_secrets_come_from_the_file_of_the_user(self):
        for name, service in services():
            for key, value in service.get("environment", {}).items():
                if re.search("PASSWORD|SECRET|KEY|DATABASE", key):
                    self.assertRegex(str(value), r"\$\{[A-Z_]+:[?-]", f"{name}: {key}")
        for line in EXAMPLE.read_text().splitlines():
            self.assertRegex(line, r"^#|^[A-Z_]+=$")

    def test_the_example_names_every_variable_that_is_needed(self):
        named = set(re.findall(r"^([A-Z_]+)=", EXAMPLE.read_text(), re.M))
        needed = set(re.findall(r"\$\{([A-Z_]+):\?", (ROOT / "docker/compose.cluster.yaml").read_text()))
        self.assertEqual(needed, named)

    def test_the_cluster_has_a_gateway_and_two_workers(self):
        parts = yaml.safe_load((ROOT / "docker/compose.cluster.yaml").read_text())["services"]
        self.assertEqual(parts["gateway"]["command"], ["serve", "--role", "gateway"])
        self.assertEqual(parts["worker"]["command"], ["serve", "--role", "worker"])
        self.assertEqual(parts["worker"]["deploy"]["replicas"], 2)
        self.assertNotIn("volumes", parts["gateway"], "it has no model")


if __name__ == "__main__":
    unittest.main()
