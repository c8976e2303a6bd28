"""scribed behind a proxy with TLS: nginx, set up as packaging/proxy/nginx.conf says."""

import http.client
import json
import os
import pathlib
import shutil
import socket
import ssl
import subprocess
import unittest

from daemon import FORM_TYPE, Answer, DaemonTest, form
from scribed_command import ROOT, TIME_LIMIT, wait_for

NGINX = shutil.which("nginx", path=os.environ.get("PATH", "") + ":/usr/sbin")
NAME = "voice.example"
KEY = "a-key-of-the-proxy-test"
CLIENT = "127.0.0.2"  # so that it can be distinguished from the proxy


def free_port():
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return probe.getsockname()[1]


class Proxy:
    """nginx with the configuration that is shipped; only ports and paths are others."""

    def __init__(self, folder, daemon_port):
        self.folder, self.port = folder, free_port()
        key, certificate = folder / "key.pem", folder / "certificate.pem"
        subprocess.run(["openssl", "req", "-x509", "-newkey", "rsa:2048", "-nodes", "-days", "2",
                        "-subj", f"/CN={NAME}", "-addext", f"subjectAltName=DNS:{NAME}",
                        "-keyout", key, "-out", certificate], check=True, capture_output=True)
        self.context = ssl.create_default_context(cafile=certificate)
        site = (ROOT / "packaging/proxy/nginx.conf").read_text()
        for there, here in (("listen 443", f"listen 127.0.0.1:{self.port}"),
                            ("127.0.0.1:8080", f"127.0.0.1:{daemon_port}"),
                            ("/etc/ssl/certs/voice.example.pem", certificate),
                            ("/etc/ssl/private/voice.example.key", key)):
            assert there in site, there
            site = site.replace(there, str(here))
        temporary = "".join(f"{kind}_temp_path {folder}/{kind};\n" for kind in
                            ("client_body", "proxy", "fastcgi", "uwsgi", "scgi"))
        (folder / "nginx.conf").write_text(
            f"daemon off;\nmaster_process off;\npid {folder}/nginx.pid;\nerror_log {folder}/errors;\n"
            f"events {{}}\nhttp {{\naccess_log off;\n{temporary}{site}\n}}\n")
        self.process = subprocess.Popen([NGINX, "-p", folder, "-c", folder / "nginx.conf"],
                                        stderr=subprocess.PIPE, text=True)

    def is_up(self):
        assert self.process.poll() is None, self.process.stderr.read()
        try:
            socket.create_connection(("127.0.0.1", self.port), 1).close()
            return True
        except OSError:
            return False

    def connect(self):
        """TLS as a client on another machine would speak it."""
        plain = socket.create_connection(("127.0.0.1", self.port), TIME_LIMIT, (CLIENT, 0))
        connection = http.client.HTTPSConnection(NAME, self.port, context=self.context)
        connection.sock = self.context.wrap_socket(plain, server_hostname=NAME)
        return connection

    def request(self, method, path, body=None, headers=None):
        connection = self.connect()
        try:
            connection.request(method, path, body, headers or {})
            return Answer(connection.getresponse())
        finally:
            connection.close()

    def end(self):
        self.process.terminate()
        self.process.wait(TIME_LIMIT)
        self.process.stderr.close()


