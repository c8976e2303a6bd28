#!/usr/bin/env bash
# Guess: of all formats, plain samples behind the 44 bytes of a WAV header can be played the soonest.
# A live stream of them gives its first frame with its first bytes, above all if FFmpeg is asked for
# little delay: probesize=32, analyzeduration=0, fflags=nobuffer, and the format is named.
# Reality: opening a WAV file of integer samples reads 64 KiB of them before anything else, whatever
# these options say, to see whether a compressed stream for a receiver's digital input (S/PDIF) hides
# there. Of a microphone at 16 kHz these are two seconds, of a telephone's 8 kHz four: so long a live
# WAV stream gives nothing. Floating-point samples are not looked at, and the same samples without
# the header do not wait either.
# Seen with PyAV 18.1.0 (FFmpeg 8.1.2):
#   16-bit WAV, 16 kHz: first frame after 2.1 s of audio
#   16-bit WAV, 8 kHz: first frame after 4.1 s of audio
#   8-bit WAV, 16 kHz: first frame after 4.1 s of audio
#   32-bit float WAV, 16 kHz: first frame after 0.1 s of audio
#   16-bit samples without a header, 16 kHz: first frame after 0.1 s of audio
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/venv"
"$folder/venv/bin/pip" install --quiet --disable-pip-version-check --only-binary :all: av==18.1.0
cat >"$folder/wait.py" <<'PYTHON'
import random
import struct

import av

SOON = {"probesize": "32", "analyzeduration": "0", "fflags": "nobuffer"}
PIECE = 512  # bytes of each read, as a microphone's program writes them
random.seed(1)


class Stream:
    """A live stream, which cannot be rewound, and counts what was read of it."""

    def __init__(self, head, bytes_per_sample):
        self.data = head + bytes(random.randrange(96, 160) if i % bytes_per_sample == bytes_per_sample - 1 else 0
                                 for i in range(400_000))
        self.taken = 0

    def read(self, size):
        piece = self.data[self.taken : self.taken + min(size, PIECE)]
        self.taken += len(piece)
        return piece


def wav_head(rate, bits, kind=1):
    width = bits // 8
    return (b"RIFF\xff\xff\xff\xffWAVEfmt " + struct.pack("<IHHIIHH", 16, kind, 1, rate, rate * width, width, bits)
            + b"data\xff\xff\xff\xff")


def wait(head, rate, width, name, **more):
    stream = Stream(head, width)
    with av.open(stream, format=name, options={**SOON, **more}, buffer_size=PIECE) as container:
        next(container.decode(audio=0))
    return f"first frame after {stream.taken / rate / width:.1f} s of audio"


print("PyAV", av.__version__, "FFmpeg", av.ffmpeg_version_info)
print("16-bit WAV, 16 kHz:", wait(wav_head(16000, 16), 16000, 2, "wav"))
print("16-bit WAV, 8 kHz:", wait(wav_head(8000, 16), 8000, 2, "wav"))
print("8-bit WAV, 16 kHz:", wait(wav_head(16000, 8), 16000, 1, "wav"))
print("32-bit float WAV, 16 kHz:", wait(wav_head(16000, 32, 3), 16000, 4, "wav"))
print("16-bit samples without a header, 16 kHz:", wait(b"", 16000, 2, "s16le", sample_rate="16000"))
PYTHON
"$folder/venv/bin/python" "$folder/wait.py" | tee "$folder/seen"
grep -qE '^16-bit WAV, 16 kHz: first frame after 2\.[0-9] s' "$folder/seen"
grep -qE '^16-bit WAV, 8 kHz: first frame after 4\.[0-9] s' "$folder/seen"
grep -qE '^8-bit WAV, 16 kHz: first frame after 4\.[0-9] s' "$folder/seen"
grep -qE '^32-bit float WAV, 16 kHz: first frame after 0\.[0-4] s' "$folder/seen"
grep -qE '^16-bit samples without a header, 16 kHz: first frame after 0\.[0-4] s' "$folder/seen"
