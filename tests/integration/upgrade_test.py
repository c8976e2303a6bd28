"""What 0.1.0 left on the disk goes on with the programs of today (see data/state-0.1.0)."""

import io
import json
import pathlib
import shutil
import sqlite3
import subprocess
import tarfile
import time
import tomllib
import unittest

import nano_model
from daemon import Daemon, DaemonTest
from scribed_command import TIME_LIMIT, wait_for
from webhooks_test import Receiver

SAVED = pathlib.Path(__file__).resolve().parent / "data/state-0.1.0"
NAMES = json.loads((SAVED / "names.json").read_text())
JOBS = NAMES["jobs"]
KEYS = {"ada": "ada-has-this-key-of-hers", "bob": "bob-has-this-key-of-his"}
WHOLE_TEXT = "".join(f"Segment {i}.\n" for i in range(12))


class UpgradeTest(DaemonTest):
    def setUp(self):
        super().setUp()
        self.receiver = Receiver()
        self.addCleanup(self.receiver.end)
        self.restore_state()
        self.config = self.folder / "config.toml"
        keys = self.folder / "keys"
        shutil.copyfile(SAVED / "keys", keys)
        keys.chmod(0o600)
        self.config.write_text((SAVED / "config.toml").read_text().replace("@KEYS@", str(keys)))
        shutil.copytree(SAVED / "models", self.folder / "models")
        for name, content in nano_model.files(width=8).items():  # as its model.json says
            (self.folder / "models/nano" / name).write_bytes(content)

    def restore_state(self):
        """As if it had been written a minute ago."""
        shutil.copytree(SAVED / "inputs", self.state / "inputs")
        shutil.copytree(SAVED / "uploads", self.state / "uploads")
        dump = (SAVED / "jobs.sql").read_text().replace("@STATE@", str(self.state))
        database = sqlite3.connect(self.state / "jobs.sqlite")
        database.executescript(dump.replace("@PORT@", str(self.receiver.server_port)))
        last, = database.execute("SELECT max(created) FROM jobs").fetchone()
        shift = time.time() - 60 - last
        for column in ("created", "started", "finished", "expires"):
            database.execute(f"UPDATE jobs SET {column} = {column} + ? WHERE {column} > 0", [shift])
        database.commit()
        database.close()
        for file in (self.state / "uploads").glob("*.json"):
            upload = json.loads(file.read_text())
            file.write_text(json.dumps(upload | {"expires": upload["expires"] + shift}))

    def start_with_old_settings(self):
        daemon = Daemon(self.scribed, self.environment, "--config", self.config,
                        "--state-folder", self.state)
        self.addCleanup(daemon.end)
        return daemon

    def wait_for_job(self, daemon, job):
        return wait_for(lambda: (found := self.get(daemon, f"/v1/jobs/{job}").json)["status"] in
                        ("done", "failed", "cancelled") and found, f"the end of {job}")

    def get(self, daemon, path, who="ada"):
        return daemon.get(path, Authorization=f"Bearer {KEYS[who]}")

    def post(self, daemon, path, fields, file=None, who="ada", **headers):
        headers |= {"Authorization": f"Bearer {KEYS[who]}"}
        return daemon.post_form(path, fields, file, headers)

    def test_every_job_is_there_and_what_had_not_ended_goes_on(self):
        daemon = self.start_with_old_settings()
        self.assertEqual(daemon.get("/v1/jobs").status, 401)
        listed = {job["id"]: job for job in self.get(daemon, "/v1/jobs").json["data"]}
        self.assertLessEqual({JOBS[name] for name in JOBS if name != "of_bob"}, set(listed))
        self.assertEqual([job["id"] for job in self.get(daemon, "/v1/jobs", "bob").json["data"]],
                         [JOBS["of_bob"]])
        self.assertEqual({name: listed[JOBS[name]]["status"] for name in
                          ("done", "failed", "cancelled")},
                         {"done": "done", "failed": "failed", "cancelled": "cancelled"})
        self.assertEqual(listed[JOBS["failed"]]["error"]["code"], "non_finite_logits")
        done = listed[JOBS["done"]]
        self.assertEqual((done["title"], done["model"], done["language"], done["duration"]),
                         ("talk.wav", "nano", "en", 60))
        self.assertEqual(self.get(daemon, f"/v1/jobs/{JOBS['done']}/transcript").text, WHOLE_TEXT)
        running = self.wait_for_job(daemon, JOBS["running"])
        self.assertEqual((running["status"], running["attempts"], running["segments"]),
                         ("done", 2, 12))
        segments = self.get(daemon, f"/v1/jobs/{JOBS['running']}/transcript?format=json").json
        self.assertEqual([s["start"] for s in segments["segments"]], [5.0 * i for i in range(12)])
        self.assertEqual(self.wait_for_job(daemon, JOBS["queued"])["status"], "done")
        waited_in_vain, = set(listed) - set(JOBS.values())
        self.assertEqual(listed[waited_in_vain]["status"], "cancelled")
        self.assertEqual(daemon.terminate(), 0)
        self.assertEqual(list((self.state / "inputs").iterdir()), [])

    def test_a_backup_of_old_jobs_is_restored(self):
        backup = self.folder / "old.tar"
        with tarfile.open(backup, "w", format=tarfile.USTAR_FORMAT) as archive:
            version = tarfile.TarInfo("VERSION")
            version.size = len(b"scribed backup 1\n")
            archive.addfile(version, io.BytesIO(b"scribed backup 1\n"))
            archive.add(self.state / "jobs.sqlite", "jobs.sqlite")
        restored = subprocess.run([self.scribed, "restore", "--state-folder", self.folder / "new",
                                   backup], capture_output=True, text=True, check=False,
                                  env=self.environment, timeout=TIME_LIMIT)
        self.assertEqual(restored.returncode, 0, restored.stderr)
        database = sqlite3.connect(self.folder / "new/jobs.sqlite")
        ids = {one for one, in database.execute("SELECT id FROM jobs")}
        database.close()
        self.assertLessEqual(set(JOBS.values()), ids)

    def test_an_idempotency_key_an_upload_and_webhooks_keep_their_meaning(self):
        daemon = self.start_with_old_settings()
        fields = [("language", "en"), ("prompt", "Minutes of the meeting."),
                  ("timestamp_granularities[]", "word")]
        key = {"Idempotency-Key": "minutes-1"}
        other = self.post(daemon, "/v1/jobs", fields[:2], self.sound(1), **key)
        self.assertEqual((other.status, other.json["error"]["code"]),
                         (422, "idempotency_key_reused"))
        taken = self.post(daemon, "/v1/jobs", [("upload", f"upload://{NAMES['upload']}")])
        self.assertEqual(taken.status, 202, taken.text)
        self.assertEqual(self.wait_for_job(daemon, taken.json["id"])["segments"], 12)
        foreign = self.post(daemon, "/v1/jobs", [("upload", NAMES["upload"])], who="bob")
        self.assertEqual(foreign.status, 404)
        told = wait_for(lambda: len(self.receiver.calls) == 2 and self.receiver.calls, "webhooks")
        self.assertEqual({json.loads(body)["data"]["id"] for _, body, _ in told},
                         {JOBS["done"], JOBS["queued"]})

    def test_an_old_text_is_found_named_and_edited(self):
        daemon = self.start_with_old_settings()
        job = JOBS["done"]
        wait_for(lambda: "texts of old jobs indexed" in daemon.log(), "the index of old jobs")
        found = {one["id"]: one["matches"] for one in
                 self.get(daemon, "/v1/jobs?q=SEGMENT%2011").json["data"]}
        self.assertEqual([match["segment"] for match in found[job]], ["11"])
        self.assertNotIn(JOBS["of_bob"], found)
        self.assertEqual([one["id"] for one in
                          self.get(daemon, "/v1/jobs?q=segment%2011", "bob").json["data"]],
                         [JOBS["of_bob"]])
        headers = {"Authorization": f"Bearer {KEYS['ada']}", "If-Match": '"0"'}
        edit = {"ops": [{"op": "replace", "find": "Segment 11", "with": "The last lamp"}]}
        answer = daemon.request("PATCH", f"/v1/jobs/{job}/transcript", json.dumps(edit), headers)
        self.assertEqual((answer.status, answer.json["version"]), (200, 1), answer.text)
        self.assertEqual(self.get(daemon, f"/v1/jobs/{job}/transcript").text,
                         WHOLE_TEXT.replace("Segment 11", "The last lamp"))
        named = daemon.request("PATCH", f"/v1/jobs/{job}", json.dumps({"title": "Minutes"}), headers)
        self.assertEqual(named.json["title"], "Minutes")
        self.assertEqual([one["id"] for one in self.get(daemon, "/v1/jobs?q=last%20lamp").json["data"]],
                         [job])

    def test_every_setting_has_its_name_and_its_value(self):
        shown = subprocess.run([self.scribed, "config", "show", "--json", "--config", self.config],
                               env=self.environment, capture_output=True, text=True, check=True,
                               timeout=TIME_LIMIT)
        values = {row["key"]: row["value"] for row in json.loads(shown.stdout)["settings"]}
        wanted = tomllib.loads(self.config.read_text())
        for table, settings in wanted.items():
            for name, value in settings.items():
                self.assertEqual(values[f"{table}.{name}"], value, f"{table}.{name}")
        checked = subprocess.run([self.scribed, "config", "check", self.config], timeout=TIME_LIMIT,
                                 env=self.environment, capture_output=True, text=True)
        self.assertEqual(checked.returncode, 0, checked.stderr)

    def test_an_installed_model_is_known_and_whole(self):
        shown = subprocess.run([self.scribed, "models", "show", "nano", "--json", "--verify"],
                               env=self.environment, capture_output=True, text=True,
                               timeout=TIME_LIMIT)
        self.assertEqual(shown.returncode, 0, shown.stderr)
        self.assertEqual(json.loads(shown.stdout)["format"], "safetensors")


if __name__ == "__main__":
    unittest.main()
