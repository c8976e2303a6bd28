"""Where speech ends by its loudness alone, so that no recogniser and no detector has a say in it, and how long after
that a text came. Needs no packages."""

import array
import dataclasses

FRAME_S = 0.02
LOUD = 0.95  # the share of frames that are no louder than this level
BELOW_LOUD = 100  # 20 dB
# A turn that ends so soon after the next clip's begin belongs to the silence before it; and one that ends so soon before
# the speech has faded away belongs to that.
SLACK_S = 0.3


@dataclasses.dataclass(frozen=True)
class Place:
    """Of a clip in a recording, in seconds."""

    begin: float
    speech_end: float


def speech_end(pcm, rate):
    """Seconds to the end of the last frame that is at most 20 dB quieter than the loud ones; 0 of silence."""
    samples, size = array.array("h", pcm), round(FRAME_S * rate)
    powers = [sum(x * x for x in samples[at : at + size]) for at in range(0, len(samples) - size + 1, size)]
    if not powers or max(powers) == 0:
        return 0.0
    least = sorted(powers)[min(len(powers) - 1, int(LOUD * len(powers)))] / BELOW_LOUD
    return FRAME_S * (1 + max(place for place, power in enumerate(powers) if power > least))


def after_speech(turns, places):
    """For each clip with a turn that a silence behind its speech has ended, the seconds from the speech's end to that
    turn's text; and how many turns a silence within a clip has ended."""
    waits, ended = [], [turn for turn in turns if turn.stopped_at is not None and turn.text is not None]
    for number, place in enumerate(places):
        until = places[number + 1].begin + SLACK_S if number + 1 < len(places) else float("inf")
        behind = [turn for turn in ended if place.speech_end - SLACK_S <= turn.stopped_at < until]
        if behind:
            waits.append(behind[0].text_at - place.speech_end)
    return waits, len(ended) - len(waits)
