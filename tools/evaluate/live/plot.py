"""A picture of a margin's price: errors against how soon words come, a point for each margin."""

import matplotlib

matplotlib.use("Agg")
from matplotlib import pyplot  # noqa: E402  the backend is chosen first


def _line(axes, rows, percentile, style):
    points = [(row["sent"][percentile], row["errors"]["percent"], row["margin"]) for row in rows]
    label = {"p50": "median", "p90": "90 % of the words"}[percentile]
    axes.plot([x for x, *_ in points], [y for _, y, _ in points], style, label=label)
    for x, y, margin in points:
        axes.annotate(f"m = {margin}", (x, y), textcoords="offset points", xytext=(4, 4), fontsize=7)


def write(file, rows):
    """`rows` are those of one recording, each with a margin, in the order of their margins."""
    figure, axes = pyplot.subplots(figsize=(7, 4))
    _line(axes, rows, "p50", "o-")
    _line(axes, rows, "p90", "s--")
    axes.axhline(rows[0]["whole"]["percent"], color="#808080", linewidth=1, label="whole recording")
    axes.set_xlabel("seconds from the end of a word until it is sure")
    axes.set_ylabel("errors in percent")
    axes.set_title(f"{rows[0]['recording']} ({rows[0]['language']}), {rows[0]['sent']['count']} words", fontsize=9)
    axes.grid(color="#e0e0e0")
    axes.legend(fontsize=8)
    figure.tight_layout()
    figure.savefig(file, dpi=120)
    pyplot.close(figure)
