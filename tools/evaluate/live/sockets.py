"""A session over a WebSocket: sound goes in as it was spoken, and messages come out with their times."""

import json
import threading
import time

from websockets.exceptions import ConnectionClosed
from websockets.sync.client import connect

from .pacing import feed

LIMIT_S = 120  # for the rest, when all sound was fed


def open_socket(url):
    """Without compression and with any size of a message, as OpenAI's clients have it."""
    return connect(url, compression=None, max_size=None, open_timeout=60)


class Session:
    """Feeds in a thread of its own, and reads in the caller's. `send(piece)` sends sound, `end()` says that there is no
    more of it; `reader` has take(at, message), ended, failed and trace()."""

    def __init__(self, socket, reader, send, end):
        self._socket, self._reader, self._send, self._end = socket, reader, send, end
        self._late = 0.0
        self._broken = ""

    def run(self, pcm, bytes_per_second, piece_s, begun):
        seconds = len(pcm) / bytes_per_second
        feeder = threading.Thread(target=self._feed, args=(pcm, bytes_per_second, piece_s, begun))
        feeder.start()
        self._read(begun, begun + seconds + LIMIT_S)
        trace = self._reader.trace()
        trace.ended_at = time.monotonic() - begun
        self._socket.close()  # a feeder that still waits for room ends
        feeder.join()
        trace.seconds, trace.late_s = seconds, self._late
        trace.failed = trace.failed or self._broken
        return trace

    def _feed(self, pcm, bytes_per_second, piece_s, begun):
        try:
            self._late = feed(pcm, bytes_per_second, piece_s, begun, self._send)
            self._end()
        except ConnectionClosed as reason:
            self._broken = f"the sound was not taken: {reason}"

    def _read(self, begun, until):
        while not (self._reader.ended or self._reader.failed):
            try:
                message = self._socket.recv(timeout=max(0.0, until - time.monotonic()))
            except TimeoutError:
                self._broken = f"the text was not there {LIMIT_S} s after the sound"
                return
            except ConnectionClosed as reason:
                self._broken = f"the server closed the socket: {reason}"
                return
            self._reader.take(time.monotonic() - begun, json.loads(message))
