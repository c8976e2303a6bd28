"""Where `scribed transcribe` writes: several formats, names, what exists, interrupted batches, full disks."""

import json
import os
import pathlib
import signal
import subprocess
import unittest

from client_commands import ClientTest
from scribed_command import FakeWorkerTest, wait_for

USAGE, EXHAUSTED, OUTPUT = 2, 7, 8


class OutputsTest(FakeWorkerTest):
    def setUp(self):
        super().setUp()
        self.out = self.folder / "out"
        self.out.mkdir()

    def names(self):
        return sorted(path.name for path in self.out.iterdir())

    def done(self, *arguments):
        result = self.run_scribed(*arguments)
        self.assertEqual(result.returncode, 0, result.stderr)
        return result

    def refused(self, text, *arguments):
        result = self.run_scribed(*arguments)
        self.assertEqual(result.returncode, USAGE, result.stderr)
        self.assertIn(text, result.stderr)

    def test_several_formats_come_of_one_run(self):
        self.done(self.sound(6), "--format", "srt,json,txt", "--output", self.out)
        self.assertEqual(self.names(), ["talk.json", "talk.srt", "talk.txt"])
        self.assertEqual(json.loads((self.out / "talk.json").read_text())["text"],
                         " Segment 0. Segment 1.")
        self.assertTrue((self.out / "talk.srt").read_text().startswith("1\n00:00:00,000 --> "))

    def test_the_name_of_the_output_says_the_format(self):
        self.done(self.sound(6), "--output", self.out / "a.srt")
        self.assertTrue((self.out / "a.srt").read_text().startswith("1\n00:00:00,000 --> "))
        self.done(self.sound(6), "--output", self.out / "b.json")
        self.assertIn("segments", json.loads((self.out / "b.json").read_text()))

    def test_a_name_that_contradicts_the_format_is_refused_before_any_work(self):
        sound = self.sound(1)
        self.refused("is the name of a srt file, but --format is vtt", sound,
                     "--output", self.out / "a.srt", "--format", "vtt")
        self.refused("Give a folder", sound, "--output", self.out / "a.srt", "--format", "srt,vtt")
        self.refused("several formats cannot be joined on stdout", sound, "--format", "srt,vtt")
        self.refused("the output is stdout", sound, "--skip-existing")
        self.assertEqual(self.names(), [])

    def test_names_of_the_longest_length(self):
        letters = "語" * 83 + "abc"  # 252 bytes
        self.done(self.sound(6), "--output", self.out / f"{letters}.md", "--keep-partial")
        self.done(self.sound(6), "--output", self.out / f"{letters}.md")
        self.assertEqual(self.names(), [f"{letters}.md"])
        result = self.run_scribed(self.sound(6), "--output", self.out / f"{letters}.long")
        self.assertEqual(result.returncode, OUTPUT, result.stderr)
        self.assertIn("File name too long", result.stderr)

    def test_what_exists_is_skipped_and_left_as_it_is(self):
        self.sound(6, "one.wav"), self.sound(6, "two.wav")
        (self.out / "one.srt").write_text("corrected by hand")
        inputs = [self.folder / "one.wav", self.folder / "two.wav"]
        result = self.done(*inputs, "--format", "srt,txt", "--output", self.out, "--skip-existing")
        self.assertEqual((self.out / "one.srt").read_text(), "corrected by hand")
        self.assertEqual(self.names(), ["one.srt", "one.txt", "two.srt", "two.txt"])
        self.assertNotIn("skipped", result.stderr)
        inputs[1].unlink()  # is not even opened
        result = self.done(*inputs, "--format", "srt,txt", "--output", self.out, "--skip-existing")
        self.assertEqual(result.stderr.count("has its transcript already; skipped"), 2, result.stderr)

    def test_an_interrupted_batch_goes_on(self):
        self.behave("slow")
        inputs = [self.sound(6, "one.wav"), self.sound(3600, "two.wav")]
        batch = [*inputs, "--format", "srt", "--output", self.out, "--skip-existing"]
        process = self.start_scribed(*batch)
        wait_for(lambda: "one.srt" in self.names(), "the first transcript")
        process.send_signal(signal.SIGTERM)
        process.communicate(timeout=20)
        self.assertEqual(process.returncode, 143)
        self.assertEqual(self.names(), ["one.srt"])
        before = (self.out / "one.srt").stat().st_mtime_ns
        self.sound(6, "two.wav")
        self.done(*batch)
        self.assertEqual(self.names(), ["one.srt", "two.srt"])
        self.assertEqual((self.out / "one.srt").stat().st_mtime_ns, before)


@unittest.skipUnless(os.geteuid() == 0, "mounts a small disk")
class FullDiskTest(FakeWorkerTest):
    def setUp(self):
        super().setUp()
        self.disk = self.folder / "disk"
        self.disk.mkdir()
        subprocess.run(["mount", "-t", "tmpfs", "-o", "size=64k", "none", self.disk], check=True)
        self.addCleanup(subprocess.run, ["umount", "-l", self.disk], check=True)
        (self.disk / "talk.json").write_text("corrected by hand")
        (self.disk / "ballast").write_bytes(bytes(56 * 1024))

    def run_out_of_disk(self, *arguments):
        result = self.run_scribed(self.sound(600), "--format", "json", "--output", self.disk, *arguments)
        self.assertEqual(result.returncode, EXHAUSTED, result.stderr)
        self.assertIn("No space left on device", result.stderr)
        self.assertEqual((self.disk / "talk.json").read_text(), "corrected by hand")
        return sorted(path.name for path in self.disk.iterdir())

    def test_a_full_disk_leaves_the_old_file_and_nothing_else(self):
        self.assertEqual(self.run_out_of_disk(), ["ballast", "talk.json"])


class RemoteOutputsTest(ClientTest):
    """The same through a daemon."""

    def transcribe(self, daemon, *arguments):
        return self.ask("transcribe", "--server", f"127.0.0.1:{daemon.port}", *arguments)

    def test_several_formats_and_what_exists(self):
        daemon = self.start()
        out = pathlib.Path(self.folder) / "out"
        out.mkdir()
        (out / "talk.srt").write_text("corrected by hand")
        self.transcribe(daemon, "--format", "srt,json,txt", "--output", f"{out}/", "--skip-existing",
                        self.file(6))
        self.assertEqual(sorted(path.name for path in out.iterdir()),
                         ["talk.json", "talk.srt", "talk.txt"])
        self.assertEqual((out / "talk.srt").read_text(), "corrected by hand")
        self.assertEqual((out / "talk.txt").read_text(), "Segment 0.\nSegment 1.\n")

    def test_a_signal_leaves_the_old_file(self):
        self.behave("slow")
        daemon = self.start()
        out = pathlib.Path(self.folder) / "out.txt"
        out.write_text("corrected by hand")
        partial = pathlib.Path(self.folder) / "out.txt.partial"
        process = subprocess.Popen([self.scribed, "transcribe", "--server", f"127.0.0.1:{daemon.port}",
                                    "--output", out, "--keep-partial", self.file(600)],
                                   env=self.environment, stderr=subprocess.DEVNULL)
        self.addCleanup(self.end, process)
        wait_for(lambda: partial.exists() and partial.read_text(), "the first segment")
        process.send_signal(signal.SIGTERM)
        self.assertEqual(process.wait(20), 143)
        self.assertEqual(out.read_text(), "corrected by hand")
        self.assertTrue(partial.read_text().startswith("Segment 0.\n"))


if __name__ == "__main__":
    unittest.main()
