"""An HTTP server on loopback that answers as the Hugging Face hub does, and misbehaves on demand."""

import hashlib
import http.server
import re
import threading

COMMIT = "0123456789abcdef0123456789abcdef01234567"


class FakeHub:
    """Large files are redirected to /cdn/ with their sha256 in X-Linked-ETag, small ones are served
    at once under the hash that git gives them. All fields may be changed while it runs."""

    def __init__(self, files):
        self.files = dict(files)
        self.token = None           # a bearer token that is asked for
        self.cut_after = None       # the connection of the next large file breaks after that many bytes
        self.stall_after = None     # as above, but it hangs until release() is called
        self.wrong_sha = False      # announce a sha256 that the file does not have
        self.ignore_range = False   # answer 200 to a request for a part
        self.version = "1"          # part of the CDN's ETag
        # Answers in place of the hub where it returns True: (handler, whether a body is asked for)
        self.instead = None
        self.requests = []          # (method, path, headers)
        self.stalled = threading.Event()
        self._go = threading.Event()
        hub = self

        class Handler(_Handler):
            pass

        Handler.hub = hub
        self._server = _Server(("127.0.0.1", 0), Handler)
        self._thread = threading.Thread(target=self._server.serve_forever, daemon=True)
        self._thread.start()

    @property
    def endpoint(self):
        return f"http://127.0.0.1:{self._server.server_address[1]}"

    def release(self):
        self._go.set()

    def close(self):
        self.release()
        self._server.shutdown()
        self._server.server_close()
        self._thread.join()

    def ranges(self):
        """The Range headers of requests for large files, in order."""
        return [headers.get("Range") for method, path, headers in self.requests
                if method == "GET" and path.startswith("/cdn/")]


class _Server(http.server.ThreadingHTTPServer):
    daemon_threads = True

    def handle_error(self, *_):
        """A client that is killed breaks its connection: that is what is tested."""


class _Handler(http.server.BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    hub = None

    def log_message(self, *_):
        pass

    def do_HEAD(self):
        self._answer(body=False)

    def do_GET(self):
        self._answer(body=True)

    def _answer(self, body):
        hub = self.hub
        hub.requests.append((self.command, self.path, dict(self.headers)))
        if hub.instead and hub.instead(self, body):
            self.close_connection = True
            return None
        if self.path.startswith("/cdn/"):
            return self._large(hub.files[self.path[5:]], body)
        if hub.token and self.headers.get("Authorization") != f"Bearer {hub.token}":
            return self._plain(401)
        match = re.fullmatch(r"/[^/]+/[^/]+/resolve/[^/]+/([^/]+)", self.path)
        if not match or match[1] not in hub.files:
            return self._plain(404)
        content = hub.files[match[1]]
        if match[1].endswith(".json"):
            git = hashlib.sha1(b"blob %d\0" % len(content) + content).hexdigest()
            return self._plain(200, content, body, {"ETag": f'"{git}"', "X-Repo-Commit": COMMIT})
        sha = hashlib.sha256(content).hexdigest()
        self._plain(302, b"", body, {
            "Location": hub.endpoint + "/cdn/" + match[1], "X-Repo-Commit": COMMIT,
            "X-Linked-Size": str(len(content)),
            "X-Linked-ETag": '"%s"' % ("0" * 64 if hub.wrong_sha else sha)})

    def _plain(self, status, content=b"", body=True, headers=None):
        self.send_response(status)
        for name, value in (headers or {}).items():
            self.send_header(name, value)
        self.send_header("Content-Length", str(len(content)))
        self.end_headers()
        if body:
            self.wfile.write(content)

    def _large(self, content, body):
        hub, start = self.hub, 0
        etag = '"%s-%s"' % (hub.version, len(content))
        wanted = re.fullmatch(r"bytes=(\d+)-", self.headers.get("Range", ""))
        same = self.headers.get("If-Range", etag) == etag
        if wanted and same and not hub.ignore_range:
            start = int(wanted[1])
            self.send_response(206)
            self.send_header("Content-Range", f"bytes {start}-{len(content) - 1}/{len(content)}")
        else:
            self.send_response(200)
        self.send_header("ETag", etag)
        self.send_header("Content-Length", str(len(content) - start))
        self.end_headers()
        if not body:
            return
        cut, hub.cut_after = hub.cut_after, None
        stall, hub.stall_after = hub.stall_after, None
        stop = cut if cut is not None else stall
        self.wfile.write(content[start:] if stop is None else content[start:start + stop])
        self.wfile.flush()
        if stall is not None:
            hub.stalled.set()
            hub._go.wait()
        if stop is not None:
            self.close_connection = True
