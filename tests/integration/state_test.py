"""What lies on the disk of a daemon: whose files it may remove, how much clients may put there, and
how it ends where it cannot work."""

import contextlib
import json
import os
import random
import shutil
import socket
import sqlite3
import subprocess
import unittest

from daemon import DaemonTest, FORM_TYPE, form
from scribed_command import TIME_LIMIT, wait_for

OURS = "a" * 26  # as ids are


class StateTest(DaemonTest):
    def ends_with(self, status, *options, **variables):
        """What a daemon says that cannot begin."""
        ended = subprocess.run(
            [self.scribed, "serve", "--listen", "127.0.0.1:0", "--model", self.model,
             "--state-folder", self.state, *map(str, options)],
            env={**self.environment, **variables}, capture_output=True, text=True,
            timeout=TIME_LIMIT)
        self.assertEqual(ended.returncode, status, ended.stderr)
        return ended.stderr


class FoldersTest(StateTest):
    def put(self, name, text="mine"):
        path = self.state / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)
        return path

    def test_a_folder_of_somebodys_own_is_refused_and_stays_as_it_is(self):
        files = [self.put("inputs/interview.wav"), self.put("uploads/photo.jpg")]
        said = self.ends_with(2)
        self.assertIn("jobs.state_folder", said)
        self.assertEqual([file.read_text() for file in files], ["mine", "mine"])

    def test_only_files_of_scribed_are_removed(self):
        self.start().terminate()
        kept = [self.put("inputs/interview.wav"), self.put("uploads/photo.jpg")]
        gone = [self.put(f"inputs/{OURS}"), self.put(f"uploads/{OURS}")]
        self.start()
        self.assertTrue(all(file.exists() for file in kept))
        self.assertFalse(any(file.exists() for file in gone))

    def test_a_link_is_not_followed(self):
        victim = self.folder / "victim"
        victim.mkdir(mode=0o755)
        (victim / OURS).write_text("mine")
        for part in ("inputs", "uploads"):
            self.state.mkdir(exist_ok=True)
            (self.state / part).symlink_to(victim)
            self.assertIn("is a link", self.ends_with(5))
            (self.state / part).unlink()
        self.assertEqual((victim / OURS).read_text(), "mine")
        self.assertEqual(victim.stat().st_mode & 0o777, 0o755)

    def test_what_it_makes_is_for_its_user_alone(self):
        self.start()
        for path in (self.state, self.state / "inputs", self.state / "uploads"):
            self.assertEqual(path.stat().st_mode & 0o077, 0, path)

    def test_a_state_folder_may_be_moved(self):
        self.behave("slow")
        daemon = self.start("--set", "jobs.parallel=1")
        jobs = [daemon.submit(self.sound(20)), daemon.submit(self.sound(5))]
        wait_for(lambda: daemon.job(jobs[0])["segments"] >= 1, "a segment")
        daemon.kill()
        self.state = self.state.rename(self.folder / "moved")
        again = self.start()
        for job in jobs:
            self.assertEqual(again.wait_for_job(job)["status"], "done")
        self.assertEqual(list((self.state / "inputs").iterdir()), [])


