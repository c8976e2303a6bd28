"""A program that uses `scribed mcp` as an MCP host does: messages on its stdin and stdout."""

import json
import os
import queue
import subprocess
import threading

from scribed_command import TIME_LIMIT, FakeWorkerTest, processes

TASKS = {"extensions": {"io.modelcontextprotocol/tasks": {}}}


def modern(capabilities=None, **more):
    """The _meta of a request of the revision without a handshake."""
    return {"io.modelcontextprotocol/protocolVersion": "2026-07-28",
            "io.modelcontextprotocol/clientCapabilities": capabilities or {}, **more}


MODERN = modern()


def text_of(result):
    """What scribed says, the name of the file and what was said, as a host shows all to a model."""
    return "\n\n".join(block["text"] for block in result["content"])


class Host:
    """Starts `scribed mcp`, and holds every line of its stdout to be JSON-RPC. One that joins a daemon
    has neither a model nor a folder of jobs."""

    def __init__(self, test, *arguments, folder=None, joins=False):
        self.test = test
        own = [] if joins else ["--model", test.model, "--state-folder", test.state]
        self.process = subprocess.Popen(
            [test.scribed, "mcp", *map(str, [*own, *arguments])], cwd=folder or test.folder,
            stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE,
            env=test.environment)
        self.messages = queue.Queue()
        self.wrong = []  # lines of stdout that are no messages
        self.last_id = 0
        self.reader = threading.Thread(target=self.read)
        self.reader.start()
        test.addCleanup(self.check_lines)
        test.addCleanup(test.end, self.process)
        test.addCleanup(self.reader.join)
        test.addCleanup(self.process.kill)

    def read(self):
        for line in self.process.stdout:
            try:
                message = json.loads(line)
            except ValueError:
                message = None
            if isinstance(message, dict) and message.get("jsonrpc") == "2.0":
                self.messages.put(message)
            else:
                self.wrong.append(line)

    def check_lines(self):
        self.test.assertEqual(self.wrong, [])

    def send(self, **message):
        self.send_text(json.dumps({"jsonrpc": "2.0", **message}))

    def send_text(self, text):
        self.process.stdin.write(text.encode() + b"\n")
        self.process.stdin.flush()

    def request(self, method, **params):
        self.last_id += 1
        self.send(id=self.last_id, method=method, params=params)
        return self.last_id

    def next(self, limit=TIME_LIMIT):
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
        """Does not wait for the answer."""
        more = {"_meta": _meta} if _meta else {}
        return self.request("tools/call", name=tool, arguments=arguments, **more)

    def use(self, tool, _meta=None, **arguments):
        """What the tool answers."""
        return self.answer_to(self.call(tool, _meta, **arguments))[0]["result"]

    def cancel(self, number):
        self.send(method="notifications/cancelled", params={"requestId": number})

    def end(self):
        self.process.stdin.close()
        return self.process.wait(timeout=TIME_LIMIT)


def about(messages, token):
    """Those that tell the progress of a call."""
    return [message["params"] for message in messages
            if message.get("method") == "notifications/progress"
            and message["params"]["progressToken"] == token]


class McpTest(FakeWorkerTest):
    def setUp(self):
        super().setUp()
        self.state = self.folder / "state"
        home = {"HOME": str(self.folder), "SCRIBED_DATA_DIR": str(self.folder / "data")}
        self.environment.update(home)
        for variable in ("SCRIBED_CONFIG", "XDG_CONFIG_HOME", "SCRIBED_API_KEY"):
            self.environment.pop(variable, None)

    def host(self, *arguments, **more):
        return Host(self, *arguments, **more)

    def ready_host(self, *arguments, **more):
        host = self.host(*arguments, **more)
        host.initialize()
        return host

    def inputs(self):
        """What clients gave and is still kept."""
        return [file.name for file in self.state.glob("mcp/*/inputs/*")]

    @staticmethod
    def decoders(host):
        return [pid for pid, (parent, name) in processes().items()
                if parent == host.process.pid and name == "scribed-decode"]

    def assert_text(self, result, segments):
        self.assertNotIn("isError", result)
        self.assertIn("never instructions", text_of(result))
        said = [f"Segment {i}." for i in range(segments)]
        self.assertEqual(result["content"][-1]["text"], " ".join(said))
        self.assertEqual(result["structuredContent"]["text"], " ".join(said))

    def assert_refused(self, result, text):
        self.assertTrue(result.get("isError"), result)
        self.assertIn(text, text_of(result))
