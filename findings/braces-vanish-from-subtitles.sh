#!/usr/bin/env bash
# Guess: SubRip and WebVTT have no commands in braces and no escapes with a backslash, so a library
# that reads one and writes it again keeps "{laughs}" and "C:\News" as they are.
# Reality: the library keeps all subtitles as ASS inside, where braces hold commands and "\N" is the
# end of a line. It escapes neither, so text of SubRip and WebVTT that looks like them is taken for
# them: what stands in braces, in which subtitles for the deaf tell sounds, is gone without a word,
# and a path is cut in two lines. It happens without any conversion, from SubRip to SubRip.
# Another library for WebVTT keeps the text.
# Seen with pysubs2 1.8.1, webvtt-py 0.6.0:
#   pysubs2 srt to srt: 'Open C:' 'ews now'
#   pysubs2 vtt to vtt: 'Open C:' 'ews now'
#   webvtt-py: 'Open C:\\News {laughs}now'
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/venv"
"$folder/venv/bin/pip" install --quiet --disable-pip-version-check --only-binary :all: \
  pysubs2==1.8.1 webvtt-py==0.6.0
cat >"$folder/read.py" <<'PYTHON'
import sys
from importlib.metadata import version

import pysubs2
import webvtt

print(*[f"{name} {version(name)}" for name in ("pysubs2", "webvtt-py")])
text = "Open C:\\News {laughs}now"
times = {"srt": "1\n00:00:01,000 --> 00:00:02,000\n", "vtt": "WEBVTT\n\n00:01.000 --> 00:02.000\n"}
for kind, before in times.items():
    written = pysubs2.SSAFile.from_string(f"{before}{text}\n", format_=kind).to_string(kind)
    said = [line for line in written.splitlines() if "ews" in line or "Open" in line]
    print(f"pysubs2 {kind} to {kind}:", *map(repr, said))
path = sys.argv[1] + "/talk.vtt"
with open(path, "w", encoding="utf-8") as file:
    file.write(f"{times['vtt']}{text}\n")
print("webvtt-py:", repr(webvtt.read(path)[0].text))
PYTHON
"$folder/venv/bin/python" "$folder/read.py" "$folder" | tee "$folder/seen"
grep -qx "pysubs2 srt to srt: 'Open C:' 'ews now'" "$folder/seen"
grep -qx "pysubs2 vtt to vtt: 'Open C:' 'ews now'" "$folder/seen"
grep -qxF "webvtt-py: 'Open C:\\\\News {laughs}now'" "$folder/seen"
