#!/usr/bin/env python3
"""Makes the recordings of the tests into a folder: 16 kHz, mono, 16 bits, as recordings.tsv says.

  make.py FOLDER

They are prompts of Debian's asterisk-core-sounds packages, which people have spoken, one or several
after the other, and noise and silence. The column made_of has the parts in order:

  fr/demo-nogo           a prompt
  fr/demo-nogo+noise     a prompt with noise beneath it
  noise:8, silence:2     so many seconds

What does not have the column's sha256 in the end is refused. FOLDER appears whole or not at all, with
the table in it as MANIFEST.tsv.
"""

import array
import csv
import hashlib
import pathlib
import random
import shutil
import subprocess
import sys
import wave

TABLE = pathlib.Path(__file__).resolve().with_name("recordings.tsv")
SOUNDS = pathlib.Path("/usr/share/asterisk/sounds")
VOICES = {"en": "en_US_f_Allison", "fr": "fr_CA_f_June", "ru": "ru_RU_f_IvrvoiceRU"}
RATE = 16000
NOISE = 1500  # the largest sample of noise


class CannotMake(Exception):
    """What is missing or wrong, in words for the person who ran this."""


def noise(count):
    source = random.Random(1)
    return array.array("h", (source.getrandbits(16) * 2 * NOISE // 65535 - NOISE
                             for _ in range(count)))


def prompt(name):
    language, _, title = name.partition("/")
    file = SOUNDS / VOICES[language] / f"{title}.g722"
    if not file.is_file():
        raise CannotMake(f"there is no {file}; it comes with asterisk-core-sounds-{language}-g722")
    decoded = subprocess.run(["ffmpeg", "-nostdin", "-v", "error", "-f", "g722", "-i", file,
                              "-f", "s16le", "-"], stdout=subprocess.PIPE, check=True)
    return array.array("h", decoded.stdout)


def part(text):
    kind, _, seconds = text.partition(":")
    if seconds:
        count = int(float(seconds) * RATE)
        return noise(count) if kind == "noise" else array.array("h", bytes(2 * count))
    name, _, beneath = text.partition("+")
    sound = prompt(name)
    if not beneath:
        return sound
    mixed = (a + b for a, b in zip(sound, noise(len(sound))))
    return array.array("h", (max(-32768, min(32767, sample)) for sample in mixed))


def make(row, folder):
    file = folder / row["path"]
    with wave.open(str(file), "wb") as out:
        out.setnchannels(1)
        out.setsampwidth(2)
        out.setframerate(RATE)
        out.writeframes(b"".join(part(text).tobytes() for text in row["made_of"].split()))
    found = hashlib.sha256(file.read_bytes()).hexdigest()
    if found != row["sha256"]:
        raise CannotMake(f"{row['path']} came out with the sha256 {found}, not {row['sha256']}")


def main():
    target = pathlib.Path(sys.argv[1])
    partial = target.with_name(target.name + ".partial")
    shutil.rmtree(partial, ignore_errors=True)
    partial.mkdir(parents=True)
    with TABLE.open(encoding="utf-8", newline="") as stream:
        for row in csv.DictReader(stream, delimiter="\t"):
            make(row, partial)
    shutil.copy(TABLE, partial / "MANIFEST.tsv")
    shutil.rmtree(target, ignore_errors=True)
    partial.rename(target)


if __name__ == "__main__":
    try:
        main()
    except (CannotMake, OSError, subprocess.CalledProcessError) as wrong:
        raise SystemExit(f"error: the recordings of the tests cannot be made: {wrong}") from None
