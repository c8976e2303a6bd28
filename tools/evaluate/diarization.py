"""Errors of diarization: `scribed diarize` over folders of recordings, each with an RTTM of its name.

    scripts/evaluate diarization FOLDER… [--collar S…] [--threads N] [--json]

The error rate (DER) is what is missed, made up or given to another speaker, as a share of the reference's
speech; overlaps are scored, and speakers are matched in the best way. A collar leaves out so many seconds on
each side of every edge of the reference. Needs no packages.
"""

import argparse
import json
import os
import pathlib
import subprocess
import sys
import time
import wave


def read_rttm(path):
    """Turns as (start, end, speaker)."""
    rows = (line.split() for line in pathlib.Path(path).read_text(encoding="utf-8").splitlines())
    return [(float(r[3]), float(r[3]) + float(r[4]), r[7]) for r in rows if r and r[0] == "SPEAKER"]


def best_match(common):
    """The largest sum of common[i][j] with each row and each column once at most."""
    columns = len(common[0]) if common else 0
    best = {0: 0.0}  # columns that are taken, as bits -> the sum
    for row in common:
        after = dict(best)
        for taken, total in best.items():
            for j in range(columns):
                if not taken >> j & 1 and row[j] > 0:
                    key = taken | 1 << j
                    after[key] = max(after.get(key, 0.0), total + row[j])
        best = after
    return max(best.values())


def stretches(reference, hypothesis, collar):
    """(seconds, speakers of the reference, speakers of the hypothesis) between all edges."""
    edges = sorted({t for b, e, _ in reference for t in (b, e)})
    points = {t + d for t in edges for d in (-collar, 0, collar)}
    points = sorted(points | {t for b, e, _ in hypothesis for t in (b, e)})
    for begin, end in zip(points, points[1:]):
        middle = (begin + end) / 2
        if any(abs(middle - t) < collar for t in edges):
            continue
        yield (end - begin, {s for b, e, s in reference if b < middle < e},
               {s for b, e, s in hypothesis if b < middle < e})


def errors(reference, hypothesis, collar=0.0):
    """Seconds: missed, false, confused, and of speech."""
    names = sorted({s for *_, s in reference}), sorted({s for *_, s in hypothesis})
    common = [[0.0] * len(names[1]) for _ in names[0]]
    out = {"missed": 0.0, "false": 0.0, "confused": 0.0, "speech": 0.0}
    for seconds, real, found in stretches(reference, hypothesis, collar):
        out["missed"] += seconds * max(0, len(real) - len(found))
        out["false"] += seconds * max(0, len(found) - len(real))
        out["confused"] += seconds * min(len(real), len(found))
        out["speech"] += seconds * len(real)
        for r in real:
            for f in found:
                common[names[0].index(r)][names[1].index(f)] += seconds
    out["confused"] -= best_match(common)
    return out


def rate(e):
    return 100 * (e["missed"] + e["false"] + e["confused"]) / max(e["speech"], 1e-9)


def diarize(file, threads):
    program = pathlib.Path(os.environ["SCRIBED_BIN"]) / "scribed"
    begin = time.monotonic()
    result = subprocess.run([program, "diarize", "-q", "--format", "json", "--threads", str(threads), file],
                            capture_output=True, text=True)
    if result.returncode != 0:
        sys.exit(f"{file}: {result.stderr.strip()}")
    turns = [(t["start"], t["end"], t["speaker"]) for t in json.loads(result.stdout)["turns"]]
    return turns, time.monotonic() - begin


def measure(file, collars, threads):
    reference = read_rttm(file.with_suffix(".rttm"))
    turns, seconds = diarize(file, threads)
    with wave.open(str(file), "rb") as sound:
        length = sound.getnframes() / sound.getframerate()
    return {"file": file.name, "seconds": length, "wall_s": seconds,
            "speakers": len({s for *_, s in reference}), "found": len({s for *_, s in turns}),
            "errors": {str(c): errors(reference, turns, c) for c in collars}}


def whole(name, rows, collars):
    total = {c: {k: sum(r["errors"][c][k] for r in rows) for k in rows[0]["errors"][c]} for c in collars}
    return {"file": name, "seconds": sum(r["seconds"] for r in rows),
            "wall_s": sum(r["wall_s"] for r in rows), "speakers": sum(r["speakers"] for r in rows),
            "found": sum(r["found"] for r in rows), "errors": total}


def line(row, collars):
    rates = " | ".join(f"{rate(row['errors'][c]):.2f}" for c in collars)
    speed = row["seconds"] / row["wall_s"]
    return f"| {row['file']} | {row['speakers']} / {row['found']} | {rates} | {speed:.1f} |"


def main():
    parser = argparse.ArgumentParser(prog="scripts/evaluate diarization",
                                     description=__doc__.split("\n\n")[0])
    parser.add_argument("folders", nargs="+", type=pathlib.Path, metavar="FOLDER")
    parser.add_argument("--collar", nargs="+", type=float, default=[0.0, 0.25], metavar="S")
    parser.add_argument("--threads", type=int, default=0, help="0: one for each physical core")
    parser.add_argument("--json", action="store_true")
    arguments = parser.parse_args()
    collars = [str(c) for c in arguments.collar]
    results = {}
    for folder in arguments.folders:
        files = sorted(f for f in folder.glob("*.wav") if f.with_suffix(".rttm").is_file())
        if not files:
            sys.exit(f"{folder} has no WAV file with an RTTM beside it")
        results[folder.name] = [measure(f, arguments.collar, arguments.threads) for f in files]
    if arguments.json:
        print(json.dumps(results, indent=2))
        return
    heads = " | ".join(f"DER %, collar {c}" for c in collars)
    print(f"| recording | speakers / found | {heads} | × real time |\n|---|---|{'---:|' * (len(collars) + 1)}")
    for name, rows in results.items():
        for row in [*rows, whole(f"**{name}**", rows, collars)]:
            print(line(row, collars))


if __name__ == "__main__":
    main()
