"""The stream of /v1/events under test: read by a thread, so that a test waits for what it wants."""

import http.client
import json
import threading

from scribed_command import TIME_LIMIT, wait_for


class EventStream:
    """Events since the stream was opened, as (id, body); `comments` counts heartbeats."""

    def __init__(self, daemon, last_id=None, **headers):
        self.events, self.comments, self.ended = [], 0, threading.Event()
        self.connection = http.client.HTTPConnection("127.0.0.1", daemon.port, timeout=TIME_LIMIT)
        if last_id:
            headers["Last-Event-ID"] = last_id
        self.connection.request("GET", "/v1/events", headers=headers)
        self.response = self.connection.getresponse()
        assert self.response.status == 200, self.response.read()
        self.socket = self.connection.sock
        self.thread = threading.Thread(target=self._read, daemon=True)
        self.thread.start()

    def _read(self):
        event_id = None
        try:
            for line in self.response:
                line = line.decode().rstrip("\r\n")
                if line.startswith("id: "):
                    event_id = line[4:]
                elif line.startswith("data: "):
                    self.events.append((event_id, json.loads(line[6:])))
                elif line.startswith(":"):
                    self.comments += 1
        except (OSError, http.client.HTTPException, ValueError, AttributeError):
            pass  # the stream broke off, which is what some tests want
        self.ended.set()

    def of(self, kind):
        return [event for _, event in list(self.events) if event["type"] == kind]

    def wait_for(self, kind, is_wanted=lambda event: True):
        return wait_for(lambda: next(filter(is_wanted, self.of(kind)), None), kind)

    def last_id(self):
        return self.events[-1][0]

    def close(self):
        if self.socket:
            try:
                self.socket.shutdown(2)
            except OSError:
                pass
        self.ended.wait(TIME_LIMIT)
        self.connection.close()
