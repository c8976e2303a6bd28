"""Clients of one address of which some say nothing: silent_neighbours_test.py runs this in a network of its own (see
namespaces.py)."""

import http.client
import socket

from daemon import DaemonTest
from namespaces import PUBLIC, raise_network
from scribed_command import wait_for

PORT, WYOMING_PORT = 8021, 8022


class SilentNeighbours(DaemonTest):
    def setUp(self):
        super().setUp()
        raise_network()
        self.environment["SCRIBED_SERVER_ALLOW_ANYONE"] = "true"

    def hold(self, port, count):
        """Opens connections that say nothing, and waits until the last of them is there."""
        held = []
        for _ in range(count):
            held.append(socket.create_connection((PUBLIC, port), timeout=10))
            self.addCleanup(held[-1].close)
        return held

    def ended(self, connections):
        ends = 0
        for one in connections:
            one.settimeout(0.1)
            try:
                ends += one.recv(1) == b""
            except TimeoutError:
                pass
            except ConnectionError:
                ends += 1
        return ends

    def test_who_speaks_gets_the_place_of_one_who_does_not(self):
        self.start("--listen", f"{PUBLIC}:{PORT}", "--set", "server.max_connections_per_address=4")
        silent = self.hold(PORT, 4)
        for number in range(1, 3):
            client = http.client.HTTPConnection(PUBLIC, PORT, timeout=10)
            client.request("GET", "/livez")
            self.assertEqual(client.getresponse().status, 200)
            client.close()
            self.assertGreaterEqual(self.ended(silent), 1, f"request {number}")
            self.assertLessEqual(self.ended(silent), number)
        self.assertEqual(self.ended(silent[:1]), 1, "who has said nothing longest leaves")
        self.assertEqual(self.ended(silent[2:]), 0)

    def test_wyoming_has_a_place_for_who_speaks(self):
        self.start("--set", f"live.wyoming_listen={PUBLIC}:{WYOMING_PORT}")
        silent = self.hold(WYOMING_PORT, 32)
        with socket.create_connection((PUBLIC, WYOMING_PORT), timeout=10) as client:
            client.sendall(b'{"type": "describe"}\n')
            self.assertIn(b'"info"', client.recv(1000))
        wait_for(lambda: self.ended(silent) == 1, "the end of one connection")
