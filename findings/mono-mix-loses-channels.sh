#!/usr/bin/env bash
# Guess: a mix to mono has something of every channel. Whoever speaks in one of them is heard, more
# softly perhaps; FFmpeg is known to leave out the bass channel (LFE), and that is all.
# Reality: FFmpeg's mixer has rules for the channels of cinema sound up to 7.1. What has no rule
# counts for nothing, without a warning: a full-scale voice in such a channel becomes silence. Of
# the 24 channels of 22.2 only 8 are heard, of the 16 of "hexadecagonal" 10, and of a cube of
# loudspeakers the two behind above are lost. A WAV file that names no loudspeakers gets a layout by
# its number of channels, so of a meeting with 16 microphones five are silent. An average by hand
# hears all of them.
# Seen with PyAV 18.1.0 (FFmpeg 8.1.2):
#   5.1 loses: LFE
#   7.1.4 loses: LFE TBL TBR
#   cube loses: TBL TBR
#   hexadecagonal loses: TFC TBL TBC TBR WL WR
#   22.2 loses: LFE SL SR TC TFL TFC TFR TBL TBC TBR LFE2 TSL TSR BFC BFL BFR
#   a WAV file of 16 channels loses: 3 12 13 14 15
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/venv"
"$folder/venv/bin/pip" install --quiet --disable-pip-version-check --only-binary :all: av==18.1.0 numpy==2.2.6
cat >"$folder/mix.py" <<'PYTHON'
import io
import wave

import av
import numpy

RATE = 16000
TONE = numpy.sin(numpy.arange(RATE) * 0.1).astype("float32")


def mixed_to_mono(frames):
    mixer = av.AudioResampler(format="flt", layout="mono", rate=RATE)
    mixed = [one for frame in [*frames, None] for one in mixer.resample(frame)]
    return numpy.concatenate([one.to_ndarray().ravel() for one in mixed])


def loses(layout, channel):
    """Whether nothing is left of a second of sound in one channel, with silence in all others."""
    samples = numpy.zeros((1, RATE * layout.nb_channels), "float32")
    samples[0, channel :: layout.nb_channels] = TONE
    frame = av.AudioFrame.from_ndarray(samples, format="flt", layout=layout.name)
    frame.sample_rate, frame.pts = RATE, 0
    return not mixed_to_mono([frame]).any()


def wav_loses(channels, channel):
    samples, file = numpy.zeros((RATE, channels), "int16"), io.BytesIO()
    samples[:, channel] = TONE * 20000
    with wave.open(file, "wb") as output:
        output.setparams((channels, 2, RATE, 0, "NONE", ""))
        output.writeframes(samples.tobytes())
    file.seek(0)
    return not mixed_to_mono(av.open(file).decode(audio=0)).any()


print("PyAV", av.__version__, "FFmpeg", av.ffmpeg_version_info)
for name in ("5.1", "7.1.4", "cube", "hexadecagonal", "22.2"):
    layout = av.AudioLayout(name)
    print(name, "loses:", *[one.name for i, one in enumerate(layout.channels) if loses(layout, i)])
print("a WAV file of 16 channels loses:", *[i for i in range(16) if wav_loses(16, i)])
PYTHON
"$folder/venv/bin/python" "$folder/mix.py" | tee "$folder/seen"
grep -qx '5.1 loses: LFE' "$folder/seen"
grep -qx '7.1.4 loses: LFE TBL TBR' "$folder/seen"
grep -qx 'cube loses: TBL TBR' "$folder/seen"
grep -qx 'hexadecagonal loses: TFC TBL TBC TBR WL WR' "$folder/seen"
grep -qx '22.2 loses: LFE SL SR TC TFL TFC TFR TBL TBC TBR LFE2 TSL TSR BFC BFL BFR' "$folder/seen"
grep -qx 'a WAV file of 16 channels loses: 3 12 13 14 15' "$folder/seen"
