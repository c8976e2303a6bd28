"""`scribed status`, `ps`, `jobs`, `submit` and `transcribe --server`: commands that a daemon answers."""

import json
import signal
import subprocess
import time
import unittest

from client_commands import KEY, ClientTest
from scribed_command import TIME_LIMIT, wait_for

NO_SERVER = 75  # the exit code


class ServerTest(ClientTest):
    """Which server is asked, and with which key."""

    def test_the_command_line_the_environment_and_the_configuration_name_it(self):
        daemon = self.start()
        place = f"127.0.0.1:{daemon.port}"
        self.assertIn(place, self.ask("status", "--server", place, SCRIBED_SERVER="127.0.0.1:1"))
        self.assertIn(place, self.ask("status", SCRIBED_SERVER=f"http://{place}/"))
        self.assertIn(place, self.ask("status", SCRIBED_SERVER_LISTEN=place))
        file = self.folder / "config.toml"
        file.write_text(f'[server]\nlisten = ["{place}"]\n')
        self.assertIn(place, self.ask("status", "--config", file))

    def test_a_socket_of_this_machine_is_asked_first(self):
        runtime = self.folder / "runtime"
        (runtime / "scribed").mkdir(parents=True)
        socket = runtime / "scribed" / "scribed.sock"
        self.start("--listen", f"unix:{socket}")
        said = self.ask("status", XDG_RUNTIME_DIR=str(runtime), SCRIBED_SERVER_LISTEN="127.0.0.1:1")
        self.assertIn(f"unix:{socket}", said)
        self.assertIn("ready      yes", self.ask("status", "--server", f"unix:{socket}"))

    def test_where_nobody_answers_the_error_says_so(self):
        self.ask("ps", "--server", "127.0.0.1:1", code=NO_SERVER)
        self.assertIn("no scribed answers at http://127.0.0.1:1", self.said)
        self.assertIn("Is scribed serve running", self.said)
        self.ask("jobs", "--server", "nowhere", code=2)
        self.assertIn("is no address of a server", self.said)

    def test_a_key_is_sent_and_a_wrong_one_is_named(self):
        keys = self.folder / "keys"
        keys.write_text(f"ada {KEY} [transcribe, read_status]\n")
        keys.chmod(0o600)
        daemon = self.start("--key-file", keys)
        self.ask("status", daemon=daemon, code=2)
        self.assertIn("asks for a key", self.said)
        self.ask("status", daemon=daemon, SCRIBED_API_KEY=KEY)
        self.ask("status", daemon=daemon, code=2, SCRIBED_API_KEY="another-key-than-that-one")
        self.assertIn("does not know this key", self.said)
        one = self.folder / "key"
        one.write_text(KEY + "\n")
        self.ask("jobs", "list", "--api-key-file", one, daemon=daemon)
        self.ask("status", "--api-key-file", keys, daemon=daemon, code=2)
        self.assertIn("does not hold one key", self.said)


class StatusTest(ClientTest):
    def test_people_see_rows_and_programs_json(self):
        daemon = self.start()
        said = self.ask("status", daemon=daemon)
        self.assertIn("ready      yes\n", said)
        self.assertIn("waiting    0 jobs\n", said)
        self.assertIn("No model is loaded.", said)
        self.assertTrue(json.loads(self.ask("status", "--json", daemon=daemon))["ready"])

    def test_a_loaded_model_is_listed(self):
        daemon = self.start()
        self.ask("transcribe", self.file(8), "--server", f"127.0.0.1:{daemon.port}")
        lines = self.ask("ps", daemon=daemon).splitlines()
        self.assertRegex(lines[0], "^MODEL +DEVICE")
        self.assertIn("cpu", lines[1])
        self.assertEqual(json.loads(self.ask("ps", "--json", daemon=daemon))["models"][0]["device"],
                         "cpu")


