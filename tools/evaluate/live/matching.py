"""When a word was sent, and when it had been spoken: words of a live session are matched with those of a whole
recording by the fewest edits."""

import re

from .. import wer


def words_of(text):
    """The words that are compared, without punctuation: enough to know one again in the same model's text."""
    return re.findall(r"[\w']+", text.lower())


def spoken(transcript):
    """(word, when it ends) of a transcript with the times of words."""
    return [(token, word["end"])
            for segment in transcript["segments"] for word in segment.get("words", [])
            for token in words_of(word["word"])]  # fmt: skip


def lasting(states):
    """(word, since when it stood at its place without a break) of the last of the states, which are (time, text)."""
    last = words_of(states[-1][1]) if states else []
    since = [None] * len(last)
    for at, text in states:
        words = words_of(text)
        for place, word in enumerate(last):
            if place >= len(words) or words[place] != word:
                since[place] = None
            elif since[place] is None:
                since[place] = at
    return list(zip(last, since))


def kept(states, text, text_at):
    """(word, since when it was sent) of the text that is kept: words that were sent neither before nor as they are kept
    came with that text."""
    early, words = lasting(states), words_of(text)
    times = [text_at] * len(words)
    for i, j in wer.pairs([word for word, _ in early], words):
        if i is not None and j is not None and early[i][0] == words[j]:
            times[j] = early[i][1]
    return list(zip(words, times))


def matched(said, sent):
    """(when it ended, when it was sent, its place in `sent`) of each word that is the same in both, in order."""
    pairs = wer.pairs([word for word, _ in said], [word for word, _ in sent])
    same = [(said[i][1], sent[j][1], j) for i, j in pairs
            if i is not None and j is not None and said[i][0] == sent[j][0]]  # fmt: skip
    return same[::-1]
