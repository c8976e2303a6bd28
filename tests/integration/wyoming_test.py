"""Wyoming, spoken by the package that Home Assistant uses and by hand, and what breaks it."""

import json
import socket
import unittest

import clients
from daemon import DaemonTest
from scribed_command import TIME_LIMIT, wait_for


def free_port():
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return probe.getsockname()[1]


def message(kind, data=None, payload=b""):
    head = {"type": kind, "version": "1.10.2"}
    block = json.dumps(data).encode() if data else b""
    if block:
        head["data_length"] = len(block)
    if payload:
        head["payload_length"] = len(payload)
    return json.dumps(head).encode() + b"\n" + block + payload


class Client:
    def __init__(self, port):
        self.socket = socket.create_connection(("127.0.0.1", port), timeout=TIME_LIMIT)
        self.file = self.socket.makefile("rb")

    def send(self, kind, data=None, payload=b""):
        self.socket.sendall(message(kind, data, payload))

    def read(self):
        """The type and data of the next message; None at the end of the connection."""
        try:
            line = self.file.readline()
        except ConnectionResetError:
            return None
        if not line:
            return None
        head = json.loads(line)
        data = json.loads(self.file.read(head["data_length"])) if head.get("data_length") else {}
        self.file.read(head.get("payload_length") or 0)
        return head["type"], data

    def close(self):
        self.file.close()
        self.socket.close()


def can_connect(port):
    try:
        Client(port).close()
        return True
    except OSError:
        return False


class WyomingTest(DaemonTest):
    def setUp(self):
        super().setUp()
        self.port = free_port()
        config = self.folder / "wyoming.toml"
        config.write_text(f'[live]\nwyoming_listen = "127.0.0.1:{self.port}"\n')
        self.daemon = self.start("--config", config)
        wait_for(lambda: can_connect(self.port), "the port of Wyoming")

    def connect(self):
        client = Client(self.port)
        self.addCleanup(client.close)
        return client

    def test_home_assistants_package(self):
        clients.need_live()
        self.assertEqual(clients.run_python("wyoming_client.py", f"tcp://127.0.0.1:{self.port}"), "ok\n")

    def test_what_there_is_is_told_before_a_model_is_loaded(self):
        client = self.connect()
        client.send("describe")
        kind, data = client.read()
        self.assertEqual((kind, data["asr"][0]["name"]), ("info", "scribed"))
        self.assertEqual(self.daemon.get("/v1/ps").json["models"], [])

    def test_silent_clients_keep_nobody_out(self):
        silent = [self.connect() for _ in range(300)]
        other = self.connect()
        other.send("describe")
        self.assertEqual(other.read()[0], "info")
        self.assertIsNone(silent[0].read(), "who has said nothing longest leaves")
        silent[-1].send("ping")
        self.assertEqual(silent[-1].read()[0], "pong")

    def test_an_utterance_without_sound_has_no_text(self):
        client = self.connect()
        client.send("audio-start", {"rate": 16000, "width": 2, "channels": 1})
        client.send("audio-stop")
        self.assertEqual([client.read() for _ in range(3)],
                         [("transcript-start", {}), ("transcript", {"text": ""}), ("transcript-stop", {})])

    def test_what_is_no_message_ends_its_connection_alone(self):
        other = self.connect()
        for nonsense in (b"GET / HTTP/1.1\r\n\r\n", b'{"type":"x","data_length":-1}\n',
                         b'{"type":"x","payload_length":99999999}\n', b"x" * 100_000,
                         b'{"type":"x","data":' + b"[" * 50 + b"]" * 50 + b"}\n"):
            client = self.connect()
            try:
                client.socket.sendall(nonsense)
            except OSError:
                pass  # it was ended before it had sent all
            with self.subTest(nonsense[:40]):
                kind, data = client.read()
                self.assertEqual(kind, "error")
                self.assertRegex(data["text"], r"^[A-Z].*[.] Send .*[.]$")
                self.assertIsNone(client.read())
        other.send("ping", {"text": "there?"})
        self.assertEqual(other.read(), ("pong", {"text": "there?"}))

    def test_sound_that_cannot_be_is_an_error_before_the_end(self):
        client = self.connect()
        client.send("audio-chunk", {"rate": 1, "width": 2, "channels": 1}, b"ab")
        self.assertEqual(client.read()[0], "error")
        self.assertIsNone(client.read())


if __name__ == "__main__":
    unittest.main()
