"""A conversation of two people, made of single recordings: A, B, A, B."""

import wave

from recordings import recording

PAUSE_S = 0.4
SAID = ("en-nogo.wav", "ru-nogo.wav", "en-allbusy.wav", "ru-abouttotry.wav")


def write_conversation(file):
    """Returns where each of the four begins to speak, and the end, in seconds."""
    changes = [0.0]
    with wave.open(str(file), "wb") as whole:
        whole.setparams((1, 2, 16000, 0, "NONE", ""))
        for name in SAID:
            with wave.open(str(recording(name)), "rb") as part:
                assert part.getparams()[:3] == (1, 2, 16000)
                whole.writeframes(part.readframes(part.getnframes()))
            whole.writeframes(bytes(2 * int(PAUSE_S * 16000)))
            changes.append(whole.getnframes() / 16000)
    return changes


def speaker_at(changes, time, names="AB"):
    """Who speaks at this time, by the names of the two."""
    return (*names, *names)[sum(1 for change in changes[1:4] if time > change)]
