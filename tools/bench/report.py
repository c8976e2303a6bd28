"""Results as tables for a terminal and as one JSON object."""

from .peers import BASELINE

TITLES = {
    "long": "One recording of 6.4 minutes (50 clips of LibriSpeech test-other, joined)",
    "clips": "73 clips, one after the other",
    "clients": "Eight clients at once, the same 73 clips",
    "words": "Word timestamps on and off, the long recording",
    "start": "From starting the program to the text of a clip of five seconds",
    "sizes": "Larger models with random weights: milliseconds of a window of 30 s, of a token, of a step of eight rows",
    "limits": "Against the machine's own limits (scribed bench)",
}


def add_ratios(works):
    """Beside each engine's speed, how many times the baseline's it is."""
    for rows in works.values():
        base = [r for r in rows if r["engine"] == BASELINE and r.get("times_real_time")]
        for row in rows if base else []:
            if row.get("times_real_time"):
                row["times_baseline"] = round(row["times_real_time"] / base[0]["times_real_time"], 2)


def _cell(value):
    return "" if value is None else str(value)


def _table(rows):
    columns = [c for c in dict.fromkeys(key for row in rows for key in row) if c != "failed"]
    lines = [columns] + [[_cell(row.get(c)) for c in columns] for row in rows]
    widths = [max(len(line[i]) for line in lines) for i in range(len(columns))]

    def render(line):
        first, *rest = [
            cell.ljust(w) if i == 0 else cell.rjust(w) for i, (cell, w) in enumerate(zip(line, widths))
        ]
        return "| " + " | ".join([first, *rest]) + " |"

    rule = "|" + "|".join("-" * (w + 1) + ("-" if i == 0 else ":") for i, w in enumerate(widths)) + "|"
    return "\n".join([render(lines[0]), rule, *map(render, lines[1:])])


def render(data):
    machine = data["machine"]
    head = f"{machine['cpu']}, {machine['cores']} cores, {' '.join(machine['isa'])}; "
    head += f"{data['threads']} threads, model {data['model']}, "
    head += f"beam {data['beam_size']}" if data["beam_size"] > 1 else "greedy"
    if level := data.get("level"):
        head += f"; held to {level}"
    parts = [head]
    for work, rows in data["works"].items():
        parts.append(f"\n## {TITLES[work]}\n\n{_table(rows)}")
    return "\n".join(parts)
