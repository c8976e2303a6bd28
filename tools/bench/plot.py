"""A picture of speed and errors: up and to the left is better."""

import matplotlib

matplotlib.use("Agg")
from matplotlib import pyplot  # noqa: E402  the backend is chosen first

OURS, OTHERS = "#0b6e4f", "#7a7a7a"


def _panel(axes, title, rows):
    rows = [r for r in rows if r.get("times_real_time")]
    for row in rows:
        ours = row["engine"].startswith("scribed")
        colour = OURS if ours else OTHERS
        point = (row["error_percent"], row["times_real_time"])
        axes.scatter(*point, s=60 if ours else 36, color=colour, zorder=3)
        axes.annotate(row["engine"], point, xytext=(6, 4), textcoords="offset points",
                      fontsize=8, color=colour, fontweight="bold" if ours else "normal")  # fmt: skip
    axes.set_title(title, loc="left", fontsize=10)
    axes.set_xlabel("word error rate, %")
    axes.set_ylabel("times real time")
    axes.set_ylim(bottom=0)
    axes.margins(x=0.25, y=0.15)
    axes.grid(color="#e0e0e0", zorder=0)
    axes.spines[["top", "right"]].set_visible(False)


def write(data, file):
    titles = {"long": "One long recording", "clips": "73 clips, one after the other",
              "clients": "Eight clients at once"}  # fmt: skip
    shown = [work for work in titles if data["works"].get(work)]
    if not shown:
        return
    figure, panels = pyplot.subplots(1, len(shown), figsize=(5.2 * len(shown), 4.4), squeeze=False)
    for axes, work in zip(panels[0], shown):
        _panel(axes, titles[work], data["works"][work])
    machine = data["machine"]
    figure.suptitle(f"Whisper {data['model']} on {machine['cpu']}, {data['threads']} threads",
                    x=0.01, ha="left", fontsize=11)  # fmt: skip
    figure.tight_layout()
    figure.savefig(file, dpi=130)
