"""`scribed transcribe` as a user runs it: outputs, messages and exit codes."""

import json
import os
import pathlib
import subprocess
import time
import unittest

from recordings import recording
from scribed_command import FakeWorkerTest, bin_folder, cpu_seconds

USAGE, INPUT, AUDIO, MODEL, OUTPUT = 2, 3, 4, 5, 8
MUST_ANSWER_IN = 1  # CPU seconds, for what needs no model


def read_terminal(fd):
    """All that was written to a terminal that nobody holds open any more; one read gives a part."""
    written = b""
    try:
        while piece := os.read(fd, 65536):
            written += piece
    except OSError:  # how a terminal ends
        pass
    return written


class OutputTest(FakeWorkerTest):
    def test_text_goes_to_stdout_and_the_device_to_stderr(self):
        result = self.run_scribed(self.sound(12))
        self.assertEqual(result.returncode, 0, result.stderr)
        self.assertEqual(result.stdout, "Segment 0.\nSegment 1.\nSegment 2.\n")
        self.assertRegex(result.stderr, r"^scribed: model on cpu \(float32, \d+ threads?\): as asked .*\n$")

    def test_quiet_says_nothing(self):
        self.assertEqual(self.run_scribed(self.sound(6), "--quiet").stderr, "")

    def test_stdin_is_a_dash(self):
        with self.sound(6).open("rb") as sound:
            self.assertEqual(self.run_scribed("-", stdin=sound).stdout.count("\n"), 2)

    def test_a_pipe_that_pauses_is_awaited(self):
        process = self.start_scribed("-", stdin=subprocess.PIPE)
        sound = self.sound(12).read_bytes()
        process.stdin.buffer.write(sound[:200_000])
        process.stdin.buffer.flush()
        time.sleep(2)
        process.stdin.buffer.write(sound[200_000:])
        text, errors = process.communicate(timeout=20)
        self.assertEqual(process.returncode, 0, errors)
        self.assertEqual(text.count("\n"), 3)

    def test_json_has_what_openai_whisper_gives_and_more(self):
        result = self.run_scribed(self.sound(6), "--format", "json", "--quiet")
        transcript = json.loads(result.stdout)
        self.assertEqual(transcript["text"], " Segment 0. Segment 1.")
        self.assertEqual([s["id"] for s in transcript["segments"]], [0, 1])
        self.assertEqual(transcript["language"], "en")
        self.assertEqual(transcript["duration"], 6)
        self.assertEqual(transcript["model"], "model")
        self.assertGreater(transcript["timings"]["total_s"], 0)

    def test_several_inputs_give_one_file_each_in_a_folder(self):
        out = self.folder / "out"
        result = self.run_scribed(self.sound(6), self.sound(6, "two.wav"), "--format", "srt",
                                  "--output", out)
        self.assertEqual(result.returncode, 0, result.stderr)
        self.assertEqual(sorted(p.name for p in out.iterdir()), ["talk.srt", "two.srt"])
        self.assertEqual(result.stdout, "")
        self.assertTrue((out / "two.srt").read_text().startswith("1\n00:00:00,000 -->"))

    def test_raw_input_is_described_by_options(self):
        raw = self.folder / "talk.raw"
        raw.write_bytes(bytes(8000 * 2 * 6))
        result = self.run_scribed(raw, "--input-format", "s16le", "--input-sample-rate", "8000",
                                  "--format", "json", "--quiet")
        self.assertEqual(json.loads(result.stdout)["duration"], 6)

    def test_a_longer_input_than_allowed_is_refused(self):
        result = self.run_scribed(self.sound(30), "--max-seconds", "10")
        self.assertEqual(result.returncode, AUDIO, result.stderr)

    def test_progress_is_drawn_on_a_terminal_only(self):
        self.behave("slow")
        ours, terminal = os.openpty()
        process = self.start_scribed(self.sound(15), stderr=terminal)
        os.close(terminal)
        process.communicate(timeout=20)
        drawn = read_terminal(ours).decode()
        os.close(ours)
        self.assertRegex(drawn, r"\rtranscribing 0:\d\d")
        last = drawn.rpartition("transcribing")[2]
        self.assertRegex(last, r"^[^\r\n]*\r\x1b\[K")  # nothing is left on the line


class RefusalTest(FakeWorkerTest):
    """Each with its exit code, one message, and no text."""

    def refuse(self, code, message, *arguments):
        before = cpu_seconds()
        result = self.run_scribed(*arguments)
        self.assertEqual(result.returncode, code, result.stderr)
        self.assertIn(message, result.stderr)
        self.assertEqual(result.stdout, "")
        self.assertLess(cpu_seconds() - before, MUST_ANSWER_IN)

    def test_a_file_that_is_not_there(self):
        self.refuse(INPUT, "nowhere.wav: No such file or directory", self.folder / "nowhere.wav")

    def test_a_folder(self):
        self.refuse(INPUT, "this is a folder", self.folder)

    @unittest.skipIf(os.geteuid() == 0, "root may read everything")
    def test_a_file_without_permission(self):
        path = self.sound(1)
        path.chmod(0)
        self.refuse(INPUT, "Permission denied", path)

    def test_an_empty_file(self):
        path = self.folder / "empty.wav"
        path.write_bytes(b"")
        self.refuse(AUDIO, "empty", path)

    def test_a_file_that_is_no_sound(self):
        path = self.folder / "letter.mp3"
        path.write_text("Dear Ada, there is no sound in here.\n" * 200)
        self.refuse(AUDIO, "", path)

    def test_a_model_that_is_not_there(self):
        self.model.rmdir()
        self.refuse(MODEL, "model", self.sound(1))

    def test_an_output_in_a_folder_that_is_not_there(self):
        self.refuse(OUTPUT, "out.txt", self.sound(1), "--output", self.folder / "none" / "out.txt")

    def test_wrong_usage(self):
        sound = self.sound(1)
        for arguments in (["--format", "doc"], ["--language", "Klingon"], ["--no-such-option"],
                          ["--input-channels", "2"], ["--output", str(sound)],
                          ["--highlight-words", "True"]):
            with self.subTest(arguments):
                self.refuse(USAGE, "", sound, *arguments)

    def test_one_bad_input_does_not_hold_up_the_others(self):
        result = self.run_scribed(self.folder / "nowhere.wav", self.sound(6))
        self.assertEqual(result.returncode, INPUT)
        self.assertEqual(result.stdout, "Segment 0.\nSegment 1.\n")

    def test_a_full_disk(self):
        result = self.run_scribed(self.sound(6), "--output", "/dev/full")
        self.assertEqual(result.returncode, 7, result.stderr)
        self.assertIn("No space left", result.stderr)


class RealModelTest(unittest.TestCase):
    """The whole way with the model that is installed, on a recording that says what it is about."""

    def test_a_clip_gives_its_words(self):
        clip = recording("en-nogo.wav")
        scribed = bin_folder() / "scribed"
        installed = subprocess.run([scribed, "models", "show", "base"], capture_output=True)
        if installed.returncode != 0 or not (bin_folder() / "scribed-worker").exists():
            self.skipTest("needs the model base and the worker")
        result = subprocess.run([scribed, "transcribe", clip], capture_output=True, text=True)
        self.assertEqual(result.returncode, 0, result.stderr)
        self.assertGreater(len(result.stdout.split()), 3)
        self.assertIn("base on cpu (", result.stderr)


if __name__ == "__main__":
    unittest.main()
