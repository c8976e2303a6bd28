"""`scribed mcp` as an MCP host runs it: messages on stdin and stdout, with the fake worker."""

import json
import os
import queue
import signal
import subprocess
import threading
import time
import unittest

from scribed_command import FakeWorkerTest, wait_for

MODERN = {"io.modelcontextprotocol/protocolVersion": "2026-07-28",
          "io.modelcontextprotocol/clientCapabilities": {}}
LONG = 60  # seconds of sound; the slow worker takes six for it


class Host:
    """Starts `scribed mcp`, and holds every line of its stdout to be JSON-RPC."""

    def __init__(self, test, *arguments):
        self.process = subprocess.Popen(
            [test.scribed, "mcp", "--model", test.model, *map(str, arguments)], cwd=test.folder,
            stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
            env=test.environment)
        self.messages = queue.Queue()
        self.last_id = 0
        self.reader = threading.Thread(target=self.read)
        self.reader.start()
        test.addCleanup(test.end, self.process)
        test.addCleanup(self.reader.join)
        test.addCleanup(self.process.kill)

    def read(self):
        for line in self.process.stdout:
            message = json.loads(line)
            assert message["jsonrpc"] == "2.0", line
            self.messages.put(message)

    def send(self, **message):
        self.process.stdin.write(json.dumps({"jsonrpc": "2.0", **message}) + "\n")
        self.process.stdin.flush()

    def request(self, method, **params):
        self.last_id += 1
        self.send(id=self.last_id, method=method, params=params)
        return self.last_id

    def next(self, limit=20):
        return self.messages.get(timeout=limit)

    def answer_to(self, number):
        """Also what was said before it, about anything."""
        before = []
        while True:
            message = self.next()
            if message.get("id") == number:
                return message, before
            before.append(message)

    def ask(self, method, **params):
        return self.answer_to(self.request(method, **params))[0]

    def initialize(self, version="2025-11-25"):
        answer = self.ask("initialize", protocolVersion=version, capabilities={},
                          clientInfo={"name": "test", "version": "1"})
        self.send(method="notifications/initialized")
        return answer["result"]

    def call(self, tool, _meta=None, **arguments):
        more = {"_meta": _meta} if _meta else {}
        return self.request("tools/call", name=tool, arguments=arguments, **more)

    def end(self):
        self.process.stdin.close()
        return self.process.wait(timeout=10)


class McpTest(FakeWorkerTest):
    def host(self, *arguments):
        return Host(self, *arguments)


class TranscribeTest(McpTest):
    def check(self, result):
        self.assertNotIn("isError", result)
        self.assertIn("Segment 0. Segment 1.", result["content"][0]["text"])
        self.assertIn("not as instructions", result["content"][0]["text"])
        structured = result["structuredContent"]
        self.assertEqual(structured["device"], "cpu")
        self.assertEqual([s["text"] for s in structured["segments"]], ["Segment 0.", "Segment 1."])

    def test_a_legacy_client_gets_the_text(self):
        self.sound(8)
        host = self.host()
        result = host.initialize()
        self.assertEqual(result["serverInfo"]["name"], "scribed")
        names = [tool["name"] for tool in host.ask("tools/list")["result"]["tools"]]
        self.assertEqual(names, ["transcribe", "list_models", "status"])
        answer, _ = host.answer_to(host.call("transcribe", path="talk.wav"))
        self.check(answer["result"])
        self.assertEqual(host.end(), 0)

    def test_a_modern_client_needs_no_greeting(self):
        path = self.sound(8)
        host = self.host()
        answer, _ = host.answer_to(host.call("transcribe", _meta=MODERN, path=str(path)))
        self.check(answer["result"])
        self.assertEqual(answer["result"]["resultType"], "complete")
        status = host.answer_to(host.call("status", _meta=MODERN))[0]["result"]
        self.assertIn("on cpu", status["content"][0]["text"])

    def test_progress_rises(self):
        self.sound(20)
        host = self.host()
        host.initialize()
        number = host.call("transcribe", _meta={"progressToken": "p"}, path="talk.wav")
        _, before = host.answer_to(number)
        values = [message["params"]["progress"] for message in before]
        self.assertGreater(len(values), 5)
        self.assertEqual(values, sorted(set(values)))
        self.assertTrue(all(m["params"]["progressToken"] == "p" for m in before))

    def test_calls_wait_for_each_other(self):
        self.sound(8, "a.wav")
        self.sound(8, "b.wav")
        host = self.host()
        host.initialize()
        numbers = {host.call("transcribe", path="a.wav"), host.call("transcribe", path="b.wav")}
        answers = [host.next(), host.next()]
        self.assertEqual({a["id"] for a in answers}, numbers)
        for answer in answers:
            self.check(answer["result"])


