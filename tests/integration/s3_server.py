"""versitygw, a server of S3 over a folder of its own. scripts/s3_server installs it."""

import os
import pathlib
import shutil
import signal
import socket
import subprocess
import tempfile
import unittest

from scribed_command import TIME_LIMIT, wait_for

ROOT = pathlib.Path(__file__).resolve().parents[2]
KEY, SECRET = "tester", "not-a-secret"


def program():
    path = f"{ROOT / '.deps/s3_server'}:{os.environ.get('PATH', '')}"
    found = shutil.which("versitygw", path=path)
    if not found:
        raise unittest.SkipTest("no S3 server is installed")
    return found


def free_port():
    with socket.socket() as listener:
        listener.bind(("127.0.0.1", 0))
        return listener.getsockname()[1]


class S3Server:
    def __init__(self):
        self.program = program()
        self.folder = pathlib.Path(tempfile.mkdtemp(prefix="scribed-s3-"))
        self.bucket = self.folder / "data" / "recordings"
        self.bucket.mkdir(parents=True)
        (self.folder / "meta").mkdir()
        self.port = free_port()
        self.process = None
        self.start()

    @property
    def address(self):
        return f"http://127.0.0.1:{self.port}"

    def start(self):
        self.process = subprocess.Popen(
            [self.program, "--quiet", "--port", f"127.0.0.1:{self.port}", "posix",
             "--sidecar", self.folder / "meta", self.folder / "data"],
            env={**os.environ, "ROOT_ACCESS_KEY_ID": KEY, "ROOT_SECRET_ACCESS_KEY": SECRET},
            stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        wait_for(self.listens, "the S3 server")

    def listens(self):
        with socket.socket() as client:
            return client.connect_ex(("127.0.0.1", self.port)) == 0

    def names(self):
        """The objects of the bucket; folders may vanish meanwhile, which os.walk leaves out."""
        names = [os.path.relpath(os.path.join(folder, file), self.bucket)
                 for folder, _, files in os.walk(self.bucket) for file in files]
        return sorted(name for name in names if not name.startswith("."))

    def signal(self, number):
        self.process.send_signal(number)

    def stop(self):
        if self.process:
            self.signal(signal.SIGKILL)
            self.process.wait(TIME_LIMIT)
            self.process = None

    def end(self):
        self.stop()
        shutil.rmtree(self.folder, ignore_errors=True)
