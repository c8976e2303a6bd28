#!/usr/bin/env bash
# Guess: a library that reads WebVTT gives the text that a viewer sees. WebVTT has to write `&` and
# `<` as `&amp;` and `&lt;`, so a reader undoes that, as it takes off the tags.
# Reality: two of the libraries that Python programs read subtitles with take the tags off and leave
# the escapes. Saved as SubRip or ASS, which have no escapes, they are text: viewers read
# "Tom &amp; Jerry". What is searched, translated or counted for its reading speed is wrong, too.
# Only the way back to WebVTT is whole. FFmpeg undoes them.
# Seen with pysubs2 1.8.1, webvtt-py 0.6.0, PyAV 18.1.0 (FFmpeg 8.1.2):
#   pysubs2 text: Tom &amp; Jerry &lt;3
#   pysubs2 srt: Tom &amp; Jerry &lt;3
#   webvtt-py text: Tom &amp; Jerry &lt;3
#   FFmpeg: Tom & Jerry <3
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/venv"
"$folder/venv/bin/pip" install --quiet --disable-pip-version-check --only-binary :all: \
  pysubs2==1.8.1 webvtt-py==0.6.0 av==18.1.0
printf 'WEBVTT\n\n00:01.000 --> 00:02.000\n<v Ada>Tom &amp; Jerry &lt;3\n' >"$folder/talk.vtt"
cat >"$folder/read.py" <<'PYTHON'
import sys
from importlib.metadata import version

import av
import pysubs2
import webvtt

print(*[f"{name} {version(name)}" for name in ("pysubs2", "webvtt-py", "av")], "FFmpeg", av.ffmpeg_version_info)
path = sys.argv[1]
talk = pysubs2.load(path)
print("pysubs2 text:", talk[0].plaintext)
print("pysubs2 srt:", talk.to_string("srt").splitlines()[2])
print("webvtt-py text:", webvtt.read(path)[0].text)
with av.open(path) as container:
    cue = next(one for packet in container.demux() for one in packet.decode())
    print("FFmpeg:", cue.dialogue.decode())
PYTHON
"$folder/venv/bin/python" "$folder/read.py" "$folder/talk.vtt" | tee "$folder/seen"
grep -qx 'pysubs2 text: Tom &amp; Jerry &lt;3' "$folder/seen"
grep -qx 'pysubs2 srt: Tom &amp; Jerry &lt;3' "$folder/seen"
grep -qx 'webvtt-py text: Tom &amp; Jerry &lt;3' "$folder/seen"
grep -qx 'FFmpeg: Tom & Jerry <3' "$folder/seen"
