"""Browsers that sign in, and links to jobs: what a real daemon lets in from which page, and for how long."""

import itertools
import json
import signal
import unittest

from daemon import FORM_TYPE, DaemonTest, form
from scribed_command import wait_for
from websocket_client import Refused, WebSocket

ADA, BOB = "ada-has-this-key-of-hers", "bob-has-this-key-of-his"
KEYS = f"ada {ADA} [transcribe, read_status, manage]\nbob {BOB} [transcribe]\n"


class SignedInTest(DaemonTest):
    def setUp(self):
        super().setUp()
        self.file = self.folder / "keys"
        self.write(KEYS)

    def write(self, text):
        self.file.write_text(text)
        self.file.chmod(0o600)

    def serve(self, *options):
        return self.start("--key-file", self.file, *options)

    def reload(self, daemon):
        before = daemon.log().count("msg=\"read again\"")
        daemon.process.send_signal(signal.SIGHUP)
        wait_for(lambda: daemon.log().count("msg=\"read again\"") > before, "the keys")

    def own_page(self, daemon):
        return f"http://127.0.0.1:{daemon.port}"

    def sign_in(self, daemon, key=ADA, **headers):
        return daemon.request("POST", "/v1/session", json.dumps({"key": key}),
                              {"Origin": self.own_page(daemon), **headers})

    def cookie(self, daemon, key=ADA):
        answer = self.sign_in(daemon, key)
        self.assertEqual(answer.status, 200, answer.text)
        return answer.headers["set-cookie"].partition(";")[0]

    def ask(self, daemon, method, path, cookie, body=None, **headers):
        return daemon.request(method, path, body, {"Cookie": cookie, **headers})

    def submit(self, daemon, cookie):
        answer = self.ask(daemon, "POST", "/v1/jobs", cookie, form([], self.sound(3)),
                          **{"Content-Type": FORM_TYPE, "Origin": self.own_page(daemon)})
        self.assertEqual(answer.status, 202, answer.text)
        return answer.json["id"]


class SessionTest(SignedInTest):
    def test_a_browser_signs_in_and_out(self):
        daemon = self.serve()
        self.assertEqual(daemon.get("/v1/session").json,
                         {"name": None, "rights": [], "keys_required": True, "ends_at": None})
        answer = self.sign_in(daemon)
        self.assertEqual((answer.json["name"], answer.json["rights"]),
                         ("ada", ["transcribe", "read_status", "manage"]))
        field = answer.headers["set-cookie"]
        self.assertRegex(field, rf"^scribed_{daemon.port}=[0-9a-z]{{52}}; Path=/; Max-Age=2592000; "
                                "HttpOnly; SameSite=Strict$")
        cookie = field.partition(";")[0]
        job = self.submit(daemon, cookie)
        self.assertEqual(self.ask(daemon, "GET", f"/v1/jobs/{job}", cookie).json["owner"], "ada")
        out = self.ask(daemon, "DELETE", "/v1/session", cookie, Origin=self.own_page(daemon))
        self.assertEqual((out.status, out.json["name"]), (200, None))
        self.assertIn("Max-Age=0", out.headers["set-cookie"])
        self.assertEqual(self.ask(daemon, "GET", "/v1/jobs", cookie).status, 401)
        self.assertNotIn(cookie.partition("=")[2], daemon.log())
        self.assertNotIn(ADA, daemon.log())

    def test_a_session_outlives_the_daemon(self):
        daemon = self.serve()
        token = self.cookie(daemon).partition("=")[2]
        daemon.kill()
        again = self.serve()  # at another port, by which its cookie is named
        answer = self.ask(again, "GET", "/v1/session", f"scribed_{again.port}={token}")
        self.assertEqual(answer.json["name"], "ada")

    def test_a_session_ends_with_its_key(self):
        daemon = self.serve()
        ada, bob = self.cookie(daemon, ADA), self.cookie(daemon, BOB)
        self.assertEqual(self.ask(daemon, "GET", "/v1/status", bob).status, 403)
        self.write(f"bob {BOB} [transcribe, read_status]\n")
        self.reload(daemon)
        self.assertEqual(self.ask(daemon, "GET", "/v1/jobs", ada).status, 401)
        self.assertEqual(self.ask(daemon, "GET", "/v1/status", bob).status, 200)

    def test_after_five_wrong_keys_an_address_waits(self):
        daemon = self.serve()
        for number in range(5):
            self.assertEqual(self.sign_in(daemon, f"not-a-key-of-anybody-{number}").status, 401)
        refused = self.sign_in(daemon)
        self.assertEqual((refused.status, refused.json["error"]["code"]),
                         (429, "rate_limit_exceeded"))
        self.assertLessEqual(int(refused.headers["retry-after"]), 12)

    def test_a_damaged_file_costs_sessions_and_nothing_else(self):
        daemon = self.serve()
        cookie = self.cookie(daemon)
        job = self.submit(daemon, cookie)
        daemon.terminate()
        for name in ("sessions.sqlite-wal", "sessions.sqlite-shm"):
            (self.state / name).unlink(missing_ok=True)
        (self.state / "sessions.sqlite").write_bytes(b"x" * 8192)
        again = self.serve()
        again.wait_for_log("people have to sign in again")
        self.assertEqual(self.ask(again, "GET", f"/v1/jobs/{job}", self.cookie(again)).status, 200)
        self.assertTrue((self.state / "sessions.sqlite.damaged").exists())

    def test_without_keys_nobody_signs_in(self):
        daemon = self.start()
        self.assertEqual(daemon.get("/v1/session").json["name"], "local")
        answer = self.sign_in(daemon, "whatever")
        self.assertEqual(answer.json["name"], "local")
        self.assertNotIn("set-cookie", answer.headers)

    def test_behind_a_proxy_with_tls_the_cookie_is_for_https_alone(self):
        daemon = self.serve("--set", "server.trusted_proxies=127.0.0.1")
        tls = {"X-Forwarded-Proto": "https", "Host": "voice.example",
               "X-Forwarded-For": "192.0.2.1"}
        field = self.sign_in(daemon, **{**tls, "Origin": "https://voice.example"}).headers[
            "set-cookie"]
        self.assertTrue(field.startswith("__Host-scribed_443="), field)
        self.assertTrue(field.endswith("; Secure"), field)
        cookie = field.partition(";")[0]
        for origin, status in (("https://voice.example", 404), ("http://voice.example", 403),
                               ("https://voice.example:8443", 403)):
            answer = self.ask(daemon, "DELETE", "/v1/jobs/x", cookie, **{**tls, "Origin": origin})
            self.assertEqual(answer.status, status, origin)