class EndsTest(StateTest):
    """Services are started again after 75, and not after 2 and 5."""

    def test_what_is_in_use_may_be_free_at_the_next_try(self):
        daemon = self.start()
        self.assertIn("in use by another scribed", self.ends_with(75))
        self.state = self.folder / "other"
        said = self.ends_with(75, "--listen", f"127.0.0.1:{daemon.port}")
        self.assertIn("Address already in use", said)

    def test_a_wrong_setting_stays_wrong(self):
        self.assertIn("Did you mean jobs.parallel?", self.ends_with(2, "--set", "jobs.paralel=1"))
        self.ends_with(2, "--set", "jobs.parallel=many")
        self.ends_with(2, "--set", "jobs.parallel")

    def test_damaged_jobs_are_put_aside_with_their_recordings_and_the_next_start_is_a_new_one(self):
        self.behave("slow")
        daemon = self.start("--set", "server.drain_s=0")
        job = daemon.submit(self.sound(60))
        wait_for(lambda: daemon.job(job)["segments"], "a segment")
        self.assertEqual(daemon.terminate(), 0)
        self.assertEqual(len(list((self.state / "inputs").iterdir())), 1)
        database = self.state / "jobs.sqlite"
        damaged = database.read_bytes()[:8192]
        database.write_bytes(damaged)
        said = self.ends_with(5)
        self.assertIn("malformed", said)
        self.assertIn("Start scribed again", said)
        aside, = self.state.glob("damaged-*")
        self.assertEqual((aside / "jobs.sqlite").read_bytes(), damaged)
        self.assertEqual(len(list((aside / "inputs").iterdir())), 1)
        self.assertEqual(self.start().get("/v1/jobs").json["data"], [])

    def test_jobs_of_a_later_version_are_left_alone(self):
        self.start().terminate()
        with contextlib.closing(sqlite3.connect(self.state / "jobs.sqlite")) as database:
            database.execute("PRAGMA user_version = 99")
        self.assertIn("later version", self.ends_with(5))
        self.assertEqual(list(self.state.glob("damaged-*")), [])


