#!/usr/bin/env python3
"""Prints a recording's text while it is decided, by OpenAI's API and without a package.

    examples/openai_stream.py talk.mp3

With the package `openai` the same is `client.audio.transcriptions.create(model="whisper-1", file=file,
stream=True)`. SCRIBED_URL is the server (http://localhost:8080), SCRIBED_API_KEY its key if it has one.
"""

import json
import os
import sys
import urllib.error
import urllib.request
import uuid
from pathlib import Path

URL = os.environ.get("SCRIBED_URL", "http://localhost:8080")


def form(fields, file):
    """A multipart body, and its content type."""
    boundary = uuid.uuid4().hex
    parts = [f'--{boundary}\r\nContent-Disposition: form-data; name="{name}"\r\n\r\n{value}\r\n'.encode()
             for name, value in fields.items()]
    parts.append(f'--{boundary}\r\nContent-Disposition: form-data; name="file"; '
                 f'filename="{file.name}"\r\n\r\n'.encode() + file.read_bytes() + b"\r\n")
    return b"".join(parts) + f"--{boundary}--\r\n".encode(), f"multipart/form-data; boundary={boundary}"


def stream(file):
    """The pieces of the text, as they come."""
    body, content_type = form({"model": "whisper-1", "stream": "true"}, file)
    headers = {"Content-Type": content_type}
    if key := os.environ.get("SCRIBED_API_KEY"):
        headers["Authorization"] = f"Bearer {key}"
    request = urllib.request.Request(f"{URL}/v1/audio/transcriptions", body, headers)
    with urllib.request.urlopen(request) as answer:
        for line in answer:
            # Server-sent events: "data: {…}", an empty line, and ": …" while nothing has happened.
            data = line.decode().strip().removeprefix("data: ")
            if data == "[DONE]":
                return
            if not data.startswith("{"):
                continue
            event = json.loads(data)
            if "error" in event:
                sys.exit(event["error"]["message"])
            if event["type"] == "transcript.text.delta":
                yield event["delta"]


def main():
    if len(sys.argv) != 2:
        sys.exit(__doc__)
    try:
        for piece in stream(Path(sys.argv[1])):
            print(piece, end="", flush=True)
    except urllib.error.HTTPError as error:
        sys.exit(json.load(error)["error"]["message"])
    except urllib.error.URLError as error:
        sys.exit(f"{URL}: {error.reason}")
    except OSError as error:
        sys.exit(str(error))
    print()


if __name__ == "__main__":
    main()
