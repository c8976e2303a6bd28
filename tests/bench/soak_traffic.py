"""What the clients of soak.py do: each function is one client's visit, and says how it ended."""

import http.client
import json
import random
import socket
import struct
import sys
import pathlib

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "integration"))
from bad_requests_test import REQUESTS, send  # noqa: E402
from daemon import FORM_TYPE, form  # noqa: E402
from mcp_host import MODERN  # noqa: E402

TIME_LIMIT = 120
TRANSCRIBE = "/v1/audio/transcriptions"


class Visitor:
    """Sends requests, and tells `note(kind, status, body, headers)` of each answer."""

    def __init__(self, port, keys, sounds, hook, models, note):
        self.port, self.keys, self.sounds, self.hook = port, keys, sounds, hook
        self.models, self.note = models, note

    def ask(self, kind, method, path, body=None, headers=None, key="user"):
        connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=TIME_LIMIT)
        try:
            connection.request(method, path, body,
                               {"Authorization": f"Bearer {self.keys[key]}", **(headers or {})})
            answer = connection.getresponse()
            content = answer.read()
            self.note(kind, answer.status, content, answer.headers)
            return answer.status, content
        finally:
            connection.close()

    def ask_form(self, kind, path, fields, sound=None):
        return self.ask(kind, "POST", path, form(fields, sound), {"Content-Type": FORM_TYPE})

    def sound(self):
        return random.choice(self.sounds)

    def submit(self, kind, *fields):
        status, body = self.ask_form(kind, "/v1/jobs", fields, self.sound())
        return json.loads(body)["id"] if status == 202 else None

    def open(self, head, body=b""):
        """A connection on which a request was begun."""
        client = socket.create_connection(("127.0.0.1", self.port), TIME_LIMIT)
        head = f"{head}\nHost: localhost\nAuthorization: Bearer {self.keys['user']}\n\n"
        client.sendall(head.replace("\n", "\r\n").encode() + body)
        return client

    # Visits

    def transcribe(self):
        style = random.choice(["json", "verbose_json", "srt"])
        self.ask_form("transcribe", TRANSCRIBE,
                      [("model", "whisper-1"), ("response_format", style)], self.sound())

    def transcribe_stream(self):
        self.ask_form("transcribe, stream", TRANSCRIBE, [("model", "whisper-1"), ("stream", "true")],
                      self.sound())

    def transcribe_and_leave(self):
        body = form([("model", "whisper-1")], self.sound())
        client = self.open(f"POST {TRANSCRIBE} HTTP/1.1\nContent-Type: {FORM_TYPE}\n"
                           f"Content-Length: {len(body)}", body)
        client.settimeout(random.uniform(0, 0.5))
        self.leave("transcribe, client left", client)

    def job(self):
        job = self.submit("job: submit")
        if not job:
            return
        self.ask("job: events", "GET", f"/v1/jobs/{job}/events")
        style = random.choice(["txt", "srt", "vtt", "json"])
        self.ask("job: transcript", "GET", f"/v1/jobs/{job}/transcript?format={style}")
        if random.random() < 0.5:
            self.ask("job: delete", "DELETE", f"/v1/jobs/{job}")

    def follow_and_leave(self):
        job = self.submit("job: submit")
        if job:
            client = self.open(f"GET /v1/jobs/{job}/events HTTP/1.1")
            client.settimeout(random.uniform(0, 1))
            self.leave("job: events, client left", client)

    def cancel(self):
        job = self.submit("job: submit")
        if job:
            self.ask("job: cancel", "DELETE", f"/v1/jobs/{job}")

    def webhook(self):
        self.submit("job: with a webhook", ("webhook_url", self.hook))

    def upload(self):
        status, body = self.ask_form("upload", "/v1/uploads", [], self.sound())
        if status in (200, 201):
            upload = json.loads(body)["id"]
            self.ask_form("upload: transcribe", TRANSCRIBE,
                          [("model", "whisper-1"), ("upload", upload)])

    def upload_and_break_off(self):
        body = form([], self.sound())
        client = self.open(f"POST /v1/uploads HTTP/1.1\nContent-Type: {FORM_TYPE}\n"
                           f"Content-Length: {len(body)}", body[:random.randrange(len(body))])
        client.settimeout(0.05)
        self.leave("upload, broken off", client)

    def leave(self, kind, client):
        """Reads for a moment and goes, every other time with a reset."""
        with client:
            try:
                client.recv(4096)
            except OSError:
                pass
            if random.random() < 0.5:
                client.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
        self.note(kind, "left", b"", {})

    def half_header(self):
        with socket.create_connection(("127.0.0.1", self.port), TIME_LIMIT) as client:
            client.sendall(b"GET /livez HTTP/1.1\r\nHo")
        self.note("half a header", "left", b"", {})

    def bad_request(self):
        _, data, *_ = random.choice(REQUESTS)
        key = f"Host: localhost\r\nAuthorization: Bearer {self.keys['user']}\r\n".encode()
        status, code = send(self.port, data.replace(b"Host: localhost\r\n", key, 1))
        self.note("bad request", status, code.encode(), {})

    def read(self):
        path = random.choice(["/livez", "/readyz", "/health", "/metrics", "/v1/status", "/v1/ps",
                              "/v1/models", "/v1/jobs?limit=100", "/docs", "/openapi.json",
                              "/nothing"])
        self.ask(f"GET {path}", "GET", path)

    def mcp(self, kind, method, headers, **params):
        body = {"jsonrpc": "2.0", "id": 1, "method": method, "params": params}
        return self.ask(kind, "POST", "/mcp", json.dumps(body),
                        {"Content-Type": "application/json",
                         "Accept": "application/json, text/event-stream", **headers})

    def mcp_modern(self):
        _, body = self.ask_form("upload", "/v1/uploads", [], self.sound())
        handle = json.loads(body).get("handle", "upload://none")
        for tool, arguments in (("transcribe", {"upload": handle}), ("list_jobs", {}), ("status", {})):
            headers = {"Mcp-Method": "tools/call", "Mcp-Name": tool,
                       "MCP-Protocol-Version": "2026-07-28"}
            self.mcp(f"MCP 2026: {tool}", "tools/call", headers, name=tool, arguments=arguments,
                     _meta=MODERN)

    def mcp_legacy(self):
        client = {"name": "soak", "version": "1"}
        self.mcp("MCP 2025: initialize", "initialize", {}, protocolVersion="2025-06-18",
                 capabilities={}, clientInfo=client)
        headers = {"MCP-Protocol-Version": "2025-06-18"}
        self.mcp("MCP 2025: tools/list", "tools/list", headers)
        _, body = self.ask_form("upload", "/v1/uploads", [], self.sound())
        handle = json.loads(body).get("handle", "upload://none")
        self.mcp("MCP 2025: transcribe", "tools/call", headers, name="transcribe",
                 arguments={"upload": handle})

    def change_models(self):
        model = random.choice(self.models)
        verb = random.choice(["load", "unload"])
        self.ask(f"model: {verb}", "POST", f"/v1/models/{model}/{verb}", key="manager")


# How often each kind of visitor occurs among all visits.
VISITS = {Visitor.transcribe: 6, Visitor.transcribe_stream: 4, Visitor.transcribe_and_leave: 3,
          Visitor.job: 6, Visitor.follow_and_leave: 3, Visitor.cancel: 3, Visitor.webhook: 2,
          Visitor.upload: 3, Visitor.upload_and_break_off: 3, Visitor.half_header: 3,
          Visitor.bad_request: 12, Visitor.read: 12, Visitor.mcp_modern: 3, Visitor.mcp_legacy: 3,
          Visitor.change_models: 1}


def visit(visitor):
    random.choices(list(VISITS), list(VISITS.values()))[0](visitor)
