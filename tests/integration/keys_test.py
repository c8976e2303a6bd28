"""Keys of the daemon: no mistake in them opens it, and they are read again while it works."""

import http.client
import signal
import subprocess
import threading
import unittest

from daemon import Daemon, DaemonTest
from scribed_command import TIME_LIMIT, wait_for

ADA, BOB = "ada-has-this-key-of-hers", "bob-has-this-key-of-his"


class KeysTest(DaemonTest):
    def setUp(self):
        super().setUp()
        self.file = self.folder / "keys"

    def write(self, text):
        self.file.write_text(text)
        self.file.chmod(0o600)

    def refuses_to_start(self, *options, **variables):
        ended = subprocess.run([self.scribed, "serve", "--listen", "127.0.0.1:0", *options],
                               env={**self.environment, **variables}, capture_output=True,
                               text=True, timeout=TIME_LIMIT)
        self.assertEqual(ended.returncode, 2, ended.stderr)
        return ended.stderr

    def status(self, daemon, key):
        return daemon.get("/v1/jobs", Authorization=f"Bearer {key}").status

    def reload(self, daemon, line):
        before = daemon.log().count(line)
        daemon.process.send_signal(signal.SIGHUP)
        wait_for(lambda: daemon.log().count(line) > before, line)


class StartTest(KeysTest):
    def test_a_file_without_a_key_opens_nothing(self):
        for text in ("", "# none\n", "\n\n"):
            self.write(text)
            self.assertIn("holds no key", self.refuses_to_start("--key-file", self.file))
            self.assertIn("holds no key",
                          self.refuses_to_start(SCRIBED_SERVER_KEY_FILE=str(self.file)))
        self.write("ada short\n")
        self.assertIn("Line 1", self.refuses_to_start("--key-file", self.file))
        self.refuses_to_start("--key-file", "")
        self.refuses_to_start("--key-file", self.folder / "missing")

    def test_a_key_that_is_empty_opens_nothing(self):
        said = self.refuses_to_start(SCRIBED_API_KEY="")
        self.assertIn("SCRIBED_API_KEY is set, and empty", said)
        self.refuses_to_start(SCRIBED_SERVER_KEY_FILE="")
        self.refuses_to_start(SCRIBED_API_KEY=" ")

    def test_a_container_hands_on_a_key_that_nobody_has_set(self):
        environment = {**self.environment, "SCRIBED_API_KEY": "",
                       "SCRIBED_SERVER_ALLOW_ANYONE": "true"}
        daemon = Daemon(self.scribed, environment, "--state-folder", self.state)
        self.addCleanup(daemon.end)
        self.assertEqual(daemon.get("/v1/jobs").status, 200)
        self.write("# none\n")
        self.refuses_to_start("--key-file", self.file, SCRIBED_SERVER_ALLOW_ANYONE="true")

    def test_a_key_by_a_wrong_name_opens_no_server(self):
        for allowed in ({}, {"SCRIBED_SERVER_ALLOW_ANYONE": "true"}):
            said = self.refuses_to_start(SCRIBED_API_KY=ADA, **allowed)
            self.assertIn("SCRIBED_API_KY", said)
            self.assertIn("Did you mean SCRIBED_API_KEY?", said)
            self.assertNotIn(ADA, said)
        environment = {**self.environment, "SCRIBED_API_KY": ADA}
        self.write(f"bob {BOB}\n")
        daemon = Daemon(self.scribed, environment, "--state-folder", self.state, "--key-file", self.file)
        self.addCleanup(daemon.end)
        self.assertIn("SCRIBED_API_KY is set", daemon.log())

    def test_commands_name_variables_that_are_none(self):
        environment = {**self.environment, "SCRIBED_DATA_DIRS": "/srv", "SCRIBED_PORT": "tcp://10.0.0.1:80"}
        ended = subprocess.run([self.scribed, "models", "list"], env=environment, capture_output=True,
                               text=True, timeout=TIME_LIMIT)
        self.assertEqual(ended.stderr, "scribed: warning: SCRIBED_DATA_DIRS is set, and scribed does "
                                       "not know it. Did you mean SCRIBED_DATA_DIR?\n")
        completed = subprocess.run([self.scribed, "complete", "--", "scribed", "mod"], env=environment,
                                   capture_output=True, text=True, timeout=TIME_LIMIT)
        self.assertEqual(completed.stderr, "")


