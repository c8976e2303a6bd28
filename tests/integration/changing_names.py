"""A network whose name server changes its answers, and the tests that changing_names_test.py runs in it (see
namespaces.py): the only name server is the one of this file."""

import pathlib
import socket
import struct
import subprocess
import threading

from daemon import DaemonTest
from namespaces import LOOPBACK, PUBLIC, raise_network
from scribed_command import wait_for

A, AAAA = 1, 28
ANSWERS = {"turns.example": [[PUBLIC], [LOOPBACK]], "turned.example": [[LOOPBACK], [PUBLIC]],
           "both.example": [[PUBLIC, LOOPBACK]], "six.example": [[PUBLIC]]}


def ask_only(folder):
    """Has this machine's resolver ask the name server at loopback and nothing else."""
    for path, text in (("/etc/resolv.conf", f"nameserver {LOOPBACK}\noptions attempts:1 timeout:2\n"),
                       ("/etc/nsswitch.conf", "hosts: dns\n")):
        own = folder / pathlib.Path(path).name
        own.write_text(text)
        subprocess.run(["mount", "--bind", own, path], check=True)


class NameServer:
    """Answers each lookup of a name with the next of its lists of addresses, again and again."""

    def __init__(self, answers):
        self.answers = answers
        self.asked = {}  # how often for each name
        self.socket = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
        self.socket.bind((LOOPBACK, 53))
        self.thread = threading.Thread(target=self._serve, daemon=True)
        self.thread.start()

    def _serve(self):
        while True:
            query, client = self.socket.recvfrom(512)
            self.socket.sendto(self._answer(query), client)

    def _answer(self, query):
        labels, at = [], 12
        while query[at]:
            labels.append(query[at + 1:at + 1 + query[at]].decode().lower())
            at += 1 + query[at]
        question = query[12:at + 5]
        kind = struct.unpack(">H", question[-4:-2])[0]
        records = self._records(".".join(labels), kind)
        head = query[:2] + struct.pack(">HHHHH", 0x8180, 1, len(records), 0, 0)
        return head + question + b"".join(
            b"\xc0\x0c" + struct.pack(">HHIH", kind, 1, 0, len(one)) + one for one in records)

    def _records(self, name, kind):
        if kind == AAAA and name.startswith("six"):
            return [socket.inet_pton(socket.AF_INET6, "::1"), socket.inet_pton(socket.AF_INET6, f"::ffff:{LOOPBACK}")]
        if kind != A or name not in self.answers:
            return []
        before = self.asked.get(name, 0)
        self.asked[name] = before + 1
        lists = self.answers[name]
        return [socket.inet_aton(address) for address in lists[before % len(lists)]]


class Listener:
    """Notes at which of this machine's addresses clients come, and hangs up."""

    def __init__(self, port):
        self.came_to = []
        self.socket = socket.socket(socket.AF_INET6, socket.SOCK_STREAM)
        self.socket.setsockopt(socket.IPPROTO_IPV6, socket.IPV6_V6ONLY, 0)
        self.socket.bind(("::", port))
        self.socket.listen()
        threading.Thread(target=self._accept, daemon=True).start()

    def _accept(self):
        while True:
            client, _ = self.socket.accept()
            self.came_to.append(client.getsockname()[0].removeprefix("::ffff:"))
            client.close()


class ChangingNames(DaemonTest):
    def setUp(self):
        super().setUp()
        raise_network()
        ask_only(self.folder)
        self.names = NameServer(ANSWERS)
        self.listener = Listener(443)

    def submit_url(self, daemon, name):
        return daemon.post_form("/v1/jobs", [("url", f"https://{name}/talk.wav")])

    def test_no_address_of_a_recording_leads_to_loopback(self):
        daemon = self.start("--set", "inputs.url_hosts=*")
        for name in ANSWERS:
            answers = [self.submit_url(daemon, name) for _ in range(4)]
            for answer in answers:
                self.assertIn(answer.json["error"]["code"], ("url_refused", "unreachable"), answer.text)
            self.assertGreaterEqual(self.names.asked[name], 4)
        self.assertEqual(set(self.listener.came_to), {PUBLIC})

    def test_no_address_of_a_webhook_leads_to_loopback(self):
        daemon = self.start()
        for name in ANSWERS:
            for _ in range(4):
                daemon.submit(self.sound(1), webhook_url=f"https://{name}/hook")
        wait_for(lambda: all(self.names.asked.get(name, 0) >= 4 for name in ANSWERS), "a lookup for each webhook")
        wait_for(lambda: daemon.log().count("not of the public internet") >= 4, "what came of them")
        self.assertEqual(daemon.terminate(), 0)
        self.assertEqual(set(self.listener.came_to), {PUBLIC})

    def test_a_host_that_the_operator_allows_may_have_any_address(self):
        daemon = self.start("--set", "webhooks.allow_hosts=turned.example")
        daemon.submit(self.sound(1), webhook_url="https://turned.example/hook")
        wait_for(lambda: self.listener.came_to, "a connection")
        self.assertEqual(self.listener.came_to[0], LOOPBACK)
