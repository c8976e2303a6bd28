"""Which rules of subtitles scribed's files break, for sets of recordings.

    tests/bench/subtitle_violations.py FILE|FOLDER… [--model base] [--first N]

Starts a daemon of its own and has each recording transcribed with and without word timestamps. Each text
is then written in openai/whisper's cues, which is what --subtitle-style whisper gives, and in the styles,
and `scribed subtitles check` counts what breaks the limits of the style (of default, for whisper's). A
folder is a set.
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

# What a column has: the style of the file, whether words are timed, and whose limits count.
COLUMNS = {"whisper": ("whisper", False, "default"), "default": ("default", False, "default"),
           "default, words": ("default", True, "default"), "netflix": ("netflix", True, "netflix"),
           "bbc": ("bbc", True, "bbc")}
RULES = ["empty", "length", "order", "overlap", "lines", "width", "break", "short", "long", "speed", "gap"]


def job_of(daemon, model, sound, words):
    answer = daemon.post_form("/v1/jobs", [("model", model), ("word_timestamps", str(words).lower())],
                              sound.read_bytes(), file_name=sound.name)
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


def count(scribed, daemon, model, sounds):
    """Violations of each rule and the number of cues, for each column."""
    found = {column: collections.Counter() for column in COLUMNS}
    for sound in sounds:
        jobs = {words: job_of(daemon, model, sound, words) for words in (False, True)}
        for job in jobs.values():
            ended = end_of(daemon, job)
            if ended["status"] != "done":
                print(f"{sound}: {ended.get('error')}", file=sys.stderr)
        language = ended.get("language") or ""
        for column, (style, words, limits) in COLUMNS.items():
            path = f"/v1/jobs/{jobs[words]}/transcript?format=srt&subtitle_style={style}"
            srt = daemon.get(path).text
            found[column] += violations(scribed, srt, limits, language)
            found[column]["cues"] += srt.count("-->")
    return found


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("sounds", nargs="+", type=pathlib.Path)
    parser.add_argument("--model", default="base")
    parser.add_argument("--first", type=int, default=1000, help="how many recordings of each folder")
    arguments = parser.parse_args()
    scribed = bin_folder() / "scribed"
    with tempfile.TemporaryDirectory() as state:
        daemon = Daemon(scribed, own_environment(), "--model", arguments.model, "--state-folder", state)
        try:
            for place in arguments.sounds:
                inside = sorted(p for p in place.rglob("*") if p.suffix in (".wav", ".flac", ".ogg", ".mp3",
                                                                            ".m4a", ".opus"))
                sounds = inside[:arguments.first] if place.is_dir() else [place]
                found = count(scribed, daemon, arguments.model, sounds)
                print(f"{place.name}: {len(sounds)} recordings")
                for column, counts in found.items():
                    told = ", ".join(f"{rule} {counts[rule]}" for rule in RULES if counts[rule])
                    total = sum(counts[rule] for rule in RULES)
                    print(f"  {column:15}{counts['cues']:5} cues {total:5} violations   {told}", flush=True)
        finally:
            daemon.end()


if __name__ == "__main__":
    main()
