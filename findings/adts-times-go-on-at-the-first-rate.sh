#!/usr/bin/env bash
# Guess: a stream of AAC frames (ADTS) may change its sample rate, as stations and joined recordings
# do, and each frame's header tells its own. FFmpeg counts such a stream in units of 1/28224000 s,
# of which every usual rate divides, so a frame's timestamp is where its sound is.
# Reality: every frame counts as long as one of the first rate. The decoder gives the right samples
# at the right rate, but behind a change from 16 to 48 kHz time goes three times too fast, and from
# 48 to 16 kHz three times too slowly: text or pictures placed by timestamps drift by seconds within
# seconds. The sum of the decoded samples is right.
# Seen with PyAV 18.1.0 (FFmpeg 8.1.2):
#   16 then 48 kHz: 12.1 s of sound, the last frame ends at 24.1 s
#   48 then 16 kHz: 12.1 s of sound, the last frame ends at 8.1 s
#   16 then 16 kHz: 12.2 s of sound, the last frame ends at 12.2 s
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/venv"
"$folder/venv/bin/pip" install --quiet --disable-pip-version-check --only-binary :all: av==18.1.0
cat >"$folder/join.py" <<'PYTHON'
import io
from fractions import Fraction

import av

SECONDS = 6
SAMPLES = 1024  # of an AAC frame


def adts(rate):
    """So many seconds of silence."""
    written = io.BytesIO()
    with av.open(written, "w", format="adts") as container:
        stream = container.add_stream("aac", rate=rate, layout="mono")
        for at in range(0, SECONDS * rate, SAMPLES):
            frame = av.AudioFrame(format="fltp", layout="mono", samples=SAMPLES)
            frame.planes[0].update(bytes(4 * SAMPLES))
            frame.sample_rate, frame.pts, frame.time_base = rate, at, Fraction(1, rate)
            container.mux(stream.encode(frame))
        container.mux(stream.encode(None))
    return written.getvalue()


def times(first, second):
    """Seconds of sound that are decoded, and when the last frame ends by its timestamp."""
    sound = end = 0.0
    with av.open(io.BytesIO(adts(first) + adts(second)), format="aac") as container:
        for frame in container.decode(audio=0):
            length = frame.samples / frame.sample_rate
            sound += length
            end = float(frame.pts * frame.time_base) + length
    return sound, end


print("PyAV", av.__version__, "FFmpeg", av.ffmpeg_version_info)
found = {}
for first, second in ((16000, 48000), (48000, 16000), (16000, 16000)):
    sound, end = found[first, second] = times(first, second)
    print(f"{first // 1000} then {second // 1000} kHz: {sound:.1f} s of sound, the last frame ends at {end:.1f} s")
assert all(abs(sound - 2 * SECONDS) < 0.5 for sound, _ in found.values())
assert abs(found[16000, 48000][1] - (SECONDS + 3 * SECONDS)) < 0.5
assert abs(found[48000, 16000][1] - (SECONDS + SECONDS / 3)) < 0.5
assert abs(found[16000, 16000][1] - 2 * SECONDS) < 0.5
PYTHON
"$folder/venv/bin/python" "$folder/join.py"
