"""What happens when one of the three processes goes away, or the user does."""

import json
import os
import select
import signal
import subprocess
import time
import unittest

from scribed_command import TIME_LIMIT, FakeWorkerTest, wait_for

WORKER, DECODER = "scribed-worker", "scribed-decode"
WORKER_EXIT = 6
LONG = 120  # seconds of sound; the slow fake worker takes a tenth of that


class KilledProcessTest(FakeWorkerTest):
    def setUp(self):
        super().setUp()
        self.behave("slow")

    def pid_of(self, children, program):
        return next(pid for name, pid in children.items() if name.startswith(program[:12]))

    def kill_in_mid_work(self, program, *arguments):
        process = self.start_scribed(self.sound(LONG), *arguments)
        children = self.in_mid_work(process)
        os.kill(self.pid_of(children, program), signal.SIGKILL)
        rest, errors = process.communicate(timeout=20)
        self.assert_gone(children.values())
        return process.returncode, rest, errors

    def test_a_killed_worker_is_a_clear_error(self):
        code, _, errors = self.kill_in_mid_work(WORKER)
        self.assertEqual(code, WORKER_EXIT, errors)
        self.assertIn("scribed-worker was killed by signal 9 (SIGKILL)", errors)

    def test_a_killed_decoder_is_a_clear_error(self):
        code, _, errors = self.kill_in_mid_work(DECODER)
        self.assertEqual(code, WORKER_EXIT, errors)
        self.assertIn("scribed-decode was killed by signal 9 (SIGKILL)", errors)

    def test_a_killed_scribed_leaves_no_orphan(self):
        process = self.start_scribed(self.sound(LONG))
        children = self.in_mid_work(process)
        process.kill()
        process.wait()
        self.assert_gone(children.values())

    def test_a_killed_scribed_leaves_no_orphan_that_waits_for_stdin(self):
        # Nothing wakes these two but the end of scribed: no sound comes, and the pipe stays open.
        process = self.start_scribed("-", stdin=subprocess.PIPE)
        children = wait_for(lambda: len(self.children(process)) == 2 and self.children(process),
                            "both children")
        process.kill()
        process.wait()
        self.assert_gone(children.values())

    def test_a_worker_that_died_leaves_the_old_file(self):
        self.behave("die_in_job")
        out, partial = self.folder / "talk.srt", self.folder / "talk.srt.partial"
        out.write_text("corrected by hand")
        result = self.run_scribed(self.sound(30), "--output", out)
        self.assertEqual(result.returncode, WORKER_EXIT, result.stderr)
        self.assertFalse(partial.exists())
        result = self.run_scribed(self.sound(30), "--output", out, "--keep-partial")
        self.assertEqual(result.returncode, WORKER_EXIT, result.stderr)
        self.assertIn("Segment 0.", partial.read_text())
        self.assertEqual(out.read_text(), "corrected by hand")

    def test_the_next_input_gets_a_new_worker(self):
        process = self.start_scribed(self.sound(LONG), self.sound(5, "second.wav"))
        children = self.in_mid_work(process)
        os.kill(self.pid_of(children, WORKER), signal.SIGKILL)
        rest, errors = process.communicate(timeout=20)
        self.assertEqual(process.returncode, WORKER_EXIT)
        self.assertIn("talk.wav: scribed-worker was killed", errors)
        self.assertNotIn("second.wav: scribed-", errors)
        self.assertTrue(rest.endswith("Segment 0.\n"), rest)


class WorkerThatFailsToStartTest(FakeWorkerTest):
    def test_every_way_is_a_clear_error(self):
        cases = {
            "die_in_load": (6, "scribed-worker was killed by signal 9"),
            "wrong_version": (6, "version"),
            "garbage": (6, "scribed-worker sent something that is no message"),
            "refuse_model": (5, "the model is cut off"),
        }
        for behaviour, (code, text) in cases.items():
            with self.subTest(behaviour):
                self.behave(behaviour)
                result = self.run_scribed(self.sound(6), self.sound(6, "second.wav"))
                self.assertEqual(result.returncode, code, result.stderr)
                self.assertEqual(result.stdout, "")
                self.assertIn(text, result.stderr)
                self.assertEqual(result.stderr.count("scribed: "), 1, result.stderr)

    def test_a_missing_program_is_named(self):
        (self.folder / "libexec" / WORKER).unlink()
        result = self.run_scribed(self.sound(6))
        self.assertEqual(result.returncode, WORKER_EXIT)
        self.assertIn("scribed-worker is not in", result.stderr)


