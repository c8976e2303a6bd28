"""What was heard of a system while sound was fed to it, and when. Times are seconds from the first sample on; a
sample is fed when it has been spoken. Needs no packages."""

import dataclasses


@dataclasses.dataclass
class Turn:
    """What is said between two silences, or a whole recording where a system tells of no turns."""

    sure: list = dataclasses.field(default_factory=list)  # (time, all text so far that the system calls final)
    shown: list = dataclasses.field(default_factory=list)  # (time, the same with what is not sure yet)
    stopped_at: float | None = None  # when the system said that the speech has ended
    text: str | None = None  # as it is kept in the end; None: the turn failed
    text_at: float | None = None

    def show(self, at, sure, unsure=""):
        if not self.sure or self.sure[-1][1] != sure:
            self.sure.append((at, sure))
        self.shown.append((at, sure + unsure))

    def end(self, at, text):
        self.text, self.text_at = text, at


@dataclasses.dataclass
class Trace:
    turns: list
    seconds: float = 0.0  # of the sound
    late_s: float = 0.0  # how much later than it was spoken a piece was taken, at most
    heard_late_s: float = 0.0  # by how much what was heard, as the system says, was behind what was spoken, at most
    ended_at: float = 0.0  # when all text was there
    failed: str = ""

    @property
    def text(self):
        return " ".join(turn.text.strip() for turn in self.turns if turn.text)
