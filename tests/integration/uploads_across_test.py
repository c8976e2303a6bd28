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

    def begin(self, daemon, sound):
        metadata = "filename " + base64.b64encode(b"talk.wav").decode()
        begun = daemon.request("POST", "/v1/uploads", None,
                               {**self.who, **TUS, "Upload-Length": str(len(sound)),
                                "Upload-Metadata": metadata})
        self.assertEqual(begun.status, 201, begun.text)
        return begun.headers["location"]

    def send(self, daemon, place, offset, part):
        return daemon.request("PATCH", place, part,
                              {**self.who, **PART, "Upload-Offset": str(offset)})

    def received(self, daemon, place):
        told = daemon.request("HEAD", place, None, {**self.who, **TUS})
        self.assertEqual(told.status, 200)
        return int(told.headers["upload-offset"])

    def test_an_upload_in_parts_goes_on_at_any_daemon(self):
        here, there = self.two()
        sound = self.sound(5)
        place = self.begin(here, sound)
        ends = [1000, 70_000, 70_001, len(sound)]
        for number, (offset, end) in enumerate(zip([0, *ends], ends)):
            daemon, other = (here, there) if number % 2 == 0 else (there, here)
            self.assertEqual(self.received(daemon, place), offset)
            sent = self.send(daemon, place, offset, sound[offset:end])
            self.assertEqual((sent.status, sent.headers["upload-offset"]), (204, str(end)))
            self.assertEqual(self.received(other, place), end)
            self.assertEqual(self.ids(other), [place.rsplit("/", 1)[1]])
        self.assertEqual(self.send(here, place, 1000, sound[1000:2000]).status, 409)
        done = self.transcribe(here, place.rsplit("/", 1)[1])
        self.assertEqual((done["status"], done["title"]), ("done", "talk.wav"))
        self.assertEqual(done["duration"], 5)
        wait_for(lambda: len(self.kept()) == 1, "that its parts are gone")

    def test_an_upload_in_parts_outlives_the_daemon_that_had_its_first_ones(self):
        here, there = self.two()
        sound = self.sound(5)
        place = self.begin(here, sound)
        self.assertEqual(self.send(here, place, 0, sound[:1000]).status, 204)
        here.kill()
        unfinished = there.post_form("/v1/jobs", [("upload", place.rsplit("/", 1)[1])],
                                     headers=self.who)
        self.assertEqual(unfinished.json["error"]["code"], "upload_unfinished")
        self.assertEqual(self.send(there, place, 1000, sound[1000:]).status, 204)
        self.assertEqual(self.transcribe(there, place.rsplit("/", 1)[1])["status"], "done")

    def test_an_upload_in_parts_is_removed_everywhere(self):
        here, there = self.two()
        sound = self.sound(5)
        place = self.begin(here, sound)
        self.assertEqual(self.send(here, place, 0, sound[:1000]).status, 204)
        self.assertEqual(there.request("DELETE", place, None, self.who).status, 200)
        self.assertEqual(self.send(here, place, 1000, sound[1000:]).status, 404)
        self.assertEqual(self.ids(here), [])
        wait_for(lambda: not self.kept(), "that its bytes are gone")

    def test_the_room_for_uploads_is_that_of_all_daemons(self):
        sound = self.sound(5)  # of some 160 kB
        here, there = self.two("--set", "inputs.max_uploads_bytes=800000")  # one key has half of it
        self.handle(here, sound)
        kept = self.handle(there, sound)
        refused = self.upload(here, sound)
        self.assertEqual((refused.status, refused.json["error"]["code"]), (429, "too_many_bytes"))
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
