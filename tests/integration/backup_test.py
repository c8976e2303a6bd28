"""`scribed backup` while the daemon works, and `scribed restore`."""

import stat
import subprocess
import tarfile
import unittest

from daemon import DaemonTest
from scribed_command import TIME_LIMIT, wait_for

ADA, EVE = "ada-has-this-key-of-hers", "eve-runs-this-server"


class BackupTest(DaemonTest):
    def setUp(self):
        super().setUp()
        self.file = self.folder / "backup.tar"
        self.elsewhere = self.folder / "elsewhere"

    def run_command(self, *arguments, **variables):
        return subprocess.run([self.scribed, *map(str, arguments)],
                              env={**self.environment, **variables}, capture_output=True, text=True,
                              timeout=TIME_LIMIT)

    def back_up(self, daemon, **variables):
        return self.run_command("backup", self.file, "--server", f"127.0.0.1:{daemon.port}",
                                **variables)

    def test_what_is_kept_goes_on_elsewhere(self):
        self.behave("slow")
        daemon = self.start("--set", "jobs.parallel=1")
        done = daemon.submit(self.sound(1))
        daemon.wait_for_job(done)
        running = daemon.submit(self.sound(100))
        waiting = daemon.submit(self.sound(2))
        upload = daemon.post_form("/v1/uploads", [], self.sound(1)).json["id"]
        wait_for(lambda: daemon.job(running)["segments"] >= 2, "its begin")
        said = self.back_up(daemon)
        self.assertEqual(said.returncode, 0, said.stderr)
        self.assertEqual(stat.S_IMODE(self.file.stat().st_mode), 0o600)
        with tarfile.open(self.file) as archive:
            names = archive.getnames()
        self.assertEqual(sum(name.startswith("inputs/") for name in names), 2, names)
        self.assertIn(f"uploads/{upload}", names)
        self.assertEqual(daemon.job(running)["status"], "running", "it went on meanwhile")
        text = daemon.get(f"/v1/jobs/{done}/transcript").text
        daemon.kill()

        restored = self.run_command("restore", self.file, "--state-folder", self.elsewhere)
        self.assertEqual(restored.returncode, 0, restored.stderr)
        self.assertIn("go on at the next start: 2", restored.stdout)
        self.state = self.elsewhere
        self.behave("")
        other = self.start()
        self.assertEqual(other.get(f"/v1/jobs/{done}/transcript").text, text)
        for job in (running, waiting):
            self.assertEqual(other.wait_for_job(job)["status"], "done")
        again = other.post_form("/v1/jobs", [("upload", upload)])
        self.assertEqual(again.status, 202, again.text)

    def test_without_a_daemon_the_folder_is_read(self):
        daemon = self.start()
        job = daemon.submit(self.sound(1))
        daemon.wait_for_job(job)
        busy = self.run_command("backup", self.file, "--state-folder", self.state)
        self.assertEqual(busy.returncode, 75, busy.stderr)
        self.assertFalse(self.file.exists())
        self.assertEqual(daemon.terminate(), 0)
        said = self.run_command("backup", self.file, "--state-folder", self.state)
        self.assertEqual(said.returncode, 0, said.stderr)
        refused = self.run_command("restore", self.file, "--state-folder", self.state)
        self.assertEqual(refused.returncode, 8, refused.stderr)
        self.assertIn("--replace", refused.stderr)
        said = self.run_command("restore", self.file, "--state-folder", self.state, "--replace")
        self.assertEqual(said.returncode, 0, said.stderr)
        self.assertEqual(self.start().job(job)["status"], "done")

    def test_a_daemon_that_runs_is_not_restored_into(self):
        daemon = self.start()
        self.assertEqual(self.back_up(daemon).returncode, 0)
        said = self.run_command("restore", self.file, "--state-folder", self.state, "--replace")
        self.assertEqual(said.returncode, 75, said.stderr)

    def test_it_needs_a_right_of_its_own(self):
        keys = self.folder / "keys"
        keys.write_text(f"ada {ADA} [transcribe, read_status, manage]\neve {EVE} [back_up]\n")
        keys.chmod(0o600)
        daemon = self.start("--key-file", keys)
        for key in ("", ADA):
            said = self.back_up(daemon, SCRIBED_API_KEY=key)
            self.assertEqual(said.returncode, 2, said.stderr)
            self.assertFalse(self.file.exists())
        self.assertEqual(self.back_up(daemon, SCRIBED_API_KEY=EVE).returncode, 0)


if __name__ == "__main__":
    unittest.main()
