"""What the n-th job of a run is: drawn from the run's seed, so that a run can be repeated.

Its sound has the level n throughout, and the fake worker puts the level into every text. So a text
tells which recording was heard, and a part of another job's text is noticed.
"""

import dataclasses
import io
import random
import struct
import wave

RATE = 16_000
SEGMENT_S = 5
MOST_JOBS = 32_000  # a level is a sample of 16 bits
OWNERS = ("ada", "bob", "cid", "dora")


@dataclasses.dataclass(frozen=True)
class JobPlan:
    number: int
    owner: str
    seconds: int
    is_slow: bool  # a tenth of a second for each second of sound
    fails: bool
    key: str  # empty: none
    webhook: bool
    action: str  # what its client does after the submit: leave, follow, cancel; or it waits
    pause: float  # before a cancel

    @property
    def texts(self):
        """What a worker makes of the sound."""
        return [f" Segment {place} of {self.number}." for place in
                range(-(-self.seconds // SEGMENT_S))]

    def problem_of(self, texts, is_whole):
        """What is wrong with the texts of a job that has its whole text, or the begin of it."""
        if "".join(texts).strip() == "".join(self.texts[:None if is_whole else len(texts)]).strip():
            return None
        return f"says {texts}, and its sound {self.texts}"

    @property
    def fields(self):
        if self.fails:
            return [("hotwords", "fake:fail")]
        return [("hotwords", "fake:slow")] if self.is_slow else []

    def sound(self):
        file = io.BytesIO()
        with wave.open(file, "wb") as sound:
            sound.setnchannels(1)
            sound.setsampwidth(2)
            sound.setframerate(RATE)
            sound.writeframes(struct.pack("<h", self.number) * (RATE * self.seconds))
        return file.getvalue()


def plan_job(seed, number):
    draw = random.Random(f"job {seed} {number}")
    is_slow = draw.random() < 0.4
    action = draw.choices(("leave", "follow", "cancel", "wait"), (60, 15, 12, 13))[0]
    return JobPlan(number=number, owner=draw.choice(OWNERS),
                   seconds=draw.randint(5, 30) if is_slow else draw.randint(1, 12),
                   is_slow=is_slow, fails=action != "wait" and draw.random() < 0.02,
                   key=f"key-{number}" if draw.random() < 0.5 else "",
                   webhook=action != "wait" and draw.random() < 0.4,
                   action=action, pause=draw.uniform(0, 2))
