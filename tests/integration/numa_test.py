"""A daemon on two NUMA nodes, with real weights: a worker on each, on the CPUs of its node alone.

  SCRIBED_MODELS       folder with the model tiny.en (default: those of .deps/data)
  SCRIBED_RECORDINGS   see recordings.py

The nodes are played: a tree of /proc and /sys in which two CPUs of this machine are a node each.
"""

import json
import os
import pathlib
import shutil
import subprocess
import tempfile
import unittest

from daemon import Daemon
from fake_machine import FakeMachine
from recordings import fast_program, recording
from scribed_command import ROOT, processes, wait_for

MODELS = pathlib.Path(os.environ.get("SCRIBED_MODELS", ROOT / ".deps/data/models"))
TALKS = ("en-congrats.wav", "en-instruct.wav")
PLAIN = {"language": "en", "temperature": "0"}


def cpu_list(pid):
    """The CPUs that a process may run on, as the kernel writes them."""
    for line in pathlib.Path(f"/proc/{pid}/status").read_text().splitlines():
        if line.startswith("Cpus_allowed_list:"):
            return line.split()[1]
    raise AssertionError(f"no CPUs of {pid}")


class NumaTest(unittest.TestCase):
    def setUp(self):
        usable = sorted(os.sched_getaffinity(0))
        if len(usable) < 2:
            self.skipTest("one CPU")
        self.cpus = usable[:2]
        if not (MODELS / "tiny.en").is_dir():
            self.skipTest(f"no {MODELS / 'tiny.en'}")
        self.folder = pathlib.Path(tempfile.mkdtemp(prefix="scribed-numa-"))
        self.addCleanup(shutil.rmtree, self.folder, ignore_errors=True)
        self.machine = FakeMachine(self.folder / "machine", "/nonexistent")
        self.machine.text("proc/cpuinfo", self.cpuinfo())
        self.machine.text("proc/meminfo", "MemTotal: 65536000 kB\nMemAvailable: 49152000 kB\n")
        self.environment = {**self.machine.environment,
                            "SCRIBED_LIBEXEC": str(fast_program().parent),
                            "SCRIBED_DATA_DIR": str(MODELS.parent),
                            "HOME": str(self.folder)}

    def cpuinfo(self):
        """What the kernel says of this machine, for the two CPUs, each as a core of its own."""
        parts = pathlib.Path("/proc/cpuinfo").read_text().split("\n\n")
        lines = [line for line in parts[0].splitlines()
                 if line.partition("\t")[0] not in ("processor", "core id", "physical id")]
        return "".join("\n".join([f"processor\t: {cpu}", *lines, f"core id\t: {cpu}"]) + "\n\n"
                       for cpu in self.cpus)

    def nodes(self, *lists):
        for node, cpus in enumerate(lists):
            self.machine.text(f"sys/devices/system/node/node{node}/cpulist", f"{cpus}\n")

    def start(self, *options):
        daemon = Daemon(fast_program(), self.environment, "--model", "tiny.en",
                        "--state-folder", self.folder / "state", *options)
        self.addCleanup(daemon.end)
        return daemon

    def workers(self, daemon):
        return sorted(cpu_list(pid) for pid, (parent, name) in processes().items()
                      if parent == daemon.process.pid and name == "scribed-worker")

    def devices(self, daemon):
        models = daemon.get("/v1/ps").json["models"]
        return [device["device"] for model in models for device in model["devices"]
                if not device["loading"]]

    def text_alone(self, name):
        """What a command hears, which has one worker whatever the machine has."""
        done = subprocess.run([fast_program(), "transcribe", "--quiet", "--model", "tiny.en", "--format", "json",
                               "--language", "en", "--temperature", "0", "--compute-type", "float32", "--threads", "1",
                               recording(name)], env=self.environment, capture_output=True, text=True, timeout=300)
        self.assertEqual(done.returncode, 0, done.stderr)
        return json.loads(done.stdout)["text"]

    def talk(self, name):
        return recording(name).read_bytes()

    def test_jobs_at_the_same_time_run_on_nodes_of_their_own(self):
        self.nodes(*self.cpus)
        daemon = self.start("--set", "model.compute_type=float32")
        busy = daemon.submit(self.talk(TALKS[0]), **PLAIN)
        wait_for(lambda: self.devices(daemon) == ["cpu:0"], "the first worker")
        self.assertEqual(self.workers(daemon), [str(self.cpus[0])])
        jobs = [busy]

        def both_are_loaded():
            if all(daemon.job(job)["status"] == "done" for job in jobs[-2:]):
                jobs.extend(daemon.submit(self.talk(name), **PLAIN) for name in TALKS)
            return self.devices(daemon) == ["cpu:0", "cpu:1"]

        wait_for(both_are_loaded, "the second worker")
        self.assertEqual(self.workers(daemon), [str(cpu) for cpu in self.cpus])
        for job in jobs:
            self.assertEqual(daemon.wait_for_job(job)["status"], "done")
        last = [daemon.submit(self.talk(name), **PLAIN) for name in TALKS]
        ended = [daemon.wait_for_job(job) for job in last]
        self.assertEqual(sorted(job["device"] for job in ended), ["cpu:0", "cpu:1"])
        for name, job in zip(TALKS, last):
            self.assertEqual(daemon.get(f"/v1/jobs/{job}/transcript?format=json").json["text"],
                             self.text_alone(name))
        reason = daemon.get("/v1/ps").json["models"][0]["device_reason"]
        self.assertTrue(reason.endswith("; up to 2 workers, one on each NUMA node"), reason)
        metrics = daemon.get("/metrics").text
        for node in (0, 1):
            self.assertIn(f'scribed_model_loaded{{device="cpu:{node}",model="tiny.en"}} 1', metrics)
        self.assertIn('scribed_worker_speed{device="cpu",model="tiny.en"}', metrics)

    def one_worker_on_all(self, *options):
        daemon = self.start(*options)
        jobs = [daemon.submit(self.talk(name), **PLAIN) for name in 2 * TALKS]
        for job in jobs:
            self.assertEqual(daemon.wait_for_job(job)["device"], "cpu")
        self.assertEqual(self.devices(daemon), ["cpu"])
        self.assertEqual(self.workers(daemon), [cpu_list(os.getpid())])

    def test_one_node_has_one_worker_on_all_cpus(self):
        self.nodes("{}-{}".format(*self.cpus) if self.cpus[1] == self.cpus[0] + 1 else "{},{}".format(*self.cpus))
        self.one_worker_on_all()

    def test_a_number_of_threads_is_that_of_one_worker(self):
        self.nodes(*self.cpus)
        self.one_worker_on_all("--threads", "2")

    def doctor(self, *options):
        return subprocess.run([fast_program(), "doctor", *options], env=self.environment,
                              capture_output=True, text=True, timeout=60).stdout

    def test_doctor_tells_the_nodes(self):
        self.nodes(*self.cpus)
        self.assertIn("NUMA nodes: 0 (1 core), 1 (1 core)", " ".join(self.doctor().split()))
        nodes = json.loads(self.doctor("--json"))["facts"]["numa_nodes"]
        self.assertEqual(nodes, [{"node": node, "cores": 1, "cpus": [cpu]}
                                 for node, cpu in enumerate(self.cpus)])


if __name__ == "__main__":
    unittest.main()
