"""The interface of whisper-asr-webservice, as Bazarr and others call it."""

import unittest
import urllib.parse

from daemon import BOUNDARY, FORM_TYPE, DaemonTest


def part(sound, file_name="audio_file"):
    return (f'--{BOUNDARY}\r\nContent-Disposition: form-data; name="audio_file"; filename="{file_name}"\r\n\r\n'
            .encode() + sound + f"\r\n--{BOUNDARY}--\r\n".encode())


def raw(seconds):
    return bytes(32000 * seconds)


class AsrTest(DaemonTest):
    def ask(self, daemon, sound, path="/asr", file_name="audio_file", **query):
        return daemon.request("POST", f"{path}?{urllib.parse.urlencode(query)}", part(sound, file_name),
                              {"Content-Type": FORM_TYPE})

    def test_a_film_as_bazarr_sends_it(self):
        daemon = self.start()
        answer = self.ask(daemon, raw(6), task="transcribe", language="en", output="srt", encode="false",
                          video_file="/films/A film (1999).mkv")
        self.assertEqual(answer.status, 200)
        self.assertEqual(answer.text, "1\n00:00:00,000 --> 00:00:06,000\nSegment 0. Segment 1.\n\n")
        detected = self.ask(daemon, raw(6), "/detect-language", encode="false")
        self.assertEqual(detected.json, {"detected_language": "english", "language_code": "en", "confidence": 0.9})

    def test_every_output(self):
        daemon = self.start()
        sound = self.sound(6)
        for output, begin in (("txt", "Segment 0.\nSegment 1.\n"), ("vtt", "WEBVTT\n\n"),
                              ("tsv", "start\tend\ttext\n0\t5000\tSegment 0.\n")):
            answer = self.ask(daemon, sound, output=output, file_name="talk.wav")
            self.assertTrue(answer.text.startswith(begin), answer.text)
            self.assertEqual(answer.headers["content-type"].split(";")[0], "text/plain")
            self.assertEqual(answer.headers["content-disposition"], f'attachment; filename="talk.wav.{output}"')
        body = self.ask(daemon, sound, output="json").json
        self.assertEqual((body["language"], body["text"]), ("en", " Segment 0. Segment 1."))
        self.assertEqual([s["end"] for s in body["segments"]], [5, 6])

    def test_raw_sound_may_end_within_a_sample_and_have_a_header_after_all(self):
        daemon = self.start()
        odd = self.ask(daemon, raw(6) + b"\0", encode="false")
        self.assertEqual((odd.status, odd.text), (200, "Segment 0.\nSegment 1.\n"))
        with_header = self.ask(daemon, self.sound(6), encode="false")
        self.assertEqual(with_header.text, odd.text)
        empty = self.ask(daemon, b"", encode="false", output="srt")
        self.assertEqual((empty.status, empty.text), (200, ""))

    def test_what_fails_leaves_no_subtitle_behind(self):
        daemon = self.start()
        broken = self.ask(daemon, b"no sound at all" * 100, output="srt")
        self.assertEqual((broken.status, broken.body), (400, b""))
        told = self.ask(daemon, b"no sound at all" * 100, output="json")
        self.assertIn("not a known audio", told.json["detail"])
        self.assertEqual(self.ask(daemon, b"no sound" * 100, "/detect-language").json, {})
        wrong = self.ask(daemon, raw(1), output="json", language="klingon")
        self.assertEqual((wrong.status, wrong.json["detail"][0]["loc"]), (422, ["query", "language"]))

    def test_the_front_tells_programs_a_version_and_shows_browsers_a_page(self):
        daemon = self.start()
        self.assertRegex(daemon.get("/").json["version"], r"^scribed \d+\.\d+")
        browser = daemon.get("/", Accept="text/html")
        self.assertEqual((browser.status, browser.headers["content-type"]), (200, "text/html; charset=utf-8"))


if __name__ == "__main__":
    unittest.main()
