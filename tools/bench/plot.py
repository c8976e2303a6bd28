"""A picture of speed and errors: up and to the left is better."""

import matplotlib

matplotlib.use("Agg")
from matplotlib import pyplot  # noqa: E402  the backend is chosen first
from matplotlib.transforms import Bbox  # noqa: E402

OURS, OTHERS = "#0b6e4f", "#7a7a7a"
RADIUS = 4  # of a point that no name covers, in pixels


def _panel(axes, title, rows):
    """Returns the names in it, each beside its point."""
    names = []
    rows = [r for r in rows if r.get("times_real_time")]
    for row in rows:
        ours = row["engine"].startswith("scribed")
        colour = OURS if ours else OTHERS
        point = (row["error_percent"], row["times_real_time"])
        axes.scatter(*point, s=60 if ours else 36, color=colour, zorder=3)
        names.append(
            axes.annotate(row["engine"], point, xytext=(6, 4), textcoords="offset points",
                          fontsize=8, color=colour, fontweight="bold" if ours else "normal")
        )  # fmt: skip
    axes.set_title(title, loc="left", fontsize=10)
    axes.set_xlabel("word error rate, %")
    axes.set_ylabel("times real time")
    axes.set_ylim(0, 1.15 * max(row["times_real_time"] for row in rows))
    axes.margins(x=0.25)
    axes.grid(color="#e0e0e0", zorder=0)
    axes.spines[["top", "right"]].set_visible(False)
    return names


def _move_apart(names):
    """Moves each name to the first place beside its point where it covers neither names nor points:
    right of it, or left, above its middle or below, or else further up."""
    taken = []
    for name in names:
        x, y = name.axes.transData.transform(name.xy)
        taken.append(Bbox.from_bounds(x - RADIUS, y - RADIUS, 2 * RADIUS, 2 * RADIUS))
    for name in sorted(names, key=lambda name: name.xy[1]):
        points = 72 / name.figure.dpi
        left = -6 - name.get_window_extent().width * points
        places = [(6, 4), (6, -10), (left, 4), (left, -10)] + [(6, y) for y in range(5, 60)]
        for name.xyann in places:
            extent = name.get_window_extent()
            if not any(extent.overlaps(other) for other in taken):
                break
        taken.append(name.get_window_extent())


def write(data, file):
    titles = {"long": "One long recording", "clips": "73 clips, one after the other",
              "clients": "Eight clients at once"}  # fmt: skip
    shown = [work for work in titles if data["works"].get(work)]
    if not shown:
        return
    figure, panels = pyplot.subplots(1, len(shown), figsize=(5.2 * len(shown), 4.4), squeeze=False)
    names = [_panel(axes, titles[work], data["works"][work]) for axes, work in zip(panels[0], shown)]
    machine = data["machine"]
    figure.suptitle(f"Whisper {data['model']} on {machine['cpu']}, {data['threads']} threads",
                    x=0.01, ha="left", fontsize=11)  # fmt: skip
    figure.tight_layout()
    figure.canvas.draw()  # names have their places only then
    for of_panel in names:
        _move_apart(of_panel)
    figure.savefig(file, dpi=130)
