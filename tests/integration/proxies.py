"""Proxies with TLS in front of a daemon, configured as packaging/proxy says: only names of files, ports
and what a test needs to stop them are replaced.

Debian has nginx (nginx-light), HAProxy, Caddy and Apache (apache2-bin); scripts/setup --tests
installs these, and Traefik into .deps/traefik."""

import http.client
import os
import shutil
import socket
import ssl
import subprocess
import unittest

from daemon import FORM_TYPE, Answer, form
from scribed_command import ROOT, TIME_LIMIT, wait_for
from websocket_client import WebSocket

SHIPPED = ROOT / "packaging/proxy"
NAME = "voice.example"
KEY = "a-key-of-the-proxy-test"
HEADERS = {"Authorization": f"Bearer {KEY}"}
CLIENT = "127.0.0.2"  # where clients of a test come from: not the proxy's own address
SEARCHED = os.pathsep.join([os.environ.get("PATH", ""), "/usr/sbin", str(ROOT / ".deps/traefik/bin")])


def free_port():
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return probe.getsockname()[1]


def make_certificate(folder):
    subprocess.run(["openssl", "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256", "-nodes",
                    "-days", "2", "-subj", f"/CN={NAME}", "-addext", f"subjectAltName=DNS:{NAME}",
                    "-keyout", folder / "key.pem", "-out", folder / "certificate.pem"],
                   check=True, capture_output=True)


def adapted(file, replacements):
    """A shipped file with other texts in it; each has to be there."""
    text = (SHIPPED / file).read_text()
    for there, here in replacements.items():
        assert there in text, f"{file}: {there}"
        text = text.replace(there, str(here))
    return text


class Proxy:
    """One that runs until end(). Subclasses write its configuration and say how it is started."""

    program = package = ""
    tells_who_leaves = True  # closes its connection to scribed when a client has left

    def __init__(self, folder, daemon_port):
        self.folder, self.port, self.daemon_port = folder, free_port(), daemon_port
        make_certificate(folder)
        self.context = ssl.create_default_context(cafile=folder / "certificate.pem")
        self.log = open(folder / "log", "wb")
        self.process = subprocess.Popen([self.found(), *map(str, self.prepare())], cwd=folder, env=self.environment(),
                                        stdin=subprocess.DEVNULL, stdout=self.log, stderr=self.log)
        try:
            wait_for(self.is_up, self.program)
        except BaseException:
            self.end()
            raise

    @classmethod
    def found(cls):
        return shutil.which(cls.program, path=SEARCHED)

    @classmethod
    def need(cls):
        if cls.found() is None:
            raise unittest.SkipTest(f"{cls.program} is not installed ({cls.package})")
        if shutil.which("openssl") is None:
            raise unittest.SkipTest("openssl is not installed")

    def prepare(self):
        """Writes what the proxy reads, and returns its arguments."""
        raise NotImplementedError

    def environment(self):
        return {**os.environ, "HOME": str(self.folder), "XDG_DATA_HOME": str(self.folder),
                "XDG_CONFIG_HOME": str(self.folder)}

    def certificates(self):
        return {"/etc/ssl/certs/voice.example.pem": self.folder / "certificate.pem",
                "/etc/ssl/private/voice.example.key": self.folder / "key.pem"}

    def upstream(self):
        return {"127.0.0.1:8080": f"127.0.0.1:{self.daemon_port}"}

    def is_up(self):
        assert self.process.poll() is None, (self.folder / "log").read_text()
        try:
            # Traefik listens before it has read what it serves. Without keys, scribed refuses the name.
            return self.request("GET", "/livez").status in (200, 403)
        except OSError:
            return False

    def connect(self):
        """A socket with TLS, as a client on another machine has it."""
        plain = socket.create_connection(("127.0.0.1", self.port), TIME_LIMIT, (CLIENT, 0))
        return self.context.wrap_socket(plain, server_hostname=NAME)

    def http(self):
        connection = http.client.HTTPSConnection(NAME, self.port, context=self.context)
        connection.sock = self.connect()
        return connection

    def request(self, method, path, body=None, headers=None):
        connection = self.http()
        try:
            connection.request(method, path, body, headers or {})
            return Answer(connection.getresponse())
        finally:
            connection.close()

    def end(self):
        if self.process.poll() is None:
            self.process.terminate()
        self.process.wait(TIME_LIMIT)
        self.log.close()


class Nginx(Proxy):
    program, package = "nginx", "Debian: nginx-light"

    def prepare(self):
        site = adapted("nginx.conf", {"listen 443": f"listen 127.0.0.1:{self.port}", **self.upstream(),
                                      **self.certificates()})
        temporary = "".join(f"{kind}_temp_path {self.folder}/{kind};\n" for kind in
                            ("client_body", "proxy", "fastcgi", "uwsgi", "scgi"))
        (self.folder / "nginx.conf").write_text(
            f"daemon off;\nmaster_process off;\npid {self.folder}/nginx.pid;\nerror_log stderr;\n"
            f"events {{}}\nhttp {{\naccess_log off;\n{temporary}{site}\n}}\n")
        return ["-p", self.folder, "-e", "stderr", "-c", self.folder / "nginx.conf"]


