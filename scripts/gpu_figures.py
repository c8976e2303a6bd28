"""The figures of check_gpu: what `scribed bench --json` says becomes a table, beside what is aimed at."""

TOKENS_OF_A_WINDOW = 100
WINDOW_S = 30

# By model and batch, on an H100 or H200: milliseconds at most, times real time at least.
AIMS = {
    ("large-v3-turbo", "ms a token", 1): ("at most", 0.25),
    ("large-v3", "ms a token", 1): ("at most", 0.9),
    ("large-v3", "encoder ms a window", 16): ("at most", 6.0),
    ("large-v3-turbo", "x real time", 128): ("at least", 2000.0),
    ("large-v3", "x real time", 128): ("at least", 1000.0),
}


def times_real_time(encoder_ms, step_ms, batch):
    """With 100 tokens in each window of 30 seconds, `batch` of which take their steps together."""
    return WINDOW_S * 1000 / (encoder_ms + TOKENS_OF_A_WINDOW * step_ms / batch)


def figures_of(report):
    """Rows (model, what, batch, value) of one `scribed bench --json`. A step makes a token for each
    window of its batch, so ms a token at a batch of 128 are a 128th of the step's."""
    model = report["model"]
    encoders = {1: report["encoder"]["ms"]}
    for measured in report.get("encoder_batches", []):
        encoders[measured["batch"]] = measured["ms_of_a_window"]
    rows = [(model, "encoder ms a window", batch, ms) for batch, ms in sorted(encoders.items())]
    best_encoder = min(encoders.values())
    for step in report["steps"]:
        batch, ms = step["batch"], step["time"]["ms"]
        rows.append((model, "ms a token", batch, ms / batch))
        rows.append((model, "x real time", batch, times_real_time(best_encoder, ms, batch)))
    return rows


def verdict(row, aims):
    """"met", "missed", or "" where nothing is aimed at."""
    model, what, batch, value = row
    kind, limit = aims.get((model, what, batch), (None, None))
    if kind is None:
        return ""
    return "met" if (value <= limit if kind == "at most" else value >= limit) else "missed"


def table(rows, aims):
    """As text; `aims` is AIMS on the cards that they are for, else {}."""
    lines = [f"{'model':<32}{'what':<22}{'batch':>6}{'found':>12}  aim"]
    for row in rows:
        model, what, batch, value = row
        line = f"{model:<32}{what:<22}{batch:>6}{value:>12.3f}"
        if verdict(row, aims):
            kind, limit = aims[(model, what, batch)]
            line += f"  {kind} {limit:g}: {verdict(row, aims)}"
        lines.append(line.rstrip())
    return "\n".join(lines)


PEER = ", faster-whisper"


def behind_peers(rows):
    """Where a peer's figure of the same model, kind and batch is better than ours, in words."""
    # A model may be named by its folder.
    ours = {(row[0].rsplit("/", 1)[-1], *row[1:3]): row[3] for row in rows}
    lines = []
    for model, what, batch, theirs in rows:
        if not model.endswith(PEER):
            continue
        name = model.removesuffix(PEER)
        own = ours.get((name, what, batch))
        if own is None:
            continue
        slower = own < theirs if what == "x real time" else own > theirs
        if slower:
            lines.append(f"{name}, {what} at batch {batch}: {own:.3f}, faster-whisper {theirs:.3f}")
    return lines


def aims_on(device_name):
    return AIMS if any(card in device_name for card in ("H100", "H200", "GH200")) else {}