class RoomTest(StateTest):
    def setUp(self):
        super().setUp()
        self.keys = self.folder / "keys"
        self.keys.write_text("ada ada-has-this-key-of-hers\nbob bob-has-this-key-of-his\n"
                             "eve eve-has-this-key-of-hers\n")
        self.keys.chmod(0o600)
        self.behave("slow")

    def start_with_room(self, **room):
        options = [f"--set=inputs.{name}={value}" for name, value in room.items()]
        return self.start("--key-file", self.keys, "--set", "jobs.parallel=1",
                          "--set", "server.max_body_bytes_sync=100000",
                          "--set", "server.max_upload_bytes=200000", *options)

    def post(self, daemon, path, sound, who="ada", **fields):
        key = {"ada": "ada-has-this-key-of-hers", "bob": "bob-has-this-key-of-his",
               "eve": "eve-has-this-key-of-hers"}[who]
        return daemon.post_form(path, fields.items(), sound, {"Authorization": f"Bearer {key}"})

    def files(self):
        return [file for part in ("inputs", "uploads") for file in (self.state / part).iterdir()]

    def test_one_key_cannot_take_the_disk_of_the_others(self):
        daemon = self.start_with_room(max_disk_bytes=500_000, max_disk_bytes_per_owner=250_000)
        sound = self.sound(3)  # 96 kB
        for _ in range(2):
            self.assertEqual(self.post(daemon, "/v1/jobs", sound, prompt="fake:hang").status, 202)
        before = len(self.files())
        for path in ("/v1/jobs", "/v1/uploads", "/v1/audio/transcriptions"):
            refused = self.post(daemon, path, sound)
            self.assertEqual((refused.status, refused.json["error"]["code"]),
                             (429, "too_many_bytes"), path)
            self.assertTrue(refused.headers["retry-after"])
        self.assertEqual(len(self.files()), before)
        self.assertEqual(self.post(daemon, "/v1/uploads", sound, "bob").status, 201)

    def test_all_together_have_their_bounds_and_room_comes_back(self):
        daemon = self.start_with_room(max_disk_bytes=250_000, max_disk_bytes_per_owner=240_000,
                                      max_uploads_bytes=250_000)
        sound = self.sound(3)
        uploads = [self.post(daemon, "/v1/uploads", sound, who).json for who in ("ada", "bob")]
        full = self.post(daemon, "/v1/uploads", sound, "eve")
        self.assertEqual((full.status, full.json["error"]["code"]), (507, "out_of_disk"))
        more = self.post(daemon, "/v1/uploads", sound, "bob")
        self.assertEqual((more.status, more.json["error"]["code"]), (429, "too_many_bytes"),
                         "one of several has half of all")
        self.assertNotIn(str(self.folder), full.text)
        daemon.kill()
        daemon = self.start_with_room(max_disk_bytes=250_000, max_disk_bytes_per_owner=240_000,
                                      max_uploads_bytes=250_000)
        self.assertEqual(self.post(daemon, "/v1/uploads", sound, "eve").status, 507)
        key = {"Authorization": "Bearer ada-has-this-key-of-hers"}
        daemon.request("DELETE", f"/v1/uploads/{uploads[0]['id']}", headers=key)
        self.assertEqual(self.post(daemon, "/v1/uploads", sound, "eve").status, 201)

    def answer_to_a_head(self, daemon, path, length):
        """Of a request whose body does not come."""
        with socket.create_connection(("127.0.0.1", daemon.port), timeout=TIME_LIMIT) as connection:
            connection.sendall(
                f"POST {path} HTTP/1.1\r\nHost: localhost\r\nContent-Type: {FORM_TYPE}\r\n"
                f"Authorization: Bearer ada-has-this-key-of-hers\r\nContent-Length: {length}\r\n"
                "Expect: 100-continue\r\n\r\n".encode())
            return connection.recv(65536).decode()

    def test_what_will_be_refused_need_not_be_sent(self):
        daemon = self.start_with_room(max_disk_bytes_per_owner=1024)
        self.assertIn(" 100 ", self.answer_to_a_head(daemon, "/v1/jobs", 150_000))
        for _ in range(2):
            self.assertEqual(self.post(daemon, "/v1/uploads", self.sound(2)).status, 201)
        for path in ("/v1/jobs", "/v1/uploads", "/v1/audio/translations"):
            self.assertIn(" 429 ", self.answer_to_a_head(daemon, path, 150_000), path)
        self.assertIn(" 413 ", self.answer_to_a_head(daemon, "/v1/jobs", 1 << 40))
        self.assertEqual(self.files(), [f for f in self.files() if f.parent.name == "uploads"])

    def test_a_full_queue_is_told_before_the_body_comes(self):
        daemon = self.start_with_room()
        daemon.terminate()
        daemon = self.start("--key-file", self.keys, "--set", "jobs.parallel=1",
                            "--set", "jobs.max_waiting_per_owner=1")
        first = self.post(daemon, "/v1/jobs", self.sound(300)).json["id"]
        key = {"Authorization": "Bearer ada-has-this-key-of-hers"}
        wait_for(lambda: daemon.get(f"/v1/jobs/{first}", **key).json["status"] == "running", "it")
        self.assertEqual(self.post(daemon, "/v1/jobs", self.sound(1)).status, 202)
        answer = self.answer_to_a_head(daemon, "/v1/jobs", 150_000)
        self.assertIn(" 429 ", answer)
        self.assertIn("too_many_jobs", answer)

    def test_a_full_disk_is_not_ready_and_says_no_folder(self):
        daemon = self.start("--set", f"inputs.min_free_bytes={1 << 40}")
        ready = daemon.get("/readyz")
        self.assertEqual((ready.status, ready.text),
                         (503, "not ready: there is no room for recordings on the disk\n"))
        refused = daemon.post_form("/v1/jobs", [], self.sound(1))
        self.assertEqual(refused.status, 507)
        self.assertNotIn(str(self.folder), refused.text)
        self.assertIn(str(self.state), daemon.get("/v1/status").json["problem"])
        self.assertEqual(self.files(), [])

    def test_a_failing_disk_is_told_without_its_folder_and_logged_with_it(self):
        daemon = self.start()
        shutil.rmtree(self.state / "inputs")
        refused = daemon.post_form("/v1/jobs", [], self.sound(1))
        self.assertEqual(refused.status, 500)
        self.assertNotIn(str(self.folder), refused.text)
        wait_for(lambda: f"cannot make {self.state}/inputs/" in daemon.log(), "a line of the log")


