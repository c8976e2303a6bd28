"""live.model: the model of live sound at all of its doors, also one that is given by its path. See live_daemon.py
for what it needs."""

import re
import unittest

from live_daemon import MODELS, LiveDaemonTest, sound
from scribed_command import wait_for
from websocket_client import WebSocket
from wyoming_test import Client, can_connect, free_port


class LiveModelTest(LiveDaemonTest):
    model = "tiny.en"  # of recordings

    @classmethod
    def setUpClass(cls):
        super().setUpClass()
        cls.live_model = MODELS / "base"
        if not cls.live_model.exists():
            raise unittest.SkipTest("no model base: see SCRIBED_MODELS")
        cls.port = free_port()
        config = cls.folder / "live.toml"
        config.write_text(f'[live]\nmodel = "{cls.live_model}"\nwyoming_listen = "127.0.0.1:{cls.port}"\n')
        cls.live_daemon = cls.start("--config", config)
        wait_for(lambda: can_connect(cls.port), "the port of Wyoming")
        cls.sound = sound("en-thanks")

    def models_heard(self):
        """The models of the live sessions that have ended, as the log names them."""
        return re.findall(r"live session ended.* model=(\S+)", self.live_daemon.log())

    def assert_it_hears_with_the_live_model(self, work):
        before = len(self.models_heard())
        work()
        heard = wait_for(lambda: self.models_heard()[before:], "the session's end")
        self.assertEqual(heard, [str(self.live_model)])

    def test_realtime(self):
        def work():
            session = self.realtime(self.live_daemon)
            session.append(self.sound)
            session.finish()
            self.assertTrue(session.text())
            session.end()
        self.assert_it_hears_with_the_live_model(work)

    def test_deepgram(self):
        def work():
            with WebSocket(self.live_daemon.port, "/v1/listen?encoding=linear16&sample_rate=24000&language=en",
                           limit=300) as socket:
                socket.send(self.sound[:1 << 19])
                socket.send({"type": "CloseStream"})
                socket.receive_all()
        self.assert_it_hears_with_the_live_model(work)

    def test_wyoming(self):
        def work():
            client = Client(self.port)
            client.socket.settimeout(300)
            format = {"rate": 24000, "width": 2, "channels": 1}
            client.send("transcribe", {"language": "en"})
            client.send("audio-start", format)
            for begin in range(0, 1 << 19, 1 << 17):
                client.send("audio-chunk", format, self.sound[begin:begin + (1 << 17)])
            client.send("audio-stop")
            kind, data = None, {}
            while kind != "transcript":
                kind, data = client.read()
            self.assertTrue(data["text"])
            client.close()
        self.assert_it_hears_with_the_live_model(work)

    def test_wyomings_clients_are_told_of_it_first(self):
        client = Client(self.port)
        self.addCleanup(client.close)
        client.send("describe")
        _, data = client.read()
        names = [model["name"] for model in data["asr"][0]["models"]]
        self.assertEqual(names[0], "base", "it is called as its folder is")
        self.assertGreater(len(data["asr"][0]["models"][0]["languages"]), 90)

    def test_recordings_have_their_own(self):
        answer = self.live_daemon.post_form("/v1/jobs", [], (self.folder / "live.toml").read_bytes())
        self.assertEqual(answer.json["model"], "tiny.en")


if __name__ == "__main__":
    unittest.main()
