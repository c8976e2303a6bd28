"""Uploads, where several daemons have the same jobs: a handle that one has given is good at all."""

import base64
import unittest

from cluster_bucket import ClusterBucketTest
from cluster_daemons import ClusterDaemonsTest
from scribed_command import wait_for
from tus_test import ADA, BOB, PART, TUS


class UploadsAcrossCases:
    """The cases for both places; `kept` tells what lies there."""

    def setUp(self):
        super().setUp()
        self.keys = self.folder / "keys"
        self.keys.write_text(f"ada {ADA}\nbob {BOB}\n")
        self.keys.chmod(0o600)
        self.who = {"Authorization": f"Bearer {ADA}"}

    def two(self, *options):
        return [self.start_node(name, "--key-file", self.keys, *options) for name in ("here", "there")]

    def upload(self, daemon, sound):
        return daemon.post_form("/v1/uploads", [], sound, self.who)

    def handle(self, daemon, sound):
        answer = self.upload(daemon, sound)
        self.assertEqual(answer.status, 201, answer.text)
        return answer.json["id"]

    def transcribe(self, daemon, upload):
        answer = daemon.post_form("/v1/jobs", [("upload", f"upload://{upload}")], headers=self.who)
        self.assertEqual(answer.status, 202, answer.text)
        job = answer.json["id"]
        return wait_for(lambda: (found := daemon.get(f"/v1/jobs/{job}", **self.who).json)["status"] in
                        ("done", "failed") and found, "its end")

    def ids(self, daemon):
        return [upload["id"] for upload in daemon.get("/v1/uploads", **self.who).json["data"]]

    def test_a_handle_of_one_is_used_listed_and_removed_at_another(self):
        here, there = self.two()
        upload = self.handle(here, self.sound(5))
        self.assertEqual(self.ids(there), [upload])
        self.assertEqual(there.get(f"/v1/uploads/{upload}", **self.who).json["complete"], True)
        by_bob = there.get(f"/v1/uploads/{upload}", Authorization=f"Bearer {BOB}")
        self.assertEqual(by_bob.status, 404)
        for daemon in (there, here, there):
            self.assertEqual(self.transcribe(daemon, upload)["status"], "done")
        self.assertEqual(len(self.kept()), 1)
        self.assertEqual(there.request("DELETE", f"/v1/uploads/{upload}", None, self.who).status, 200)
        self.assertEqual(self.ids(here), [])
        self.assertEqual(here.get(f"/v1/uploads/{upload}", **self.who).status, 404)
        wait_for(lambda: not self.kept(), "that its bytes are gone")

    def test_one_outlives_the_daemon_that_took_it(self):
        here, there = self.two()
        upload = self.handle(here, self.sound(5))
        here.kill()
        self.assertEqual(self.transcribe(there, upload)["status"], "done")

    def test_a_finished_upload_in_parts_is_everywhere_and_an_unfinished_one_is_not(self):
        here, there = self.two()
        sound = self.sound(5)
        metadata = "filename " + base64.b64encode(b"talk.wav").decode()
        begun = here.request("POST", "/v1/uploads", None,
                             {**self.who, **TUS, "Upload-Length": str(len(sound)),
                              "Upload-Metadata": metadata})
        self.assertEqual(begun.status, 201, begun.text)
        place = begun.headers["location"]
        first = here.request("PATCH", place, sound[:1000], {**self.who, **PART, "Upload-Offset": "0"})
        self.assertEqual(first.status, 204, first.text)
        self.assertEqual(there.request("HEAD", place, None, {**self.who, **TUS}).status, 404)
        rest = here.request("PATCH", place, sound[1000:],
                            {**self.who, **PART, "Upload-Offset": "1000"})
        self.assertEqual(rest.status, 204, rest.text)
        for daemon in (here, there):
            told = daemon.request("HEAD", place, None, {**self.who, **TUS})
            self.assertEqual((told.status, told.headers["upload-offset"]), (200, str(len(sound))))
        done = self.transcribe(there, place.rsplit("/", 1)[1])
        self.assertEqual((done["status"], done["title"]), ("done", "talk.wav"))

    def test_the_room_for_uploads_is_that_of_all_daemons(self):
        sound = self.sound(5)  # of some 160 kB
        here, there = self.two("--set", "inputs.max_uploads_bytes=400000")
        self.handle(here, sound)
        kept = self.handle(there, sound)
        refused = self.upload(here, sound)
        self.assertEqual((refused.status, refused.json["error"]["code"]), (507, "out_of_disk"))
        self.assertEqual(len(self.ids(there)), 2)
        wait_for(lambda: len(self.kept()) == 2, "that nothing is left of it")
        there.request("DELETE", f"/v1/uploads/{kept}", None, self.who)
        self.handle(here, sound)

    def test_without_the_database_an_upload_is_refused_and_nothing_stays(self):
        here, _ = self.two()
        self.server.stop()
        try:
            refused = self.upload(here, self.sound(5))
            self.assertEqual((refused.status, refused.json["error"]["code"]),
                             (503, "database_unavailable"))
        finally:
            self.server.start()
        wait_for(lambda: here.get("/v1/uploads", **self.who).status == 200, "the database")
        self.assertEqual(self.ids(here), [])


class UploadsInAFolderTest(UploadsAcrossCases, ClusterDaemonsTest):
    def kept(self):
        return [file.name for file in (self.shared / "uploads").iterdir()]


class UploadsInABucketTest(UploadsAcrossCases, ClusterBucketTest):
    def kept(self):
        return self.names("uploads")

    def test_an_upload_in_parts_that_the_bucket_did_not_take_is_handed_over_later(self):
        here, there = self.two()
        sound = self.sound(5)
        begun = here.request("POST", "/v1/uploads", None,
                             {**self.who, **TUS, "Upload-Length": str(len(sound))})
        place = begun.headers["location"]
        self.s3.stop()
        try:
            part = here.request("PATCH", place, sound,
                                {**self.who, **PART, "Upload-Offset": "0"})
            self.assertEqual((part.status, part.json["error"]["code"]),
                             (503, "recordings_unavailable"))
        finally:
            self.s3.start()
        told = here.request("HEAD", place, None, {**self.who, **TUS})
        self.assertEqual((told.status, told.headers["upload-offset"]), (200, str(len(sound))))
        self.assertEqual(there.request("HEAD", place, None, {**self.who, **TUS}).status, 200)


if __name__ == "__main__":
    unittest.main()
