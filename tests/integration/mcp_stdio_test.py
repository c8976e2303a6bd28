"""`scribed mcp` as an MCP host runs it: what is said on stdin and stdout, and when it ends."""

import json
import os
import pathlib
import signal
import subprocess
import unittest

from mcp_host import MODERN, McpTest, about, modern, text_of
from scribed_command import wait_for

LONG = 600  # seconds of sound; the slow worker takes a minute for it

TOOLS = ["transcribe", "get_job", "cancel_job", "list_jobs", "status", "list_models", "load_model",
         "unload_model", "detect_language", "search_transcripts", "name_speakers"]


class TranscribeTest(McpTest):
    def test_a_legacy_client_gets_the_text(self):
        self.sound(8)
        host = self.host()
        self.assertEqual(host.initialize()["serverInfo"]["name"], "scribed")
        names = [tool["name"] for tool in host.ask("tools/list")["result"]["tools"]]
        self.assertEqual(names, TOOLS)
        result = host.use("transcribe", path="talk.wav")
        self.assert_text(result, 2)
        self.assertEqual(result["structuredContent"]["device"], "cpu")
        self.assertEqual(host.end(), 0)

    def test_a_modern_client_needs_no_greeting(self):
        path = self.sound(8)
        host = self.host()
        result = host.use("transcribe", MODERN, path=str(path))
        self.assert_text(result, 2)
        self.assertEqual(result["resultType"], "complete")
        self.assertIn("on cpu", text_of(host.use("status", MODERN)))

    def test_both_eras_may_be_mixed(self):
        host = self.host()
        self.assertIn("2026-07-28", host.ask("server/discover", _meta=MODERN)["result"]
                      ["supportedVersions"])
        self.assertEqual(host.initialize("2025-06-18")["protocolVersion"], "2025-06-18")
        self.assertEqual(len(host.ask("tools/list", _meta=MODERN)["result"]["tools"]), len(TOOLS))
        self.assertEqual(host.ask("ping")["result"], {})

    def test_an_unknown_revision_gets_the_newest_with_a_greeting(self):
        self.assertEqual(self.host().initialize("2031-01-01")["protocolVersion"], "2025-11-25")

    def test_progress_rises(self):
        self.behave("slow")
        self.sound(20)
        host = self.ready_host()
        number = host.call("transcribe", {"progressToken": "p"}, path="talk.wav")
        _, before = host.answer_to(number)
        told = about(before, "p")
        values = [one["progress"] for one in told]
        self.assertGreater(len(values), 2)
        self.assertEqual(values, sorted(set(values)))
        self.assertIn("transcribing 0:15", [one["message"] for one in told])

    def test_nobody_is_told_progress_who_did_not_ask_for_it(self):
        self.behave("slow")
        self.sound(20)
        host = self.ready_host()
        _, before = host.answer_to(host.call("transcribe", path="talk.wav"))
        self.assertEqual([m for m in before if m["method"] == "notifications/progress"], [])

    def test_the_token_zero_is_one(self):
        self.sound(8)
        host = self.ready_host()
        _, before = host.answer_to(host.call("transcribe", {"progressToken": 0}, path="talk.wav"))
        self.assertNotEqual(about(before, 0), [])

    def test_calls_run_beside_each_other_in_one_worker(self):
        self.behave("slow")
        self.sound(LONG, "long.wav")
        self.sound(8, "short.wav")
        host = self.ready_host()
        long = host.call("transcribe", path="long.wav")
        wait_for(lambda: self.decoders(host), "the long one's begin")
        short = host.call("transcribe", path="short.wav")
        answer, before = host.answer_to(short)
        self.assert_text(answer["result"], 2)
        self.assertNotIn(long, [message.get("id") for message in before])
        self.assertEqual(list(self.children(host.process)).count("scribed-worker"), 1)

    def test_a_language_is_detected(self):
        self.sound(8)
        host = self.ready_host()
        answer, before = host.answer_to(host.call("detect_language", path="talk.wav"))
        result = answer["result"]
        self.assertEqual([(one["language"], one["probability"])
                          for one in result["structuredContent"]["languages"]],
                         [("en", 0.9), ("de", 0.1)])
        self.assertIn("English (en) 90 %", text_of(result))
        self.assertEqual(before, [])  # no resource has come
        wait_for(lambda: not host.use("list_jobs")["structuredContent"]["jobs"], "no job is left")

    def test_what_was_said_is_found_again(self):
        self.sound(20)
        host = self.ready_host()
        job = host.use("transcribe", path="talk.wav")["structuredContent"]["job"]
        found = host.use("search_transcripts", query="SEGMENT 2.")["structuredContent"]["found"]
        self.assertEqual([one["job"] for one in found], [job])
        best = [one for one in found[0]["passages"] if one["text"] == "Segment 2."]
        self.assertEqual(best, [{"offset": 2, "start": 10.0, "text": "Segment 2."}])
        none = host.use("search_transcripts", query="budget")
        self.assertEqual(none["structuredContent"]["found"], [])

    def test_a_host_is_told_the_folders_and_names_files_as_people_do(self):
        self.sound(8, "my talk.wav")
        host = self.ready_host("--allow-path", self.folder)
        told = json.dumps(host.ask("tools/list")["result"]["tools"])
        self.assertIn(json.dumps(json.dumps(str(self.folder)))[1:-1], told)
        self.assertIn(str(self.folder), self.ready_host().initialize()["instructions"])
        for path in ("~/my talk.wav", (self.folder / "my talk.wav").as_uri(),
                     f"file://localhost{self.folder}/my%20talk.wav"):
            with self.subTest(path):
                self.assert_text(host.use("transcribe", path=path), 2)
        written = host.use("transcribe", path="my talk.wav", output_file="~/talk.txt")
        self.assertNotIn("isError", written)
        self.assertTrue((self.folder / "talk.txt").exists())

    def test_status_tells_how_fast_it_was(self):
        self.sound(20)
        host = self.ready_host()
        self.assertEqual(host.use("status")["structuredContent"]["speeds"], [])
        host.use("transcribe", path="talk.wav")
        host.use("detect_language", path="talk.wav")  # hears a part only
        speeds = host.use("status")["structuredContent"]["speeds"]
        self.assertEqual([(s["device"], s["jobs"], s["speed"]) for s in speeds], [("cpu", 1, 200)])