class MistakeTest(McpTest):
    def test_wrong_calls_are_told_how_to_be_right(self):
        (self.folder / "text.wav").write_text("This is no sound.")
        cases = [
            ({}, "path is needed"),
            ({"path": 5}, "path must be a string"),
            ({"path": "talk.wav", "speed": "2"}, "no argument speed"),
            ({"path": "talk.wav", "task": "sing"}, "transcribe or translate"),
            ({"path": "none.wav"}, "none.wav: No such file"),
            ({"path": "."}, "outside the folders"),
            ({"path": "libexec"}, "not a file"),
            ({"path": "../../etc/passwd"}, "outside the folders"),
            ({"path": "/etc/passwd"}, "outside the folders"),
            ({"path": "text.wav"}, "text.wav: "),
        ]
        host = self.host("--allow-path", self.folder)
        host.initialize()
        for arguments, text in cases:
            with self.subTest(arguments):
                answer, _ = host.answer_to(host.call("transcribe", **arguments))
                self.assertTrue(answer["result"]["isError"])
                self.assertIn(text, answer["result"]["content"][0]["text"])
        self.assertEqual(host.ask("tools/call", name="sing")["error"]["code"], -32602)
        self.assertEqual(host.ask("nothing")["error"]["code"], -32601)

    def test_a_link_out_of_the_folder_is_refused(self):
        (self.folder / "out.wav").symlink_to("/etc/passwd")
        (self.folder / "in.wav").symlink_to("talk.wav")
        self.sound(8)
        host = self.host("--allow-path", self.folder)
        host.initialize()
        answer, _ = host.answer_to(host.call("transcribe", path="out.wav"))
        self.assertIn("leads out", answer["result"]["content"][0]["text"])
        answer, _ = host.answer_to(host.call("transcribe", path="in.wav"))
        self.assertNotIn("isError", answer["result"])

    def test_nonsense_is_answered_and_survived(self):
        host = self.host()
        host.process.stdin.write("nonsense\n\n{}\n")
        host.process.stdin.flush()
        self.assertEqual([host.next()["error"]["code"] for _ in range(3)],
                         [-32700, -32700, -32600])
        host.initialize()

    def test_a_worker_that_dies_is_one_answer(self):
        self.sound(8)
        self.behave("die_in_job")
        host = self.host()
        host.initialize()
        for _ in range(2):
            answer, _ = host.answer_to(host.call("transcribe", path="talk.wav"))
            self.assertIn("killed by signal 9", answer["result"]["content"][0]["text"])


class LifeTest(McpTest):
    def busy(self):
        self.behave("slow")
        self.sound(LONG)
        host = self.host()
        host.initialize()
        number = host.call("transcribe", _meta={"progressToken": 1}, path="talk.wav")
        wait_for(lambda: len(self.children(host.process)) == 2, "both children")
        while host.next().get("params", {}).get("progress", 0) < 1:
            pass
        return host, number

    def test_others_are_answered_while_it_transcribes(self):
        host, _ = self.busy()
        began = time.monotonic()
        self.assertEqual(host.ask("ping")["result"], {})
        self.assertEqual(len(host.ask("tools/list")["result"]["tools"]), 3)
        status = host.answer_to(host.call("status"))[0]["result"]["content"][0]["text"]
        self.assertIn("Running: 1", status)
        self.assertLess(time.monotonic() - began, 2)

    def test_a_cancelled_call_makes_room_and_says_nothing_more(self):
        host, number = self.busy()
        host.send(method="notifications/cancelled", params={"requestId": number})
        wait_for(lambda: not self.children(host.process), "the end of both children")
        while not host.messages.empty():
            host.messages.get()
        self.sound(8, "next.wav")
        self.assertEqual(host.ask("ping")["result"], {})
        answer, before = host.answer_to(host.call("transcribe", path="next.wav"))
        self.assertNotIn("isError", answer["result"])
        self.assertEqual(before, [])

    def test_cancelling_one_that_waits_leaves_the_queue_whole(self):
        self.behave("slow")
        for name in ("first.wav", "second.wav", "third.wav"):
            self.sound(8, name)
        host = self.host()
        host.initialize()
        first = host.call("transcribe", path="first.wav")
        second = host.call("transcribe", path="second.wav")
        self.assertEqual(host.ask("ping")["result"], {})
        host.send(method="notifications/cancelled", params={"requestId": second})
        host.answer_to(first)
        answer, before = host.answer_to(host.call("transcribe", path="third.wav"))
        self.assertNotIn("isError", answer["result"])
        self.assertEqual(before, [])

    def ends_soon(self, host, code=0):
        children = self.children(host.process).values()
        began = time.monotonic()
        self.assertEqual(host.process.wait(timeout=10), code)
        self.assertLess(time.monotonic() - began, 3)
        self.assert_gone(children)

    def test_the_end_of_stdin_ends_it_at_once(self):
        host, _ = self.busy()
        host.process.stdin.close()
        self.ends_soon(host)

    def test_signals_end_it_at_once(self):
        for number in (signal.SIGTERM, signal.SIGINT, signal.SIGHUP):
            with self.subTest(number):
                host, _ = self.busy()
                host.process.send_signal(number)
                self.ends_soon(host)

    def test_an_empty_stdin_ends_it(self):
        result = subprocess.run([self.scribed, "mcp"], stdin=subprocess.DEVNULL, timeout=10,
                                capture_output=True, env=self.environment)
        self.assertEqual((result.returncode, result.stdout), (0, b""))

    def test_a_reader_that_goes_ends_it(self):
        read, write = os.pipe()
        process = subprocess.Popen([self.scribed, "mcp"], stdin=subprocess.PIPE, stdout=write,
                                   stderr=subprocess.PIPE, env=self.environment)
        self.addCleanup(self.end, process)
        os.close(write)
        os.close(read)
        process.stdin.write(b'{"jsonrpc":"2.0","id":1,"method":"ping"}\n')
        process.stdin.flush()
        self.assertEqual(process.wait(timeout=10), 0)


if __name__ == "__main__":
    unittest.main()
