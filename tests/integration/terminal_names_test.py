"""Names and foreign messages on a terminal: they can neither give it orders nor begin a line that is
not theirs."""

import os
import pty
import subprocess
import unittest

from scribed_command import TIME_LIMIT, FakeWorkerTest

NAME = "\x1b[31mx\nscribed: forged\u202e.wav"


class TerminalNamesTest(FakeWorkerTest):
    def on_terminal(self, command):
        """All that a program whose outputs are a terminal writes."""
        master, slave = pty.openpty()
        process = subprocess.Popen(command, stdin=subprocess.DEVNULL, stdout=slave, stderr=slave,
                                   env=self.environment)
        os.close(slave)
        self.addCleanup(self.end, process)
        written = b""
        try:
            while piece := os.read(master, 65536):
                written += piece
        except OSError:
            pass  # the other end is closed
        os.close(master)
        process.wait(TIME_LIMIT)
        return written.decode(errors="surrogateescape")

    def assert_harmless(self, written):
        for order in ("\x1b[31m", "\u202e", "\x9b", "\x07"):
            self.assertNotIn(order, written)
        self.assertFalse([line for line in written.split("\n")
                          if line.startswith("scribed: forged")], written)

    def test_of_inputs_that_are_not_there(self):
        written = self.on_terminal(self.command(NAME))
        self.assert_harmless(written)
        self.assertIn(r"\u001b[31mx\nscribed: forged\u202e.wav", written)

    def test_of_inputs_at_work(self):
        first = self.sound(6, NAME)
        written = self.on_terminal(self.command(first, self.sound(6, "second.wav")))
        self.assert_harmless(written)
        self.assertIn("Segment 0.", written)

    def test_of_inputs_that_cannot_be_decoded(self):
        path = self.folder / NAME
        path.write_text("no sound")
        self.assert_harmless(self.on_terminal(self.command(path, path)))

    def test_of_options_and_models(self):
        self.assert_harmless(self.on_terminal(self.command("--" + NAME)))
        self.assert_harmless(self.on_terminal(self.command("--format", NAME, "x.wav")))
        for arguments in (["show", NAME], ["import", NAME], ["check", NAME], ["pull", NAME]):
            self.assert_harmless(self.on_terminal([self.scribed, "models", *arguments]))

    def test_stay_as_they_are_in_a_pipe(self):
        result = self.run_scribed(NAME)
        self.assertIn(NAME, result.stderr)


if __name__ == "__main__":
    unittest.main()