class JobsTest(ClientTest):
    def test_submitted_recordings_are_jobs(self):
        daemon = self.start()
        ids = self.ask("submit", self.file(8, "a.wav"), self.file(8, "b.wav"), "--language", "german",
                       daemon=daemon).split()
        self.assertEqual(len(ids), 2)
        self.assertEqual([daemon.wait_for_job(job)["title"] for job in ids], ["a.wav", "b.wav"])
        table = self.ask("jobs", daemon=daemon)
        self.assertRegex(table, r"(?m)^JOB +STATUS +LENGTH +MODEL +LANGUAGE +CREATED +TITLE$")
        self.assertRegex(table, rf"(?m)^{ids[1]}  done +0:08 .* b\.wav$")
        self.assertTrue(table.endswith("\n2 jobs\n"), table)
        shown = self.ask("jobs", "list", "--limit", 1, daemon=daemon)
        self.assertIn(f"1 job; there are older ones: --after {ids[1]}", shown)
        older = json.loads(self.ask("jobs", "list", "--json", "--after", ids[1], daemon=daemon))
        self.assertEqual([job["id"] for job in older["data"]], ids[:1])

    def test_jobs_are_looked_for(self):
        daemon = self.start()
        first, second = (self.ask("submit", self.file(8, name), "--task", task, daemon=daemon).strip()
                         for name, task in (("a b&c.wav", "transcribe"), ("d.wav", "translate")))
        tasks = [daemon.wait_for_job(job)["task"] for job in (first, second)]
        self.assertEqual(tasks, ["transcribe", "translate"])

        def found(*words):
            listed = json.loads(self.ask("jobs", "list", "--json", *words, daemon=daemon))
            return [job["id"] for job in listed["data"]]
        self.assertEqual(found("--language", "english"), [second, first])
        self.assertEqual(found("--language", "de"), [])
        self.assertEqual(found("--query", "A B&C"), [first])
        self.assertEqual(found("-q", "d.wav", "--status", "done"), [second])
        self.assertEqual(found("--status", "failed"), [])
        self.assertEqual(found("--model", daemon.job(first)["model"]), [second, first])
        self.assertEqual(found("--model", "another"), [])
        self.ask("jobs", "list", "--status", "finished", daemon=daemon, code=2)
        self.ask("jobs", "list", "--language", "martian", daemon=daemon, code=2)
        self.assertIn("There is no language martian", self.said)

    def test_a_job_is_shown(self):
        daemon = self.start()
        job = self.ask("submit", self.file(8), daemon=daemon).strip()
        daemon.wait_for_job(job)
        said = self.ask("jobs", "show", job, daemon=daemon)
        self.assertRegex(said, r"(?m)^status +done$")
        self.assertRegex(said, r"(?m)^length +0:08$")
        self.assertEqual(json.loads(self.ask("jobs", "show", job, "--json", daemon=daemon))["id"], job)

    def test_a_job_is_followed_to_its_end(self):
        self.behave("slow")
        daemon = self.start()
        job = self.ask("submit", self.file(12), daemon=daemon).strip()
        text = "Segment 0.\nSegment 1.\nSegment 2.\n"
        self.assertEqual(self.ask("jobs", "follow", job, daemon=daemon), text)
        self.assertEqual(self.ask("jobs", "follow", job, daemon=daemon), text)  # it has ended
        self.assertIn("00:00:05,000 --> 00:00:12,000",
                      self.ask("jobs", "follow", job, "--format", "srt", daemon=daemon))
        whole = json.loads(self.ask("jobs", "follow", job, "--format", "json", daemon=daemon))
        self.assertEqual(len(whole["segments"]), 3)

    def test_a_job_that_runs_is_cancelled_and_one_that_has_ended_is_kept(self):
        self.behave("slow")
        daemon = self.start()
        done = self.ask("submit", self.file(5), daemon=daemon).strip()
        daemon.wait_for_job(done)
        self.ask("jobs", "cancel", done, daemon=daemon, code=2)
        self.assertIn("is finished: done", self.said)
        self.assertEqual(daemon.job(done)["status"], "done")
        job = self.ask("submit", self.file(600), daemon=daemon).strip()
        self.assertEqual(self.ask("jobs", "cancel", job, daemon=daemon), f"{job} is cancelled\n")
        self.assertEqual(daemon.get(f"/v1/jobs/{job}").status, 404)

    def test_jobs_that_have_ended_are_deleted_by_id_or_age(self):
        self.behave("slow")
        daemon = self.start()
        ids = [self.ask("submit", self.file(5), daemon=daemon).strip() for _ in range(4)]
        for job in ids:
            daemon.wait_for_job(job)
        self.ask("jobs", "pin", ids[3], daemon=daemon)
        running = self.ask("submit", self.file(600), daemon=daemon).strip()
        self.ask("jobs", "delete", ids[0], running, daemon=daemon, code=2)
        self.assertIn(f"the job {running} is not finished", self.said)
        self.assertEqual(self.ask("jobs", "delete", ids[0], daemon=daemon), "1 job deleted\n")
        self.ask("jobs", "delete", daemon=daemon, code=2)
        self.assertIn("--older-than 30d", self.said)
        self.assertEqual(self.ask("jobs", "delete", "--older-than", "1h", daemon=daemon), "0 jobs deleted\n")
        time.sleep(1.2)
        self.ask("jobs", "delete", "--older-than", "0.00001d", daemon=daemon, code=2)
        self.assertIn("2 jobs would be deleted", self.said)
        deleted = self.ask("jobs", "delete", "--older-than", "0.00001d", "--yes", "--json", daemon=daemon)
        self.assertEqual(set(json.loads(deleted)), set(ids[1:3]))
        self.assertEqual({job["id"] for job in self.jobs(daemon)}, {ids[3], running})

    def test_a_job_that_is_not_there(self):
        daemon = self.start()
        self.assertEqual(self.ask("jobs", daemon=daemon), "There are no jobs.\n")
        for verb in ("show", "cancel", "follow"):
            self.ask("jobs", verb, "0123456789abcdefghjkmnpqrs", daemon=daemon, code=2)
            self.assertIn("no job", self.said)
            self.ask("jobs", verb, "../models", daemon=daemon, code=2)
            self.assertIn("is no id of a job", self.said)

    def test_a_file_that_cannot_be_submitted_does_not_hold_up_others(self):
        daemon = self.start()
        ids = self.ask("submit", self.folder / "none.wav", self.file(5), daemon=daemon, code=3).split()
        self.assertEqual(len(ids), 1)
        self.assertIn("none.wav", self.said)


