"""Jobs of recordings of people, for real models. What is heard in them is asked of the cluster
before any fault begins: a text that faults have not touched."""

import dataclasses
import random
import re
import time

from cluster.client_calls import call, send_sound
from cluster.job_plan import OWNERS

LIMIT_S = 120


@dataclasses.dataclass(frozen=True)
class RecordedPlan:
    number: int
    owner: str
    clip: bytes
    texts: list
    key: str
    webhook: bool
    action: str
    pause: float
    fails: bool = False
    fields: tuple = ()

    def sound(self):
        return self.clip

    def problem_of(self, texts, is_whole):
        """As JobPlan has it, by words: a job that went on behind a segment has the text before it as
        a prompt without times, and may cut and punctuate what follows in another way."""
        said, wanted = words_of(texts), words_of(self.texts)
        if said == wanted[:None if is_whole else len(said)]:
            return None
        return f"says {texts}, and its sound {self.texts}"


def words_of(texts):
    return re.findall(r"[\w']+", " ".join(texts).casefold())


class RecordedJobs:
    """Gives the plan of a job's number, as plan_job() does."""

    def __init__(self, seed, files):
        self.seed = seed
        self.clips = [file.read_bytes() for file in files]
        self.texts = [None] * len(self.clips)

    def listen(self, node):
        for place in range(len(self.clips)):
            self.texts[place] = self._transcribe(node, self._plan(place, OWNERS[0], place))

    def _plan(self, number, owner, place, key="", webhook=False, action="leave", pause=0.0):
        return RecordedPlan(number, owner, self.clips[place], self.texts[place], key, webhook,
                            action, pause)

    @staticmethod
    def _transcribe(node, plan):
        job = send_sound(node, plan, "/v1/jobs", []).json["id"]
        until = time.monotonic() + LIMIT_S
        while call(node, plan.owner, "GET", f"/v1/jobs/{job}").json["status"] != "done":
            assert time.monotonic() < until, "a recording is not transcribed"
            time.sleep(0.1)
        page = call(node, plan.owner, "GET", f"/v1/jobs/{job}/segments?limit=1000").json
        return [segment["text"] for segment in page["data"]]

    def __call__(self, number):
        draw = random.Random(f"recorded {self.seed} {number}")
        action = draw.choices(("leave", "follow", "cancel", "wait"), (60, 20, 8, 12))[0]
        return self._plan(number, draw.choice(OWNERS), draw.randrange(len(self.clips)),
                          key=f"key-{number}" if draw.random() < 0.5 else "",
                          webhook=action != "wait" and draw.random() < 0.4,
                          action=action, pause=draw.uniform(0, 4))
