#!/usr/bin/env bash
# Makes subtitles beside every video and recording of a folder that has none yet.
#
#   examples/subtitles.sh ~/Videos
#
# You can stop it and start it again at any time: a subtitle file appears when it is whole, and what
# has one is left out. SCRIBED is the program if it is not on the PATH.
set -euo pipefail
shopt -s nullglob nocaseglob globstar

folder=${1:?"Usage: $0 FOLDER"}
scribed=${SCRIBED:-scribed}
failed=0

for file in "$folder"/**/*.{mp4,mkv,mov,webm,mp3,m4a,flac,ogg,wav}; do
  subtitles=${file%.*}.srt
  new=$([ -e "$subtitles" ] || echo "$subtitles")
  # The name of the output says the format. Times of words make breaks better.
  if "$scribed" transcribe --quiet --skip-existing --word-timestamps true \
      --output "$subtitles" "$file" </dev/null; then
    [ -z "$new" ] || echo "$new"
  else
    failed=$((failed + 1))
  fi
done
[ $failed = 0 ] || { echo "$failed without subtitles" >&2; exit 1; }
