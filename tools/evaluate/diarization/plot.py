"""A picture of a recording's turns: the reference above, what each system found below, in the reference's colours."""

import matplotlib

matplotlib.use("Agg")
from matplotlib import pyplot  # noqa: E402  the backend is chosen first

from .errors import matched, speakers  # noqa: E402

UNMATCHED = "#000000"


def _lanes(axes, title, turns, colours):
    names = sorted(speakers(turns), key=lambda n: min(b for b, _, s in turns if s == n))
    for lane, name in enumerate(names):
        bars = [(b, e - b) for b, e, s in turns if s == name]
        axes.broken_barh(bars, (lane + 0.1, 0.8), facecolors=colours.get(name, UNMATCHED))
    axes.set_yticks([lane + 0.5 for lane in range(len(names))], names, fontsize=6)
    axes.set_ylim(max(1, len(names)), 0)
    axes.set_title(title, loc="left", fontsize=8)
    axes.grid(axis="x", color="#e0e0e0")
    axes.set_axisbelow(True)
    axes.spines[["top", "right"]].set_visible(False)


def write(file, title, reference, found):
    """`found` has for each system what to call it and its turns. A voice that is matched with nobody is black."""
    palette = matplotlib.colormaps["tab10"].colors
    colours = {name: palette[i % len(palette)] for i, name in enumerate(speakers(reference))}
    rows = [("reference", reference, colours)]
    for label, turns in found:
        match = matched(reference, turns)
        rows.append((label, turns, {mine: colours[theirs] for mine, theirs in match.items()}))
    heights = [max(1, len(speakers(turns))) + 1 for _, turns, _ in rows]
    figure, panels = pyplot.subplots(
        len(rows), 1, sharex=True, figsize=(12, 0.22 * sum(heights) + 1), squeeze=False,
        gridspec_kw={"height_ratios": heights},
    )  # fmt: skip
    for axes, row in zip(panels[:, 0], rows):
        _lanes(axes, *row)
    panels[-1, 0].set_xlabel("seconds")
    figure.suptitle(title, x=0.01, ha="left", fontsize=10)
    figure.tight_layout()
    figure.savefig(file, dpi=100)
    pyplot.close(figure)
