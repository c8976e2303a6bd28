"""Tables of what was measured: how soon words come, and which; and what it costs."""

from ..table import table


def _seconds(value):
    return "–" if value is None else f"{value:.2f}"


def _errors(counts):
    """Percent; where nothing was said, the number of words that were made up."""
    return f"{counts['total']} made up" if counts["percent"] is None else f"{counts['percent']:.2f}"


def _share(part, row):
    return f"{100 * part / row['words']:.1f}" if row["words"] else "–"


def _latency(row):
    sent, shown, text, silent, endpoint = (row[key] for key in ("sent", "shown", "text", "silent", "endpoint"))
    return [
        f"{row['recording']} ({row['language']})", row["run"], str(sent["count"]),
        *(_seconds(sent[key]) for key in ("p50", "p90", "p99")), _seconds(shown["p50"]),
        *(_seconds(of[key]) for of in (text, silent) for key in ("p50", "p90")), _seconds(endpoint["p50"]),
        _errors(row["errors"]), _errors(row["whole"]), _errors(row["against_whole"]),
    ]  # fmt: skip


def latency(rows):
    headings = ["recording", "run", "words", "word s, median", "p90", "p99", "shown s", "text after last word s", "p90",
                "after sound s", "p90", "after endpoint s", "errors %", "whole recording %", "against it %"]  # fmt: skip
    return table(headings, [_latency(row) for row in rows], (0, 1))


def _cost(row):
    file, cpu = row.get("file_times_real_time"), row["cpu_per_second"]
    return [
        f"{row['recording']} ({row['language']})", row["run"], _share(row["sure_back"], row),
        _share(row["shown_back"], row), _share(row["changed"], row), f"{row['false_ends_per_minute']:.1f}",
        _seconds(row["late_s"]),
        _seconds(row["heard_late_s"] or None), _seconds(row["end_s"]), "–" if cpu is None else f"{cpu:.3f}",
        f"{row['peak_bytes'] / 1e6:.0f}", "–" if file is None else f"{file:.1f}",
    ]  # fmt: skip


def cost(rows):
    headings = ["recording", "run", "sure taken back %", "shown taken back %", "changed in the end %",
                "false ends / min", "taken late s", "heard late s", "end s", "CPU s per s", "peak MB", "file × real time"]  # fmt: skip
    return table(headings, [_cost(row) for row in rows], (0, 1))


def failures(rows):
    lines = [f"{row['recording']}, {row['run']}: {reason}" for row in rows for reason in row["failed"]]
    lost = [f"{row['recording']}, {row['run']}: {row['failed_turns']} turns without a text" for row in rows
            if row["failed_turns"]]  # fmt: skip
    return lines + lost
