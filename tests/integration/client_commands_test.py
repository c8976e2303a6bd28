"""`scribed status`, `ps`, `jobs`, `submit` and `transcribe --server`: commands that a daemon answers."""

import contextlib
import hashlib
import hmac
import json
import os
import pwd
import re
import signal
import socket
import subprocess
import threading
import unittest

from daemon import DaemonTest
from scribed_command import TIME_LIMIT, write_silence, wait_for

KEY = "ada-has-this-key-of-hers"
NO_SERVER = 75  # the exit code


class ClientTest(DaemonTest):
    def setUp(self):
        super().setUp()
        for variable in ("SCRIBED_SERVER", "XDG_RUNTIME_DIR"):
            self.environment.pop(variable, None)

    def file(self, seconds, name="talk.wav"):
        path = self.folder / name
        write_silence(path, seconds)
        return path

    def ask(self, *words, daemon=None, code=0, **variables):
        """What the command prints on stdout."""
        environment = {**self.environment, **variables}
        if daemon:
            environment.setdefault("SCRIBED_SERVER", f"127.0.0.1:{daemon.port}")
        ended = subprocess.run([self.scribed, *map(str, words)], capture_output=True, text=True,
                               timeout=TIME_LIMIT, env=environment)
        self.said = ended.stderr
        self.assertEqual(ended.returncode, code, ended.stderr + ended.stdout)
        return ended.stdout

    def jobs(self, daemon):
        return daemon.get("/v1/jobs").json["data"]


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


class Stranger:
    """A program that listens where a client looks for scribed, and keeps what it hears. `answer`: what
    it says to a request's first line; None: nothing."""

    def __init__(self, answer=None, listener=None):
        self.listener = listener or socket.create_server(("127.0.0.1", 0))
        self.answer = answer or (lambda line: None)
        self.heard = b""
        self.thread = threading.Thread(target=self._listen, daemon=True)
        self.thread.start()

    @property
    def port(self):
        return self.listener.getsockname()[1]

    def _listen(self):
        while True:
            try:
                client, _ = self.listener.accept()
            except OSError:
                return
            with client, contextlib.suppress(OSError):
                client.settimeout(TIME_LIMIT)
                while bytes_heard := client.recv(65536):
                    self.heard += bytes_heard
                    said = self.answer(bytes_heard.split(b"\r\n", 1)[0].decode())
                    if said is None:
                        break
                    client.sendall(said)

    def close(self):
        self.listener.close()


def http_answer(status, body, kind="application/json"):
    return (f"HTTP/1.1 {status} x\r\nContent-Type: {kind}\r\nContent-Length: {len(body)}\r\n\r\n{body}"
            .encode())