class ReloadTest(KeysTest):
    def test_sighup_reads_the_keys_again(self):
        self.write(f"ada {ADA}\n")
        daemon = self.start("--key-file", self.file)
        self.assertEqual((self.status(daemon, ADA), self.status(daemon, BOB)), (200, 401))
        self.write(f"bob {BOB}\n")
        self.reload(daemon, "read again")
        self.assertEqual((self.status(daemon, ADA), self.status(daemon, BOB)), (401, 200))
        self.assertIsNone(daemon.process.poll())

    def test_what_is_being_answered_ends_with_its_key(self):
        self.behave("slow")
        self.write(f"ada {ADA} [transcribe, read_status]\nbob {BOB}\n")
        daemon = self.start("--key-file", self.file)
        headers = {"Authorization": f"Bearer {ADA}"}
        job = daemon.post_form("/v1/jobs", [], self.sound(100), headers).json["id"]
        connection = http.client.HTTPConnection("127.0.0.1", daemon.port, timeout=TIME_LIMIT)
        self.addCleanup(connection.close)
        connection.request("GET", f"/v1/jobs/{job}/events", headers=headers)
        stream = connection.getresponse()
        self.assertTrue(stream.readline().startswith(b"data: "))
        waiting = []
        waiter = threading.Thread(target=lambda: waiting.append(daemon.post_form(
            "/v1/audio/transcriptions", [("model", "whisper-1")], self.sound(100), headers)))
        waiter.start()
        wait_for(lambda: daemon.log().count("job begun") == 2, "both jobs")
        self.write(f"bob {BOB}\n")
        self.reload(daemon, "read again")
        with self.assertRaises(http.client.IncompleteRead):
            stream.read()
        waiter.join(TIME_LIMIT)
        self.assertEqual((waiting[0].status, waiting[0].json["error"]["code"]), (401, "unauthorized"))
        wait_for(lambda: 'error="The API key is not valid."' in daemon.log(), "the stream's line")
        self.assertNotIn(f'msg="job failed" job={job}', daemon.log())

    def test_a_mistake_keeps_the_old_keys(self):
        self.write(f"ada {ADA}\n")
        daemon = self.start("--key-file", self.file)
        for text in ("", "# none\n", f"ada {ADA}\nbob short\n", None):
            if text is None:
                self.file.unlink()
            else:
                self.write(text)
            self.reload(daemon, "the old ones stay in use")
            self.assertEqual(self.status(daemon, ADA), 200, text)
            self.assertEqual(daemon.get("/v1/jobs").status, 401, text)
            self.assertEqual(self.status(daemon, BOB), 401, text)

    def test_without_keys_sighup_ends_nothing(self):
        daemon = self.start()
        self.reload(daemon, "read again")
        self.assertEqual(daemon.get("/v1/jobs").status, 200)
        self.assertEqual(daemon.terminate(), 0)

    def test_sighup_while_it_ends_does_not_hasten_it(self):
        self.behave("slow")
        daemon = self.start("--set", "server.drain_s=60")
        job = daemon.submit(self.sound(30))
        wait_for(lambda: daemon.job(job)["segments"] >= 1, "its start")
        daemon.process.send_signal(signal.SIGTERM)
        self.reload(daemon, "read again")
        self.assertEqual(daemon.process.wait(TIME_LIMIT), 0)
        self.assertEqual(self.start().job(job)["status"], "done")

    def test_the_logs_file_is_opened_again(self):
        log, old = self.folder / "log", self.folder / "log.1"
        with open(log, "w") as stream:
            process = subprocess.Popen(
                [self.scribed, "serve", "--listen", "127.0.0.1:0", "--state-folder", self.state],
                env=self.environment, stderr=stream)
        self.addCleanup(self.end, process)
        wait_for(lambda: "listening" in log.read_text(), "its start")
        log.rename(old)
        process.send_signal(signal.SIGHUP)
        wait_for(lambda: log.exists() and "read again" in log.read_text(), "the new file")
        self.assertNotIn("read again", old.read_text())


