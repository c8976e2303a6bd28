#!/usr/bin/env python3
"""Where a known sound lands: in scribed, in players, and in what openai/whisper and faster-whisper decode.

    tests/bench/timeline.py [--json] [--programs build/dev/bin] [--without mpv,chromium]

Containers and their faults are those of tests/integration/timeline_recordings.py. A column is left out where its
program is missing: mpv (Debian: mpv), Chromium (with scripts/setup --tests), faster-whisper (its Python package).
openai/whisper decodes with the command ffmpeg, so that is its column. A cell has the times in seconds, and after ±
the furthest that one is from where it was put. The exit status is 1 where scribed is further than 20 ms from that and
from every player.
"""

import argparse
import array
import importlib.util
import json
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "integration"))
from timeline_recordings import FAULTS, Timelines, onsets  # noqa: E402

ROOT = pathlib.Path(__file__).resolve().parents[2]
ALLOWED_S = 0.02
RATE = 16000
SILENCE = "lavfi=[aformat=channel_layouts=mono,silencedetect=noise=0.1:d=0.3]"


class Decoder:
    """scribed-decode, or another program that writes 16 kHz mono to its standard output."""

    def __init__(self, sample, command):
        self.sample = sample
        self.command = command

    def begins(self, path):
        with path.open("rb") as file:
            made = subprocess.run([str(path) if word == "FILE" else word for word in self.command], stdin=file,
                                  capture_output=True, check=True, timeout=120)
        samples = array.array(self.sample, made.stdout)
        return onsets(samples if self.sample == "f" else [x / 32768 for x in samples], RATE)


class FasterWhisper:
    def __init__(self):
        from faster_whisper.audio import decode_audio
        self.decode = decode_audio

    def begins(self, path):
        return onsets(self.decode(str(path), RATE), RATE)


class Mpv:
    """Its audio filters see frames with the times of its clock."""

    def begins(self, path):
        played = subprocess.run(
            ["mpv", "--no-config", "--vo=null", "--ao=null", "--ao-null-untimed", "--untimed", f"--af={SILENCE}",
             "--msg-level=all=warn,ffmpeg=v", path], capture_output=True, text=True, timeout=120)
        said = re.findall(r"silence_end: ([0-9.]+)", played.stdout + played.stderr)
        return [float(time) for time in said[:-1]]  # the last one is the end


class Chromium:
    """A page plays the recording aloud into nothing; a worklet says by the clock of the audio when it hears a pip, and
    the element says what its own clock is at that time. What lies between both is measured with a plain WAV."""

    def __init__(self):
        from page_harness import ARGUMENTS, BROWSER, need_browser, sync_playwright
        need_browser()
        self.playwright = sync_playwright().start()
        self.browser = self.playwright.chromium.launch(
            executable_path=BROWSER, args=[*ARGUMENTS, "--autoplay-policy=no-user-gesture-required"])
        self.page = self.browser.new_page()
        self.page.set_default_timeout(120_000)
        self.page.route("http://localhost/**", self.answer)
        self.files = {}
        self.page.goto("http://localhost/page")
        self.late_by = 0
        self.late_by = self.calibrated()

    def answer(self, route):
        name = route.request.url.rsplit("/", 1)[1]
        if name in self.files:
            route.fulfill(path=self.files[name])
        else:
            route.fulfill(content_type="text/html", body="<!doctype html><title>Plays</title>")

    def calibrated(self):
        with tempfile.TemporaryDirectory() as folder:
            path = pathlib.Path(folder) / "plain.wav"
            subprocess.run(["ffmpeg", "-nostdin", "-v", "error", "-f", "lavfi", "-i",
                            "aevalsrc='sin(2*PI*1000*t)*between(t,1,1.1)/2':s=48000:d=2", path], check=True)
            return sorted(self.begins(path)[0] - 1 for _ in range(3))[1]

    def begins(self, path):
        name = path.name
        self.files[name] = path
        script = (pathlib.Path(__file__).parent / "timeline_page.js").read_text()
        heard = self.page.evaluate(script, f"http://localhost/{name}")
        return [time - self.late_by for time in heard]


def programs(folder, without):
    found = {"scribed": Decoder("f", [str(folder / "scribed-decode")])}
    found["openai/whisper"] = Decoder("h", ["ffmpeg", "-nostdin", "-v", "error", "-i", "FILE", "-f", "s16le",
                                            "-ac", "1", "-acodec", "pcm_s16le", "-ar", str(RATE), "-"])
    if importlib.util.find_spec("faster_whisper"):
        found["faster-whisper"] = FasterWhisper()
    if shutil.which("mpv") and "mpv" not in without:
        found["mpv"] = Mpv()
    if "chromium" not in without:
        try:
            found["Chromium"] = Chromium()
        except Exception as missing:  # the browser is a tool, not what is measured
            print(f"without Chromium: {missing}", file=sys.stderr)
    return found


def cell(begins, right):
    if not begins:
        return "-"
    times = " ".join(f"{begin:.2f}" for begin in begins)
    if len(begins) != len(right):
        return times
    return f"{times} ±{max(abs(a - b) for a, b in zip(begins, right)) * 1000:.0f} ms"


def is_right(row):
    """Some containers do not tell what their codec put in front: players show that, too."""
    wanted = [row["right"], *(row[player] for player in ("mpv", "Chromium") if player in row)]
    return any(len(times) == len(row["scribed"]) and
               all(abs(a - b) <= ALLOWED_S for a, b in zip(times, row["scribed"])) for times in wanted)


def measured(found):
    with tempfile.TemporaryDirectory() as folder:
        recordings = Timelines(pathlib.Path(folder))
        for fault, containers, right in FAULTS:
            for container in containers:
                path = getattr(recordings, fault)(container)
                if path is None:
                    continue
                row = {"container": container, "fault": fault, "right": right}
                for name, program in found.items():
                    try:
                        row[name] = program.begins(path)
                    except Exception as failure:
                        row[name] = []
                        print(f"{name}, {fault} {container}: {failure}", file=sys.stderr)
                yield row


def main():
    options = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    options.add_argument("--json", action="store_true")
    options.add_argument("--programs", type=pathlib.Path,
                         default=pathlib.Path(os.environ.get("SCRIBED_BIN", ROOT / "build/dev/bin")))
    options.add_argument("--without", default="")
    options = options.parse_args()
    found = programs(options.programs, options.without.split(","))
    if not options.json:
        print(f"| container | fault | right | {' | '.join(found)} |")
        print("|---" * (3 + len(found)) + "|")
    missed, rows = 0, []
    for row in measured(found):
        rows.append(row)
        missed += not is_right(row)
        if not options.json:
            times = " ".join(f"{time:g}" for time in row["right"])
            cells = " | ".join(cell(row[name], row["right"]) for name in found)
            print(f"| {row['container']} | {row['fault']} | {times} | {cells} |", flush=True)
    if options.json:
        print(json.dumps(rows, indent=1))
    return 1 if missed else 0


if __name__ == "__main__":
    sys.exit(main())
