#!/usr/bin/env python3
"""Receives webhooks of scribed, and believes those that are signed with the shared secret.

    head -c 32 /dev/urandom | base64 -w0 | sed s/^/whsec_/ >secret; chmod 600 secret
    scribed serve --set webhooks.secret_file=secret --set webhooks.allow_hosts=127.0.0.1 &
    examples/webhook_receiver.py secret 9000 &
    curl -F file=@talk.wav -F webhook_url=http://127.0.0.1:9000/ http://localhost:8080/v1/jobs

The signature is that of Standard Webhooks (standardwebhooks.com). Hosts of your own network have to be
allowed; public https addresses need not.
"""

import base64
import hashlib
import hmac
import http.server
import json
import sys
import time
from pathlib import Path

OLDEST = 300  # seconds; what is older may be a replay


def is_genuine(secret, headers, body):
    """Whether somebody who knows the secret has written this, lately."""
    identifier, sent = headers.get("webhook-id", ""), headers.get("webhook-timestamp", "")
    if not sent.isdigit() or abs(time.time() - int(sent)) > OLDEST:
        return False
    key = base64.b64decode(secret.removeprefix("whsec_"))
    wanted = hmac.new(key, f"{identifier}.{sent}.".encode() + body, hashlib.sha256).digest()
    # There may be several signatures, while a secret is being changed.
    given = headers.get("webhook-signature", "").split()
    return any(hmac.compare_digest("v1," + base64.b64encode(wanted).decode(), one) for one in given)


class Handler(http.server.BaseHTTPRequestHandler):
    secret = ""
    seen = set()  # a webhook comes again until it was answered with 200 to 299

    def do_POST(self):
        body = self.rfile.read(int(self.headers.get("content-length", 0)))
        genuine = is_genuine(self.secret, self.headers, body)
        self.send_response(204 if genuine else 401)
        self.end_headers()
        if not genuine:
            print("refused: the signature is not valid", flush=True)
        elif self.headers["webhook-id"] not in self.seen:
            self.seen.add(self.headers["webhook-id"])
            event = json.loads(body)
            job = event["data"]
            print(f"{event['type']} {job['title']} {job['duration']} s", flush=True)

    def log_message(self, *_):
        pass


def main():
    if len(sys.argv) != 3:
        sys.exit(__doc__)
    Handler.secret = Path(sys.argv[1]).read_text().strip()
    server = http.server.ThreadingHTTPServer(("127.0.0.1", int(sys.argv[2])), Handler)
    print(f"listening on {server.server_port}", flush=True)
    server.serve_forever()


if __name__ == "__main__":
    main()
