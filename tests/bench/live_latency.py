"""How long after a word was spoken `scribed transcribe --live` commits it, and how its text differs from
that of the whole recording.

    tests/bench/live_latency.py SOUND [--seconds 60] [--model base] [--compute-type int8] [--chunks 1,2,4]

The sound is fed in real time, so each chunk takes as long as it lasts. What else the machine did shows in
the load average before each run.
"""

import argparse
import json
import os
import pathlib
import statistics
import subprocess
import sys
import threading
import time

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "integration"))
from live_test import word_errors, words_of  # noqa: E402
from scribed_command import bin_folder  # noqa: E402

RATE = 16000
PIECE_S = 0.1  # as a sound card gives it


def samples(sound, seconds):
    return subprocess.run(["ffmpeg", "-nostdin", "-loglevel", "error", "-i", sound, "-t", str(seconds),
                           "-f", "s16le", "-ac", "1", "-ar", str(RATE), "-"],
                          capture_output=True, check=True).stdout


def scribed(arguments, *options):
    return [bin_folder() / "scribed", "transcribe", "--quiet", "--model", arguments.model, "--language",
            arguments.language, "--compute-type", arguments.compute_type, *options, "-"]


def feed(pcm, sink, begun):
    step = int(PIECE_S * RATE) * 2
    for begin in range(0, len(pcm), step):
        end = begin + step
        until = begun + end / 2 / RATE  # a piece is there when its last sample was spoken
        time.sleep(max(0, until - time.monotonic()))
        sink.write(pcm[begin:end])
    sink.close()


def run_live(arguments, pcm, chunk):
    """Events with the time at which each came, from the first sample on."""
    process = subprocess.Popen(
        scribed(arguments, "--live", "--live-chunk", str(chunk), "--format", "jsonl",
                "--word-timestamps", "True"),
        stdin=subprocess.PIPE, stdout=subprocess.PIPE, bufsize=0)
    # The model is loaded before the sound begins.
    begun = time.monotonic() + arguments.warm_up
    feeder = threading.Thread(target=feed, args=(pcm, process.stdin, begun))
    feeder.start()
    found = []
    for line in process.stdout:
        found.append((time.monotonic() - begun, json.loads(line)))
    feeder.join()
    process.wait()
    return found


def latencies(found):
    """Of each word: its commit's time less that of its end in the sound."""
    words, commits, open_count, done_count = [], [], 0, 0
    for at, event in found:
        if event["type"] == "segment":
            words += [word["end"] for word in event["words"]]
            done_count, open_count = len(words), 0
        elif event["type"] == "partial":
            open_count = len(event["text"].split())
        commits += [at] * (done_count + open_count - len(commits))
    return [at - end for at, end in zip(commits, words)]


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("sound")
    parser.add_argument("--seconds", type=float, default=60)
    parser.add_argument("--model", default="base")
    parser.add_argument("--language", default="en")
    parser.add_argument("--compute-type", default="int8")
    parser.add_argument("--chunks", default="1,2,4")
    parser.add_argument("--warm-up", type=float, default=5, help="seconds before the sound begins")
    arguments = parser.parse_args()
    pcm = samples(arguments.sound, arguments.seconds)
    offline = subprocess.run(scribed(arguments, "--input-format", "s16le"), input=pcm,
                             capture_output=True, check=True).stdout.decode()
    rows = []
    for chunk in map(float, arguments.chunks.split(",")):
        load = os.getloadavg()[0]
        found = run_live(arguments, pcm, chunk)
        waits = latencies(found)
        text = found[-1][1]["text"]
        rows.append({
            "chunk_s": chunk,
            "words": len(waits),
            "mean_s": round(statistics.mean(waits), 2),
            "p90_s": round(statistics.quantiles(waits, n=10)[-1], 2),
            "passes": sum(event["type"] == "partial" for _, event in found),
            "word_errors": round(word_errors(words_of(offline), words_of(text)), 4),
            "load_before": round(load, 2),
        })
        print(json.dumps(rows[-1]), flush=True)


if __name__ == "__main__":
    main()