class MistakeTest(McpTest):
    def test_wrong_calls_are_told_how_to_be_right(self):
        (self.folder / "text.wav").write_text("This is no sound.")
        self.sound(1)
        cases = [
            ({}, "exactly one of path and audio_base64"),
            ({"path": "talk.wav", "audio_base64": "AAAA"}, "exactly one of"),
            ({"path": "talk.wav", "upload": "upload://a"}, "no argument upload"),
            ({"pth": "talk.wav"}, "no argument pth. Known are:"),
            ({"path": 5}, "path must be a string"),
            ({"path": "talk.wav", "speed": "2"}, "no argument speed"),
            ({"path": "talk.wav", "task": "sing"}, "one of transcribe, translate"),
            ({"path": "talk.wav", "language": "klingon"}, "'klingon' is not a language"),
            ({"path": "talk.wav", "timestamps": "letter"}, "one of: none, segment, word"),
            ({"path": "talk.wav", "wait_s": 46}, "from 0 to 45"),
            ({"path": "talk.wav", "model": "none"}, "none"),
            ({"path": "none.wav"}, "No such file"),
            ({"path": "libexec"}, "not a file"),
            ({"path": "../../etc/passwd"}, "outside the folders"),
            ({"path": "/etc/passwd"}, "outside the folders"),
            ({"path": "text.wav"}, '"text.wav"'),
            ({"url": "https://localhost/talk.wav"}, "no argument url"),
        ]
        host = self.ready_host("--allow-path", self.folder)
        for arguments, text in cases:
            with self.subTest(arguments):
                self.assert_refused(host.use("transcribe", **arguments), text)
        self.assert_refused(host.use("get_job", job="none"), "no job none")
        self.assert_refused(host.use("cancel_job"), "job is needed")
        self.assertEqual(host.ask("tools/call", name="sing")["error"]["code"], -32602)
        self.assertEqual(host.ask("nothing")["error"]["code"], -32601)

    def test_a_link_out_of_the_folder_is_refused(self):
        (self.folder / "out.wav").symlink_to("/etc/passwd")
        (self.folder / "in.wav").symlink_to("talk.wav")
        self.sound(8)
        host = self.ready_host("--allow-path", self.folder)
        self.assert_refused(host.use("transcribe", path="out.wav"), "leads out")
        self.assert_text(host.use("transcribe", path="in.wav"), 2)

    def test_nonsense_is_answered_and_survived(self):
        host = self.host()
        for text in ("nonsense", "", "{}"):
            host.send_text(text)
        self.assertEqual([host.next()["error"]["code"] for _ in range(3)],
                         [-32700, -32700, -32600])
        host.initialize()

    def test_a_worker_that_dies_is_replaced_within_the_call(self):
        self.sound(8)
        self.behave("die_in_job")  # after each segment
        self.assert_text(self.ready_host().use("transcribe", path="talk.wav"), 2)

    def test_a_worker_that_always_dies_is_one_answer(self):
        self.sound(8)
        self.sound(8, "good.wav")
        host = self.ready_host()
        died = host.use("transcribe", path="talk.wav", hotwords="fake:die")
        self.assert_refused(died, "killed by signal 9")
        self.assert_text(host.use("transcribe", path="good.wav"), 2)


