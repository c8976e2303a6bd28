"""Errors of turns against a reference, in seconds, and the files that turns lie in.

The error rate (DER) is what is missed, made up or given to another speaker, as a share of the reference's
speech; overlaps are scored, and speakers are matched in the best way. A collar leaves out so many seconds on
each side of every edge of the reference. A turn is (start, end, speaker). Needs no packages.
"""

import pathlib

from .assignment import best_pairs


def read_rttm(path):
    rows = (line.split() for line in pathlib.Path(path).read_text(encoding="utf-8").splitlines())
    return [(float(r[3]), float(r[3]) + float(r[4]), r[7]) for r in rows if r and r[0] == "SPEAKER"]


def write_rttm(path, turns):
    name = pathlib.Path(path).stem
    lines = [f"SPEAKER {name} 1 {b:.3f} {e - b:.3f} <NA> <NA> {speaker} <NA> <NA>\n"
             for b, e, speaker in turns]  # fmt: skip
    pathlib.Path(path).write_text("".join(lines), encoding="utf-8")


def speakers(turns):
    return sorted({speaker for *_, speaker in turns})


def _stretches(reference, hypothesis, collar):
    """(seconds, speakers of the reference, speakers of the hypothesis) between all edges."""
    edges = sorted({t for b, e, _ in reference for t in (b, e)})
    points = {t + d for t in edges for d in (-collar, 0, collar)}
    points = sorted(points | {t for b, e, _ in hypothesis for t in (b, e)})
    for begin, end in zip(points, points[1:]):
        middle = (begin + end) / 2
        if any(abs(middle - t) < collar for t in edges):
            continue
        yield (end - begin, {s for b, e, s in reference if b < middle < e},
               {s for b, e, s in hypothesis if b < middle < e})  # fmt: skip


def _common(stretches, names):
    """Seconds that each speaker of the reference and each of the hypothesis speak at the same time."""
    common = [[0.0] * len(names[1]) for _ in names[0]]
    for seconds, real, found in stretches:
        for r in real:
            for f in found:
                common[names[0].index(r)][names[1].index(f)] += seconds
    return common


def matched(reference, hypothesis):
    """Names of the hypothesis to the reference's, where they are matched."""
    names = speakers(reference), speakers(hypothesis)
    pairs = best_pairs(_common(_stretches(reference, hypothesis, 0.0), names))
    return {names[1][j]: names[0][i] for i, j in pairs}


def errors(reference, hypothesis, collar=0.0):
    """Seconds: missed, false, confused, and of speech."""
    stretches = list(_stretches(reference, hypothesis, collar))
    common = _common(stretches, (speakers(reference), speakers(hypothesis)))
    right = sum(common[i][j] for i, j in best_pairs(common))
    return {
        "missed": sum(s * max(0, len(real) - len(found)) for s, real, found in stretches),
        "false": sum(s * max(0, len(found) - len(real)) for s, real, found in stretches),
        "confused": sum(s * min(len(real), len(found)) for s, real, found in stretches) - right,
        "speech": sum(s * len(real) for s, real, _ in stretches),
    }


def add(several):
    several = list(several)
    return {kind: sum(each[kind] for each in several) for kind in ("missed", "false", "confused", "speech")}


def rate(e):
    """Percent."""
    return 100 * (e["missed"] + e["false"] + e["confused"]) / max(e["speech"], 1e-9)
