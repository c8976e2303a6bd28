"""What one owner may have open at once: never so much that nothing is left for the others."""

import http.client
import unittest

from daemon import DaemonTest
from scribed_command import wait_for

ADA, BOB = "ada-has-this-key-of-hers", "bob-has-this-key-of-his"


class SharesTest(DaemonTest):
    def setUp(self):
        super().setUp()
        self.behave("slow")
        keys = self.folder / "keys"
        keys.write_text(f"ada {ADA}\nbob {BOB}\n")
        keys.chmod(0o600)
        self.daemon = self.start("--key-file", keys, "--set", "server.max_connections=8")

    def ask(self, path, key):
        return self.daemon.get(path, Authorization=f"Bearer {key}")

    def events_of(self, job):
        connection = http.client.HTTPConnection("127.0.0.1", self.daemon.port)
        self.addCleanup(connection.close)
        connection.request("GET", f"/v1/jobs/{job}/events", headers={"Authorization": f"Bearer {ADA}"})
        return connection, connection.getresponse()

    def test_one_owner_cannot_take_all_connections(self):
        job = self.daemon.post_form("/v1/jobs", [], self.sound(600),
                                    {"Authorization": f"Bearer {ADA}"}).json["id"]
        streams = [self.events_of(job) for _ in range(4)]
        self.assertEqual([answer.status for _, answer in streams], [200] * 4)
        refused = self.ask("/v1/jobs", ADA)
        self.assertEqual((refused.status, refused.json["error"]["code"]), (429, "too_many_requests"))
        self.assertEqual(refused.headers["Retry-After"], "5")
        self.assertEqual(self.ask("/v1/jobs", BOB).status, 200)
        self.assertEqual(self.daemon.get("/livez").status, 200)
        streams[0][1].close()
        streams[0][0].close()
        wait_for(lambda: self.ask("/v1/jobs", ADA).status == 200, "a place that is free again")


if __name__ == "__main__":
    unittest.main()
