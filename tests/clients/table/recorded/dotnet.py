"""Requests as .NET's HttpClient writes them: quoted boundary, names without quotes, file names twice, lower-case charset.

MultipartFormDataContent is what OpenAI's library for .NET and Subtitle Edit build their forms with."""

import http.client
import json
import urllib.parse

BOUNDARY = "----=_3f0c7a0b-5a0e-4a9b-8f0e-1d2c3b4a5968"  # the library's own boundaries have "=" in them, too


def field(name, value):
    return f"Content-Type: text/plain; charset=utf-8\r\nContent-Disposition: form-data; name={name}\r\n\r\n{value}\r\n".encode()


def listed(name, value):
    """A name with brackets is no token, so .NET quotes it."""
    return field(f'"{name}[]"', value)


def file(body, name, kind=None):
    head = f"Content-Type: {kind}\r\n" if kind else ""
    return (f"{head}Content-Disposition: form-data; name=file; filename={name}; "
            f"filename*=utf-8''{urllib.parse.quote(name)}\r\n\r\n").encode() + body + b"\r\n"


def post(url, path, parts, key="none"):
    """Status, headers and body of the answer to a form."""
    body = b"".join(f"--{BOUNDARY}\r\n".encode() + part for part in parts) + f"--{BOUNDARY}--\r\n".encode()
    address = urllib.parse.urlsplit(url)
    connection = http.client.HTTPConnection(address.hostname, address.port, timeout=300)
    connection.request("POST", path, body, {"Authorization": f"Bearer {key}",
                                            "Content-Type": f'multipart/form-data; boundary="{BOUNDARY}"'})
    answer = connection.getresponse()
    return answer.status, answer.headers, answer.read()


def json_of(status, headers, body):
    if status != 200:
        raise AssertionError(f"{status}: {body.decode()}")
    return json.loads(body)
