"""Receives webhooks and writes each into the history. Now and then it refuses one, which has to
come again."""

import http.server
import json
import random
import threading

REFUSES = 0.03  # of all calls


class WebhookReceiver(http.server.ThreadingHTTPServer):
    daemon_threads = True
    request_queue_size = 128

    def __init__(self, history, seed):
        super().__init__(("127.0.0.1", 0), Handler)
        self.history = history
        self.draw = random.Random(f"webhooks {seed}")
        self.lock = threading.Lock()
        self.heard = set()
        self.thread = threading.Thread(target=self.serve_forever, daemon=True)
        self.thread.start()

    @property
    def url(self):
        return f"http://127.0.0.1:{self.server_port}/hook"

    def take(self, headers, body):
        """The status of the answer."""
        with self.lock:
            status = 500 if self.draw.random() < REFUSES else 200
            if status == 200:
                self.heard.add(body["data"]["id"])
        self.history.note("receiver", "webhook", {
            "job": body["data"]["id"], "webhook_id": headers.get("webhook-id"),
            "status": body["data"]["status"], "type": body["type"]}, status)
        return status

    def end(self):
        self.shutdown()
        self.thread.join()
        self.server_close()


class Handler(http.server.BaseHTTPRequestHandler):
    def do_POST(self):
        body = json.loads(self.rfile.read(int(self.headers["content-length"])))
        self.send_response(self.server.take(self.headers, body))
        self.send_header("content-length", "0")
        self.end_headers()

    def log_message(self, *_):
        pass
