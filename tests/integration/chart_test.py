"""The Helm chart: what it makes of its three sets of values is what Kubernetes, KEDA and
Prometheus's operator take, and what scribed knows. Nothing of it runs in a cluster here."""

import re
import subprocess
import tempfile
import unittest

import yaml

from scribed_command import ROOT

CHART = ROOT / "packaging/helm/scribed"
TOOLS = ROOT / ".deps/tools"
# What helm itself takes for granted depends on how it was built.
KUBERNETES = ("--kube-version", "1.31.0")
SETS = sorted(file.name.removesuffix("-values.yaml") for file in (CHART / "ci").iterdir())
METRIC = re.compile(r"\bscribed_[a-z_]+(?=\{)")


def tool(name):
    program = TOOLS / name
    if not program.exists():
        raise unittest.SkipTest("no tools for charts (scripts/chart_tools)")
    return program


def helm(*arguments):
    return subprocess.run([tool("helm"), *arguments], capture_output=True, text=True)


def rendered(values, *more):
    return helm("template", "test", CHART, "-n", "speech", "-f",
                CHART / f"ci/{values}-values.yaml", *KUBERNETES, *more)


def objects_of(values, *more):
    made = rendered(values, *more)
    assert made.returncode == 0, made.stderr
    return [one for one in yaml.safe_load_all(made.stdout) if one]


def of_kind(objects, kind):
    return {one["metadata"]["name"]: one for one in objects if one["kind"] == kind}


def containers_of(objects):
    for one in objects:
        spec = one.get("spec", {})
        pod = one if one["kind"] == "Pod" else spec.get("template", {})
        yield from pod.get("spec", {}).get("containers", [])