class Caddy(Proxy):
    program, package = "caddy", "Debian: caddy"

    def prepare(self):
        site = adapted("Caddyfile", {"\nvoice.example {": f"\n{NAME}:{self.port} {{", "#tls": "tls",
                                     **self.upstream(), **self.certificates()})
        options = "{\nadmin off\nauto_https disable_redirects\ndefault_bind 127.0.0.1\n}\n"
        (self.folder / "Caddyfile").write_text(options + site)
        return ["run", "--adapter", "caddyfile", "--config", self.folder / "Caddyfile"]


class HaProxy(Proxy):
    program, package = "haproxy", "Debian: haproxy"

    def prepare(self):
        both = self.folder / "both.pem"
        both.write_text((self.folder / "certificate.pem").read_text() + (self.folder / "key.pem").read_text())
        (self.folder / "haproxy.cfg").write_text(adapted("haproxy.cfg", {
            "bind :443": f"bind 127.0.0.1:{self.port}", "/etc/haproxy/voice.example.pem": both, **self.upstream()}))
        return ["-db", "-f", self.folder / "haproxy.cfg"]


class Traefik(Proxy):
    program, package = "traefik", "scripts/setup --tests"

    def prepare(self):
        site = self.folder / "traefik-scribed.yaml"
        site.write_text(adapted("traefik-scribed.yaml", {**self.upstream(), **self.certificates()}))
        (self.folder / "traefik.yaml").write_text(adapted("traefik.yaml", {
            '":443"': f'"127.0.0.1:{self.port}"', "/etc/traefik/traefik-scribed.yaml": site}))
        return ["--configFile", self.folder / "traefik.yaml"]


class Apache(Proxy):
    program, package = "apache2", "Debian: apache2-bin"
    tells_who_leaves = False
    modules = ("mpm_event", "authz_core", "ssl", "socache_shmcb", "proxy", "proxy_http", "headers", "alias",
               "reqtimeout")

    def prepare(self):
        site = adapted("apache.conf", {"*:443": f"127.0.0.1:{self.port}", **self.upstream(), **self.certificates()})
        modules = "".join(f"LoadModule {name}_module /usr/lib/apache2/modules/mod_{name}.so\n" for name in self.modules)
        (self.folder / "apache.conf").write_text(
            f"ServerName {NAME}\nListen 127.0.0.1:{self.port} https\nPidFile {self.folder}/pid\n"
            f"DefaultRuntimeDir {self.folder}\nErrorLog /dev/stderr\nServerRoot {self.folder}\n"
            f"DocumentRoot {self.folder}\n{modules}{site}\n")
        return ["-D", "FOREGROUND", "-f", self.folder / "apache.conf"]


ALL = (Nginx, Caddy, HaProxy, Traefik, Apache)


class ProxyTest:
    """A daemon behind a proxy, whose `kind` subclasses name. It goes before DaemonTest."""

    kind = None

    @classmethod
    def setUpClass(cls):
        cls.kind.need()
        super().setUpClass()

    def behind_proxy(self, *options, with_key=True, trusted=True):
        if with_key:
            self.environment["SCRIBED_API_KEY"] = KEY
        if trusted:
            options = ("--set", "server.trusted_proxies=127.0.0.1", *options)
        self.daemon = self.start(*options)
        folder = self.folder / "proxy"
        folder.mkdir()
        self.proxy = self.kind(folder, self.daemon.port)
        self.addCleanup(self.proxy.end)

    def ask(self, method, path, body=None, **headers):
        headers = {name.replace("_", "-"): str(value) for name, value in headers.items()}
        return self.proxy.request(method, path, body, {**HEADERS, **headers})

    def submitted(self, sound, path="/v1/jobs", **headers):
        answer = self.ask("POST", path, form([], sound), Content_Type=FORM_TYPE, **headers)
        self.assertEqual(answer.status, 202, answer.text)
        return answer

    def opened(self, method, path, headers=(), body=None):
        """The answer as it comes."""
        connection = self.proxy.http()
        self.addCleanup(connection.close)
        connection.request(method, path, body, {**HEADERS, **dict(headers)})
        return connection.getresponse()

    def web_socket(self, path):
        socket = WebSocket(self.proxy.port, path, HEADERS.items(), host=NAME, line=self.proxy.connect())
        self.addCleanup(socket.end)
        return socket

    def line_of(self, request_id):
        """The line of the log for a request."""
        wanted = f"request_id={request_id} "
        return wait_for(lambda: [line for line in self.daemon.lines if wanted in line.replace("\n", " ")],
                        "the line of the log")[0]

    def peer(self, request_id):
        return self.line_of(request_id).partition("peer=")[2].split()[0]
