"""Which rules of subtitles scribed's files break, for sets of recordings.

    tests/bench/subtitle_violations.py FILE|FOLDER… [--model base] [--first N] [--speakers] [--channels]

Starts a daemon of its own and has each recording transcribed with and without word timestamps. Each text
is then written in openai/whisper's cues, which is what --subtitle-style whisper gives, and in the styles,
and `scribed subtitles check` counts what breaks the limits of the style (of default, for whisper's). A
folder is a set. With --speakers each is also transcribed with speaker labels, with --channels also with
its two channels separately. Two more rules are counted here: no cue ends after the recording ("end"), and
each cue or line of a speaker names them ("speaker").
"""

import argparse
import collections
import pathlib
import re
import subprocess
import sys
import tempfile
import time

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "integration"))
from daemon import Daemon  # noqa: E402
from scribed_command import bin_folder, own_environment  # noqa: E402

# The form fields of a kind of job.
PLAIN, WORDS = (), (("word_timestamps", "true"),)
SPEAKERS = (*WORDS, ("diarize", "true"))
CHANNELS = (*WORDS, ("channels", "split"), ("channel_labels[]", "Left"), ("channel_labels[]", "Right"))

# What a column has: the style of the file, the kind of job, and whose limits count.
COLUMNS = {"whisper": ("whisper", PLAIN, "default"), "default": ("default", PLAIN, "default"),
           "default, words": ("default", WORDS, "default"), "netflix": ("netflix", WORDS, "netflix"),
           "bbc": ("bbc", WORDS, "bbc"), "speakers": ("default", SPEAKERS, "default"),
           "channels": ("default", CHANNELS, "default")}
RULES = ["empty", "length", "order", "overlap", "end", "speaker", "lines", "width", "break", "short", "long",
         "speed", "gap"]
SUFFIXES = (".wav", ".flac", ".ogg", ".mp3", ".m4a", ".opus", ".wma", ".webm", ".mp4", ".aac", ".aiff")
WRITTEN_S = 0.0015  # files have milliseconds


def job_of(daemon, model, sound, fields):
    answer = daemon.post_form("/v1/jobs", [("model", model), *fields], sound.read_bytes(),
                              file_name=sound.name)
    return answer.json["id"]


def end_of(daemon, job):
    while (found := daemon.job(job))["status"] not in ("done", "failed", "cancelled"):
        time.sleep(0.5)
    return found


def violations(scribed, srt, limits, language):
    with tempfile.NamedTemporaryFile(suffix=".srt", mode="w") as file:
        file.write(srt)
        file.flush()
        found = subprocess.run([scribed, "subtitles", "check", "--subtitle-style", limits, "--language",
                                language, file.name], capture_output=True, text=True)
    return collections.Counter(re.findall(r": cue \d+ at [\d:.]+: (\w+): ", found.stdout))


def seconds(clock):
    hours, minutes, rest = clock.replace(",", ".").split(":")
    return int(hours) * 3600 + int(minutes) * 60 + float(rest)


def cues_after_the_end(srt, duration):
    ends = re.findall(r"--> (\S+)", srt)
    return sum(seconds(end) > duration + WRITTEN_S for end in ends)


def cues_without_a_speaker(vtt):
    """In vtt each cue has a voice, and a cue of two speakers one in each line."""
    missing = 0
    for cue in vtt.split("\n\n")[1:]:
        lines = cue.split("\n")[1:]
        named = lines if lines and "</v>" in lines[0] else lines[:1]
        missing += any(not line.startswith("<v ") for line in named)
    return missing


def count(scribed, daemon, model, sounds, columns):
    """Violations of each rule and the number of cues, for each column."""
    found = {column: collections.Counter() for column in columns}
    for sound in sounds:
        jobs = {fields: job_of(daemon, model, sound, fields) for _, fields, _ in columns.values()}
        ended = {fields: end_of(daemon, job) for fields, job in jobs.items()}
        for column, (style, fields, limits) in columns.items():
            job = ended[fields]
            if job["status"] != "done":
                print(f"{sound}: {column}: {job.get('error')}", file=sys.stderr)
                continue
            path = f"/v1/jobs/{job['id']}/transcript?subtitle_style={style}&format="
            srt = daemon.get(path + "srt").text
            vtt = daemon.get(path + "vtt").text
            # In vtt speakers are no text, so they need no time to be read.
            counts = violations(scribed, vtt if fields == SPEAKERS else srt, limits, job.get("language") or "")
            counts["end"] = cues_after_the_end(srt, job["duration"])
            if fields == SPEAKERS:
                counts["speaker"] = cues_without_a_speaker(vtt)
            for rule in ("empty", "length", "order", "overlap", "end", "speaker"):
                if counts[rule]:
                    print(f"{sound}: {column}: {rule} {counts[rule]}", file=sys.stderr)
            found[column] += counts
            found[column]["cues"] += srt.count("-->")
    return found


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("sounds", nargs="+", type=pathlib.Path)
    parser.add_argument("--model", default="base")
    parser.add_argument("--first", type=int, default=1000, help="how many recordings of each folder")
    parser.add_argument("--speakers", action="store_true", help="also with speaker labels")
    parser.add_argument("--channels", action="store_true", help="also with two channels separately")
    arguments = parser.parse_args()
    columns = {name: column for name, column in COLUMNS.items()
               if (arguments.speakers or name != "speakers") and (arguments.channels or name != "channels")}
    scribed = bin_folder() / "scribed"
    with tempfile.TemporaryDirectory() as state:
        daemon = Daemon(scribed, own_environment(), "--model", arguments.model, "--state-folder", state)
        try:
            for place in arguments.sounds:
                inside = sorted(p for p in place.rglob("*") if p.suffix in SUFFIXES)
                sounds = inside[:arguments.first] if place.is_dir() else [place]
                found = count(scribed, daemon, arguments.model, sounds, columns)
                print(f"{place.name}: {len(sounds)} recordings")
                for column, counts in found.items():
                    told = ", ".join(f"{rule} {counts[rule]}" for rule in RULES if counts[rule])
                    total = sum(counts[rule] for rule in RULES)
                    print(f"  {column:15}{counts['cues']:5} cues {total:5} violations   {told}", flush=True)
        finally:
            daemon.end()


if __name__ == "__main__":
    main()
