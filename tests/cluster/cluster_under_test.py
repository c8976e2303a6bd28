"""PostgreSQL, a bucket, and the daemons that share them, all on 127.0.0.1. With toxiproxy each
daemon has ways of its own to both."""

import base64
import json
import os
import pathlib
import shutil
import signal
import subprocess
import tempfile

from cluster.job_plan import OWNERS
from cluster.nodes import Node, NodeSettings
from cluster.toxiproxy import Toxiproxy, program
from postgres_server import PostgresServer
from s3_server import KEY, SECRET, S3Server, free_port
from scribed_command import FAKE, bin_folder, processes, wait_for

LEASE_S = 3
SMALL_DISK = "96m"
SERVICES = ("database", "bucket")


def key_of(owner):
    return f"{owner}-has-a-key-for-tests"


class Cluster:
    """`roles` has the role of each node by its name. `data` is a folder with models, of which
    `model` is used; without it the fake worker works."""

    def __init__(self, roles, parallel=4, model=None, data=None, lease_s=LEASE_S,
                 keeps_sound=False):
        self.folder = pathlib.Path(tempfile.mkdtemp(prefix="scribed-cluster-"))
        self.proxy = self.postgres = self.bucket = None
        self.nodes, self.small_disks = {}, []
        try:
            self.proxy = Toxiproxy() if program() else None
            self.postgres = PostgresServer(port=free_port())
            self.bucket = S3Server()
            settings = self._settings(parallel, lease_s, model, data, keeps_sound)
            for name, role in roles.items():
                self.nodes[name] = self._node(name, role, settings)
        except BaseException:
            self.end()
            raise

    def _libexec(self, is_fake):
        binaries, libexec = bin_folder(), self.folder / "libexec"
        libexec.mkdir()
        (libexec / "scribed-decode").symlink_to(binaries / "scribed-decode")
        (libexec / "scribed-worker").symlink_to(
            binaries.parent / "tests" / FAKE if is_fake else binaries / "scribed-worker")
        return libexec

    def _settings(self, parallel, lease_s, model, data, keeps_sound):
        libexec = self._libexec(model is None)
        if model is None:
            model, data = self.folder / "model", self.folder
            model.mkdir()
        secret, keys = self.folder / "secret", self.folder / "keys"
        secret.write_text("whsec_" + base64.b64encode(bytes(range(32))).decode())
        keys.write_text("".join(f"{owner} {key_of(owner)}\n" for owner in OWNERS))
        for file in (secret, keys):
            file.chmod(0o600)
        values = {"cluster.lease_s": lease_s, "jobs.parallel": parallel,
                  # Faults take many attempts from a job that is not to blame.
                  "jobs.max_attempts": 20, "jobs.max_waiting": 100_000,
                  "jobs.max_waiting_per_owner": 100_000,
                  "jobs.keep_audio": str(keeps_sound).lower(),
                  "inputs.min_free_bytes": 1 << 20, "server.max_connections_per_address": 2048,
                  "server.drain_s": 1, "webhooks.secret_file": secret,
                  "webhooks.allow_hosts": "127.0.0.1"}
        options = [word for name, value in values.items() for word in ("--set", f"{name}={value}")]
        environment = {**os.environ, "HOME": str(self.folder), "GPU_BACKEND": "cpu",
                       "SCRIBED_DATA_DIR": str(data), "SCRIBED_LIBEXEC": str(libexec),
                       "SCRIBED_FAKE_WORKER": "tells_level", "AWS_ACCESS_KEY_ID": KEY,
                       "AWS_SECRET_ACCESS_KEY": SECRET}
        return NodeSettings(bin_folder() / "scribed", environment,
                            ("--model", model, "--key-file", keys,
                             "--objects", "s3://recordings/jobs", *options))

    def way(self, node, service):
        """The name of a node's way to a service."""
        return f"{node}-{service}"

    def _node(self, name, role, settings):
        ports = {"database": self.postgres.port, "bucket": self.bucket.port}
        if self.proxy:
            ports = {service: self.proxy.add(self.way(name, service), port)
                     for service, port in ports.items()}
        address = f"postgresql://scribed@127.0.0.1:{ports['database']}/postgres"
        endpoint = f"http://127.0.0.1:{ports['bucket']}"
        return Node(name, role, self.folder, settings, {"SCRIBED_DATABASE": address},
                    ("--set", f"cluster.objects_endpoint={endpoint}"))

    def give_small_disk(self, node):
        """Puts the state folder of a node that has not started on a small disk of its own, where
        this user may mount one."""
        node.state.mkdir(exist_ok=True)
        mounted = subprocess.run(["mount", "-t", "tmpfs", "-o", f"size={SMALL_DISK}", "tmpfs",
                                  node.state], capture_output=True).returncode == 0
        if mounted:
            self.small_disks.append(node.name)
        return mounted

    def start(self):
        for node in self.nodes.values():
            node.start()
        for node in self.nodes.values():
            node.wait_until_ready()

    def those_that(self, does):
        return [node for node in self.nodes.values() if does(node)]

    def rows(self, sql):
        """The rows of a query as objects, by a way that no fault is on; None where the server is
        away."""
        answer = self.postgres.ask(f"SELECT json_agg(row) FROM ({sql}) AS row")
        if answer.returncode != 0:
            return None
        return json.loads(answer.stdout.strip() or "null") or []

    def crash_database(self):
        """Kills every process of PostgreSQL; a server that has children left does not start."""
        postmaster = self.postgres.process
        family = {pid for pid, (parent, _) in processes().items() if parent == postmaster.pid}
        self.postgres.stop(signal.SIGKILL)
        for pid in family:
            try:
                os.kill(pid, signal.SIGKILL)
            except ProcessLookupError:
                pass
        wait_for(lambda: not family & set(processes()), "the end of PostgreSQL's processes")

    def start_database(self):
        if self.postgres.process is None:
            self.postgres.start()

    def open_jobs(self):
        rows = self.rows("SELECT count(*) AS n FROM scribed.jobs WHERE state <= 1")
        return rows[0]["n"] if rows else None

    def end(self):
        for node in self.nodes.values():
            node.signal(signal.SIGCONT)
            node.kill()
        for name in self.small_disks:
            subprocess.run(["umount", "-l", self.nodes[name].state], check=False)
        for part in (self.bucket, self.postgres, self.proxy):
            if part:
                part.end()
        shutil.rmtree(self.folder, ignore_errors=True)
