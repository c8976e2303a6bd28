"""`scribed keys`: the file that it writes is one that the daemon takes."""

import json
import os
import signal
import subprocess
import unittest

from daemon import DaemonTest
from scribed_command import TIME_LIMIT, wait_for


class KeysCommandTest(DaemonTest):
    def setUp(self):
        super().setUp()
        self.file = self.folder / "keys"

    def keys(self, *words, code=0, **variables):
        ended = subprocess.run([self.scribed, "keys", *map(str, words)], capture_output=True, text=True,
                               timeout=TIME_LIMIT, env={**self.environment, **variables})
        self.said = ended.stderr
        self.assertEqual(ended.returncode, code, ended.stderr)
        return ended.stdout

    def add(self, name, *words):
        return self.keys("add", name, "--key-file", self.file, *words).strip()

    def status(self, daemon, key, path="/v1/jobs"):
        return daemon.get(path, Authorization=f"Bearer {key}").status

    def test_a_new_key_opens_the_server_and_is_kept_as_its_hash(self):
        key = self.add("ada")
        self.assertNotIn(key, self.file.read_text())
        self.assertEqual(self.file.stat().st_mode & 0o777, 0o600)
        self.assertIn("not shown again", self.said)
        self.assertIn("reload", self.said)
        daemon = self.start("--key-file", self.file)
        self.assertEqual(self.status(daemon, key), 200)
        self.assertEqual(self.status(daemon, key[::-1]), 401)

    def test_what_happens_without_a_subcommand_is_told_where_it_can_be_left_out(self):
        told = "Without a subcommand: list."
        self.assertIn(told, self.keys("--help"))
        for name in ("list", "add", "remove"):
            text = self.keys(name, "--help")
            self.assertIn("Edits the key file", text)
            self.assertNotIn(told, text, name)

    def test_rights_are_those_that_were_given(self):
        key = self.add("eve", "--rights", "transcribe")
        daemon = self.start("--key-file", self.file)
        self.assertEqual(self.status(daemon, key), 200)
        self.assertEqual(self.status(daemon, key, "/v1/status"), 403)
        self.keys("add", "eve", "--key-file", self.file, "--rights", "everything", code=2)

    def test_a_removed_key_opens_nothing_after_a_reload(self):
        ada, bob = self.add("ada"), self.add("bob")
        daemon = self.start("--key-file", self.file)
        self.assertEqual(self.keys("remove", "bob", "--key-file", self.file), "1 key of bob removed\n")
        self.assertEqual(self.status(daemon, bob), 200)
        daemon.process.send_signal(signal.SIGHUP)
        wait_for(lambda: self.status(daemon, bob) == 401, "the end of the key")
        self.assertEqual(self.status(daemon, ada), 200)

    def test_keys_are_listed_without_themselves(self):
        key = self.add("ada", "--rights", "transcribe,manage")
        self.add("bob")
        listed = self.keys("list", "--key-file", self.file)
        self.assertRegex(listed, r"(?m)^ada +[0-9a-f]{12} +\[transcribe, manage\]$")
        self.assertRegex(listed, r"(?m)^bob +[0-9a-f]{12} +\[transcribe, read_status\]$")
        self.assertIn("2 keys in", listed)
        self.assertNotIn(key, listed)
        told = json.loads(self.keys("--json", "--key-file", self.file))
        self.assertEqual([one["name"] for one in told], ["ada", "bob"])
        self.assertEqual([one["rights"] for one in told],
                         [["transcribe", "manage"], ["transcribe", "read_status"]])
        self.assertEqual([(one["until"], one["limits"]) for one in told], [(None, {})] * 2)

    def test_a_key_may_have_an_end_and_limits(self):
        key = self.add("ada", "--until", "2999-12-31", "--limit", "running_jobs=2",
                       "--limit", "requests_per_minute=60", "--limit", "weight=0.5")
        self.assertRegex(self.keys("list", "--key-file", self.file),
                         r"(?m)^ada .* \[transcribe, read_status\] until=2999-12-31 running_jobs=2 "
                         r"requests_per_minute=60 weight=0\.5$")
        told = json.loads(self.keys("list", "--json", "--key-file", self.file))[0]
        self.assertEqual((told["until"], told["limits"]),
                         ("2999-12-31", {"running_jobs": 2, "requests_per_minute": 60, "weight": 0.5}))
        daemon = self.start("--key-file", self.file)
        self.assertEqual(self.status(daemon, key), 200)
        before = self.file.read_text()
        for wrong in (["--until", "tomorrow"], ["--limit", "running_jobs"], ["--limit", "jobs=2"]):
            self.keys("add", "bob", "--key-file", self.file, *wrong, code=2)
        self.assertEqual(self.file.read_text(), before)

    def test_one_of_several_keys_of_a_name_goes_by_its_id(self):
        self.add("ada")
        self.add("ada")
        first = json.loads(self.keys("list", "--json", "--key-file", self.file))[0]["id"]
        self.keys("remove", first, "--key-file", self.file)
        left = json.loads(self.keys("list", "--json", "--key-file", self.file))
        self.assertEqual(len(left), 1)
        self.assertNotEqual(left[0]["id"], first)

    def test_a_name_that_no_server_would_read_is_refused(self):
        self.add("ada")
        before = self.file.read_text()
        for name in ("#x", "", "a b", "x" * 65, "a\n#b"):
            self.assertEqual(self.keys("add", name, "--key-file", self.file, code=2), "", name)
            self.assertIn("cannot be the name of a key", self.said)
        self.assertEqual(self.file.read_text(), before)

    def test_a_name_that_others_have_is_refused(self):
        self.add("ada")
        before = self.file.read_text()
        for name in ("local", "-"):
            self.keys("add", "--key-file", self.file, "--", name, code=2)
            self.assertIn("cannot be the name of a key", self.said)
        self.assertEqual(self.file.read_text(), before)

    def test_a_value_gives_no_right_besides(self):
        self.add("ada")
        before = self.file.read_text()
        for option, value in (("--limit", "running_jobs=1 [manage]"), ("--limit", "until=2999-12-31"),
                              ("--limit", "running_jobs=1\neve 0123456789abcdef0123 [manage]"),
                              ("--until", "2999-12-31 [manage]"), ("--until", "2999-12-31\t[manage]")):
            self.keys("add", "bob", "--key-file", self.file, option, value, code=2)
        self.assertEqual(self.file.read_text(), before)

    def test_a_file_that_root_alone_can_read_is_not_left_so_in_silence(self):
        self.add("ada")
        warning = f"for the service: chown scribed: {self.file}"
        self.assertEqual(warning in self.said, os.geteuid() == 0, self.said)

    def test_the_last_key_stays(self):
        self.add("ada")
        before = self.file.read_text()
        self.keys("remove", "ada", "--key-file", self.file, code=2)
        self.assertIn("the last key", self.said)
        self.assertEqual(self.file.read_text(), before)

    def test_the_configuration_names_the_file(self):
        self.assertEqual(self.keys("add", "ada", SCRIBED_SERVER_KEY_FILE=str(self.file)).count("\n"), 1)
        self.assertIn("1 key in", self.keys(SCRIBED_SERVER_KEY_FILE=str(self.file)))
        self.keys("list", code=2)
        self.assertIn("scribed keys add NAME", self.said)

    def test_the_first_key_makes_the_file_and_names_it(self):
        home = self.folder / "home"
        config = home / "scribed" / "config.toml"
        config.parent.mkdir(parents=True)
        config.write_text('# ours\n[server]\nlisten = ["127.0.0.1:9000"]\n')
        key = self.keys("add", "ada", XDG_CONFIG_HOME=str(home)).strip()
        self.assertIn(f"created {home}/scribed/keys, set in {config}", self.said)
        self.assertEqual(config.read_text(), f'# ours\n[server]\nkey_file = "{home}/scribed/keys"\n'
                                             'listen = ["127.0.0.1:9000"]\n')
        self.assertEqual((home / "scribed" / "keys").stat().st_mode & 0o777, 0o600)
        self.keys("add", "bob", XDG_CONFIG_HOME=str(home))
        self.assertIn("2 keys in", self.keys(XDG_CONFIG_HOME=str(home)))
        daemon = self.start("--config", config)
        self.assertEqual((self.status(daemon, key), self.status(daemon, "x" * 64)), (200, 401))

    def test_a_configuration_that_is_not_there_is_made(self):
        home = self.folder / "new"
        self.keys("add", "ada", XDG_CONFIG_HOME=str(home))
        self.assertEqual((home / "scribed" / "config.toml").read_text(),
                         f'[server]\nkey_file = "{home}/scribed/keys"\n')

    def test_comments_and_what_else_stands_there_stay(self):
        self.file.write_text("# ours\n\nada 0123456789abcdef [manage]  # since May\n")
        self.add("bob")
        self.assertTrue(self.file.read_text().startswith(
            "# ours\n\nada 0123456789abcdef [manage]  # since May\nbob  sha256:"))


if __name__ == "__main__":
    unittest.main()