def words(bytes):
    """Words by chance, which cannot be shortened."""
    letters = "abcdefghijklmnopqrstuvwxyz"
    return " ".join("".join(random.choices(letters, k=7)) for _ in range(bytes // 8))


class WithTexts(StateTest):
    ADA = {"Authorization": "Bearer ada-has-this-key-of-hers"}

    def setUp(self):
        super().setUp()
        self.keys = self.folder / "keys"
        self.keys.write_text("ada ada-has-this-key-of-hers stored_bytes=100000\n"
                             "bob bob-has-this-key-of-his\n")
        self.keys.chmod(0o600)

    def send(self, daemon, method, path, body=None, who=None):
        headers = {"Content-Type": "application/json", "If-Match": "*", **(who or {})}
        return daemon.request(method, path, None if body is None else json.dumps(body), headers)

    def edit(self, daemon, job, bytes, segments=(0,), who=None):
        ops = [{"op": "text", "segment": str(one), "text": words(bytes)} for one in segments]
        return self.send(daemon, "PATCH", f"/v1/jobs/{job}/transcript", {"ops": ops}, who)

    def done_job(self, daemon, who=None, seconds=1):
        answer = daemon.post_form("/v1/jobs", [], self.sound(seconds), who or {})
        self.assertEqual(answer.status, 202, answer.text)
        job = answer.json["id"]
        status = lambda: self.send(daemon, "GET", f"/v1/jobs/{job}", who=who).json["status"]
        wait_for(lambda: status() == "done", "the end of a job")
        return job


class TextsTest(WithTexts):
    """What people write takes room of the disk, too."""

    def test_they_count_for_their_key(self):
        daemon = self.start("--key-file", self.keys, "--set", "jobs.keep_audio=false")
        left = lambda: int(self.send(daemon, "GET", "/v1/jobs", who=self.ADA).headers[
            "x-ratelimit-remaining-bytes"])
        job = self.done_job(daemon, self.ADA)
        before = left()
        self.assertGreater(before, 95_000)
        self.assertEqual(self.edit(daemon, job, 9_000, who=self.ADA).status, 200)
        self.assertLess(left(), before - 9_000)
        for _ in range(12):
            answer = self.edit(daemon, job, 9_000, who=self.ADA)
        self.assertEqual((answer.status, answer.json["error"]["code"]), (429, "too_many_bytes"))
        sound = daemon.post_form("/v1/jobs", [], self.sound(2), self.ADA)
        self.assertEqual(sound.status, 429, sound.text)
        bob = {"Authorization": "Bearer bob-has-this-key-of-his"}
        self.assertEqual(self.edit(daemon, self.done_job(daemon, bob), 9_000, who=bob).status, 200)
        self.assertEqual(self.send(daemon, "DELETE", f"/v1/jobs/{job}", who=self.ADA).status, 200)
        self.assertGreater(left(), 95_000)

    def test_on_a_full_disk_nothing_grows_and_everything_may_go(self):
        daemon = self.start()
        job, other = self.done_job(daemon), self.done_job(daemon)
        link = self.send(daemon, "POST", f"/v1/jobs/{job}/shares", {}).json["id"]
        daemon.terminate()
        daemon = self.start("--set", f"inputs.min_free_bytes={1 << 40}")
        tool = {"jsonrpc": "2.0", "id": 1, "method": "tools/call",
                "params": {"name": "name_speakers",
                           "arguments": {"job": job, "names": {"A": "Ada"}}}}
        for answer in (self.edit(daemon, job, 10),
                       self.send(daemon, "POST", f"/v1/jobs/{job}/versions/0/restore"),
                       self.send(daemon, "PATCH", f"/v1/jobs/{job}", {"title": "mine"}),
                       self.send(daemon, "POST", f"/v1/jobs/{job}/shares", {}),
                       self.send(daemon, "POST", f"/v1/jobs/{job}/again", {})):
            self.assertEqual((answer.status, answer.json["error"]["code"]), (507, "out_of_disk"),
                             answer.text)
        told = daemon.request("POST", "/mcp", json.dumps(tool), {
            "Content-Type": "application/json", "MCP-Protocol-Version": "2025-06-18",
            "Accept": "application/json, text/event-stream"})
        self.assertIn("There is no room", told.text)
        self.assertEqual(
            self.send(daemon, "DELETE", f"/v1/jobs/{job}/shares/{link}").status, 200)
        self.assertEqual(self.send(daemon, "DELETE", f"/v1/jobs/{job}").status, 200)
        self.assertEqual(self.send(daemon, "DELETE", f"/v1/jobs/{other}").status, 200)
        self.assertEqual(daemon.get("/v1/jobs").json["data"], [])

    def test_a_recording_that_cannot_be_decoded_leaves_no_file(self):
        daemon = self.start()
        answer = daemon.post_form("/v1/jobs", [], b"this is no sound at all")
        job = answer.json["id"]
        wait_for(lambda: daemon.job(job)["status"] == "failed", "the end of a job")
        wait_for(lambda: list((self.state / "sounds").iterdir()) == [], "an empty folder")


@unittest.skipUnless(os.geteuid() == 0, "mounts a small disk")
class SmallDiskTest(WithTexts):
    def test_it_is_ready_again_when_there_is_room(self):
        self.state.mkdir()
        subprocess.run(["mount", "-t", "tmpfs", "-o", "size=8m", "none", self.state], check=True)
        self.addCleanup(subprocess.run, ["umount", "-l", self.state], check=True)
        daemon = self.start("--set", "inputs.min_free_bytes=2000000")
        ready = lambda: daemon.get("/readyz").status
        usual = ready()
        (self.state / "filler").write_bytes(bytes(6_500_000))
        self.assertEqual(ready(), 503)
        self.assertEqual(daemon.post_form("/v1/jobs", [], self.sound(1)).status, 507)
        (self.state / "filler").unlink()
        self.assertEqual(ready(), usual)
        self.assertEqual(daemon.post_form("/v1/jobs", [], self.sound(1)).status, 202)

    def free(self):
        disk = os.statvfs(self.state)
        return disk.f_bavail * disk.f_frsize

    def fill(self):
        with contextlib.suppress(OSError), open(self.state / "filler", "ab", buffering=0) as file:
            while True:
                file.write(bytes(4096))

    def test_edits_end_at_the_bound_and_removing_them_makes_room_again(self):
        self.state.mkdir()
        subprocess.run(["mount", "-t", "tmpfs", "-o", "size=120m", "none", self.state], check=True)
        self.addCleanup(subprocess.run, ["umount", "-l", self.state], check=True)
        bound = 20_000_000
        daemon = self.start("--set", f"inputs.min_free_bytes={bound}")
        job = self.done_job(daemon, seconds=20)
        split = [{"op": "split", "segment": "0" if i == 0 else str(3 + i), "word": 1}
                 for i in range(99)]
        self.assertEqual(self.edit(daemon, job, 9_000).status, 200)
        answer = self.send(daemon, "PATCH", f"/v1/jobs/{job}/transcript", {"ops": split})
        self.assertEqual(answer.status, 200, answer.text)
        segments = answer.json["changed"]
        ids = [one["id"] for one in segments]
        while (answer := self.edit(daemon, job, 9_000, ids)).status == 200:
            continue
        self.assertEqual(answer.status, 507, answer.text)
        self.assertGreater(self.free(), bound - 10_000_000)
        self.fill()
        self.assertLess(self.free(), 4096)
        size = (self.state / "jobs.sqlite").stat().st_size
        daemon.kill()
        daemon = self.start("--set", f"inputs.min_free_bytes={bound}")
        self.assertEqual(self.send(daemon, "DELETE", f"/v1/jobs/{job}").status, 200)
        wait_for(lambda: (self.state / "jobs.sqlite").stat().st_size < size / 8, "a shorter file")
        wait_for(lambda: self.free() > bound, "free space")
        self.assertEqual(daemon.post_form("/v1/jobs", [], self.sound(1)).status, 202)


if __name__ == "__main__":
    unittest.main()
