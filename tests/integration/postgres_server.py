"""A server of PostgreSQL in a folder of its own: without syncs, not as root, and without TCP unless
a port of 127.0.0.1 is given."""

import os
import pathlib
import pwd
import shutil
import signal
import subprocess
import tempfile
import unittest

from scribed_command import TIME_LIMIT, wait_for


def programs():
    found = sorted(pathlib.Path("/usr/lib/postgresql").glob("*/bin/initdb"))
    if not found:
        raise unittest.SkipTest("no PostgreSQL server is installed")
    return found[-1].parent


def other_user():
    """Root cannot run it."""
    if os.geteuid() != 0:
        return {}
    names = {entry.pw_name: entry for entry in pwd.getpwall()}
    entry = names.get("postgres") or names["nobody"]
    return {"user": entry.pw_uid, "group": entry.pw_gid, "extra_groups": []}


class PostgresServer:
    def __init__(self, port=None):
        self.programs = programs()
        self.port = port
        self.folder = pathlib.Path(tempfile.mkdtemp(prefix="scribed-pg-"))
        self.user = other_user()
        if self.user:
            os.chown(self.folder, self.user["user"], self.user["group"])
        self.process = None
        try:
            subprocess.run([self.programs / "initdb", "-D", self.folder / "data", "-A", "trust",
                            "-U", "scribed", "-N", "-E", "UTF8", "--locale=C"], cwd=self.folder,
                           check=True, capture_output=True, timeout=TIME_LIMIT, **self.user)
            self.start()
        except BaseException:
            self.end()
            raise

    @property
    def address(self):
        return f"postgresql:///postgres?host={self.folder}&port={self.port or 5432}&user=scribed"

    def start(self):
        self.process = subprocess.Popen(
            [self.programs / "postgres", "-D", self.folder / "data", "-k", self.folder,
             "-c", f"listen_addresses={'127.0.0.1' if self.port else ''}",
             "-c", f"port={self.port or 5432}", "-c", "fsync=off"], cwd=self.folder,
            stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, **self.user)
        wait_for(lambda: self.ask("SELECT 1").returncode == 0, "PostgreSQL")

    def ask(self, sql):
        return subprocess.run([self.programs / "psql", "-h", self.folder, "-p",
                               str(self.port or 5432), "-U", "scribed", "-AtX", "-c", sql,
                               "postgres"], capture_output=True, text=True)

    def stop(self, how=signal.SIGINT):
        if self.process:
            self.process.send_signal(how)
            self.process.wait(TIME_LIMIT)
            self.process = None

    def end(self):
        self.stop(signal.SIGQUIT)
        shutil.rmtree(self.folder, ignore_errors=True)
