"""OpenAI's own packages for Python and Node against the daemon: formats, streaming, errors."""

import unittest

import clients
from daemon import DaemonTest
from scribed_command import write_silence


class OpenAiTest(DaemonTest):
    def setUp(self):
        clients.need()
        super().setUp()
        self.behave("slow")
        self.daemon = self.start()
        self.url = f"http://127.0.0.1:{self.daemon.port}"
        self.file = self.folder / "talk.wav"
        write_silence(self.file, 12)

    def test_the_python_package(self):
        self.assertEqual(clients.run_python("openai_client.py", self.url, self.file), "ok\n")

    def test_the_node_package(self):
        self.assertEqual(clients.run_node("openai_client.mjs", self.url, self.file), "ok\n")


if __name__ == "__main__":
    unittest.main()
