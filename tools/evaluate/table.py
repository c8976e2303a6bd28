"""Scores and the table that shows them."""

import collections
import dataclasses

from . import normalizer, wer

HEADINGS = [
    "engine", "files", "unit", "count", "sub", "del", "ins", "error %",
    "audio s", "wall s", "× real time", "load s", "peak MB",
]  # fmt: skip


@dataclasses.dataclass
class Tally:
    """What one engine has done so far."""

    errors: dict = dataclasses.field(default_factory=lambda: collections.defaultdict(wer.Errors))
    sets: dict = dataclasses.field(default_factory=lambda: collections.defaultdict(wer.Errors))
    files: int = 0
    audio_seconds: float = 0.0
    wall_seconds: float = 0.0
    failed: dict = dataclasses.field(default_factory=dict)  # clip name → message

    def add(self, clip, transcription):
        self.files += 1
        self.audio_seconds += clip.seconds
        self.wall_seconds += transcription.seconds
        if transcription.error:
            self.failed[clip.name] = transcription.error
        counts = score(clip, transcription.text)
        unit = normalizer.unit(clip.language)
        self.errors[unit] += counts
        self.sets[clip.name.split("/")[0], unit] += counts
        return counts


def score(clip, text):
    expected = normalizer.normalize(clip.reference, clip.language)
    return wer.align(expected, normalizer.normalize(text, clip.language))


def as_data(engine, tally):
    """One engine's result as plain data, for --json."""
    return {
        "engine": engine.label,
        "files": tally.files,
        "failed": tally.failed,
        "errors": {
            unit: dataclasses.asdict(e) | {"percent": round(e.percent, 3)}
            for unit, e in tally.errors.items()
        },
        "sets": [
            {"set": name, "unit": unit, "errors": dataclasses.asdict(e)}
            for (name, unit), e in tally.sets.items()
        ],
        "audio_s": round(tally.audio_seconds, 2),
        "wall_s": round(tally.wall_seconds, 2),
        "times_real_time": round(tally.audio_seconds / tally.wall_seconds, 2)
        if tally.wall_seconds
        else None,
        "load_s": round(engine.load_seconds, 2),
        "peak_bytes": engine.memory.peak_bytes,
        "peak_bytes_by_program": dict(engine.memory.peak_by_name),
    }


def _rows(data):
    for number, (unit, e) in enumerate(data["errors"].items()):
        counts = [e["reference"], e["substitutions"], e["deletions"], e["insertions"]]
        row = [data["engine"], data["files"], unit, *counts, f"{e['percent']:.2f}"]
        # Time and memory belong to the run, not to the unit: they stand in its first row only.
        speed = data["times_real_time"]
        rest = [
            f"{data['audio_s']:.1f}",
            f"{data['wall_s']:.1f}",
            f"{speed:.1f}" if speed else "-",
            f"{data['load_s']:.2f}",
            f"{data['peak_bytes'] / 1e6:.0f}",
        ]
        yield row + (rest if number == 0 else [""] * len(rest))


def render_sets(results):
    """Error rates, a row for each folder of the manifest and a column for each engine. Where nothing
    should be transcribed: how many words were."""
    rows = []
    for of_engines in zip(*(data["sets"] for data in results)):
        errors = [wer.Errors(**e["errors"]) for e in of_engines]
        cells = [f"{e.percent:.2f}" if e.reference else f"{e.total} invented" for e in errors]
        first = of_engines[0]
        rows.append([first["set"], first["unit"], str(errors[0].reference), *cells])
    return table(["set", "unit", "count", *(data["engine"] for data in results)], rows, (0, 1))


def render(results):
    """Totals, a row for each engine."""
    return table(HEADINGS, [list(map(str, row)) for data in results for row in _rows(data)], (0, 2))


def table(headings, rows, words):
    """Markdown that also reads well on a terminal; the columns `words` are set to the left."""
    widths = [max(map(len, column)) for column in zip(headings, *rows)]

    def line(cells):
        padded = [
            c.ljust(w) if i in words else c.rjust(w) for i, (c, w) in enumerate(zip(cells, widths))
        ]
        return "| " + " | ".join(padded) + " |"

    rule = (
        "|"
        + "|".join("-" * (w + 1) + ("-" if i in words else ":") for i, w in enumerate(widths))
        + "|"
    )
    return "\n".join([line(headings), rule, *map(line, rows)])
