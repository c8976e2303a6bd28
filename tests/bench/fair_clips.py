"""What clips wait while long files are transcribed for nobody.

    tests/bench/fair_clips.py SOUND [--files 4] [--hours 10] [--clips 20] [--model base]

Starts a daemon of its own, sends clips one after another while nothing else runs, then gives it the files
(SOUND over and over, as /v1/jobs) and sends the clips again. What the files get done meanwhile is compared
with what they get done in as long a time without clips. Ratios are of one run; the load of the machine is
told with them.
"""

import argparse
import json
import os
import pathlib
import statistics
import subprocess
import sys
import tempfile
import time

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "integration"))
from daemon import Daemon  # noqa: E402
from scribed_command import bin_folder  # noqa: E402

FINISHED = ("done", "failed", "cancelled")


def ffmpeg(*arguments):
    return subprocess.run(["ffmpeg", "-nostdin", "-loglevel", "error", *map(str, arguments)],
                          capture_output=True, check=True).stdout


def clip_of(sound, seconds):
    return ffmpeg("-i", sound, "-t", seconds, "-ac", 1, "-ar", 16000, "-f", "wav", "-")


def long_file(sound, hours, folder):
    """Small, because it is uploaded: the same minutes over and over, encoded once. A little shorter than told: 10
    hours are the daemon's limit."""
    once, path = folder / "once.opus", folder / "long.opus"
    ffmpeg("-i", sound, "-ac", 1, "-ar", 16000, "-b:a", "16k", "-f", "ogg", once)
    ffmpeg("-stream_loop", -1, "-i", once, "-t", hours * 3600 - 10, "-c", "copy", "-f", "ogg", path)
    return path.read_bytes()


def wait_for_clip(daemon, model, clip):
    begun = time.monotonic()
    answer = daemon.post_form("/v1/audio/transcriptions", [("model", model), ("language", "en")],
                              clip)
    assert answer.status == 200, answer.text
    return time.monotonic() - begun


def waits(daemon, arguments, clip):
    found = []
    for _ in range(arguments.clips):
        found.append(wait_for_clip(daemon, arguments.model, clip))
        time.sleep(arguments.pause)
    return found


def told(times, alone=None):
    found = {"p50_s": statistics.median(times),
             "p95_s": statistics.quantiles(times, n=20, method="inclusive")[-1], "max_s": max(times)}
    if alone:
        found |= {f"{name[:-2]}_ratio": value / statistics.median(alone) for name, value in found.items()}
    return {name: round(value, 3) for name, value in found.items()}


def positions(daemon, jobs):
    """Seconds of sound that were transcribed, of all files."""
    found = [daemon.job(job) for job in jobs]
    assert not any(job["status"] in FINISHED for job in found), "the files are too short"
    return sum(job["position"] for job in found)


def speed(daemon, jobs, work):
    """Seconds of sound that the files got done in a second of `work`."""
    before, begun = positions(daemon, jobs), time.monotonic()
    result = work()
    return (positions(daemon, jobs) - before) / (time.monotonic() - begun), result


def wait_until_transcribing(daemon, jobs):
    def begun(job):
        found = daemon.job(job)
        assert found["status"] not in FINISHED, found
        return found["duration"] is not None  # it is known once all was listened to
    while not all(map(begun, jobs)):
        time.sleep(1)


def measure(arguments, daemon, folder):
    clip = clip_of(arguments.sound, arguments.clip_seconds)
    wait_for_clip(daemon, arguments.model, clip)  # loads the model
    load = os.getloadavg()[0]
    alone = waits(daemon, arguments, clip)
    sound = long_file(arguments.sound, arguments.hours, folder)
    jobs = [daemon.submit(sound, model=arguments.model, language="en") for _ in range(arguments.files)]
    listening = waits(daemon, arguments, clip)
    found = {"program": str(bin_folder()), "load_before": round(load, 2), "alone": told(alone),
             "beside_files_that_are_listened_to": told(listening, alone)}
    print(json.dumps(found), file=sys.stderr)
    wait_until_transcribing(daemon, jobs)
    with_clips, beside = speed(daemon, jobs, lambda: waits(daemon, arguments, clip))
    without, _ = speed(daemon, jobs, lambda: time.sleep(arguments.quiet))
    return found | {"beside_files_that_are_transcribed": told(beside, alone),
                    "files_seconds_per_second": {"with_clips": round(with_clips, 2),
                                                 "without": round(without, 2)},
                    "load_after": round(os.getloadavg()[0], 2)}


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("sound")
    parser.add_argument("--files", type=int, default=4)
    parser.add_argument("--hours", type=float, default=10)
    parser.add_argument("--clips", type=int, default=20)
    parser.add_argument("--clip-seconds", type=float, default=5)
    parser.add_argument("--pause", type=float, default=0.5, help="seconds between two clips")
    parser.add_argument("--quiet", type=float, default=30, help="seconds without clips")
    parser.add_argument("--model", default="base")
    parser.add_argument("--compute-type", default="int8")
    arguments = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        folder = pathlib.Path(folder)
        daemon = Daemon(bin_folder() / "scribed", dict(os.environ), "--model", arguments.model,
                        "--compute-type", arguments.compute_type, "--state-folder", folder / "state")
        try:
            print(json.dumps(measure(arguments, daemon, folder), indent=2))
        finally:
            daemon.kill()


if __name__ == "__main__":
    main()