class TranscribeTest(ClientTest):
    def transcribe(self, daemon, *words, code=0, **more):
        return self.ask("transcribe", "--server", f"127.0.0.1:{daemon.port}", *words, code=code, **more)

    def test_the_text_is_as_where_this_machine_transcribes(self):
        daemon = self.start()
        path = self.file(12)
        for form in ("txt", "srt", "vtt", "tsv", "lrc"):
            here = self.ask("transcribe", "--quiet", "--model", self.model, "--format", form, path)
            self.assertEqual(self.transcribe(daemon, "--format", form, path), here, form)
        there = json.loads(self.transcribe(daemon, "--format", "json", path))
        here = json.loads(self.ask("transcribe", "--quiet", "--model", self.model, "--format", "json",
                                   path))
        self.assertEqual(there["segments"], here["segments"])

    def test_nothing_is_left_with_the_server(self):
        daemon = self.start()
        self.transcribe(daemon, self.file(8))
        self.assertEqual(self.jobs(daemon), [])
        self.transcribe(daemon, self.folder / "config.toml", code=3)
        broken = self.folder / "broken.wav"
        broken.write_text("no sound")
        self.transcribe(daemon, broken, code=4)
        self.assertIn("broken.wav: ", self.said)
        self.assertEqual(self.jobs(daemon), [])

    def test_stdin_and_several_files(self):
        daemon = self.start()
        with open(self.file(8), "rb") as sound:
            ended = subprocess.run([self.scribed, "transcribe", "--server", f"127.0.0.1:{daemon.port}",
                                    "-"], stdin=sound, capture_output=True, text=True,
                                   timeout=TIME_LIMIT, env=self.environment)
        self.assertEqual(ended.stdout, "Segment 0.\nSegment 1.\n", ended.stderr)
        self.transcribe(daemon, "--format", "srt", "--output", f"{self.folder}/out/",
                        self.file(5, "a.wav"), self.file(5, "b.wav"))
        self.assertEqual(sorted(path.name for path in (self.folder / "out").iterdir()),
                         ["a.srt", "b.srt"])

    def test_a_pipe_of_unknown_length(self):
        daemon = self.start()
        process = subprocess.Popen([self.scribed, "transcribe", "--server",
                                    f"127.0.0.1:{daemon.port}", "-"], stdin=subprocess.PIPE,
                                   stdout=subprocess.PIPE, text=False, env=self.environment)
        said, _ = process.communicate(self.file(70).read_bytes(), TIME_LIMIT)
        self.assertEqual(len(said.splitlines()), 14)

    def test_the_text_comes_while_it_is_decided(self):
        self.behave("slow")
        daemon = self.start()
        process = subprocess.Popen([self.scribed, "transcribe", "--server",
                                    f"127.0.0.1:{daemon.port}", self.file(600)],
                                   stdout=subprocess.PIPE, text=True, env=self.environment)
        self.addCleanup(self.end, process)
        self.assertEqual(process.stdout.readline(), "Segment 0.\n")
        self.assertEqual(len(self.jobs(daemon)), 1)
        process.send_signal(signal.SIGINT)
        self.assertEqual(process.wait(TIME_LIMIT), 130)
        wait_for(lambda: self.jobs(daemon) == [], "the end of the job")

    def test_what_only_this_machine_can_do_is_refused(self):
        self.ask("transcribe", "--server", "127.0.0.1:1", "--device", "cpu", self.file(1), code=2)
        self.assertIn("--device cannot be asked of a server", self.said)


