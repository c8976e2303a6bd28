"""Programs that are pages of a browser, as recorded requests: their preflight and their form, with the origin each has."""

import http.client
import json
import pathlib
import urllib.parse

from rows import KEY, KEYED_URL, WAV, heard, row, want

ORIGINS = {"Obsidian Whisper": "app://obsidian.md", "a Capacitor app": "capacitor://localhost", "a Tauri app": "tauri://localhost",
           "an extension of Chrome": "chrome-extension://nmmhkkegccagdldgiimedpiccmgmieda"}
PATH = "/v1/audio/transcriptions"


def ask(method, headers, body=None):
    address = urllib.parse.urlsplit(KEYED_URL)
    connection = http.client.HTTPConnection(address.hostname, address.port, timeout=300)
    connection.request(method, PATH, body, headers)
    answer = connection.getresponse()
    return answer.status, answer.headers, answer.read()


def transcribe(origin):
    status, headers, body = ask("OPTIONS", {"Origin": origin, "Access-Control-Request-Method": "POST",
                                            "Access-Control-Request-Headers": "authorization"})
    want(status in (200, 204) and headers["access-control-allow-origin"] in (origin, "*"), f"preflight {status}: {body.decode()}")
    want("authorization" in (headers["access-control-allow-headers"] or "").lower(), "the header for the key is not allowed")
    form = (f'--b\r\nContent-Disposition: form-data; name="model"\r\n\r\nwhisper-1\r\n--b\r\nContent-Disposition: form-data; '
            f'name="file"; filename="Recording.webm"\r\nContent-Type: audio/webm\r\n\r\n').encode()
    status, headers, body = ask("POST", {"Origin": origin, "Authorization": f"Bearer {KEY}",
                                         "Content-Type": "multipart/form-data; boundary=b"},
                                form + pathlib.Path(WAV).read_bytes() + b"\r\n--b--\r\n")
    want(status == 200 and headers["access-control-allow-origin"] in (origin, "*"), f"{status}: {body.decode()}")
    return heard(json.loads(body)["text"])


for program, origin in ORIGINS.items():
    row(f"{program} ({origin.split(':')[0]}:), server with keys", lambda origin=origin: transcribe(origin))
