"""Measures OpenVINO as `scribed bench` measures scribed: one JSON object.

  python -m bench.openvino_figures FOLDER PRECISION THREADS SECONDS

FOLDER is one of openvino_random.py. Its text must not end by itself: a run whose tokens are too few
is an error.
"""

import json
import os
import pathlib
import sys

import numpy
import openvino
import openvino_genai

from .best_time import best_seconds

TOKENS = 100
RATE = 16000


def encoder_seconds(folder, properties, budget):
    encoder = openvino.Core().compile_model(folder / "openvino_encoder_model.xml", "CPU", properties)
    n_mels = json.loads((folder / "config.json").read_text())["num_mel_bins"]
    sound = numpy.random.default_rng(1).standard_normal((1, n_mels, 3000), numpy.float32)
    request = encoder.create_infer_request()
    return best_seconds(lambda: request.infer([sound]), budget)


def token_seconds(folder, properties, budget):
    pipeline = openvino_genai.WhisperPipeline(folder, "CPU", **properties)
    sound = (0.1 * numpy.random.default_rng(2).standard_normal(30 * RATE)).tolist()

    def decode(count):
        result = pipeline.generate(sound, max_new_tokens=count, language="<|en|>", task="transcribe")
        made = result.perf_metrics.get_num_generated_tokens()
        if made < count:
            raise SystemExit(f"the text ended after {made} of {count} tokens")

    many = best_seconds(lambda: decode(TOKENS), budget)
    return (many - best_seconds(lambda: decode(1), budget)) / (TOKENS - 1)


def main():
    folder, precision, threads = pathlib.Path(sys.argv[1]), sys.argv[2], int(sys.argv[3])
    properties = {"INFERENCE_NUM_THREADS": threads, "INFERENCE_PRECISION_HINT": precision}
    budget = float(sys.argv[4])
    report = {"encoder_ms": 1e3 * encoder_seconds(folder, properties, budget),
              "token_ms": 1e3 * token_seconds(folder, properties, budget)}  # fmt: skip
    print(json.dumps(report))
    sys.stdout.flush()
    os._exit(0)  # the library's threads take their time to end


if __name__ == "__main__":
    main()