@unittest.skipUnless(NGINX, "nginx is not installed (Debian: nginx-light)")
@unittest.skipUnless(shutil.which("openssl"), "openssl is not installed")
class ProxyTest(DaemonTest):
    def behind_proxy(self, *options, with_key=True):
        if with_key:
            self.environment["SCRIBED_API_KEY"] = KEY
        daemon = self.start(*options)
        folder = pathlib.Path(self.folder) / "proxy"
        folder.mkdir()
        proxy = Proxy(folder, daemon.port)
        self.addCleanup(proxy.end)
        wait_for(proxy.is_up, "nginx")
        return daemon, proxy

    def peers(self, daemon, request_id):
        line = wait_for(lambda: [line for line in daemon.lines if f"request_id={request_id} " in
                                 line.replace("\n", " ")], "the line of the log")[0]
        return line.partition("peer=")[2].split()[0]

    def test_recordings_go_up_and_events_come_down_as_they_happen(self):
        self.behave("slow")
        daemon, proxy = self.behind_proxy()
        headers = {"Authorization": f"Bearer {KEY}"}
        sound = self.sound(60)
        self.assertGreater(len(sound), 1 << 20, "more than nginx takes by itself")
        submitted = proxy.request("POST", "/v1/jobs", form([], sound),
                                  {**headers, "Content-Type": FORM_TYPE})
        self.assertEqual(submitted.status, 202, submitted.text)
        self.assertTrue(submitted.headers["location"].startswith("/v1/jobs/"),
                        "good behind any name")
        connection = proxy.connect()
        self.addCleanup(connection.close)
        connection.request("GET", submitted.headers["location"] + "/events", headers=headers)
        events = connection.getresponse()
        first = json.loads(events.readline().removeprefix(b"data: "))
        self.assertNotEqual(first["type"], "job.ended", "it came while the job ran")
        self.assertIn(b'"job.ended"', events.read())

    def test_the_client_is_named_and_nobody_can_pretend(self):
        daemon, proxy = self.behind_proxy("--set", "server.trusted_proxies=127.0.0.1")
        lie = {"X-Forwarded-For": "6.6.6.6", "Forwarded": "for=6.6.6.6", "X-Real-IP": "6.6.6.6"}
        proxy.request("GET", "/livez?", headers={**lie, "X-Request-Id": "probe"})
        proxy.request("GET", "/v1/models", headers={**lie, "X-Request-Id": "by-proxy"})
        self.assertEqual(self.peers(daemon, "by-proxy"), CLIENT)
        connection = http.client.HTTPConnection("127.0.0.1", daemon.port, TIME_LIMIT,
                                                source_address=(CLIENT, 0))
        connection.request("GET", "/v1/models", headers={**lie, "X-Request-Id": "direct"})
        connection.getresponse().read()
        connection.close()
        self.assertEqual(self.peers(daemon, "direct"), f"local:{os.getuid()}", "that is no trusted proxy")

    def test_links_lead_back_through_the_proxy(self):
        self.behave("slow")
        daemon, proxy = self.behind_proxy("--set", "server.trusted_proxies=127.0.0.1")
        headers = {"Authorization": f"Bearer {KEY}", "Content-Type": FORM_TYPE,
                   "X-Forwarded-Prefix": "/of-a-liar"}
        submitted = proxy.request("POST", "/speech/v1/jobs", form([], self.sound(1)), headers)
        self.assertEqual(submitted.status, 202, submitted.text)
        self.assertTrue(submitted.headers["location"].startswith("/speech/v1/jobs/"))
        job = proxy.request("GET", submitted.headers["location"], headers=headers)
        self.assertEqual(job.status, 200, job.text)
        document = proxy.request("GET", "/speech/openapi.json").json
        self.assertEqual(document["servers"], [{"url": "/speech"}])
        direct = daemon.post_form("/v1/jobs", [], self.sound(1),
                                  {"Authorization": f"Bearer {KEY}", "X-Forwarded-Prefix": "/x"})
        self.assertTrue(direct.headers["location"].startswith("/x/"), "127.0.0.1 is trusted")

    def test_by_itself_no_proxy_is_trusted(self):
        daemon, proxy = self.behind_proxy()
        proxy.request("GET", "/v1/models", headers={"X-Request-Id": "by-proxy"})
        self.assertRegex(self.peers(daemon, "by-proxy"), r"^local:\d+$", "whoever nginx runs as")

    def test_another_name_is_refused_without_keys_and_told_how_to_be_allowed(self):
        daemon, proxy = self.behind_proxy(with_key=False)
        refused = proxy.request("GET", "/v1/models")
        self.assertEqual(refused.status, 403)
        message = refused.json["error"]["message"]
        self.assertIn(f'"{NAME}:{proxy.port}"', message)
        self.assertIn(f'add "{NAME}" to server.allowed_hosts', message)

    def test_with_keys_any_name_is_good_for_who_has_one(self):
        daemon, proxy = self.behind_proxy()
        self.assertEqual(proxy.request("GET", "/v1/models").status, 401)
        answer = proxy.request("GET", "/v1/models", headers={"Authorization": f"Bearer {KEY}"})
        self.assertEqual(answer.status, 200, answer.text)


if __name__ == "__main__":
    unittest.main()
