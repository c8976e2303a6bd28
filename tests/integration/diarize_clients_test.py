"""A conversation of two people, with the real networks, through OpenAI's Python package and the official MCP
client. See live_daemon.py for what it needs; besides, the model speakers and scripts/clients."""

import json
import unittest

import clients
from conversation import SAID, speaker_at, write_conversation
from diarize_test import require
from live_daemon import LiveDaemonTest
from recordings import recording


class ClientsTest(LiveDaemonTest):
    model = "base"

    @classmethod
    def setUpClass(cls):
        clients.need()
        require("speakers")
        super().setUpClass()
        cls.file = cls.folder / "two people.wav"
        cls.changes = write_conversation(cls.file)
        cls.heard = json.loads(clients.run_python("openai_diarize.py", f"http://127.0.0.1:{cls.daemon.port}", cls.file,
                                                  "Allison", recording(SAID[0])))

    def assert_speakers(self, segments, names):
        """At most one segment is at a speaker who did not say it."""
        said = [s for s in segments if s["text"].strip()]
        expected = [speaker_at(self.changes, (s["start"] + s["end"]) / 2, names) for s in said]
        wrong = [s for s, name in zip(said, expected) if s["speaker"] != name]
        self.assertGreaterEqual(len(said), 4)
        self.assertLessEqual(len(wrong), 1, wrong)

    def test_diarized_json_says_who_says_what(self):
        self.assert_speakers(self.heard["segments"], "AB")
        self.assertEqual(" ".join(s["text"].strip() for s in self.heard["segments"]), self.heard["text"].strip())

    def test_a_known_voice_has_its_name(self):
        self.assert_speakers(self.heard["known"], ("Allison", "A"))

    def test_the_stream_ends_with_the_same_segments(self):
        self.assertEqual(self.heard["streamed"], self.heard["segments"])
        self.assertEqual(self.heard["deltas"].split(), self.heard["done"].split())

    def test_a_tool_of_mcp_says_it_too(self):
        daemon = self.start("--allow-path", self.folder)
        said = json.loads(clients.run_python("mcp_transcribe.py", "--arguments", json.dumps({"diarize": True}),
                                             self.file, f"http://127.0.0.1:{daemon.port}/mcp"))
        self.assertFalse(said["is_error"], said)
        self.assertIn("A: ", said["text"])
        self.assertIn("B: ", said["text"])


if __name__ == "__main__":
    unittest.main()
