"""The interface of whisper.cpp's server."""

import unittest

from daemon import DaemonTest


class InferenceTest(DaemonTest):
    def ask(self, daemon, seconds=6, **fields):
        return daemon.post_form("/inference", fields.items(), self.sound(seconds))

    def test_every_format(self):
        daemon = self.start()
        self.assertEqual(self.ask(daemon).json, {"text": " Segment 0.\n Segment 1.\n"})
        self.assertEqual(self.ask(daemon, response_format="text").text, " Segment 0.\n Segment 1.\n")
        srt = self.ask(daemon, response_format="srt")
        self.assertEqual(srt.headers["content-type"], "application/x-subrip")
        self.assertTrue(srt.text.startswith("1\n00:00:00,000 --> 00:00:06,000\nSegment 0. Segment 1.\n"))
        self.assertTrue(self.ask(daemon, response_format="vtt").text.startswith("WEBVTT\n"))
        verbose = self.ask(daemon, response_format="verbose_json", temperature="0.0", temperature_inc="0.2").json
        self.assertEqual((verbose["language"], verbose["duration"]), ("english", 6))
        self.assertEqual(len(verbose["segments"][0]["words"]), 2)

    def test_a_part_of_a_recording(self):
        daemon = self.start()
        verbose = self.ask(daemon, 12, offset_t="5000", response_format="verbose_json").json
        self.assertEqual(verbose["segments"][0]["start"], 5)

    def test_errors_are_a_sentence(self):
        daemon = self.start()
        missing = daemon.post_form("/inference", [("language", "en")])
        self.assertEqual((missing.status, missing.json), (400, {
            "error": "No 'file' field in the request. Send the recording as the part file of a multipart form."}))
        broken = daemon.post_form("/inference", [], b"no sound" * 100)
        self.assertEqual(broken.status, 400)
        self.assertIsInstance(broken.json["error"], str)

    def test_models_are_loaded_by_name(self):
        daemon = self.start()
        path = daemon.post_form("/load", [("model", "/etc/passwd")])
        self.assertEqual((path.status, path.json), (400, {
            "error": "Model not found! Name one that `scribed models list` has."}))
        name = daemon.get("/v1/status").json["default_model"]
        loaded = daemon.post_form("/load", [("model", name)])
        self.assertEqual((loaded.status, loaded.text), (200, "Load was successful!"))
        self.assertEqual(daemon.get("/health").json["status"], "ok")


if __name__ == "__main__":
    unittest.main()
