"""What a person at a terminal sees of a transcription's progress.

  SCRIBED_BIN      folder of the programs (default: build/dev/bin, then build/release/bin)
"""

import re
import subprocess
import unittest

from live_terminal_test import Terminal
from scribed_command import FakeWorkerTest

SECONDS = 80  # of sound; four seconds of work


class ProgressTerminalTest(FakeWorkerTest):
    def setUp(self):
        super().setUp()
        self.behave("listens_first")

    def watch(self, width, *inputs):
        terminal = Terminal(self.command(*inputs), self.environment, width)
        self.addCleanup(terminal.end)
        self.assertEqual(terminal.process.wait(60), 0)
        terminal.reader.join()
        return terminal.screen(width)

    def test_a_bar_percentage_speed_and_time_left_fit_on_the_line(self):
        sound = self.sound(SECONDS)
        bars = {80: r"\[#*-*\]  ( |\d)\d\.\d% 0:\d\d of 1:20, \d+\.\dx real time, 0:\d\d left",
                40: r"\[#*-*\]  ( |\d)\d\.\d%, \d+\.\dx, 0:\d\d left"}
        for width, bar in bars.items():
            with self.subTest(width):
                screen = self.watch(width, sound)
                drawn = [row for row in screen.seen if "%" in row]
                self.assertTrue(any(re.fullmatch(bar, row) for row in drawn), drawn)
                self.assertLess(max(map(len, drawn)), width)
                shares = [float(re.search(r"([\d.]+)%", row)[1]) for row in drawn]
                self.assertEqual(shares, sorted(shares))
                heard = [row for row in screen.seen if row.startswith("listening")]
                self.assertTrue(heard)
                left = [row for row in screen.rows if "%" in row or row.startswith("listening")]
                self.assertEqual(left, [])

    def test_a_long_name_leaves_room_for_the_figures(self):
        sounds = [self.sound(SECONDS, f"{name}-of-a-name-that-is-much-longer-than-the-line.wav")
                  for name in ("one", "two")]
        screen = self.watch(40, *sounds)
        drawn = [row for row in screen.seen if "%" in row]
        self.assertTrue(any(re.fullmatch(r"….*line\.wav: [ \d.]*%, 0:\d\d left", row)
                            for row in drawn), drawn)
        self.assertLess(max(map(len, drawn)), 40)

    def test_a_pipe_gets_nothing_of_it(self):
        result = subprocess.run(self.command(self.sound(20)), env=self.environment, text=True,
                                capture_output=True, timeout=60)
        for text in (result.stdout, result.stderr):
            self.assertNotRegex(text, r"[%\r\x1b]|listening|loading")


if __name__ == "__main__":
    unittest.main()
