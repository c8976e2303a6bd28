"""Tables of a set: systems beside each other, over all recordings and for each."""

from ..table import table
from .errors import add, rate


def summary(rows, systems, collars):
    """A row for each system. Speed is seconds of sound per second from file to turns, and per second of a core."""
    headings = ["system", *(f"DER %, collar {c}" for c in collars), "missed", "false", "confused", "counts right",
                "× real time", "× a core"]  # fmt: skip
    return table(headings, [_summary_of(system, rows, collars) for system in systems], (0,))


def _summary_of(system, rows, collars):
    mine = [row["found"][system] for row in rows if system in row["found"]]
    if not mine:
        return [system, *["–"] * (len(collars) + 6)]
    sound = sum(row["seconds"] for row in rows if system in row["found"])
    totals = {c: add(m["errors"][c] for m in mine) for c in collars}
    first = totals[collars[0]]
    parts = [f"{100 * first[kind] / first['speech']:.2f}" for kind in ("missed", "false", "confused")]
    right = sum(m["speakers"] == row["speakers"] for row in rows if (m := row["found"].get(system)))
    return [
        system, *(f"{rate(totals[c]):.2f}" for c in collars), *parts, f"{right} of {len(mine)}",
        f"{sound / sum(m['wall_s'] for m in mine):.1f}", f"{sound / sum(m['cpu_s'] for m in mine):.1f}",
    ]  # fmt: skip


def by_recording(rows, systems, collar):
    """Error rates with the number of speakers found, which is marked where it is wrong."""
    lines = []
    for row in rows:
        cells = [_cell(row, row["found"].get(system), collar) for system in systems]
        lines.append([row["name"], str(row["speakers"]), *cells])
    return table(["recording", "speakers", *systems], lines, (0,))


def _cell(row, found, collar):
    if found is None:
        return "–"
    wrong = f" ({found['speakers']})" if found["speakers"] != row["speakers"] else ""
    return f"{rate(found['errors'][collar]):.2f}{wrong}"


def words(rows):
    """Shares of words with the right speaker: of those that were heard as they were said, and of all with a partner."""
    headings = ["conversation", "speakers", "found", "words", "heard", "right speaker %", "with misheard ones %"]
    groups = {}
    for row in rows:
        groups.setdefault("with overlaps" if row["overlaps"] else "without overlaps", []).append(row)
    lines = [_words_of(row["name"], row["score"]) for row in rows]
    for name, members in groups.items():
        keys = members[0]["score"]
        lines.append(_words_of(f"all {name}", {k: sum(m["score"][k] for m in members) for k in keys}))
    return table(headings, lines, (0,))


def _words_of(name, s):
    return [
        name, str(s["speakers"]), str(s["found"]), str(s["words"]), str(s["equal"]),
        f"{100 * s['equal_right'] / max(1, s['equal']):.2f}",
        f"{100 * s['aligned_right'] / max(1, s['aligned']):.2f}",
    ]  # fmt: skip
