"""Many clients at once: of the real server, or of an engine that takes one call at a time."""

import contextlib
import http.client
import json
import os
import queue
import re
import subprocess
import threading
import time
import uuid

from evaluate.engines import EngineError, Transcription

TIME_LIMIT_S = 600


def _form(fields, file):
    boundary = uuid.uuid4().hex
    parts = []
    for name, value in fields.items():
        head = f'--{boundary}\r\nContent-Disposition: form-data; name="{name}"\r\n\r\n'
        parts.append(f"{head}{value}\r\n".encode())
    head = f'--{boundary}\r\nContent-Disposition: form-data; name="file"; filename="{file.name}"'
    parts.append(f"{head}\r\n\r\n".encode() + file.read_bytes() + f"\r\n--{boundary}--\r\n".encode())
    return b"".join(parts), f"multipart/form-data; boundary={boundary}"


@contextlib.contextmanager
def _scribed(bench, spec, folder):
    compute_type = (spec.split(":") + [""])[1] or "auto"
    command = [bench.scribed, "serve", "--listen", "127.0.0.1:0", "--model", bench.model]
    command += ["--compute-type", compute_type, "--threads", str(bench.settings.threads)]
    command += ["--state-folder", folder, "--set", "jobs.parallel=8"]
    command += ["--set", f"transcription.beam_size={max(1, bench.settings.beam_size)}"]
    environment = {k: v for k, v in os.environ.items() if k != "SCRIBED_API_KEY"}
    reader = None
    server = subprocess.Popen(command, stderr=subprocess.PIPE, text=True, env=environment)
    try:
        port = None
        for line in server.stderr:
            if found := re.search(r"msg=listening .*port=(\d+)", line):
                port = int(found[1])
                break
        if port is None:
            raise EngineError("scribed serve did not start")
        # Its log must be read on, or the server would wait for a place to write to.
        reader = threading.Thread(target=server.stderr.read)
        reader.start()

        def ask(file):
            fields = {"model": "whisper-1", "language": bench.settings.language or "en"}
            fields |= {"temperature": "0", "response_format": "json"}
            body, kind = _form(fields, file)
            connection = http.client.HTTPConnection("127.0.0.1", port, timeout=TIME_LIMIT_S)
            began = time.monotonic()
            connection.request("POST", "/v1/audio/transcriptions", body, {"Content-Type": kind})
            answer = connection.getresponse()
            content = json.loads(answer.read())
            took = time.monotonic() - began
            connection.close()
            if answer.status != 200:
                return Transcription("", "?", took, str(content))
            return Transcription(content["text"], "en", took)

        yield ask
    finally:
        server.terminate()
        server.wait()
        if reader:
            reader.join()


@contextlib.contextmanager
def _one_at_a_time(bench, spec):
    engine = bench.engine(spec)
    turn = threading.Lock()

    def ask(file):
        began = time.monotonic()
        with turn:
            (result,) = engine.transcribe([file])
        result.seconds = time.monotonic() - began  # waiting for the turn counts
        return result

    try:
        yield ask
    finally:
        engine.close()


def serve(bench, spec, folder):
    """A context whose value transcribes a file, from any thread; `folder` is for the server."""
    if spec.split(":")[0] == "scribed":
        return _scribed(bench, spec, folder)
    return _one_at_a_time(bench, spec)


def run(ask, files, count):
    """All files by `count` clients, who take the next one as soon as they have an answer.

    Returns the transcriptions in the order of the files, and the seconds all of it took."""
    waiting = queue.SimpleQueue()
    for index in range(len(files)):
        waiting.put(index)
    results = [None] * len(files)

    def client():
        while True:
            try:
                index = waiting.get_nowait()
            except queue.Empty:
                return
            results[index] = ask(files[index])

    threads = [threading.Thread(target=client) for _ in range(count)]
    began = time.monotonic()
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    return results, time.monotonic() - began
