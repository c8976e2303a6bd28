"""Figures of a live session out of what was heard of it."""

from .. import wer
from .matching import kept, matched, words_of
from .speech_end import after_speech


def percentile(values, percent):
    """Between the two nearest of the values, in proportion; None of no values."""
    if not values:
        return None
    values = sorted(values)
    place = (len(values) - 1) * percent / 100
    below = int(place)
    above = min(below + 1, len(values) - 1)
    return values[below] + (values[above] - values[below]) * (place - below)


def summary(values):
    return {"count": len(values), **{f"p{p}": percentile(values, p) for p in (50, 90, 99)}}


def taken_back(texts):
    """Words that stood in a text and not at their place in the next one."""
    count = 0
    for before, after in zip(map(words_of, texts), map(words_of, texts[1:])):
        same = 0
        while same < min(len(before), len(after)) and before[same] == after[same]:
            same += 1
        count += len(before) - same
    return count


def changed_in_the_end(turn):
    """Words that were sent as final and are not in the text that is kept."""
    sure = words_of(turn.sure[-1][1]) if turn.sure else []
    text = words_of(turn.text or "")
    return sum(i is not None and (j is None or sure[i] != text[j]) for i, j in wer.pairs(sure, text))


def _ended(trace):
    return [turn for turn in trace.turns if turn.text is not None]


def latencies(trace, said):
    """Seconds of each word from its end to when it was sent for good, and to when it was shown for good; and of each
    turn with words from the end of its last one to its text."""
    sent, shown, owner = [], [], []
    turns = _ended(trace)
    for number, turn in enumerate(turns):
        sent += kept(turn.sure, turn.text, turn.text_at)
        shown += kept(turn.shown, turn.text, turn.text_at)
        owner += [number] * (len(sent) - len(owner))
    found = matched(said, sent)
    last = {owner[place]: ended for ended, _, place in found}
    return {
        "sent": [at - ended for ended, at, _ in found],
        "shown": [min(at, shown[place][1]) - ended for ended, at, place in found],
        "text": [turns[number].text_at - ended for number, ended in sorted(last.items())],
    }


def session(trace, said, places=()):
    """What one session's trace says; figures of several are joined by join()."""
    turns = _ended(trace)
    silent, false_ends = after_speech(turns, places)
    return latencies(trace, said) | {
        "silent": silent, "false_ends": false_ends, "seconds": trace.seconds,
        "endpoint": [turn.text_at - turn.stopped_at for turn in turns if turn.stopped_at is not None],
        "words": len(words_of(trace.text)),
        "shown_back": sum(taken_back([text for _, text in turn.shown]) for turn in turns),
        "sure_back": sum(taken_back([text for _, text in turn.sure]) for turn in turns),
        "changed": sum(map(changed_in_the_end, turns)),
        "failed_turns": len(trace.turns) - len(turns),
        "late_s": trace.late_s, "heard_late_s": trace.heard_late_s,
        "end_s": max(0.0, trace.ended_at - trace.seconds),
    }  # fmt: skip


def join(sessions):
    """The figures of several sessions: all their words together, and the worst of what is a greatest value."""
    every = lambda key: [value for one in sessions for value in one[key]]  # noqa: E731
    total = lambda key: sum(one[key] for one in sessions)  # noqa: E731
    worst = lambda key: max((one[key] for one in sessions), default=0.0)  # noqa: E731
    return {
        "sessions": len(sessions), "words": total("words"), "failed_turns": total("failed_turns"),
        "sent": summary(every("sent")), "shown": summary(every("shown")), "text": summary(every("text")),
        "endpoint": summary(every("endpoint")), "silent": summary(every("silent")),
        "false_ends_per_minute": 60 * total("false_ends") / total("seconds") if total("seconds") else 0.0,
        "shown_back": total("shown_back"), "sure_back": total("sure_back"), "changed": total("changed"),
        "late_s": worst("late_s"), "heard_late_s": worst("heard_late_s"), "end_s": worst("end_s"),
    }  # fmt: skip