class PageOriginTest(SignedInTest):
    """What browsers send with requests of pages of other origins, among them those of the same host."""

    METHODS = ("GET", "POST", "PATCH", "DELETE")

    def test_the_matrix_of_pages(self):
        daemon = self.serve()
        cookie = self.cookie(daemon)
        own = self.own_page(daemon)
        pages = {
            # Origin, Sec-Fetch-Site: whether a GET and whether a change may be
            (own, "same-origin"): (True, True),
            (own, None): (True, True),               # http, but to this machine: no Sec-Fetch-Site
            (None, "same-origin"): (True, True),     # a GET of our own page has no Origin
            (None, "none"): (True, False),           # somebody has typed the address
            (None, None): (True, False),             # no browser, or an old one
            ("http://127.0.0.1:3000", "same-site"): (False, False),
            ("http://127.0.0.1:3000", None): (False, False),
            (None, "same-site"): (False, False),     # an image, a script or sound of such a page
            (None, "cross-site"): (False, False),
            ("http://localhost:3000", "cross-site"): (False, False),
            (f"http://localhost:{daemon.port}", "cross-site"): (False, False),
            (f"https://127.0.0.1:{daemon.port}", None): (False, False),
            ("http://127.0.0.1", None): (False, False),
            ("http://evil.example", "cross-site"): (False, False),
            ("null", "cross-site"): (False, False),  # a sandboxed frame, or a file
        }
        for ((origin, site), (reads, changes)), method in itertools.product(
                pages.items(), self.METHODS):
            headers = {"Origin": origin, "Sec-Fetch-Site": site, "Content-Type": "text/plain"}
            headers = {name: value for name, value in headers.items() if value}
            with self.subTest(origin=origin, site=site, method=method):
                path = "/v1/jobs" if method in ("GET", "POST") else "/v1/jobs/x"
                answer = self.ask(daemon, method, path, cookie, **headers)
                may = reads if method == "GET" else changes
                self.assertEqual(answer.status == 403, not may, answer.text)
                self.assertNotEqual(answer.status, 401)

    def test_no_page_of_another_origin_can_read_by_a_cookie(self):
        page = "http://127.0.0.1:3000"
        daemon = self.serve("--set", f"server.allowed_origins={page}")
        cookie = self.cookie(daemon)
        with_cookie = self.ask(daemon, "GET", "/v1/jobs", cookie, Origin=page)
        self.assertEqual(with_cookie.status, 403)
        self.assertFalse([name for name in with_cookie.headers if name.startswith("access-control")])
        with_key = daemon.get("/v1/jobs", Origin=page, Authorization=f"Bearer {ADA}")
        self.assertEqual(with_key.status, 200)
        self.assertEqual(with_key.headers["access-control-allow-origin"], page)

    def test_a_page_cannot_sign_somebody_in_as_somebody_else(self):
        daemon = self.serve()
        for origin in ("http://127.0.0.1:3000", f"http://localhost:{daemon.port}", "null"):
            answer = self.sign_in(daemon, **{"Origin": origin})
            self.assertEqual(answer.status, 403, origin)
            self.assertNotIn("set-cookie", answer.headers)

    def test_a_websocket_by_cookie_is_for_our_own_page(self):
        daemon = self.serve()
        cookie = self.cookie(daemon)
        path = "/v1/realtime?intent=transcription"

        def status(*headers):
            try:
                WebSocket(daemon.port, path, [("Cookie", cookie), *headers]).end()
                return 101
            except Refused as refused:
                return refused.status

        self.assertEqual(status(("Origin", self.own_page(daemon))), 101)
        self.assertEqual(status(("Sec-Fetch-Site", "same-origin")), 101)
        for headers in ((), (("Origin", "http://127.0.0.1:3000"),), (("Origin", "null"),),
                        (("Origin", "http://127.0.0.1"),), (("Sec-Fetch-Site", "same-site"),)):
            self.assertEqual(status(*headers), 403, headers)
        WebSocket(daemon.port, path, [("Authorization", f"Bearer {ADA}")]).end()


