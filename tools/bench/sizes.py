"""Larger models with random weights, in int8: what a window and a token take."""

import json
import os
import pathlib
import subprocess
import sys

from evaluate import models
from evaluate.engines import EngineError

ROOT = pathlib.Path(__file__).resolve().parents[2]
SECONDS = 3  # each measurement is repeated for so long
# Mel bins, width, heads, layers of the encoder and of the decoder.
SIZES = {
    "small": (80, 768, 12, 12, 12),
    "medium": (80, 1024, 16, 24, 24),
    "large-v3-turbo": (128, 1280, 20, 32, 4),
}


def _answer(command, **environment):
    ended = subprocess.run(list(map(str, command)), stdout=subprocess.PIPE, env=os.environ | environment)
    if ended.returncode != 0:
        raise EngineError(f"{' '.join(map(str, command))} failed")
    return json.loads(ended.stdout)


def _of_bench(report):
    steps = {step["batch"]: step["time"]["ms"] for step in report["steps"]}
    return {"encoder_ms": report["encoder"]["ms"], "token_ms": steps[1], "eight_rows_ms": steps[8]}


def _scribed(bench, size):
    return _of_bench(_answer([bench.scribed, "bench", "--json", "--synthetic", size, "--compute-type", "int8",
                              "--batch", "1,8", "--threads", bench.settings.threads, "--seconds", SECONDS]))  # fmt: skip


def _faster_whisper(bench, size):
    script = ROOT / "scripts" / "peer_figures.py"
    return _of_bench(_answer([sys.executable, script, size, "cpu", "1,8", SECONDS, "int8"],
                             OMP_NUM_THREADS=str(bench.settings.threads)))  # fmt: skip


def _openvino(precision):
    def measure(bench, size):
        return _answer([sys.executable, "-m", "bench.openvino_figures", _openvino_folder(bench.model, size),
                        precision, bench.settings.threads, SECONDS])  # fmt: skip

    return measure


def _openvino_folder(model, size):
    folder = models.CONVERTED / f"random-{size}-openvino"
    if not folder.is_dir():
        print(f"making {folder}", file=sys.stderr)
        made = folder.with_name(folder.name + ".new")
        command = [models.exporter(), "-m", "bench.openvino_random", models.ctranslate2_folder(model),
                   *SIZES[size], made]  # fmt: skip
        if subprocess.run(list(map(str, command)), stdout=subprocess.DEVNULL).returncode != 0:
            raise EngineError(f"{size} could not be exported for OpenVINO")
        made.rename(folder)
    return folder


ENGINES = {
    "scribed:int8": _scribed,
    "openvino:int8:bf16": _openvino("bf16"),
    "openvino:int8:f32": _openvino("f32"),
    "faster-whisper:int8": _faster_whisper,
}


def _rows(bench, size, specs):
    times = {spec: [] for spec in specs}
    for _ in range(bench.rounds):
        for spec in specs:
            times[spec].append(ENGINES[spec](bench, size))
    rows = []
    for spec, rounds in times.items():
        best = {name: round(min(one[name] for one in rounds), 2) for name in rounds[0]}
        rows.append({"engine": spec, "size": size, **best})
    return rows


def larger_sizes(bench, specs):
    """Random weights of three sizes. Engines take turns, and of each time the shortest counts, since
    other work only adds to it."""
    return [row for size in SIZES for row in _rows(bench, size, specs)]