class LifeTest(McpTest):
    def busy(self, *arguments):
        self.behave("slow")
        self.sound(LONG)
        host = self.ready_host(*arguments)
        number = host.call("transcribe", {"progressToken": 1}, path="talk.wav")
        wait_for(lambda: len(self.children(host.process)) == 2, "both children")
        while host.next().get("params", {}).get("progress", 0) < 1:
            pass
        return host, number

    def test_others_are_answered_while_it_transcribes(self):
        host, number = self.busy()
        self.assertEqual(host.ask("ping")["result"], {})
        self.assertEqual(len(host.ask("tools/list")["result"]["tools"]), len(TOOLS))
        answer, before = host.answer_to(host.call("status"))
        self.assertIn("Running: 1", text_of(answer["result"]))
        self.assertNotIn(number, [message.get("id") for message in before])

    def test_stdout_is_the_protocols_alone(self):
        host, _ = self.busy()
        protocol = os.readlink(f"/proc/self/fd/{host.process.stdout.fileno()}")
        self.assertNotEqual(os.readlink(f"/proc/{host.process.pid}/fd/1"), protocol)
        self.assertEqual(len(self.children(host.process)), 2)
        for pid in self.children(host.process).values():
            opened = [os.readlink(link) for link in pathlib.Path(f"/proc/{pid}/fd").iterdir()]
            self.assertNotIn(protocol, opened)

    def test_a_cancelled_call_makes_room_and_says_nothing_more(self):
        for era in ({}, modern()):
            with self.subTest(era):
                host, number = self.busy("--set", "jobs.parallel_for_clients=1")
                host.cancel(number)
                wait_for(lambda: not self.decoders(host), "the end of the decoder")
                host.answer_to(host.request("tools/list", _meta=era))
                self.sound(8, "next.wav")
                answer, before = host.answer_to(host.call("transcribe", era, path="next.wav"))
                self.assert_text(answer["result"], 2)
                self.assertEqual(about(before, 1), [])
                self.assertNotIn(number, [message.get("id") for message in before])
                newest = host.use("list_jobs", era, limit=2)["structuredContent"]["jobs"]
                self.assertEqual([job["state"] for job in newest], ["done", "cancelled"])
                host.process.kill()

    def test_cancelling_one_that_waits_leaves_the_queue_whole(self):
        self.behave("slow")
        for name in ("first.wav", "second.wav", "third.wav"):
            self.sound(8, name)
        host = self.ready_host("--set", "jobs.parallel_for_clients=1")
        first = host.call("transcribe", path="first.wav")
        second = host.call("transcribe", {"progressToken": 2}, path="second.wav")
        while not (told := about([host.next()], 2)):
            pass
        self.assertIn("queued", told[0]["message"])
        host.cancel(second)
        host.ask("ping")
        _, before = host.answer_to(first)
        answer, more = host.answer_to(host.call("transcribe", path="third.wav"))
        self.assert_text(answer["result"], 2)
        self.assertEqual(about(before + more, 2), [])

    def test_the_end_of_a_call_that_is_unknown_is_ignored(self):
        host = self.ready_host()
        host.cancel(77)
        host.cancel("none")
        self.assertEqual(host.ask("ping")["result"], {})

    def ended(self, host, code, children):
        """Long before the transcription would."""
        self.assertEqual(host.process.wait(timeout=10), code)
        self.assert_gone(children)

    def test_the_end_of_stdin_ends_it_at_once(self):
        host, _ = self.busy()
        children = list(self.children(host.process).values())
        host.process.stdin.close()
        self.ended(host, 0, children)

    def test_signals_end_it_at_once(self):
        for number in (signal.SIGTERM, signal.SIGINT, signal.SIGHUP):
            with self.subTest(number):
                host, _ = self.busy()
                children = list(self.children(host.process).values())
                host.process.send_signal(number)
                self.ended(host, 0, children)

    def test_a_kill_leaves_no_process(self):
        host, _ = self.busy()
        children = list(self.children(host.process).values())
        host.process.kill()
        self.ended(host, -signal.SIGKILL, children)

    def test_an_empty_stdin_ends_it(self):
        result = subprocess.run([self.scribed, "mcp", "--state-folder", self.state], timeout=10,
                                stdin=subprocess.DEVNULL, capture_output=True,
                                env=self.environment)
        self.assertEqual((result.returncode, result.stdout), (0, b""))

    def test_a_reader_that_goes_ends_it_also_in_mid_work(self):
        self.behave("slow")
        self.sound(LONG)
        messages = (
            b'{"jsonrpc":"2.0","id":1,"method":"ping"}\n',
            b'{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"transcribe",'
            b'"arguments":{"path":"talk.wav"},"_meta":{"progressToken":1,'
            b'"io.modelcontextprotocol/protocolVersion":"2026-07-28",'
            b'"io.modelcontextprotocol/clientCapabilities":{}}}}\n')
        for message in messages:
            with self.subTest(message):
                read, write = os.pipe()
                process = subprocess.Popen(
                    [self.scribed, "mcp", "--model", self.model, "--state-folder", self.state],
                    stdin=subprocess.PIPE, stdout=write, stderr=subprocess.PIPE, cwd=self.folder,
                    env=self.environment)
                self.addCleanup(self.end, process)
                os.close(write)
                os.close(read)
                process.stdin.write(message)
                process.stdin.flush()
                self.assertEqual(process.wait(timeout=10), 0)


if __name__ == "__main__":
    unittest.main()