class ShareTest(SignedInTest):
    def setUp(self):
        super().setUp()
        self.daemon = self.serve()
        self.by_ada = self.cookie(self.daemon)
        self.job = self.submit(self.daemon, self.by_ada)
        wait_for(lambda: self.ask(self.daemon, "GET", f"/v1/jobs/{self.job}",
                                  self.by_ada).json["status"] == "done", "the job")

    def share(self, **body):
        answer = self.ask(self.daemon, "POST", f"/v1/jobs/{self.job}/shares", self.by_ada,
                          json.dumps(body), Origin=self.own_page(self.daemon))
        self.assertEqual(answer.status, 201, answer.text)
        return answer.json

    def test_a_link_opens_one_job_for_everybody(self):
        made = self.share(ends_in_s=3600)
        token = made["token"]
        self.assertEqual(made["url"], f"{self.own_page(self.daemon)}/#/s/{token}")
        shown = self.daemon.get(f"/v1/shares/{token}").json
        self.assertEqual((shown["id"], shown["owner"]), (self.job, ""))
        own = f"/v1/jobs/{self.job}"
        for part in ("/transcript?format=srt", "/segments?limit=2"):
            theirs = self.daemon.get(f"/v1/shares/{token}{part}")
            ours = self.ask(self.daemon, "GET", own + part, self.by_ada)
            self.assertEqual((theirs.status, theirs.body), (200, ours.body), part)
        for part in ("/audio", "/peaks"):
            theirs = self.daemon.get(f"/v1/shares/{token}{part}")
            ours = self.ask(self.daemon, "GET", own + part, self.by_ada)
            self.assertEqual((theirs.status, theirs.body), (ours.status, ours.body), part)
        self.assertEqual(self.daemon.get(own).status, 401)

    def test_a_token_stands_in_no_log(self):
        token = self.share()["token"]
        self.daemon.get(f"/v1/shares/{token}/transcript")
        self.daemon.get(f"/v1/shares/{token}/nothing")
        self.daemon.wait_for_log("/v1/shares/")
        self.daemon.terminate()
        self.assertIn("/v1/shares/", self.daemon.log())
        self.assertNotIn(token, self.daemon.log())
        self.assertNotIn(token.encode(), (self.state / "sessions.sqlite").read_bytes())

    def test_a_link_outlives_the_daemon_and_ends_when_its_owner_says(self):
        made, other = self.share(), self.share()
        self.daemon.kill()
        daemon = self.serve()
        self.assertEqual(daemon.get(f"/v1/shares/{made['token']}").status, 200)
        cookie = self.cookie(daemon)
        shares = f"/v1/jobs/{self.job}/shares"
        listed = self.ask(daemon, "GET", shares, cookie).json["data"]
        self.assertEqual({share["id"] for share in listed}, {made["id"], other["id"]})
        ended = self.ask(daemon, "DELETE", f"{shares}/{made['id']}", cookie,
                         Origin=self.own_page(daemon))
        self.assertEqual(ended.status, 200)
        gone = daemon.get(f"/v1/shares/{made['token']}")
        self.assertEqual((gone.status, gone.json["error"]["code"]), (404, "share_not_found"))
        self.assertEqual(daemon.get(f"/v1/shares/{other['token']}").status, 200)

    def test_a_link_ends_with_its_job_and_with_the_key(self):
        token = self.share()["token"]
        self.write(f"bob {BOB}\n")
        self.reload(self.daemon)
        self.assertEqual(self.daemon.get(f"/v1/shares/{token}").status, 404)
        self.write(KEYS)
        self.reload(self.daemon)
        self.assertEqual(self.daemon.get(f"/v1/shares/{token}").status, 200)
        self.ask(self.daemon, "DELETE", f"/v1/jobs/{self.job}", self.by_ada,
                 Origin=self.own_page(self.daemon))
        self.assertEqual(self.daemon.get(f"/v1/shares/{token}").status, 404)


if __name__ == "__main__":
    unittest.main()
