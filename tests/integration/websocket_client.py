"""A small client of WebSockets (RFC 6455) on the standard library, which can also break the rules."""

import base64
import json
import os
import socket
import struct

from scribed_command import TIME_LIMIT

TEXT, BINARY, CLOSE, PING, PONG = 1, 2, 8, 9, 10


class Refused(Exception):
    """The server answered with another status than 101."""

    def __init__(self, status, headers, body):
        super().__init__(f"{status}: {body!r}")
        self.status, self.headers, self.body = status, headers, body


class Closed(Exception):
    """The server has closed the socket: with a code and a reason, or with neither (code None)."""

    def __init__(self, code, reason):
        super().__init__(f"{code} {reason}")
        self.code, self.reason = code, reason


class WebSocket:
    """A connection, which pings are answered on while it is read. `headers` are (name, value) pairs;
    `line` is a socket that is connected already, as one with TLS."""

    def __init__(self, port, path, headers=(), host="127.0.0.1", limit=TIME_LIMIT, line=None):
        self.socket = line or socket.create_connection((host, port), limit)
        self.file = self.socket.makefile("rb")
        key = base64.b64encode(os.urandom(16)).decode()
        lines = [f"GET {path} HTTP/1.1", f"Host: {host}:{port}", "Upgrade: websocket",
                 "Connection: Upgrade", "Sec-WebSocket-Version: 13", f"Sec-WebSocket-Key: {key}",
                 *(f"{name}: {value}" for name, value in headers)]
        self.socket.sendall("\r\n".join([*lines, "", ""]).encode())
        answer = self.file.readline().split()
        if not answer:
            self.end()
            raise Closed(None, "the connection ended before the upgrade")
        status = int(answer[1])
        self.headers = {}
        while (line := self.file.readline().decode().strip()):
            name, _, value = line.partition(":")
            self.headers[name.lower()] = value.strip()
        if status != 101:
            body = self.file.read(int(self.headers.get("content-length", 0)))
            self.end()
            raise Refused(status, self.headers, body)

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.end()

    def end(self):
        """Leaves without a word."""
        self.file.close()
        self.socket.close()

    def send_frame(self, kind, payload, final=True):
        mask = os.urandom(4)
        head = bytes([kind | (0x80 if final else 0)])
        if len(payload) < 126:
            head += bytes([0x80 | len(payload)])
        elif len(payload) < 1 << 16:
            head += struct.pack(">BH", 0x80 | 126, len(payload))
        else:
            head += struct.pack(">BQ", 0x80 | 127, len(payload))
        pad = (mask * (len(payload) // 4 + 1))[:len(payload)]
        masked = (int.from_bytes(payload, "big") ^ int.from_bytes(pad, "big")).to_bytes(
            len(payload), "big")
        self.socket.sendall(head + mask + masked)

    def send(self, message):
        """Bytes are a binary message; texts, and anything else as JSON, are text messages."""
        if isinstance(message, (bytes, bytearray)):
            return self.send_frame(BINARY, bytes(message))
        text = message if isinstance(message, str) else json.dumps(message)
        return self.send_frame(TEXT, text.encode())

    def close(self, code=1000):
        self.send_frame(CLOSE, struct.pack(">H", code))

    def _read(self, count):
        got = self.file.read(count)
        if len(got) < count:
            raise Closed(None, "the connection ended")
        return got

    def _frame(self):
        first, second = self._read(2)
        length = second & 0x7F
        if length == 126:
            length, = struct.unpack(">H", self._read(2))
        elif length == 127:
            length, = struct.unpack(">Q", self._read(8))
        return first & 0x80, first & 0x0F, self._read(length)

    def receive(self):
        """The next message: a str or bytes. Raises Closed where there is none."""
        message, kind = b"", None
        while True:
            final, opcode, payload = self._frame()
            if opcode == CLOSE:
                code = struct.unpack(">H", payload[:2])[0] if len(payload) > 1 else None
                raise Closed(code, payload[2:].decode())
            if opcode == PING:
                self.send_frame(PONG, payload)
            elif opcode != PONG:
                message, kind = message + payload, opcode or kind
                if final:
                    return message.decode() if kind == TEXT else message

    def receive_json(self):
        return json.loads(self.receive())

    def receive_until(self, is_last):
        """All messages as JSON, up to and with the first for which is_last() is true."""
        messages = []
        while not messages or not is_last(messages[-1]):
            messages.append(self.receive_json())
        return messages

    def receive_all(self):
        """All messages as JSON until the server closes, and its Closed."""
        messages = []
        try:
            while True:
                messages.append(self.receive_json())
        except Closed as end:
            return messages, end
