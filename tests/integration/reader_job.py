"""Recordings for tests of the transcript screen: silence, with a text that was written into it by the
API, so that there are words with times and sound to play."""

import io
import itertools
import json
import wave

WORDS = ("the last lamp went out before storm came over sea and keeper wrote down what he "
         "saw from window while rain kept falling on stones").split()


def silence(seconds):
    """A WAV of that length; its size is what ten hours of it would be too large for."""
    file = io.BytesIO()
    with wave.open(file, "wb") as sound:
        sound.setnchannels(1)
        sound.setsampwidth(2)
        sound.setframerate(16000)
        sound.writeframes(bytes(32000 * seconds))
    return file.getvalue()


def segments(daemon, job, path="/v1/jobs"):
    found, after = [], ""
    while True:
        page = daemon.get(f"{path}/{job}/segments?limit=1000{after}").json
        found += page["data"]
        if not page["has_more"]:
            return found, page["version"]
        after = f"&after={page['data'][-1]['id']}"


def edit(daemon, job, version, ops):
    answer = daemon.request("PATCH", f"/v1/jobs/{job}/transcript", json.dumps({"ops": ops}),
                            {"Content-Type": "application/json", "If-Match": f'"{version}"'})
    assert answer.status == 200, answer.text
    return answer.json


def written(daemon, job, words=10):
    """Gives each segment of the job a text of so many words, no two segments the same."""
    found, version = segments(daemon, job)
    every = itertools.cycle(WORDS)
    ops = [{"op": "text", "segment": one["id"],
            "text": f"n{number} " + " ".join(next(every) for _ in range(words - 1))}
           for number, one in enumerate(found)]
    for first in range(0, len(ops), 1000):
        version = edit(daemon, job, version, ops[first:first + 1000])["version"]
    return version


def recording(daemon, seconds=60, words=10, **fields):
    """A recording that has ended: a segment every five seconds."""
    job = daemon.submit(silence(seconds), word_timestamps="true", **fields)
    assert daemon.wait_for_job(job)["status"] == "done"
    if words:
        written(daemon, job, words)
    return job


def word_at(segments, seconds, afterglow=0.4):
    """The word under a time, as docs/page.md says: the last that has begun, until a while after its end."""
    started = [one for one in segments if one["start"] <= seconds]
    if not started:
        return None
    segment = started[-1]
    words = [word for word in segment["words"] if segment["start"] + word[1] <= seconds]
    if not words:
        return None
    text, start, length, _ = words[-1]
    return text.strip() if seconds <= segment["start"] + start + length + afterglow else None
