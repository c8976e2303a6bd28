"""Daemons that share a database: who has signed in at one has done so at all, and links hold everywhere."""

import http.client
import unittest

from cluster_daemons import ClusterDaemonsTest
from scribed_command import TIME_LIMIT, wait_for
from session_test import ADA, SignedInTest


class SignedInAcrossTest(SignedInTest, ClusterDaemonsTest):
    def two(self):
        return [self.start_node(name, "--role", role, "--key-file", self.file)
                for name, role in (("here", "both"), ("there", "gateway"))]

    def cookie_at(self, daemon, cookie):
        """The cookie as a browser sends it to a daemon that it knows by the same address."""
        return f"scribed_{daemon.port}={cookie.partition('=')[2]}"

    def name_at(self, daemon, cookie):
        return self.ask(daemon, "GET", "/v1/session", self.cookie_at(daemon, cookie)).json["name"]

    def test_who_signs_in_at_one_is_signed_in_at_all_and_out_likewise(self):
        here, there = self.two()
        cookie = self.cookie(here)
        self.assertEqual(self.name_at(there, cookie), "ada")
        job = self.submit(there, self.cookie_at(there, cookie))
        found = self.ask(here, "GET", f"/v1/jobs/{job}", cookie)
        self.assertEqual((found.status, found.json["owner"]), (200, "ada"))
        out = self.ask(here, "DELETE", "/v1/session", cookie, Origin=self.own_page(here))
        self.assertEqual(out.status, 200, out.text)
        wait_for(lambda: self.ask(there, "GET", "/v1/jobs", self.cookie_at(there, cookie)).status == 401,
                 "the end of the session at the other one")
        self.assertIsNone(self.name_at(there, cookie))
        self.assertFalse((self.folder / "here" / "sessions.sqlite").exists())

    def test_a_stream_ends_where_its_browser_was_signed_out_elsewhere(self):
        here, there = self.two()
        cookie = self.cookie(here)
        connection = http.client.HTTPConnection("127.0.0.1", there.port, timeout=TIME_LIMIT)
        self.addCleanup(connection.close)
        connection.request("GET", "/v1/events", headers={"Cookie": self.cookie_at(there, cookie)})
        stream = connection.getresponse()
        self.assertEqual(stream.status, 200)
        self.ask(here, "DELETE", "/v1/session", cookie, Origin=self.own_page(here))
        with self.assertRaises(http.client.IncompleteRead):
            stream.read()

    def test_a_client_secret_made_at_one_opens_live_sessions_at_all(self):
        here, there = self.two()
        made = here.request("POST", "/v1/realtime/client_secrets", "{}",
                            {"Authorization": f"Bearer {ADA}"})
        self.assertEqual(made.status, 200, made.text)
        secret = made.json["value"]
        for daemon in (here, there):
            opened = daemon.get("/v1/realtime", Authorization=f"Bearer {secret}")
            # It has come through: a WebSocket is missing, or at a gateway the model.
            self.assertIn(opened.status, (426, 503))
            wrong = daemon.get("/v1/realtime", Authorization=f"Bearer {secret}x")
            self.assertEqual(wrong.status, 401)

    def test_a_link_made_at_one_is_read_at_all_and_ended_by_any(self):
        here, there = self.two()
        key = {"Authorization": f"Bearer {ADA}"}
        answer = here.post_form("/v1/jobs", [], self.sound(5), key)
        job = answer.json["id"]
        wait_for(lambda: here.get(f"/v1/jobs/{job}", **key).json["status"] == "done", "its end")
        link = here.request("POST", f"/v1/jobs/{job}/shares", "", key)
        self.assertEqual(link.status, 201, link.text)
        address = f"/v1/shares/{link.json['token']}"
        self.assertEqual(there.get(address).json["id"], job)
        listed = there.get(f"/v1/jobs/{job}/shares", **key).json["data"]
        self.assertEqual([share["id"] for share in listed], [link.json["id"]])
        ended = there.request("DELETE", f"/v1/jobs/{job}/shares/{link.json['id']}", None, key)
        self.assertEqual(ended.status, 200, ended.text)
        wait_for(lambda: here.get(address).status == 404, "the end of the link")

    def test_sessions_outlive_a_database_that_is_away(self):
        here, there = self.two()
        cookie = self.cookie(here)
        self.server.stop()
        try:
            self.assertEqual(self.name_at(here, cookie), "ada")
            unknown = self.ask(there, "GET", "/v1/session", self.cookie_at(there, cookie))
            self.assertEqual((unknown.status, unknown.json["error"]["code"]),
                             (503, "database_unavailable"))
        finally:
            self.server.start()
        wait_for(lambda: self.ask(there, "GET", "/v1/session", self.cookie_at(there, cookie)).status == 200,
                 "the database")
        self.assertEqual(self.name_at(there, cookie), "ada")


if __name__ == "__main__":
    unittest.main()