class WordsTest(ClientTest):
    def test_a_wrong_command_is_named_with_the_nearest_right_one(self):
        for words, right in ((["trancribe", "a.wav"], "scribed transcribe"),
                             (["job"], "scribed jobs"), (["jobs", "lst"], "scribed jobs list"),
                             (["models", "pul", "base"], "scribed models pull"),
                             (["keys", "ad"], "scribed keys add")):
            self.ask(*words, code=2)
            self.assertIn(f"there is no command scribed {' '.join(words[:len(right.split()) - 1])}",
                          self.said)
            self.assertIn(f"Did you mean {right}?", self.said)
        self.ask("xyzzy", code=2)
        self.assertIn("See: scribed --help", self.said)

    def test_words_of_other_programs_work_or_lead_to_the_right_ones(self):
        self.assertEqual(self.ask("help", "models", "pull"), self.ask("models", "pull", "--help"))
        self.ask("serve", "--port", "9000", code=2)
        self.assertIn("Use --listen ADDRESS:PORT", self.said)
        self.ask("transcribe", "https://example.org/a.mp3", code=2)
        self.assertIn("curl -L 'https://example.org/a.mp3' | scribed transcribe -", self.said)
        self.ask("submit", "https://example.org/a.mp3", code=2)
        self.assertIn("does not download URLs", self.said)

    def test_completion_gives_languages_a_capital(self):
        said = self.ask("complete", "--", "submit", "--language", "d")
        self.assertIn("de\tGerman", said.splitlines())


if __name__ == "__main__":
    unittest.main()
