#!/usr/bin/env python3
"""Hands in a recording as a job, shows how far it is, and prints the transcript.

    examples/job_progress.py lecture.mp4 srt

A job outlives this program, a lost connection and a restart of the server. SCRIBED_URL is the server
(http://localhost:8080), SCRIBED_API_KEY its key if it has one.
"""

import http.client
import json
import os
import sys
import urllib.parse
import uuid
from pathlib import Path

URL = urllib.parse.urlsplit(os.environ.get("SCRIBED_URL", "http://localhost:8080"))
HEADERS = {"Authorization": "Bearer " + os.environ.get("SCRIBED_API_KEY", "none")}


def ask(method, path, body=None, headers=None):
    """An answer that can be read; an error ends the program with its message."""
    kind = http.client.HTTPSConnection if URL.scheme == "https" else http.client.HTTPConnection
    connection = kind(URL.netloc)
    try:
        connection.request(method, path, body, {**HEADERS, **(headers or {})})
        answer = connection.getresponse()
    except OSError as error:
        sys.exit(f"{URL.geturl()}: {error}")
    if answer.status >= 400:
        sys.exit(json.load(answer)["error"]["message"])
    return answer


def submit(file):
    boundary = uuid.uuid4().hex
    body = (f'--{boundary}\r\nContent-Disposition: form-data; name="file"; filename="{file.name}"\r\n\r\n'
            .encode() + file.read_bytes() + f"\r\n--{boundary}--\r\n".encode())
    # With the same key a repeated request is the same job: so it may be tried again without harm.
    headers = {"Content-Type": f"multipart/form-data; boundary={boundary}",
               "Idempotency-Key": uuid.uuid4().hex}
    return json.load(ask("POST", "/v1/jobs", body, headers))["id"]


def follow(job):
    """The job as it is, whenever something has changed, until it has ended."""
    for line in ask("GET", f"/v1/jobs/{job}/events"):
        if line.startswith(b"data: "):
            event = json.loads(line.removeprefix(b"data: "))
            if event["type"] != "job.segment":  # those have a "segment" with times and text
                yield event["job"]


def main():
    if len(sys.argv) not in (2, 3):
        sys.exit(__doc__)
    try:
        job = submit(Path(sys.argv[1]))
    except OSError as error:
        sys.exit(str(error))
    print(f"job {job}", file=sys.stderr)
    last = None
    for last in follow(job):
        percent = "" if last["percent"] is None else f" {int(last['percent'])} %"
        print(f"{last['phase']}{percent}", file=sys.stderr)
    if last is None or last["status"] != "done":
        sys.exit(last["error"]["message"] if last and last["error"] else "The job has not ended well.")
    form = sys.argv[2] if len(sys.argv) > 2 else "txt"
    sys.stdout.write(ask("GET", f"/v1/jobs/{job}/transcript?format={form}").read().decode())


if __name__ == "__main__":
    main()
