"""The official MCP clients call every tool, over both transports and in both eras.

With SCRIBED_PRINT=1 the matrix is printed."""

import json
import os
import unittest

import clients
from daemon import DaemonTest
from scribed_command import write_silence

MODES = {"python": ("legacy", "auto", "2026-07-28"), "client": ("legacy", "auto", "2026-07-28"),
         "sdk": ("legacy",)}


class McpClientsTest(DaemonTest):
    def setUp(self):
        clients.need()
        super().setUp()
        self.behave("slow")  # so that there is progress to be sent
        self.file = self.folder / "talk.wav"
        write_silence(self.file, 12)

    def targets(self):
        daemon = self.start("--allow-path", self.folder)
        yield "http", [f"http://127.0.0.1:{daemon.port}/mcp"]
        yield "bridge", [self.scribed, "mcp", "--connect", f"http://127.0.0.1:{daemon.port}"]
        yield "stdio", [self.scribed, "mcp", "--model", self.model, "--state-folder", self.state,
                        "--allow-path", self.folder]

    def run_client(self, client, mode, target):
        if client == "python":
            return clients.run_python("mcp_client.py", mode, self.file, *target,
                                      environment=self.environment)
        return clients.run_node("mcp_client.mjs", client, mode, self.file, *target,
                                environment=self.environment)

    def test_every_client_calls_every_tool(self):
        for transport, target in self.targets():
            for client, modes in MODES.items():
                for mode in modes:
                    with self.subTest(client=client, mode=mode, transport=transport):
                        said = json.loads(self.run_client(client, mode, target))
                        if os.environ.get("SCRIBED_PRINT"):
                            print(f"| {client} | {mode} | {transport} | {len(said['tools'])} |")
                        self.assertEqual(len(said["tools"]), 11)

    def inspect(self, target, *arguments):
        inspector = clients.FOLDER / "node_modules/.bin/mcp-inspector"
        return clients.run([clients.NODE, inspector.resolve(), "--cli", *target, *arguments],
                           {**self.environment, "PATH": f"{clients.NODE.parent}:/usr/bin:/bin"})

    def test_the_inspector_sees_it_in_both_eras(self):
        daemon = self.start("--allow-path", self.folder)
        url = f"http://127.0.0.1:{daemon.port}/mcp"
        for era in ("legacy", "modern"):
            with self.subTest(era):
                more = ("--transport", "http", "--protocol-era", era, "--format", "json")
                listed = json.loads(self.inspect([url], *more, "--method", "tools/list"))
                self.assertIn("transcribe", json.dumps(listed))
                said = self.inspect([url], *more, "--method", "tools/call", "--tool-name",
                                    "transcribe", "--tool-args-json",
                                    json.dumps({"path": str(self.file)}))
                self.assertIn("Segment 2.", said)


if __name__ == "__main__":
    unittest.main()
