#!/usr/bin/env python3
"""Makes mel_golden.json with openai-whisper 20250625, which has to be importable:

  .deps/evaluate/venv/bin/python tests/engine/whisper/audio/make_mel_golden.py

The signal is test_signal.h's, in integers, so that both sides have the same samples.
"""
import json
from pathlib import Path

import numpy as np
import torch
import torch.nn.functional as F
from whisper.audio import log_mel_spectrogram, mel_filters

PADDING = 480000


def signal(n_samples):
    samples, phase, noise = [], 0, 1
    for i in range(n_samples):
        phase = (phase + 20000000 + i * 4000) & 0xFFFFFFFF
        noise = (noise * 1664525 + 1013904223) & 0xFFFFFFFF
        signed = phase - (1 << 32) if phase >> 31 else phase
        triangle = abs(signed >> 16) - 16384
        samples.append((int(triangle / 2) + (noise >> 24)) / 32768)
    return np.array(samples, dtype=np.float32)


def log_mel_without_floor(audio, n_mels):
    padded = F.pad(torch.from_numpy(audio), (0, PADDING))
    spectrum = torch.stft(padded, 400, 160, window=torch.hann_window(400), return_complex=True)
    power = spectrum[..., :-1].abs() ** 2
    return torch.clamp(mel_filters("cpu", n_mels) @ power, min=1e-10).log10()


def value(mel, frame, band):
    return float(np.float32(mel[band, frame]))


def rows(items):
    fours = (", ".join(json.dumps(item) for item in items[i:i + 4]) for i in range(0, len(items), 4))
    return "[\n    " + ",\n    ".join(fours) + "\n  ]"


def main():
    n_samples = 16123 * 6
    audio = signal(n_samples)
    log_mel, scaled, short = [], [], []
    for n in (80, 128):
        raw, full = log_mel_without_floor(audio, n), log_mel_spectrogram(audio, n, padding=PADDING)
        log_mel += [[n, t, b, value(raw, t, b)]
                    for t in (0, 1, 2, 99, 250, 499, 500, 501, *range(601, 607))
                    for b in (0, 7, n // 2, n - 1)]
        scaled += [[n, t, b, value(full, t, b)]
                   for t in (0, 250, 603, 604, 605, 606, 610, 2999) for b in (3, n - 1)]
    for length in (0, 1, 199, 200, 201, 400):
        raw = log_mel_without_floor(signal(length), 80)
        short += [[length, t, b, value(raw, t, b)] for t in range(3) for b in (0, 40)]
    Path(__file__).with_name("mel_golden.json").write_text(
        "{\n" + f'  "samples": {n_samples},\n' + f'  "log_mel": {rows(log_mel)},\n' +
        f'  "scaled": {rows(scaled)},\n' + f'  "short": {rows(short)}\n' + "}\n")


main()
