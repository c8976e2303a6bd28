"""Commands that root runs in a folder of another user: they have no more rights there than that user."""

import os
import pwd
import shutil
import stat
import subprocess
import tarfile
import unittest

from daemon import DaemonTest
from scribed_command import TIME_LIMIT


@unittest.skipIf(os.geteuid() != 0, "only root works in folders of others")
class RootCommandsTest(DaemonTest):
    def setUp(self):
        super().setUp()
        self.folder.chmod(0o755)
        self.nobody = pwd.getpwnam("nobody")
        self.theirs = self.folder / "theirs"
        self.secret = self.folder / "secret"
        self.secret.mkdir(0o700)
        (self.secret / "shadow").write_text("root only")
        (self.secret / "shadow").chmod(0o600)

    def run_command(self, *arguments, code=0, **variables):
        ended = subprocess.run([self.scribed, *map(str, arguments)],
                               env={**self.environment, **variables}, capture_output=True, text=True,
                               timeout=TIME_LIMIT)
        self.said = ended.stderr
        self.assertEqual(ended.returncode, code, ended.stderr)
        return ended.stdout

    def give(self, folder):
        for path in (folder, *folder.rglob("*")):
            os.lchown(path, self.nobody.pw_uid, self.nobody.pw_gid)

    def with_jobs(self):
        """A state folder of nobody, with a job and an upload, and a backup of it that is root's."""
        daemon = self.start()
        daemon.wait_for_job(daemon.submit(self.sound(1)))
        daemon.post_form("/v1/uploads", [], self.sound(1))
        self.assertEqual(daemon.terminate(), 0)
        shutil.copytree(self.state, self.theirs)
        self.give(self.theirs)
        backup = self.folder / "backup.tar"
        self.run_command("backup", backup, "--state-folder", self.theirs)
        return backup

    def owners(self, folder):
        return {path.lstat().st_uid for path in (folder, *folder.rglob("*"))}

    def assert_secret_is_roots(self):
        self.assertEqual(self.owners(self.secret), {0})
        self.assertEqual(stat.S_IMODE((self.secret / "shadow").stat().st_mode), 0o600)
        self.assertEqual(sorted(path.name for path in self.secret.iterdir()), ["shadow"])

    def test_what_root_restores_is_the_owners(self):
        backup = self.with_jobs()
        backup.chmod(0o600)
        self.run_command("restore", "--replace", "--state-folder", self.theirs, backup)
        self.assertEqual(self.owners(self.theirs), {self.nobody.pw_uid})
        self.assertEqual(backup.stat().st_uid, 0)

    def test_a_restore_follows_no_link_out_of_the_folder(self):
        backup = self.with_jobs()
        for name in ("restore.partial", "inputs", "uploads"):
            shutil.rmtree(self.theirs / name, ignore_errors=True)
            for earlier in self.theirs.glob("replaced-*"):
                shutil.rmtree(earlier)  # it has the second of its making in its name
            (self.theirs / name).symlink_to(self.secret)
            os.lchown(self.theirs / name, self.nobody.pw_uid, self.nobody.pw_gid)
            self.run_command("restore", "--replace", "--state-folder", self.theirs, backup)
            self.assert_secret_is_roots()

    def test_a_backup_holds_nothing_that_the_owner_cannot_read(self):
        self.with_jobs()
        name = "1" * 26
        (self.secret / name).write_text("root only")
        (self.secret / f"{name}.json").write_text("{}")
        shutil.rmtree(self.theirs / "uploads")
        (self.theirs / "uploads").symlink_to(self.secret)
        backup = self.folder / "other.tar"
        self.run_command("backup", backup, "--state-folder", self.theirs)
        with tarfile.open(backup) as archive:
            self.assertEqual([one for one in archive.getnames() if one.startswith("uploads")], [])
        self.assertEqual(backup.stat().st_uid, 0)
        shutil.move(self.theirs / "jobs.sqlite", self.secret / "jobs.sqlite")
        os.chown(self.secret / "jobs.sqlite", 0, 0)
        (self.secret / "jobs.sqlite").chmod(0o600)
        (self.theirs / "jobs.sqlite").symlink_to(self.secret / "jobs.sqlite")
        backup.unlink()
        self.run_command("backup", backup, "--state-folder", self.theirs, code=3)
        self.assertFalse(backup.exists())

    def test_a_link_of_the_owner_is_no_folder_of_roots(self):
        self.theirs.mkdir()
        (self.theirs / "state").symlink_to(self.secret)
        self.give(self.theirs)
        backup = self.folder / "none.tar"
        for words in (("backup", backup, "--state-folder", self.theirs / "state"),
                      ("keys", "add", "ada", "--key-file", self.theirs / "state" / "keys")):
            self.run_command(*words, code=5)
            self.assertIn("could put another folder in its place", self.said)
        self.assert_secret_is_roots()

    def test_models_are_the_owners_and_what_they_cannot_read_is_named(self):
        (self.theirs / "models").mkdir(parents=True)
        self.give(self.theirs)
        data = {"SCRIBED_DATA_DIR": str(self.theirs)}
        self.run_command("models", "import", self.secret / "shadow", code=3, **data)
        self.assertIn("cannot be read by nobody", self.said)
        (self.theirs / "models" / "old").symlink_to(self.secret)
        self.run_command("models", "rm", "old", **data)
        self.assertFalse((self.theirs / "models" / "old").is_symlink())
        self.assert_secret_is_roots()

    def test_a_server_of_root_stays_out(self):
        self.theirs.mkdir()
        self.give(self.theirs)
        self.run_command("serve", "--listen", "127.0.0.1:0", "--state-folder", self.theirs, code=5)
        self.assertIn("belongs to nobody, and root does not work in it", self.said)
        self.assertEqual(list(self.theirs.iterdir()), [])

    def test_keys_in_a_folder_of_another_user_are_that_users(self):
        self.theirs.mkdir()
        self.give(self.theirs)
        self.run_command("keys", "add", "ada", "--key-file", self.theirs / "keys")
        self.assertEqual((self.theirs / "keys").stat().st_uid, self.nobody.pw_uid)

    def test_a_first_key_makes_its_file_with_the_rights_of_the_folders_owner(self):
        self.theirs.mkdir()
        self.give(self.theirs)
        home = {"XDG_CONFIG_HOME": str(self.theirs)}
        self.run_command("keys", "add", "ada", **home)
        for made in ("scribed", "scribed/keys", "scribed/config.toml"):
            self.assertEqual((self.theirs / made).stat().st_uid, self.nobody.pw_uid, made)
        shutil.rmtree(self.theirs / "scribed")
        (self.theirs / "scribed").symlink_to(self.secret)
        self.run_command("keys", "add", "ada", code=5, **home)
        self.assertIn("could put another folder in its place", self.said)
        self.assert_secret_is_roots()


if __name__ == "__main__":
    unittest.main()