class SettingsTest(KeysTest):
    """What `scribed config reload` and SIGHUP take over, and what they leave."""

    def setUp(self):
        super().setUp()
        self.config = self.folder / "config.toml"
        self.write(f"ada {ADA} [transcribe, manage]\nbob {BOB}\n")

    def configure(self, text):
        self.config.write_text(f'[server]\nkey_file = "{self.file}"\n{text}')

    def ask_to_reload(self, daemon, key):
        return subprocess.run(
            [self.scribed, "config", "reload", "--config", self.config, "--server",
             f"127.0.0.1:{daemon.port}"], env={**self.environment, "SCRIBED_API_KEY": key},
            capture_output=True, text=True, timeout=TIME_LIMIT)

    def test_a_reload_takes_over_limits_and_drops_no_work(self):
        self.behave("slow")
        self.configure("max_audio_seconds = 100\n")
        daemon = self.start("--config", self.config)
        headers = {"Authorization": f"Bearer {ADA}"}
        job = daemon.post_form("/v1/jobs", [], self.sound(10), headers).json["id"]
        self.configure('max_audio_seconds = 5\nidle_timeout_s = 70\n[log]\nlevel = "debug"\n'
                       "[jobs]\nparallel = 2\n")
        said = self.ask_to_reload(daemon, ADA)
        self.assertEqual(said.returncode, 0, said.stderr)
        for line in ("changed: server.max_audio_seconds", "changed: server.idle_timeout_s",
                     "changed: log.level", "restart required: jobs.parallel",
                     "keys (2)"):
            self.assertIn(line, said.stdout)
        daemon.wait_for_log("setting=jobs.parallel")
        daemon.get("/livez")
        wait_for(lambda: "level=debug msg=request" in daemon.log(), "a line of that level")
        too_long = daemon.post_form("/v1/audio/transcriptions", [("model", "whisper-1")],
                                  self.sound(10), headers)
        self.assertEqual((too_long.status, too_long.json["error"]["code"]), (413, "too_long"))
        done = wait_for(lambda: (found := daemon.get(f"/v1/jobs/{job}", **headers).json)["status"]
                        in ("done", "failed") and found, "the job of before")
        self.assertEqual(done["status"], "done")

    def test_a_mistake_changes_nothing(self):
        self.configure("max_audio_seconds = 100\n")
        daemon = self.start("--config", self.config)
        self.configure("max_audio_seconds = 5\nno_such = 1\n")
        said = self.ask_to_reload(daemon, ADA)
        self.assertNotEqual(said.returncode, 0)
        self.assertIn("there is no setting server.no_such", said.stderr)
        self.config.write_text("[server]\nmax_audio_seconds = 5\n")
        self.reload(daemon, "the old ones stay in use")
        daemon.wait_for_log("without keys everybody could use scribed")
        answer = daemon.post_form("/v1/audio/transcriptions", [("model", "whisper-1")],
                                  self.sound(10),
                                  {"Authorization": f"Bearer {ADA}"})
        self.assertEqual(answer.status, 200, answer.text)
        self.assertEqual(daemon.get("/v1/jobs").status, 401)

    def test_reloading_needs_the_right(self):
        self.configure("")
        daemon = self.start("--config", self.config)
        said = self.ask_to_reload(daemon, BOB)
        self.assertEqual(said.returncode, 2)
        self.assertIn("This key lacks the right manage", said.stderr)


if __name__ == "__main__":
    unittest.main()
