"""The kinds of work that engines are compared by. Each gives rows of plain data."""

import dataclasses
import pathlib
import statistics
import subprocess
import tempfile
import time

from evaluate import manifest, table
from evaluate.make_engine import make_engine

from . import clients, sizes

LONG = ["librispeech-test-other"]
CLIPS = ["clips"]
REPEATS = 5


@dataclasses.dataclass(frozen=True)
class Bench:
    """What all kinds of work have in common."""

    recordings: list  # of the manifest
    model: str
    scribed: pathlib.Path
    settings: object  # evaluate.engines.Settings
    scratch: pathlib.Path
    rounds: int

    def engine(self, spec, **changes):
        settings = dataclasses.replace(self.settings, **changes)
        return make_engine(spec, self.model, self.scribed, settings)

    def clips(self, wanted):
        return [c for c in manifest.choose(self.recordings, wanted) if c.reference is not None]

    def joined(self):
        return manifest.join(self.clips(LONG), self.scratch)


def _score(engine, clips, results):
    tally = table.Tally()
    for clip, result in zip(clips, results):
        tally.add(clip, result)
    data = table.as_data(engine, tally)
    (errors,) = data["errors"].values()  # English only, so that there is one unit
    row = {key: data[key] for key in ("engine", "audio_s", "wall_s", "times_real_time", "load_s")}
    row |= {"error_percent": errors["percent"], "peak_mb": round(data["peak_bytes"] / 1e6)}
    worker = data["peak_bytes_by_program"].get("scribed-worker")
    if worker:
        row["worker_peak_mb"] = round(worker / 1e6)
    if data["failed"]:
        row["failed"] = data["failed"]
    return row


def _one_engine(bench, spec, clips, **changes):
    engine = bench.engine(spec, **changes)
    try:
        return _score(engine, clips, engine.transcribe([c.file for c in clips]))
    finally:
        engine.close()


def _in_turns(bench, specs, clips):
    """Each engine once a round, so that whatever else the machine does hits them alike; of each its
    quickest round, and what it needed in all of them."""
    rounds = [[_one_engine(bench, spec, clips) for spec in specs] for _ in range(bench.rounds)]
    best = []
    for rows in zip(*rounds):
        row = min(rows, key=lambda row: row["wall_s"])
        row["peak_mb"] = max(r["peak_mb"] for r in rows)
        best.append(row | {"rounds_s": [r["wall_s"] for r in rows]})
    return best


def long(bench, specs):
    """One recording of six minutes."""
    return _in_turns(bench, specs, [bench.joined()])


def single_clips(bench, specs):
    """73 short recordings, one after the other."""
    return _in_turns(bench, specs, bench.clips(CLIPS))


def words(bench, specs):
    """The same recording with and without the times of words, in turns; the middle one of the pairs."""
    rows = []
    for spec in specs:
        pairs = []
        for _ in range(bench.rounds):
            plain = _one_engine(bench, spec, [bench.joined()])["wall_s"]
            timed = _one_engine(bench, spec, [bench.joined()], word_timestamps=True)["wall_s"]
            pairs.append((timed / plain, plain, timed))
        ratio, plain, timed = sorted(pairs)[len(pairs) // 2]
        rows.append({"engine": spec, "plain_s": plain, "words_s": timed, "ratio": round(ratio, 3)})
    return rows


def start(bench, specs):
    """From the start of the process to the text of a clip of five seconds, its files in memory."""
    clip = min(bench.clips(CLIPS), key=lambda c: abs(c.seconds - 5))
    rows = []
    for spec in specs:
        name, compute_type, _ = (spec.split(":") + ["", ""])[:3]
        if name != "scribed":
            continue
        command = [bench.scribed, "transcribe", "--quiet", "--model", bench.model, "--beam-size", "1"]
        command += ["--compute-type", compute_type or "auto", "--language", "en"]
        command += ["--threads", str(bench.settings.threads), clip.file]
        times = []
        for _ in range(REPEATS + 1):
            began = time.monotonic()
            subprocess.run(command, check=True, stdout=subprocess.DEVNULL)
            times.append(time.monotonic() - began)
        middle = statistics.median(times[1:])  # the first one reads the files
        rows.append({"engine": spec, "audio_s": clip.seconds, "wall_s": round(middle, 3)})
    return rows


def eight_clients(bench, specs):
    """Eight clients at once that take the short recordings from one list."""
    found = bench.clips(CLIPS)
    rows = []
    for spec in specs:
        with tempfile.TemporaryDirectory() as folder, clients.serve(bench, spec, folder) as ask:
            ask(found[0].file)  # the model is loaded with the first one
            results, wall = clients.run(ask, [c.file for c in found], 8)
        tally = table.Tally()
        for clip, result in zip(found, results):
            tally.add(clip, result)
        (errors,) = tally.errors.values()
        waits = sorted(r.seconds for r in results)
        rows.append(
            {
                "engine": spec,
                "audio_s": round(tally.audio_seconds, 2),
                "wall_s": round(wall, 2),
                "times_real_time": round(tally.audio_seconds / wall, 2),
                "p50_s": round(statistics.median(waits), 2),
                "p95_s": round(waits[int(0.95 * (len(waits) - 1))], 2),
                "error_percent": round(errors.percent, 3),
            }
        )
    return rows


WORKS = {
    "long": long,
    "clips": single_clips,
    "clients": eight_clients,
    "words": words,
    "start": start,
    "sizes": sizes.larger_sizes,
}
