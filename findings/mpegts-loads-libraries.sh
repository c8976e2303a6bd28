#!/usr/bin/env bash
# Guess: who has opened an MPEG-TS file, given a decoder its bytes and taken away its right to open
# files can demux it: demuxing is arithmetic on bytes that are there.
# Reality: the name of a service in a transport stream has an encoding of its own, ISO 6937 where it
# says none. FFmpeg converts it with iconv while it looks for streams, and glibc's iconv loads a
# shared library for that encoding from the disk, at the first such file. In a process that may open
# nothing any more the name is lost or the process is killed, as its filter of system calls says;
# and in an image with a slim libc the library may be missing. MP4 and WAV load nothing.
# Seen with PyAV 18.1.0 (FFmpeg 8.1.2) on glibc 2.36:
#   wav loads: nothing
#   mpegts loads: ISO_6937.so
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/venv"
"$folder/venv/bin/pip" install --quiet --disable-pip-version-check --only-binary :all: av==18.1.0 numpy==2.2.6
cat >"$folder/demux.py" <<'PYTHON'
import io
import pathlib

import av
import numpy


def libraries():
    maps = pathlib.Path("/proc/self/maps").read_text().splitlines()
    return {pathlib.Path(line.split()[-1]).name for line in maps if "/gconv/" in line and line.endswith(".so")}


def recording(container, codec):
    """A second of silence of a service with a name."""
    made = io.BytesIO()
    with av.open(made, "w", format=container) as output:
        output.metadata["service_name"] = "Radio One"
        stream = output.add_stream(codec, rate=48000)
        for i in range(42):
            frame = av.AudioFrame.from_ndarray(numpy.zeros((1, 2304), "int16"), format="s16", layout="stereo")
            frame.sample_rate, frame.pts = 48000, i * 1152
            output.mux(stream.encode(frame))
        output.mux(stream.encode(None))
    return made.getvalue()


print("PyAV", av.__version__, "FFmpeg", av.ffmpeg_version_info)
for container, codec in (("wav", "pcm_s16le"), ("mpegts", "mp2")):
    sound, before = recording(container, codec), libraries()
    av.open(io.BytesIO(sound)).close()
    print(container, "loads:", ", ".join(sorted(libraries() - before)) or "nothing")
PYTHON
"$folder/venv/bin/python" "$folder/demux.py" | tee "$folder/seen"
grep -qx 'wav loads: nothing' "$folder/seen"
grep -qx 'mpegts loads: ISO_6937.so' "$folder/seen"
