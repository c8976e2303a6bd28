"""Which program a command trusts with a key."""

import contextlib
import hashlib
import hmac
import json
import os
import pwd
import re
import socket
import subprocess
import threading
import unittest

from client_commands import KEY, ClientTest
from scribed_command import TIME_LIMIT


class Stranger:
    """A program that listens where a client looks for scribed, and keeps what it hears. `answer`: what
    it says to a request's first line; None: nothing."""

    def __init__(self, answer=None, listener=None):
        self.listener = listener or socket.create_server(("127.0.0.1", 0))
        self.answer = answer or (lambda line: None)
        self.heard = b""
        self.thread = threading.Thread(target=self._listen, daemon=True)
        self.thread.start()

    @property
    def port(self):
        return self.listener.getsockname()[1]

    def _listen(self):
        while True:
            try:
                client, _ = self.listener.accept()
            except OSError:
                return
            with client, contextlib.suppress(OSError):
                client.settimeout(TIME_LIMIT)
                while bytes_heard := client.recv(65536):
                    self.heard += bytes_heard
                    said = self.answer(bytes_heard.split(b"\r\n", 1)[0].decode())
                    if said is None:
                        break
                    client.sendall(said)

    def close(self):
        self.listener.close()


def http_answer(status, body, kind="application/json"):
    return (f"HTTP/1.1 {status} x\r\nContent-Type: {kind}\r\nContent-Length: {len(body)}\r\n\r\n{body}"
            .encode())


class StrangerTest(ClientTest):
    """Who listens at an address of this machine and is not scribed gets no key."""

    def stranger(self, answer=None, **more):
        stranger = Stranger(answer, **more)
        self.addCleanup(stranger.close)
        return stranger

    def refused(self, stranger, *words, server=None, **variables):
        server = server or f"127.0.0.1:{stranger.port}"
        self.ask(*(words or ("jobs", "list")), "--server", server, code=2, SCRIBED_API_KEY=KEY, **variables)
        self.assertIn("the key was not sent", self.said)
        self.assertNotIn(KEY.encode(), stranger.heard)
        self.assertNotIn(b"uthorization", stranger.heard)

    def keyed_daemon(self, *options):
        keys = self.folder / "keys"
        keys.write_text(f"ada {KEY} [transcribe, read_status]\n")
        keys.chmod(0o600)
        return self.start("--key-file", keys, *options)

    def test_a_program_without_a_proof_hears_no_key(self):
        stranger = self.stranger(lambda line: http_answer(404, '{"error": {"code": "x"}}'))
        self.refused(stranger)
        self.assertIn(f"the program at http://127.0.0.1:{stranger.port} did not prove that it is scribed",
                      self.said)
        self.assertIn("upgrade it", self.said)
        self.refused(stranger, "submit", self.file(1))
        self.assertNotIn(b"RIFF", stranger.heard)
        self.refused(stranger, server=f"http://LOCALHOST:{stranger.port}")
        self.refused(stranger, server=f"http://127.1:{stranger.port}")

    def test_a_made_up_proof_is_none(self):
        for body in ('{"keys_required": true, "proofs": ["' + "0" * 64 + '"]}', '{"proofs": "all"}', "{}",
                     '{"keys_required": false, "proofs": []}', "[]", "", '{"proofs": [null, 1, {}]}'):
            with self.subTest(body):
                self.refused(self.stranger(lambda line, body=body: http_answer(200, body)))

    def test_a_proof_that_is_passed_on_is_none(self):
        daemon = self.keyed_daemon()

        def pass_on(line):
            answer = daemon.get(line.split()[1])
            return http_answer(answer.status, answer.text)

        stranger = self.stranger(pass_on)
        self.refused(stranger)
        self.assertIn(b"GET /v1/proof", stranger.heard)

    def test_each_connection_needs_its_own_proof(self):
        """Whoever proves something and goes leaves the address to others."""
        listener = socket.create_server(("127.0.0.1", 0))
        place = f"127.0.0.1:{listener.getsockname()[1]}"
        heard = []

        def answer_once(line):
            nonce = re.search("nonce=([0-9a-f]{32}) ", line)[1]
            code = hmac.new(hashlib.sha256(KEY.encode()).digest(),
                            f"scribed proof 1\n{nonce}\n{place}".encode(), "sha256").hexdigest()
            return http_answer(200, json.dumps({"keys_required": True, "proofs": [code]}))

        def listen():
            answers = [answer_once, lambda line: http_answer(404, "{}")]
            while answers:
                client, _ = listener.accept()
                with client:
                    said = client.recv(65536)
                    if not said:
                        continue  # the client has seen that it is another connection
                    heard.append(said)
                    client.sendall(answers.pop(0)(said.split(b"\r\n", 1)[0].decode()))

        threading.Thread(target=listen, daemon=True).start()
        self.addCleanup(listener.close)
        self.ask("jobs", "list", "--server", place, code=2, SCRIBED_API_KEY=KEY)
        self.assertIn("the key was not sent", self.said)
        self.assertEqual([line[:14] for line in heard], [b"GET /v1/proof?"] * 2)
        self.assertNotIn(KEY.encode(), b"".join(heard))

    def test_who_answers_for_the_program_sends_the_key(self):
        stranger = self.stranger(lambda line: http_answer(200, '{"data": [], "has_more": false}'))
        self.ask("jobs", "list", "--server", f"127.0.0.1:{stranger.port}", "--trust-server",
                 SCRIBED_API_KEY=KEY)
        self.assertIn(f"Authorization: Bearer {KEY}".encode(), stranger.heard)

    @unittest.skipIf(os.geteuid() != 0, "only root can listen as somebody else")
    def test_a_socket_of_another_user_hears_no_key(self):
        os.chmod(self.folder, 0o755)
        path = self.folder / "scribed.sock"
        listener = socket.socket(socket.AF_UNIX)
        listener.bind(str(path))
        nobody = pwd.getpwnam("nobody").pw_uid
        os.seteuid(nobody)  # whoever begins to listen is the peer
        try:
            listener.listen()
        finally:
            os.seteuid(0)
        stranger = self.stranger(lambda line: http_answer(200, "{}"), listener=listener)
        self.refused(stranger, server=f"unix:{path}")
        self.assertIn("is nobody's", self.said)
        ended = subprocess.run([self.scribed, "mcp"], input="", capture_output=True, text=True,
                               timeout=TIME_LIMIT,
                               env={**self.environment, "SCRIBED_API_KEY": KEY,
                                    "SCRIBED_STATE_DIR": str(self.folder / "own"),
                                    "SCRIBED_SERVER_LISTEN": f"unix:{path}"})
        self.assertIn("the key was not sent; working alone", ended.stderr)
        self.assertEqual(stranger.heard, b"")

    def test_an_own_socket_needs_no_proof(self):
        socket_file = self.folder / "scribed.sock"
        self.keyed_daemon("--listen", f"unix:{socket_file}")
        self.ask("jobs", "list", "--server", f"unix:{socket_file}", SCRIBED_API_KEY=KEY)


if __name__ == "__main__":
    unittest.main()
