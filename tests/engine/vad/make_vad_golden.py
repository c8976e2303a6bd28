#!/usr/bin/env python3
"""Makes vad_golden.json with the Python package silero-vad 6.2.3 (its wheel, unpacked; no torch is
needed) and the recordings of tests/recordings. Needs numpy and onnxruntime:

  python3 tests/engine/vad/make_vad_golden.py UNPACKED_WHEEL .deps/recordings
"""
import json
import sys
import typing
import wave
from pathlib import Path

import numpy
import onnxruntime

RECORDINGS = ["en-noisy.wav", "en-numbers.wav", "fr-noisy.wav", "fr-then-en.wav", "ru-nogo.wav",
              "monkeys.wav", "noise.wav", "silence.wav"]
OPTIONS = [
    {},
    {"min_speech_duration_ms": 0, "min_silence_duration_ms": 2000, "speech_pad_ms": 400},
    {"min_speech_duration_ms": 0, "min_silence_duration_ms": 160, "speech_pad_ms": 400,
     "max_speech_duration_s": 6.0},
    {"min_silence_duration_ms": 1000, "max_speech_duration_s": 4.0},
    {"min_silence_duration_ms": 2000, "max_speech_duration_s": 2.0, "threshold": 0.7,
     "neg_threshold": 0.6, "speech_pad_ms": 100, "min_silence_at_max_speech": 60},
    {"min_speech_duration_ms": 33, "min_silence_duration_ms": 0, "speech_pad_ms": 7},
    {"speech_pad_ms": 0, "min_silence_duration_ms": 64, "threshold": 0.1},
]
LEVELS = [1, 3, 8, 20, 31, 32, 42, 45, 60]  # in 64ths: exact as float32
SEEDS = range(4)
CHUNK = 512


def reference(wheel):
    """get_speech_timestamps_from_probs, out of a file that would import torch."""
    source = (wheel / "silero_vad/utils_vad.py").read_text(encoding="utf-8")
    begin = source.index("def get_speech_timestamps_from_probs")
    names = {"List": typing.List}
    exec(source[begin:source.index("class VADIterator")], names)
    return names["get_speech_timestamps_from_probs"]


def made_up(seed):
    """Runs of one probability each, as speech_segments_test.cpp makes them again."""
    state, probabilities = seed, []
    while len(probabilities) < 600:
        draws = []
        for _ in range(2):
            state = (state * 1664525 + 1013904223) % 2**32
            draws.append(state >> 20)
        probabilities += [LEVELS[draws[1] % len(LEVELS)] / 64] * (1 + draws[0] % 24)
    return probabilities


def listen(session, path):
    with wave.open(str(path)) as file:
        pcm = numpy.frombuffer(file.readframes(file.getnframes()), "<i2")
    samples = len(pcm)
    pcm = numpy.pad(pcm.astype(numpy.float32) / 32768, (64, -samples % CHUNK))
    state = numpy.zeros((2, 1, 128), numpy.float32)
    probabilities = []
    for begin in range(0, len(pcm) - 64, CHUNK):
        output, state = session.run(None, {"input": pcm[None, begin:begin + 64 + CHUNK],
                                           "state": state, "sr": numpy.array(16000)})
        probabilities.append(float(output[0, 0]))
    return probabilities, samples


def main():
    wheel, audio = Path(sys.argv[1]), Path(sys.argv[2])
    timestamps = reference(wheel)

    def regions(probabilities, samples):
        return [[[r["start"], r["end"]] for r in timestamps(
            probabilities, audio_length_samples=samples, **options)] for options in OPTIONS]

    session = onnxruntime.InferenceSession(wheel / "silero_vad/data/silero_vad_16k_op15.onnx",
                                           providers=["CPUExecutionProvider"])
    golden = {"options": OPTIONS, "made_up": [], "recordings": []}
    for seed in SEEDS:
        probabilities = made_up(seed)
        samples = len(probabilities) * CHUNK - 100 * seed
        golden["made_up"].append({"seed": seed, "samples": samples,
                                  "regions": regions(probabilities, samples)})
    for name in RECORDINGS:
        probabilities, samples = listen(session, audio / name)
        golden["recordings"].append({"file": name, "samples": samples,
                                     "probabilities": [round(p, 6) for p in probabilities],
                                     "regions": regions(probabilities, samples)})
    text = json.dumps(golden, separators=(",", ":")).replace('{"', '\n{"')
    Path(__file__).with_name("vad_golden.json").write_text(text + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
