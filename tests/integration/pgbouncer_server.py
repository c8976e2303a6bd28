"""pgbouncer between transactions, before a server of PostgreSQL (postgres_server.py): a connection of
a client has the server's connection of whoever had it last, for one transaction at a time."""

import os
import pathlib
import shutil
import signal
import subprocess
import tempfile
import unittest

from postgres_server import other_user
from s3_server import free_port
from scribed_command import TIME_LIMIT, wait_for

SETTINGS = """[databases]
postgres = host={server} port=5432 dbname=postgres user=scribed

[pgbouncer]
listen_addr = 127.0.0.1
listen_port = {port}
unix_socket_dir =
auth_type = any
pool_mode = transaction
default_pool_size = {connections}
server_round_robin = 1
"""


def program():
    found = shutil.which("pgbouncer", path=f"{os.environ.get('PATH', '')}:/usr/sbin")
    if not found:
        raise unittest.SkipTest("no pgbouncer is installed")
    return found


class PgbouncerServer:
    def __init__(self, postgres, connections=2):
        self.program, self.postgres, self.connections = program(), postgres, connections
        self.port = free_port()
        self.folder = pathlib.Path(tempfile.mkdtemp(prefix="scribed-pgbouncer-"))
        settings = self.folder / "pgbouncer.ini"
        settings.write_text(SETTINGS.format(server=postgres.folder, port=self.port,
                                            connections=connections), encoding="utf-8")
        user = other_user()
        if user:  # root cannot run it
            os.chown(self.folder, user["user"], user["group"])
        self.process = subprocess.Popen([self.program, settings], cwd=self.folder,
                                        stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, **user)
        try:
            wait_for(lambda: self.ask("SELECT 1") == "1", "pgbouncer")
        except BaseException:
            self.end()
            raise

    @property
    def address(self):
        return f"postgresql://scribed@127.0.0.1:{self.port}/postgres"

    def _begin_to_ask(self, sql):
        return subprocess.Popen([self.postgres.programs / "psql", self.address, "-AtX", "-c", sql],
                                stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True)

    def ask(self, sql):
        return self._begin_to_ask(sql).communicate(timeout=TIME_LIMIT)[0].strip()

    def ask_each_connection(self, sql):
        """What a query returns in each of the server's connections, by the process. Only clients that
        ask at one time are given several."""
        slow, found = f"SELECT pg_backend_pid(), ({sql}) FROM pg_sleep(0.1)", {}

        def ask():
            asking = [self._begin_to_ask(slow) for _ in range(self.connections)]
            for one in asking:
                process, _, answer = one.communicate(timeout=TIME_LIMIT)[0].strip().partition("|")
                found[process] = answer
            return len(found) >= self.connections
        wait_for(ask, "each connection")
        return found

    def end(self):
        if self.process.poll() is None:
            self.process.send_signal(signal.SIGKILL)
        self.process.wait(TIME_LIMIT)
        shutil.rmtree(self.folder, ignore_errors=True)
