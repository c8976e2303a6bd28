#!/usr/bin/env bash
# Prints what is said in a recording, by `scribed serve` and curl.
#
#   examples/transcribe.sh talk.mp3            the text
#   examples/transcribe.sh talk.mp3 srt        subtitles; also text, vtt, json, verbose_json
#
# SCRIBED_URL is the server (http://localhost:8080), SCRIBED_API_KEY its key where it asks for one.
set -euo pipefail

url=${SCRIBED_URL:-http://localhost:8080}
file=${1:?"Usage: $0 FILE [FORMAT]"}
format=${2:-text}

# The key comes by stdin, which the list of processes does not show. With --fail-with-body an error ends
# with exit code 22, and its JSON says what is wrong and what to do.
curl --silent --show-error --fail-with-body \
  -H @- -F model=whisper-1 -F response_format="$format" -F file=@"$file" \
  "$url/v1/audio/transcriptions" <<<"${SCRIBED_API_KEY:+Authorization: Bearer $SCRIBED_API_KEY}"
