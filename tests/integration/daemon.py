"""`scribed serve` under test: started on a free port of loopback, with a folder of its own."""

import http.client
import json
import re
import signal
import subprocess
import threading
import uuid

from scribed_command import TIME_LIMIT, FakeWorkerTest, wait_for, write_silence

BOUNDARY = "scribed-test-boundary"


def form(fields, file=None, file_name="talk.wav"):
    """A multipart body of (name, value) pairs and a file's bytes. A name's lone surrogates stand for
    bytes that are no UTF-8, as in Python's own file names."""
    parts = []
    for name, value in fields:
        parts.append(f'--{BOUNDARY}\r\nContent-Disposition: form-data; name="{name}"\r\n\r\n'
                     f"{value}\r\n".encode())
    if file is not None:
        parts.append(f'--{BOUNDARY}\r\nContent-Disposition: form-data; name="file"; '
                     f'filename="{file_name}"\r\nContent-Type: audio/wav\r\n\r\n'
                     .encode(errors="surrogateescape") + file + b"\r\n")
    return b"".join(parts) + f"--{BOUNDARY}--\r\n".encode()


FORM_TYPE = f"multipart/form-data; boundary={BOUNDARY}"


class Answer:
    def __init__(self, response):
        self.status = response.status
        self.headers = response.headers
        self.body = response.read()

    @property
    def json(self):
        return json.loads(self.body)

    @property
    def text(self):
        return self.body.decode()


class Daemon:
    def __init__(self, scribed, environment, *options):
        self.lines = []
        self.process = subprocess.Popen(
            [scribed, "serve", "--listen", "127.0.0.1:0", *map(str, options)],
            env=environment, stderr=subprocess.PIPE, stdout=subprocess.DEVNULL, text=True)
        self.port = None
        self.reader = threading.Thread(target=self._read)
        self.reader.start()
        try:
            wait_for(lambda: self.port or self.process.poll() is not None, "the daemon")
        finally:
            if self.port is None:
                self.end()
        if self.port is None:
            raise AssertionError("no daemon: " + "".join(self.lines))

    def _read(self):
        for line in self.process.stderr:
            self.lines.append(line)
            found = re.search(r"msg=listening .*port=(\d+)", line)
            if found:
                self.port = int(found[1])

    def request(self, method, path, body=None, headers=None):
        connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=TIME_LIMIT)
        try:
            connection.request(method, path, body, headers or {})
            return Answer(connection.getresponse())
        finally:
            connection.close()

    def get(self, path, **headers):
        return self.request("GET", path, headers=headers)

    def post_form(self, path, fields, file=None, headers=None, **more):
        return self.request("POST", path, form(fields, file, **more),
                            {"Content-Type": FORM_TYPE, **(headers or {})})

    def submit(self, sound, **fields):
        answer = self.post_form("/v1/jobs", fields.items(), sound)
        assert answer.status == 202, answer.text
        return answer.json["id"]

    def job(self, job):
        return self.get(f"/v1/jobs/{job}").json

    def wait_for_job(self, job):
        return wait_for(lambda: (found := self.job(job))["status"] in
                        ("done", "failed", "cancelled") and found, f"the end of {job}")

    def log(self):
        """What has come until now; a line of something that was answered may come a moment later."""
        return "".join(self.lines)

    def wait_for_log(self, text):
        wait_for(lambda: text in self.log(), f"{text} in the log")

    def terminate(self):
        """When it has ended, the log is whole."""
        self.process.send_signal(signal.SIGTERM)
        status = self.process.wait(TIME_LIMIT)
        self.reader.join(TIME_LIMIT)
        return status

    def kill(self):
        self.process.kill()
        self.end()

    def end(self):
        if self.process.poll() is None:
            self.process.kill()
        self.process.wait()
        self.reader.join()
        self.process.stderr.close()


class DaemonTest(FakeWorkerTest):
    """The real daemon and decoder with the fake worker."""

    def setUp(self):
        super().setUp()
        self.state = self.folder / "state"
        self.environment |= {"HOME": str(self.folder), "SCRIBED_DATA_DIR": str(self.folder)}
        for variable in ("SCRIBED_API_KEY", "SCRIBED_CONFIG", "XDG_CONFIG_HOME"):
            self.environment.pop(variable, None)

    def sound(self, seconds, channels=1):
        path = self.folder / f"{uuid.uuid4().hex}.wav"
        write_silence(path, seconds, channels)
        return path.read_bytes()

    def start(self, *options, model=None):
        daemon = Daemon(self.scribed, self.environment, "--model", model or self.model,
                        "--state-folder", self.state, *options)
        self.addCleanup(daemon.end)
        return daemon
