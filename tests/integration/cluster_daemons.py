"""Daemons that share a database of PostgreSQL, and by default a folder for recordings."""

import re
import subprocess

from daemon import Daemon, DaemonTest
from postgres_server import PostgresServer

LEASE_S = 3


class ClusterDaemonsTest(DaemonTest):
    @classmethod
    def setUpClass(cls):
        super().setUpClass()
        cls.server = PostgresServer()
        cls.addClassCleanup(cls.server.end)

    def setUp(self):
        super().setUp()
        self.server.ask("DROP SCHEMA IF EXISTS scribed CASCADE")
        self.environment["SCRIBED_DATABASE"] = self.server.address
        self.shared = self.folder / "shared"

    def recordings_options(self):
        return "--set", f"cluster.inputs={self.shared}"

    def start_node(self, name, *options, parallel=1):
        daemon = Daemon(self.scribed, self.environment, "--model", self.model,
                        "--state-folder", self.folder / name,
                        *self.recordings_options(),
                        "--set", f"cluster.lease_s={LEASE_S}",
                        "--set", f"jobs.parallel={parallel}", *options)
        self.addCleanup(daemon.end)
        return daemon

    def begun_by(self, daemon):
        return set(re.findall(r'msg="job begun" job=(\w+)', daemon.log()))

    def database(self, *arguments):
        return subprocess.run([self.scribed, "database", *arguments], env=self.environment,
                              capture_output=True, text=True)

    def texts(self, daemon, job):
        return [segment["text"] for segment in
                daemon.get(f"/v1/jobs/{job}/transcript?format=json").json["segments"]]
