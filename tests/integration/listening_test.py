"""Where the daemon listens: every address, a name, a socket in the file system, sockets of systemd."""

import http.client
import os
import re
import socket
import stat
import subprocess
import unittest

from daemon import Answer, DaemonTest
from scribed_command import TIME_LIMIT, wait_for

KEY = "a-key-of-the-listening-test"


class SocketConnection(http.client.HTTPConnection):
    def __init__(self, path):
        super().__init__("localhost", timeout=TIME_LIMIT)
        self.path = str(path)

    def connect(self):
        self.sock = socket.socket(socket.AF_UNIX)
        self.sock.settimeout(TIME_LIMIT)
        self.sock.connect(self.path)


def get(path, route, **headers):
    connection = SocketConnection(path)
    try:
        connection.request("GET", route, headers=headers)
        return Answer(connection.getresponse())
    finally:
        connection.close()


class ListeningTest(DaemonTest):
    def setUp(self):
        super().setUp()
        self.socket = self.folder / "socket"

    def refusal(self, *options, **variables):
        ended = subprocess.run(
            [self.scribed, "serve", "--state-folder", self.state, *map(str, options)],
            env={**self.environment, **variables}, capture_output=True, text=True,
            timeout=TIME_LIMIT)
        self.assertEqual(ended.returncode, 2, ended.stderr)
        return ended.stderr

    def test_a_socket_is_for_its_user_alone_and_goes_with_the_daemon(self):
        daemon = self.start("--listen", f"unix:{self.socket}")
        self.assertEqual(stat.S_IMODE(self.socket.stat().st_mode), 0o600)
        self.assertEqual(get(self.socket, "/v1/jobs").status, 200)
        daemon.wait_for_log(f"msg=listening socket={self.socket}")
        wait_for(lambda: f"peer=unix:{os.getuid()}" in daemon.log(), "the line of the log")
        self.assertEqual(daemon.terminate(), 0)
        self.assertFalse(self.socket.exists())

    def test_a_socket_that_a_crash_left_behind_is_replaced(self):
        self.start("--listen", f"unix:{self.socket}").kill()
        self.assertTrue(self.socket.exists())
        self.start("--listen", f"unix:{self.socket}")
        self.assertEqual(get(self.socket, "/livez").status, 200)

    def test_a_socket_is_no_way_around_keys(self):
        self.environment["SCRIBED_API_KEY"] = KEY
        self.start("--listen", f"unix:{self.socket}")
        self.assertEqual(get(self.socket, "/v1/jobs").status, 401)
        self.assertEqual(get(self.socket, "/v1/jobs", Authorization=f"Bearer {KEY}").status, 200)

    def test_health_asks_by_the_socket(self):
        self.start("--listen", f"unix:{self.socket}")
        said = subprocess.run([self.scribed, "health", "--listen", f"unix:{self.socket}"],
                              env=self.environment, capture_output=True, text=True,
                              timeout=TIME_LIMIT)
        self.assertEqual((said.returncode, said.stdout), (0, "ok\n"), said.stderr)

    def test_every_address_and_names_need_keys(self):
        for address in (":0", "scribed.example:0"):
            self.assertIn("no key is asked for", self.refusal("--listen", address))
        self.environment["SCRIBED_API_KEY"] = KEY
        daemon = self.start("--listen", ":0")
        daemon.get("/v1/models", Authorization=f"Bearer {KEY}")
        daemon.wait_for_log("path=/v1/models")  # behind all that it says at its start
        ports = re.findall(r"msg=listening address=\S+ port=(\d+)", daemon.log())
        self.assertEqual(len(set(ports[1:])), 1, "the same port in both families")
        daemon.kill()
        self.assertIn("Cannot listen on nowhere.invalid:1",
                      self.refusal("--listen", "nowhere.invalid:1", SCRIBED_API_KEY=KEY))


class ActivationTest(DaemonTest):
    def activated(self, listener, *options):
        """scribed as systemd starts it for a socket unit: with descriptor 3 and two variables."""
        with listener:
            self.process = subprocess.Popen(
                ["sh", "-c", f'LISTEN_PID=$$ LISTEN_FDS=1 exec "$@" 3<&{listener.fileno()}', "sh",
                 self.scribed, "serve", "--model", self.model, "--state-folder", self.state,
                 *options],
                env=self.environment, pass_fds=(listener.fileno(),), stderr=subprocess.PIPE,
                text=True)
        self.addCleanup(self.end_process)
        return self.process

    def end_process(self):
        if self.process.poll() is None:
            self.process.kill()
        self.process.wait()
        self.process.stderr.close()

    def test_sockets_of_systemd_take_the_place_of_the_configured_ones(self):
        path = self.folder / "activated"
        listener = socket.socket(socket.AF_UNIX)
        listener.bind(str(path))
        listener.listen()
        self.activated(listener, "--listen", "127.0.0.1:1")
        self.assertEqual(get(path, "/livez").status, 200, "it waited in the socket")
        self.process.terminate()
        self.assertEqual(self.process.wait(TIME_LIMIT), 0)
        self.assertTrue(path.exists(), "systemd's file stays")
        said = self.process.stderr.read()
        self.assertIn(f"msg=listening socket={path}", said)
        self.assertNotIn("port=1 ", said)

    def test_a_socket_that_others_can_reach_needs_keys_too(self):
        listener = socket.socket()
        listener.bind(("0.0.0.0", 0))
        listener.listen()
        process = self.activated(listener)
        self.assertEqual(process.wait(TIME_LIMIT), 2)
        self.assertIn("no key is asked for", process.stderr.read())


if __name__ == "__main__":
    unittest.main()