class ChartTest(unittest.TestCase):
    def setUp(self):
        tool("helm")

    def test_there_are_three_sets_of_values(self):
        self.assertEqual(SETS, ["cpu", "gpu", "small"])

    def test_helm_finds_no_fault(self):
        for values in SETS:
            checked = helm("lint", "--strict", CHART, *KUBERNETES, "-f",
                           CHART / f"ci/{values}-values.yaml")
            self.assertEqual(checked.returncode, 0, checked.stdout + checked.stderr)

    def test_kubernetes_and_keda_know_every_field(self):
        validate = tool("kubectl-validate")
        for values in SETS:
            with tempfile.NamedTemporaryFile("w", suffix=".yaml") as file:
                file.write(rendered(values).stdout)
                file.flush()
                checked = subprocess.run(
                    [validate, file.name, "--local-crds", TOOLS / "crds"],
                    capture_output=True, text=True)
            self.assertEqual(checked.returncode, 0, checked.stdout + checked.stderr)

    def test_a_wrong_field_is_found(self):
        validate = tool("kubectl-validate")
        for right, wrong in (("pollingInterval: 15", "pollingInterval: often"),
                             ("failureThreshold: 60", "failureTreshold: 60")):
            with tempfile.NamedTemporaryFile("w", suffix=".yaml") as file:
                text = rendered("gpu").stdout
                self.assertIn(right, text)
                file.write(text.replace(right, wrong))
                file.flush()
                checked = subprocess.run(
                    [validate, file.name, "--local-crds", TOOLS / "crds"],
                    capture_output=True, text=True)
            self.assertNotEqual(checked.returncode, 0, wrong)

    def test_every_variable_is_a_setting(self):
        known = set(re.findall(r"(?:SCRIBED|AWS)_[A-Z0-9_]+",
                               (ROOT / "packaging/config.toml").read_text()))
        for values in SETS:
            objects = objects_of(values)
            used = {name for one in of_kind(objects, "ConfigMap").values() for name in one["data"]}
            for container in containers_of(objects):
                used |= {variable["name"] for variable in container.get("env", [])}
            self.assertEqual(used - known, set(), values)

    def test_numbers_and_lists_are_written_as_scribed_reads_them(self):
        data = of_kind(objects_of("cpu"), "ConfigMap")["test-scribed"]["data"]
        self.assertEqual(data["SCRIBED_JOBS_MAX_WAITING"], "1000000")
        self.assertEqual(data["SCRIBED_WEBHOOKS_ALLOW_HOSTS"], "hooks.example.org")
        self.assertIn("speech.example.org", data["SCRIBED_SERVER_ALLOWED_HOSTS"].split(","))

    def test_no_secret_is_in_it(self):
        for values in SETS:
            objects = objects_of(values)
            self.assertEqual(of_kind(objects, "Secret"), {})
            for container in containers_of(objects):
                for variable in container.get("env", []):
                    secret = re.search("DATABASE|SECRET|KEY", variable["name"])
                    self.assertEqual(secret is not None, "valueFrom" in variable, variable)

    def test_pods_have_the_roles_and_images_of_their_pool(self):
        def told(values):
            deployments = of_kind(objects_of(values), "Deployment")
            return {name.removeprefix("test-scribed-"): (
                one["spec"]["template"]["spec"]["containers"][0]["args"][2],
                one["spec"]["template"]["spec"]["containers"][0]["image"])
                for name, one in deployments.items()}
        self.assertEqual(told("small"), {"both": ("both", "scribed:cpu")})
        image = "registry.example.org/speech/scribed:cpu"
        self.assertEqual(told("cpu"), {"gateway": ("gateway", image), "cpu": ("worker", image)})
        self.assertEqual(told("gpu"), {"gateway": ("gateway", "scribed:cpu"),
                                       "cpu": ("worker", "scribed:cpu"),
                                       "gpu": ("worker", "scribed:cuda")})
        stages = re.findall(r"^FROM \S+ AS (\S+)$", (ROOT / "docker/Dockerfile").read_text(), re.M)
        self.assertLessEqual({"cpu", "cuda"}, set(stages))

    def test_clients_reach_the_pods_that_accept(self):
        for values, front in (("small", "worker"), ("cpu", "gateway")):
            objects = objects_of(values)
            selector = of_kind(objects, "Service")["test-scribed"]["spec"]["selector"]
            self.assertEqual(selector["app.kubernetes.io/component"], front)
            labels = [one["spec"]["template"]["metadata"]["labels"]
                      for one in of_kind(objects, "Deployment").values()]
            self.assertTrue(any(selector.items() <= label.items() for label in labels))

    def test_pods_get_more_time_than_transcriptions(self):
        objects = objects_of("cpu", "--set", "drainSeconds=300")
        data = of_kind(objects, "ConfigMap")["test-scribed"]["data"]
        self.assertEqual(data["SCRIBED_SERVER_DRAIN_S"], "300")
        for one in of_kind(objects, "Deployment").values():
            spec = one["spec"]["template"]["spec"]
            self.assertEqual(spec["terminationGracePeriodSeconds"], 310)
            is_gateway = one["metadata"]["name"].endswith("gateway")
            self.assertEqual("lifecycle" in spec["containers"][0], is_gateway)

    def test_scaling_asks_for_metrics_that_exist(self):
        source = (ROOT / "server/metrics/metrics.cpp").read_text()
        query = of_kind(objects_of("gpu"), "ScaledObject")["test-scribed-gpu"]["spec"]["triggers"][
            0]["metadata"]["query"]
        found = METRIC.findall(query)
        self.assertEqual(sorted(found), ["scribed_queue_audio_seconds", "scribed_worker_speed"])
        for name in found:
            self.assertIn(f'"{name}"', source)

    def test_what_cannot_work_is_refused(self):
        for values, options, said in (
                ("small", ["--set", "database.existingSecret="], "existingSecret"),
                ("small", ["--set", "inputs.existingClaim="], "recordings need a place"),
                ("small", ["--set", "objects.url=s3://b"], "both set"),
                ("small", ["--set", "poolz=1"], "poolz"),
                ("small", ["--set", "settings.cluster\\.role=worker"], "cluster.role"),
                ("small", ["--set", "pools[0].replicas=0"], "no pool keeps a pod"),
                ("gpu", ["--set", "keda.prometheusAddress="], "keda.prometheusAddress"),
                ("gpu", ["--set", "pools[1].name=cpu"], "name cpu"),
                ("cpu", ["--set", "objects.existingSecret="], "credentials")):
            made = rendered(values, *options)
            self.assertNotEqual(made.returncode, 0, options)
            self.assertIn(said, made.stderr)

    def test_its_version_is_the_projects(self):
        version = re.search(r"project\(scribed VERSION (\S+)",
                            (ROOT / "CMakeLists.txt").read_text())[1]
        chart = yaml.safe_load((CHART / "Chart.yaml").read_text())
        self.assertEqual((chart["version"], chart["appVersion"]), (version, version))


if __name__ == "__main__":
    unittest.main()
