#!/usr/bin/env bash
# Makes subtitles beside every video and recording of a folder that has none yet.
#
#   examples/subtitles.sh ~/Videos
#
# May be stopped and started again at any time: a subtitle file is there when it is whole. SCRIBED is
# the program where it is not on the PATH.
set -euo pipefail
shopt -s nullglob nocaseglob globstar

folder=${1:?"Usage: $0 FOLDER"}
scribed=${SCRIBED:-scribed}
failed=0

for file in "$folder"/**/*.{mp4,mkv,mov,webm,mp3,m4a,flac,ogg,wav}; do
  subtitles=${file%.*}.srt
  [ ! -e "$subtitles" ] || continue
  # Two lines of 42 characters are what players show well.
  if "$scribed" transcribe --quiet --format srt --output "$subtitles" \
      --word-timestamps true --max-line-width 42 --max-line-count 2 "$file" </dev/null; then
    echo "$subtitles"
  else
    failed=$((failed + 1))
  fi
done
[ $failed = 0 ] || { echo "$failed without subtitles" >&2; exit 1; }