class InterruptionTest(FakeWorkerTest):
    def setUp(self):
        super().setUp()
        self.behave("slow")

    def interrupt(self, number, *arguments):
        ours, terminal = os.openpty()
        self.addCleanup(os.close, ours)
        process = self.start_scribed(self.sound(5 * LONG), *arguments, "--output", self.folder / "out",
                                     stderr=terminal)
        os.close(terminal)
        drawn = b""
        while b"transcribing 0:1" not in drawn:  # two segments
            self.assertTrue(select.select([ours], [], [], TIME_LIMIT)[0], drawn)
            drawn += os.read(ours, 4096)
        children = self.children(process)
        process.send_signal(number)
        process.communicate(timeout=20)  # the recording would take a minute
        self.assert_gone(children.values())
        return process.returncode

    def test_a_signal_leaves_the_old_file_and_nothing_else(self):
        for number, code in ((signal.SIGINT, 130), (signal.SIGTERM, 143), (signal.SIGHUP, 129)):
            with self.subTest(number):
                (self.folder / "out").write_text("corrected by hand")
                self.assertEqual(self.interrupt(number), code)
                self.assertEqual((self.folder / "out").read_text(), "corrected by hand")
                self.assertEqual(self.leftovers(), [])

    def test_what_was_decided_is_kept_apart_if_asked_for(self):
        (self.folder / "out").write_text("corrected by hand")
        self.assertEqual(self.interrupt(signal.SIGINT, "--keep-partial"), 130)
        self.assertEqual((self.folder / "out").read_text(), "corrected by hand")
        self.assertTrue((self.folder / "out.partial").read_text().startswith("Segment 0.\n"))
        self.assertEqual(self.leftovers(), ["out.partial"])

    def test_a_partial_file_is_complete_json(self):
        self.assertEqual(self.interrupt(signal.SIGTERM, "--format", "json", "--keep-partial"), 143)
        partial = json.loads((self.folder / "out.partial").read_text())
        self.assertEqual(partial["segments"][0]["text"], " Segment 0.")

    def test_a_crash_leaves_the_old_file(self):
        (self.folder / "out").write_text("corrected by hand")
        self.assertEqual(self.interrupt(signal.SIGKILL), -signal.SIGKILL)
        self.assertEqual((self.folder / "out").read_text(), "corrected by hand")
        self.assertEqual(self.leftovers(), [])

    def test_a_crash_leaves_the_partial_file_if_asked_for(self):
        self.assertEqual(self.interrupt(signal.SIGKILL, "--keep-partial"), -signal.SIGKILL)
        self.assertTrue((self.folder / "out.partial").read_text().startswith("Segment 0.\n"))

    def leftovers(self):
        return [path.name for path in self.folder.iterdir()
                if path.name.startswith((".scribed", ".out", "out."))]

    def test_ctrl_c_of_the_terminal_reaches_the_whole_group(self):
        process = self.start_scribed(self.sound(LONG), start_new_session=True)
        children = self.in_mid_work(process)
        os.killpg(process.pid, signal.SIGINT)
        rest, errors = process.communicate(timeout=20)
        self.assertEqual(process.returncode, 130, errors)
        self.assertNotIn("killed", errors)
        self.assert_gone(children.values())

    def test_ctrl_c_before_anything_was_said_leaves_no_file(self):
        out = self.folder / "out"
        process = self.start_scribed("-", "--output", out, stdin=subprocess.PIPE)
        wait_for(lambda: len(self.children(process)) == 2, "both children")
        process.send_signal(signal.SIGINT)
        process.wait(timeout=20)
        self.assertEqual(process.returncode, 130)
        self.assertFalse(out.exists())
        self.assertEqual(self.leftovers(), [])

    def test_a_reader_that_goes_away_ends_it_without_a_word(self):
        process = self.start_scribed(self.sound(LONG), "--quiet")
        children = self.in_mid_work(process)
        process.stdout.close()
        self.assertEqual(process.wait(timeout=20), 0)
        self.assertEqual(process.stderr.read(), "")
        self.assert_gone(children.values())

    def test_ctrl_c_ends_it_while_its_reader_sleeps(self):
        read, write = os.pipe()
        filled = os.write(write, bytes(65536))  # the pipe is full
        self.assertEqual(filled, 65536)
        process = self.start_scribed(self.sound(LONG), stdout=write)
        os.close(write)
        wait_for(lambda: len(self.children(process)) == 2, "both children")
        time.sleep(1)  # the first segment cannot be written
        process.send_signal(signal.SIGINT)
        self.assertEqual(process.wait(timeout=20), 130)
        os.close(read)


if __name__ == "__main__":
    unittest.main()
