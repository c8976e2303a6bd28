"""Recordings with their transcripts: reading a manifest, choosing from it, joining clips."""

import csv
import dataclasses
import fnmatch
import os
import pathlib
import subprocess
import tempfile
import wave

# Names for what is asked for often. Each pattern is matched against the manifest's path column.
SETS = {
    "core": [
        "librispeech-test-other/*",
        "librispeech-misc/*",
        "ljspeech/*",
        "fleurs/fleurs-en-*",
        "arctic-kathleen/*",
        "spontaneous/*",
        "librivox-austen/*",
    ],
    # 73 English clips, 10.4 minutes.
    "clips": ["librispeech-test-other/*", "ljspeech/*", "fleurs/fleurs-en-*", "spontaneous/*"],
}


@dataclasses.dataclass(frozen=True)
class Clip:
    name: str  # as in the manifest
    file: pathlib.Path
    seconds: float  # 0 where nobody says
    language: str  # ISO 639-1, or "-" where nobody says
    reference: str | None  # None: nothing to score against; "": nothing must be transcribed


class ManifestError(Exception):
    """What is wrong with the manifest or the choice, in words for the person who made it."""


def default_manifest():
    root = pathlib.Path(__file__).resolve().parents[2]
    shared = pathlib.Path(os.environ.get("SCRIBED_SHARED", root.parent / "shared"))
    return shared / "audio" / "MANIFEST.tsv"


def _reference_text(folder, field):
    if field == "empty":
        return ""
    # Phrases that must appear, remarks, and one transcript per channel have no word error rate.
    if not field.endswith(".txt") or ";" in field:
        return None
    return (folder / field).read_text(encoding="utf-8").strip()


def _seconds(field):
    try:
        return float(field)
    except ValueError:
        return 0.0


def read_manifest(path):
    """All clips in file order. Columns used: path, seconds, language, reference (tab separated)."""
    path = pathlib.Path(path)
    if not path.is_file():
        raise ManifestError(f"no manifest at {path}; name one with --manifest FILE")
    with path.open(encoding="utf-8", newline="") as stream:
        rows = list(csv.DictReader(stream, delimiter="\t", quoting=csv.QUOTE_NONE))
    missing = {"path", "seconds", "language", "reference"} - set(rows[0] if rows else [])
    if missing:
        raise ManifestError(f"{path} lacks the columns {', '.join(sorted(missing))}")
    return [
        Clip(
            name=row["path"],
            file=path.parent / row["path"],
            seconds=_seconds(row["seconds"]),
            language=row["language"],
            reference=_reference_text(path.parent, row["reference"]),
        )
        for row in rows
    ]


def choose(clips, wanted):
    """Clips that a set name, a folder or a glob names, in manifest order, each once."""
    patterns = []
    for word in wanted:
        patterns += SETS.get(word) or [word.rstrip("/"), word.rstrip("/") + "/*"]
    chosen = [c for c in clips if any(fnmatch.fnmatchcase(c.name, p) for p in patterns)]
    if not chosen:
        folders = sorted({c.name.split("/")[0] for c in clips})
        raise ManifestError(
            f"nothing in the manifest matches {' '.join(wanted)}; "
            f"sets: {', '.join(SETS)}; folders: {', '.join(folders)}"
        )
    return chosen


def decode_s16(file):
    """16 kHz mono signed 16-bit samples, as bytes, by the ffmpeg command."""
    command = ["ffmpeg", "-nostdin", "-loglevel", "error", "-i", os.fspath(file)]
    command += ["-f", "s16le", "-ac", "1", "-acodec", "pcm_s16le", "-ar", "16000", "-"]
    return subprocess.run(command, capture_output=True, check=True).stdout


def write_wav(file, pcm):
    with wave.open(os.fspath(file), "wb") as out:
        out.setnchannels(1)
        out.setsampwidth(2)
        out.setframerate(16000)
        out.writeframes(pcm)


def join(clips, folder=None, decode=decode_s16):
    """One clip out of many, end to end in the given order; its reference is theirs in that order."""
    pcm = b"".join(decode(c.file) for c in clips)
    folder = pathlib.Path(folder or tempfile.mkdtemp(prefix="joined-"))
    file = folder / "joined.wav"
    write_wav(file, pcm)
    languages = {c.language for c in clips}
    references = [c.reference for c in clips]
    return Clip(
        name="joined",
        file=file,
        seconds=len(pcm) / 2 / 16000,
        language=languages.pop() if len(languages) == 1 else "-",
        reference=None if None in references else "\n".join(references),
    )
