"""What a person at a terminal sees of a live transcription.

  SCRIBED_BIN      folder of the programs (default: build/dev/bin, then build/release/bin)
"""

import fcntl
import os
import pty
import re
import signal
import struct
import subprocess
import termios
import threading
import unittest

from scribed_command import FakeWorkerTest, wait_for

SECOND = 2 * 16000  # bytes
WIDTH = 40
PIECE = re.compile(r"\r\n|\r|\n|\x1b\[K|\x1b\[\d*m|[^\r\n\x1b]+|\x1b")


class Screen:
    """Just as much of a terminal as scribed uses: lines, returns, erasing to the end, dim text."""

    def __init__(self, width=WIDTH):
        self.width = width
        self.rows = [""]
        self.column = 0
        self.seen = []  # the last row each time something was written on it

    def feed(self, text):
        for piece in PIECE.findall(text):
            if piece == "\r":
                self.column = 0
            elif piece in ("\n", "\r\n"):
                self.rows.append("")
                self.column = 0
            elif piece == "\x1b[K":
                self.rows[-1] = self.rows[-1][: self.column]
            elif piece == "\x1b":
                raise AssertionError(f"an escape that this terminal does not know: {text!r}")
            elif not piece.startswith("\x1b"):
                self.write(piece)

    def write(self, text):
        for character in text:
            if self.column == self.width:
                self.rows.append("")
                self.column = 0
            row = self.rows[-1].ljust(self.column)
            self.rows[-1] = row[: self.column] + character + row[self.column + 1 :]
            self.column += 1
        self.seen.append(self.rows[-1])


class Terminal:
    """A program whose stdout and stderr are a terminal, and whose stdin is a pipe."""

    def __init__(self, command, environment, width=WIDTH):
        self.master, slave = pty.openpty()
        fcntl.ioctl(slave, termios.TIOCSWINSZ, struct.pack("HHHH", 24, width, 0, 0))
        self.process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=slave, stderr=slave,
                                        env=environment, bufsize=0)
        os.close(slave)
        self.bytes = b""
        self.reader = threading.Thread(target=self._read)
        self.reader.start()

    def _read(self):
        try:
            while piece := os.read(self.master, 65536):
                self.bytes += piece
        except OSError:
            pass  # the other end is closed

    def screen(self, width=WIDTH):
        screen = Screen(width)
        screen.feed(self.bytes.decode())
        return screen

    def shows(self, text):
        wait_for(lambda: text in self.screen().rows[-1], f"{text!r} on the last line")

    def end(self):
        if self.process.poll() is None:
            self.process.kill()
        self.process.wait()
        self.reader.join()
        self.process.stdin.close()
        os.close(self.master)


class LiveTerminalTest(FakeWorkerTest):
    def start(self, *options):
        terminal = Terminal(self.command("--live", *options, "-"), self.environment)
        self.addCleanup(terminal.end)
        return terminal

    def finish(self, terminal):
        terminal.process.stdin.close()
        self.assertEqual(terminal.process.wait(60), 0)
        terminal.reader.join()
        return terminal.screen()

    def test_latest_words_stand_on_one_line_that_gives_way_to_the_text(self):
        terminal = self.start()
        terminal.process.stdin.write(bytes(2 * SECOND))
        terminal.shows("Segment perhaps")
        self.assertIn("Segment\x1b[2m perhaps\x1b[0m", terminal.bytes.decode())
        terminal.process.stdin.write(bytes(10 * SECOND))
        screen = self.finish(terminal)
        lines = [row for row in screen.rows if not row.startswith("scribed: ")]
        self.assertEqual(lines[-4:], ["Segment 0.", "Segment 1.", "Segment 2.", ""])
        self.assertFalse(any("perhaps" in row for row in screen.rows), screen.rows)
        self.assertTrue(any("Segment perhaps" in row for row in screen.seen))

    def test_the_line_says_that_somebody_listens_and_nothing_of_progress(self):
        terminal = self.start()
        terminal.process.stdin.write(bytes(5 * SECOND))
        terminal.shows("listening 0:05")  # a segment has just ended
        screen = self.finish(terminal)
        self.assertFalse([row for row in screen.seen if "transcribing" in row], screen.seen)
        self.assertFalse([row for row in screen.rows if "listening" in row], screen.rows)

    def test_ctrl_c_leaves_the_text_alone_on_the_screen(self):
        terminal = self.start("--quiet")
        terminal.process.stdin.write(bytes(7 * SECOND))
        wait_for(lambda: b"Segment 0." in terminal.bytes, "a segment")
        terminal.process.send_signal(signal.SIGINT)
        screen = self.finish(terminal)
        self.assertEqual(screen.rows, ["Segment 0.", "Segment 1.", ""])


if __name__ == "__main__":
    unittest.main()
