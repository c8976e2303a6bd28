#!/usr/bin/env bash
# Guess: a line of Hebrew in an ASS file is shown from right to left, so the mark that ends its
# sentence stands at its left end: by the letters themselves, by a RIGHT-TO-LEFT MARK at the front
# (as in WebVTT and HTML), or at the latest if the style has Hebrew's charset, Encoding 177.
# Reality: the renderer of nearly all free players lays every line out from left to right, and moves
# the mark to the right end. Neither the invisible mark nor the charset changes that. Only an
# Encoding that no charset has, -1 (or the tag \fe-1), makes it look at the first letter; behind it
# the invisible mark works, too, which a line that begins with a Latin word needs.
# Seen with imageio-ffmpeg 0.6.0 (FFmpeg 7.0.2 with libass), the end at which "!" stands:
#   Encoding 1: right
#   Encoding 177 (Hebrew): right
#   Encoding 1, mark at the front: right
#   Encoding -1: left
#   Encoding -1, Latin word in front: right
#   Encoding -1, mark and Latin word in front: left
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/venv"
pip=("$folder/venv/bin/pip" --quiet --disable-pip-version-check)
"${pip[@]}" install --only-binary :all: imageio-ffmpeg==0.6.0
# A font with Hebrew letters, so that it works where none is installed.
"${pip[@]}" download --only-binary :all: --no-deps --dest "$folder" matplotlib==3.10.0
mkdir "$folder/fonts"
python3 -m zipfile -e "$folder"/matplotlib-*.whl "$folder/wheel"
cp "$folder/wheel/matplotlib/mpl-data/fonts/ttf/DejaVuSans.ttf" "$folder/fonts"
cat >"$folder/show.py" <<'PYTHON'
import os
import subprocess
import sys

import imageio_ffmpeg

os.chdir(sys.argv[1])
program = imageio_ffmpeg.get_ffmpeg_exe()
version = subprocess.run([program, "-version"], capture_output=True, text=True, check=True).stdout
print("imageio-ffmpeg", imageio_ffmpeg.__version__, "with FFmpeg", version.split()[2])
WIDTH = 480
FILE = """[Script Info]
ScriptType: v4.00+
PlayResX: 480
PlayResY: 80
[V4+ Styles]
Format: Name, Fontname, Fontsize, PrimaryColour, Alignment, Outline, Shadow, Encoding
Style: Default,DejaVu Sans,40,&H00FFFFFF,5,0,0,{encoding}
[Events]
Format: Layer, Start, End, Style, Text
Dialogue: 0,0:00:00.00,0:00:05.00,Default,{text}
"""


def runs_of_ink(text, encoding):
    """The widths of what is drawn, from left to right: an exclamation mark is the narrowest."""
    with open("line.ass", "w", encoding="utf-8") as file:
        file.write(FILE.format(text=text, encoding=encoding))
    picture = subprocess.run(
        [program, "-v", "error", "-f", "lavfi", "-i", f"color=black:s={WIDTH}x80:d=1:r=1",
         "-vf", "ass=line.ass:fontsdir=fonts", "-frames:v", "1", "-pix_fmt", "gray",
         "-f", "rawvideo", "-"], capture_output=True, check=True).stdout
    runs, run = [], 0
    for column in range(WIDTH + 1):
        if column < WIDTH and max(picture[column::WIDTH]) > 64:
            run += 1
        elif run:
            runs.append(run)
            run = 0
    return runs


MARK, HEBREW = "\u200f", "\u05e9\u05dc\u05d0\u05de!"
for name, encoding, text in (
        ("Encoding 1", 1, HEBREW), ("Encoding 177 (Hebrew)", 177, HEBREW),
        ("Encoding 1, mark at the front", 1, MARK + HEBREW), ("Encoding -1", -1, HEBREW),
        ("Encoding -1, Latin word in front", -1, "abc " + HEBREW),
        ("Encoding -1, mark and Latin word in front", -1, MARK + "abc " + HEBREW)):
    runs = runs_of_ink(text, encoding)
    narrow = min(runs)
    print(f"{name}:", "left" if runs[0] == narrow else "right" if runs[-1] == narrow else runs)
PYTHON
"$folder/venv/bin/python" "$folder/show.py" "$folder" | tee "$folder/seen"
grep -qx "Encoding 1: right" "$folder/seen"
grep -qx "Encoding 177 (Hebrew): right" "$folder/seen"
grep -qx "Encoding 1, mark at the front: right" "$folder/seen"
grep -qx "Encoding -1: left" "$folder/seen"
grep -qx "Encoding -1, Latin word in front: right" "$folder/seen"
grep -qx "Encoding -1, mark and Latin word in front: left" "$folder/seen"
