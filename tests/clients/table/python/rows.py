"""Prints what a client did and got: a JSON object per line, which run.py reads."""

import json
import os

URL = os.environ["CLIENT_URL"]
KEYED_URL, KEY = os.environ["CLIENT_KEYED_URL"], os.environ["CLIENT_KEY"]
WYOMING = os.environ["CLIENT_WYOMING"]
WAV, LONG = os.environ["CLIENT_WAV"], os.environ["CLIENT_LONG"]
PCM16, PCM24 = os.environ["CLIENT_PCM16"], os.environ["CLIENT_PCM24"]


def show(did, got, ok):
    print(json.dumps({"did": did, "got": str(got), "ok": ok}), flush=True)


def row(did, act):
    """Runs an action, and prints its outcome. An exception is a fault."""
    try:
        show(did, act(), True)
    except Exception as error:  # whatever a library raises is what its user sees
        show(did, f"{type(error).__name__}: {error}", False)


async def row_async(did, act):
    try:
        show(did, await act(), True)
    except Exception as error:
        show(did, f"{type(error).__name__}: {error}", False)


def heard(text):
    """The text, if it is a transcript of the recording."""
    if not text or os.environ["CLIENT_WORD"] not in text.lower():
        raise AssertionError(f"not the recording's text: {text!r}")
    return text.strip()


def want(condition, otherwise):
    if not condition:
        raise AssertionError(otherwise)


def sound(path, tail_s=0, rate=16000):
    """16-bit samples of a file, with silence after them."""
    with open(path, "rb") as file:
        return file.read() + bytes(2 * rate * tail_s)
