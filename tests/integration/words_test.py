"""Times of words, from the command line and the API."""

import json
import os
import pathlib
import subprocess
import unittest

from daemon import DaemonTest
from recordings import recording
from scribed_command import FakeWorkerTest, bin_folder


class CommandTest(FakeWorkerTest):
    def test_json_has_them_where_they_are_asked_for(self):
        for options, words in ((["--word-timestamps", "True"], [" Segment", " 0."]), ([], None)):
            result = self.run_scribed(self.sound(5), "--format", "json", "--quiet", *options)
            segment = json.loads(result.stdout)["segments"][0]
            found = [w["word"] for w in segment["words"]] if "words" in segment else None
            self.assertEqual(found, words)

    def test_subtitles_are_broken_and_highlighted_by_words(self):
        srt = lambda *options: self.run_scribed(self.sound(5), "--format", "srt", "--quiet",
                                                "--word-timestamps", "True", *options).stdout
        self.assertEqual(srt("--highlight-words", "True"),
                         "1\n00:00:00,000 --> 00:00:02,500\n<u>Segment</u> 0.\n\n"
                         "2\n00:00:02,500 --> 00:00:05,000\nSegment <u>0.</u>\n\n")
        self.assertEqual(srt("--max-words-per-line", "1"),
                         "1\n00:00:00,000 --> 00:00:02,500\nSegment\n\n"
                         "2\n00:00:02,500 --> 00:00:05,000\n0.\n\n")
        self.assertIn("Segment\n0.\n", srt("--max-line-width", "8"))

    def test_options_of_subtitles_say_what_they_need(self):
        result = self.run_scribed(self.sound(5), "--max-line-width", "20")
        self.assertEqual((result.returncode, result.stdout), (2, ""))
        self.assertIn("--max-line-width", result.stderr)
        self.assertIn("--word-timestamps true", result.stderr)

    def test_options_that_do_nothing_are_named(self):
        result = self.run_scribed(self.sound(5), "--hallucination-silence-threshold", "2")
        self.assertEqual(result.returncode, 0)
        self.assertIn("warning: --hallucination-silence-threshold has no effect", result.stderr)


class RestTest(DaemonTest):
    WORDS = [{"word": "Segment", "start": 0, "end": 2.5, "probability": 0.9},
             {"word": "0.", "start": 2.5, "end": 5, "probability": 0.8}]

    def verbose(self, daemon, *granularities):
        fields = [("model", "whisper-1"), ("response_format", "verbose_json")]
        fields += [("timestamp_granularities[]", g) for g in granularities]
        return daemon.post_form("/v1/audio/transcriptions", fields, self.sound(5)).json

    def test_verbose_json_has_what_is_asked_for(self):
        daemon = self.start()
        words = self.verbose(daemon, "word")
        self.assertEqual(words["words"], self.WORDS)
        self.assertNotIn("segments", words)
        both = self.verbose(daemon, "word", "segment")
        self.assertEqual(both["words"], self.WORDS)
        self.assertEqual(len(both["segments"]), 1)
        self.assertNotIn("words", self.verbose(daemon, "segment"))

    def test_a_job_keeps_them(self):
        daemon = self.start()
        fields = {"timestamp_granularities[]": "word"}
        job = daemon.wait_for_job(daemon.submit(self.sound(5), **fields))["id"]
        found = daemon.get(f"/v1/jobs/{job}/transcript?format=json").json["segments"][0]["words"]
        self.assertEqual([w["word"] for w in found], [" Segment", " 0."])


class RealModelTest(unittest.TestCase):
    def transcribe(self, *options):
        clip = recording("en-nogo.wav")
        scribed = bin_folder() / "scribed"
        given = os.environ.get("SCRIBED_MODELS")
        model = pathlib.Path(given) / "base" if given else "base"
        if not given:
            installed = subprocess.run([scribed, "models", "show", model], capture_output=True)
            if installed.returncode != 0:
                self.skipTest("needs the model base")
        if not (bin_folder() / "scribed-worker").exists():
            self.skipTest("needs the worker")
        command = [scribed, "transcribe", "--model", model, "--quiet", *options, clip]
        result = subprocess.run(command, capture_output=True, text=True)
        self.assertEqual(result.returncode, 0, result.stderr)
        return result.stdout

    def test_words_are_the_text_in_order_and_within_their_segments(self):
        plain = json.loads(self.transcribe("--format", "json"))
        for compute_type in ("float32", "int8"):
            with self.subTest(compute_type):
                found = json.loads(self.transcribe("--format", "json", "--word-timestamps", "True",
                                                   "--compute-type", compute_type))
                last = 0
                self.assertGreater(len(found["segments"]), 0)
                for segment in found["segments"]:
                    words = segment["words"]
                    self.assertEqual("".join(w["word"] for w in words), segment["text"])
                    self.assertEqual(words[0]["start"], segment["start"])
                    self.assertEqual(words[-1]["end"], segment["end"])
                    for word in words:
                        self.assertLessEqual(last, word["start"])
                        self.assertLessEqual(word["start"], word["end"])
                        self.assertTrue(0 < word["probability"] <= 1)
                        last = word["end"]
                self.assertLessEqual(last, plain["duration"] + 0.1)

    def test_subtitles_underline_each_word_once(self):
        srt = self.transcribe("--format", "srt", "--word-timestamps", "True", "--highlight-words",
                              "True")
        text = self.transcribe().split()
        marked = [line for line in srt.splitlines() if "<u>" in line]
        self.assertEqual([line.split("<u>")[1].split("</u>")[0] for line in marked], text)


if __name__ == "__main__":
    unittest.main()
