#!/usr/bin/env bash
# Guess: an MP4 or MOV whose edit list has an empty edit (media time -1) between two others, as
# editors write where a track pauses, has silence there: FFmpeg, which follows edit lists, leaves a
# hole in the timestamps of its packets, as it does for an empty edit at the beginning.
# Reality: at the beginning the hole is there. In the middle it is filled with the sound of the
# recording's beginning, for as long as the empty edit lasts; what follows has the right times. The
# duration that is told lacks the pause. Speech recognition writes the first sentences twice.
# Seen with PyAV 18.1.0 (FFmpeg 8.1.2): 6 s of sound with its own time as samples, "place: sound"
#   3 s empty, then 0 to 4 s: from 3.0: 0.0
#   0 to 2 s, 3 s empty, 2 to 4 s: from 0.0: 0.0, from 2.0: 0.0, from 5.0: 2.0; duration 6.0 of 7.0
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/venv"
"$folder/venv/bin/pip" install --quiet --disable-pip-version-check --only-binary :all: av==18.1.0
cat >"$folder/edit.py" <<'PYTHON'
import io
import struct
from fractions import Fraction

import av

RATE = 8000
SECONDS = 6
SAMPLES = 800  # of a frame


def recording():
    """A MOV whose samples tell their time: half of their number."""
    written = io.BytesIO()
    with av.open(written, "w", format="mov") as container:
        stream = container.add_stream("pcm_s16le", rate=RATE, layout="mono")
        for at in range(0, SECONDS * RATE, SAMPLES):
            frame = av.AudioFrame(format="s16", layout="mono", samples=SAMPLES)
            frame.planes[0].update(struct.pack(f"<{SAMPLES}h", *[(at + i) // 2 for i in range(SAMPLES)]))
            frame.sample_rate, frame.pts, frame.time_base = RATE, at, Fraction(1, RATE)
            container.mux(stream.encode(frame))
        container.mux(stream.encode(None))
    return written.getvalue()


def boxes(data, begin, end):
    while begin < end:
        size, name = struct.unpack(">I4s", data[begin:begin + 8])
        yield name, begin, size
        begin += size


def box(name, *parts):
    body = b"".join(parts)
    return struct.pack(">I4s", 8 + len(body), name) + body


def with_edits(data, edits):
    """The file with this edit list: (seconds, second of the sound), None for an empty edit."""
    entries = [struct.pack(">IiI", 1000 * length, -1 if at is None else at * RATE, 1 << 16) for length, at in edits]
    edts = box(b"edts", box(b"elst", struct.pack(">II", 0, len(entries)), *entries))
    _, moov, size = next(one for one in boxes(data, 0, len(data)) if one[0] == b"moov")
    assert moov + size == len(data), "nothing moves that others point at"
    _, trak, trak_size = next(one for one in boxes(data, moov + 8, moov + size) if one[0] == b"trak")
    inner = [edts if name == b"edts" else data[begin:begin + length]
             for name, begin, length in boxes(data, trak + 8, trak + trak_size)]
    return data[:moov] + box(b"moov", data[moov + 8:trak], box(b"trak", *inner), data[trak + trak_size:])


def runs(data):
    """Where each run of sound begins, and with which second of the recording; and the duration."""
    found, place, sound = [], None, None
    with av.open(io.BytesIO(data), format="mov") as container:
        for frame in container.decode(audio=0):
            now = float(frame.pts * frame.time_base)
            first = struct.unpack("<h", bytes(frame.planes[0])[:2])[0] * 2 / RATE
            if place is None or abs(now - place) > 0.01 or abs(first - sound) > 0.01:
                found.append((round(now, 1), round(first, 1)))
            place, sound = now + frame.samples / RATE, first + frame.samples / RATE
        return found, container.duration / av.time_base


print("PyAV", av.__version__, "FFmpeg", av.ffmpeg_version_info)
before, _ = runs(with_edits(recording(), [(3, None), (4, 0)]))
print("empty at the beginning:", before)
between, duration = runs(with_edits(recording(), [(2, 0), (3, None), (2, 2)]))
print("empty in the middle:", between, "duration", duration)
assert before == [(3.0, 0.0)]
assert between == [(0.0, 0.0), (2.0, 0.0), (5.0, 2.0)]
assert duration == 6.0
PYTHON
"$folder/venv/bin/python" "$folder/edit.py"