class StrangerTest(ClientTest):
    """Who listens at an address of this machine and is not scribed gets no key."""

    def stranger(self, answer=None, **more):
        stranger = Stranger(answer, **more)
        self.addCleanup(stranger.close)
        return stranger

    def refused(self, stranger, *words, server=None, **variables):
        server = server or f"127.0.0.1:{stranger.port}"
        self.ask(*(words or ("jobs", "list")), "--server", server, code=2, SCRIBED_API_KEY=KEY, **variables)
        self.assertIn("the key was not sent", self.said)
        self.assertNotIn(KEY.encode(), stranger.heard)
        self.assertNotIn(b"uthorization", stranger.heard)

    def keyed_daemon(self, *options):
        keys = self.folder / "keys"
        keys.write_text(f"ada {KEY} [transcribe, read_status]\n")
        keys.chmod(0o600)
        return self.start("--key-file", keys, *options)

    def test_a_program_without_a_proof_hears_no_key(self):
        stranger = self.stranger(lambda line: http_answer(404, '{"error": {"code": "x"}}'))
        self.refused(stranger)
        self.assertIn(f"the program at http://127.0.0.1:{stranger.port} did not prove that it is scribed",
                      self.said)
        self.assertIn("upgrade it", self.said)
        self.refused(stranger, "submit", self.file(1))
        self.assertNotIn(b"RIFF", stranger.heard)
        self.refused(stranger, server=f"http://LOCALHOST:{stranger.port}")
        self.refused(stranger, server=f"http://127.1:{stranger.port}")

    def test_a_made_up_proof_is_none(self):
        for body in ('{"keys_required": true, "proofs": ["' + "0" * 64 + '"]}', '{"proofs": "all"}', "{}",
                     '{"keys_required": false, "proofs": []}', "[]", "", '{"proofs": [null, 1, {}]}'):
            with self.subTest(body):
                self.refused(self.stranger(lambda line, body=body: http_answer(200, body)))

    def test_a_proof_that_is_passed_on_is_none(self):
        daemon = self.keyed_daemon()

        def pass_on(line):
            answer = daemon.get(line.split()[1])
            return http_answer(answer.status, answer.text)

        stranger = self.stranger(pass_on)
        self.refused(stranger)
        self.assertIn(b"GET /v1/proof", stranger.heard)

    def test_each_connection_needs_its_own_proof(self):
        """Whoever proves something and goes leaves the address to others."""
        listener = socket.create_server(("127.0.0.1", 0))
        place = f"127.0.0.1:{listener.getsockname()[1]}"
        heard = []

        def answer_once(line):
            nonce = re.search("nonce=([0-9a-f]{32}) ", line)[1]
            code = hmac.new(hashlib.sha256(KEY.encode()).digest(),
                            f"scribed proof 1\n{nonce}\n{place}".encode(), "sha256").hexdigest()
            return http_answer(200, json.dumps({"keys_required": True, "proofs": [code]}))

        def listen():
            answers = [answer_once, lambda line: http_answer(404, "{}")]
            while answers:
                client, _ = listener.accept()
                with client:
                    said = client.recv(65536)
                    if not said:
                        continue  # the client has seen that it is another connection
                    heard.append(said)
                    client.sendall(answers.pop(0)(said.split(b"\r\n", 1)[0].decode()))

        threading.Thread(target=listen, daemon=True).start()
        self.addCleanup(listener.close)
        self.ask("jobs", "list", "--server", place, code=2, SCRIBED_API_KEY=KEY)
        self.assertIn("the key was not sent", self.said)
        self.assertEqual([line[:14] for line in heard], [b"GET /v1/proof?"] * 2)
        self.assertNotIn(KEY.encode(), b"".join(heard))

    def test_who_answers_for_the_program_sends_the_key(self):
        stranger = self.stranger(lambda line: http_answer(200, '{"data": [], "has_more": false}'))
        self.ask("jobs", "list", "--server", f"127.0.0.1:{stranger.port}", "--trust-server",
                 SCRIBED_API_KEY=KEY)
        self.assertIn(f"Authorization: Bearer {KEY}".encode(), stranger.heard)

    @unittest.skipIf(os.geteuid() != 0, "only root can listen as somebody else")
    def test_a_socket_of_another_user_hears_no_key(self):
        os.chmod(self.folder, 0o755)
        path = self.folder / "scribed.sock"
        listener = socket.socket(socket.AF_UNIX)
        listener.bind(str(path))
        nobody = pwd.getpwnam("nobody").pw_uid
        os.seteuid(nobody)  # whoever begins to listen is the peer
        try:
            listener.listen()
        finally:
            os.seteuid(0)
        stranger = self.stranger(lambda line: http_answer(200, "{}"), listener=listener)
        self.refused(stranger, server=f"unix:{path}")
        self.assertIn("is nobody's", self.said)
        ended = subprocess.run([self.scribed, "mcp"], input="", capture_output=True, text=True,
                               timeout=TIME_LIMIT,
                               env={**self.environment, "SCRIBED_API_KEY": KEY,
                                    "SCRIBED_STATE_DIR": str(self.folder / "own"),
                                    "SCRIBED_SERVER_LISTEN": f"unix:{path}"})
        self.assertIn("the key was not sent; working alone", ended.stderr)
        self.assertEqual(stranger.heard, b"")

    def test_an_own_socket_needs_no_proof(self):
        socket_file = self.folder / "scribed.sock"
        self.keyed_daemon("--listen", f"unix:{socket_file}")
        self.ask("jobs", "list", "--server", f"unix:{socket_file}", SCRIBED_API_KEY=KEY)


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
        self.assertIn("has ended: done", self.said)
        self.assertEqual(daemon.job(done)["status"], "done")
        job = self.ask("submit", self.file(600), daemon=daemon).strip()
        self.assertEqual(self.ask("jobs", "cancel", job, daemon=daemon), f"{job} is cancelled\n")
        self.assertEqual(daemon.get(f"/v1/jobs/{job}").status, 404)

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

    def test_completion_gives_languages_a_capital(self):
        said = self.ask("complete", "--", "submit", "--language", "d")
        self.assertIn("de\tGerman", said.splitlines())


if __name__ == "__main__":
    unittest.main()
