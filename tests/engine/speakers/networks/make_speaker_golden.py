#!/usr/bin/env python3
"""Makes speaker_golden.json: what the two networks of diarization say of a made-up sound, computed
with PyTorch's own modules in Python.

    make_speaker_golden.py FOLDER > speaker_golden.json

FOLDER is the model `speakers` of a store: segmentation-3.0.pt and campplus.pt. Needs torch 2.
"""
import json
import math
import sys
from pathlib import Path

import torch
import torch.nn.functional as F

RATE = 16000


def sound(samples):
    """A voice that rises and falls, with pauses; the same numbers as made_sound() of the test."""
    n = torch.arange(samples, dtype=torch.float64)
    t = n / RATE
    pitch = 2 * math.pi * (120 * t + 8 * torch.sin(2 * math.pi * 0.7 * t))
    tone = sum(torch.sin(k * pitch) / k for k in range(1, 25))
    syllables = torch.clamp(torch.sin(2 * math.pi * 2.1 * t), min=0)
    phrase = (torch.remainder(t, 4) < 2.7).double()
    return (0.1 * tone * syllables * phrase).float()


def segmentation(w, x):
    def norm(y, name):
        return F.instance_norm(y, weight=w[name + ".weight"], bias=w[name + ".bias"], eps=1e-5)

    p = "sincnet.conv1d.0.filterbank."
    low = 50 + w[p + "low_hz_"].abs()
    high = (low + 50 + w[p + "band_hz_"].abs()).clamp(50, RATE / 2)
    n, window, band = w[p + "n_"], w[p + "window_"], high - low
    cos = ((high @ n).sin() - (low @ n).sin()) / (n / 2) * window
    sin = ((low @ n).cos() - (high @ n).cos()) / (n / 2) * window
    cos = torch.cat([cos, 2 * band, cos.flip(1)], 1)
    sin = torch.cat([sin, torch.zeros_like(band), -sin.flip(1)], 1)
    filters = (torch.cat([cos, sin], 0) / torch.cat([2 * band, 2 * band], 0))[:, None]
    y = F.conv1d(norm(x[:, None], "sincnet.wav_norm1d"), filters, stride=10).abs()
    y = F.leaky_relu(norm(F.max_pool1d(y, 3), "sincnet.norm1d.0"))
    for i in (1, 2):
        y = F.conv1d(y, w[f"sincnet.conv1d.{i}.weight"], w[f"sincnet.conv1d.{i}.bias"])
        y = F.leaky_relu(norm(F.max_pool1d(y, 3), f"sincnet.norm1d.{i}"))
    lstm = torch.nn.LSTM(60, 128, 4, batch_first=True, bidirectional=True)
    lstm.load_state_dict({k[5:]: v for k, v in w.items() if k.startswith("lstm.")})
    y, _ = lstm(y.transpose(1, 2))
    for i in (0, 1):
        y = F.leaky_relu(F.linear(y, w[f"linear.{i}.weight"], w[f"linear.{i}.bias"]))
    return F.log_softmax(F.linear(y, w["classifier.weight"], w["classifier.bias"]), -1)


def fbank(x):
    def mel(f):
        return 1127.0 * math.log(1.0 + f / 700.0)

    edges = torch.linspace(mel(20), mel(RATE / 2), 82, dtype=torch.float64)
    at = torch.tensor([mel(i * RATE / 512) for i in range(256)], dtype=torch.float64)[:, None]
    left, centre, right = edges[:-2], edges[1:-1], edges[2:]
    banks = torch.minimum((at - left) / (centre - left), (right - at) / (right - centre))
    banks = torch.cat([banks.clamp(min=0), torch.zeros(1, 80, dtype=torch.float64)]).float()
    window = torch.hann_window(400, periodic=False, dtype=torch.float64).pow(0.85).float()
    f = x.unfold(-1, 400, 160)
    f = f - f.mean(-1, keepdim=True)
    f = torch.cat([f[..., :1] * (1 - 0.97), f[..., 1:] - 0.97 * f[..., :-1]], -1) * window
    power = torch.fft.rfft(f, 512).abs().square()
    return (power @ banks).clamp_min(torch.finfo(torch.float32).eps).log()


def cam_plus(w, features):
    def bn(x, name):
        return F.batch_norm(x, w[name + ".running_mean"], w[name + ".running_var"],
                            w.get(name + ".weight"), w.get(name + ".bias"))

    x = features.transpose(1, 2)[:, None]
    x = F.relu(bn(F.conv2d(x, w["head.conv1.weight"], padding=1), "head.bn1"))
    for layer in ("head.layer1", "head.layer2"):
        for i, stride in ((0, 2), (1, 1)):
            p = f"{layer}.{i}."
            y = F.conv2d(x, w[p + "conv1.weight"], stride=(stride, 1), padding=1)
            y = F.conv2d(F.relu(bn(y, p + "bn1")), w[p + "conv2.weight"], padding=1)
            if i == 0:
                x = bn(F.conv2d(x, w[p + "shortcut.0.weight"], stride=(2, 1)), p + "shortcut.1")
            x = F.relu(bn(y, p + "bn2") + x)
    x = F.conv2d(x, w["head.conv2.weight"], stride=(2, 1), padding=1)
    x = F.relu(bn(x, "head.bn2")).flatten(1, 2)
    x = F.conv1d(x, w["xvector.tdnn.linear.weight"], stride=2, padding=2)
    x = F.relu(bn(x, "xvector.tdnn.nonlinear.batchnorm"))
    for b, (layers, dilation) in enumerate(((12, 1), (24, 2), (16, 2)), 1):
        for i in range(1, layers + 1):
            p = f"xvector.block{b}.tdnnd{i}."
            y = F.conv1d(F.relu(bn(x, p + "nonlinear1.batchnorm")), w[p + "linear1.weight"])
            y = F.relu(bn(y, p + "nonlinear2.batchnorm"))
            p += "cam_layer."
            part = F.avg_pool1d(y, 100, 100, ceil_mode=True).repeat_interleave(100, 2)
            context = y.mean(2, keepdim=True) + part[:, :, : y.shape[2]]
            gate = F.relu(F.conv1d(context, w[p + "linear1.weight"], w[p + "linear1.bias"]))
            gate = F.conv1d(gate, w[p + "linear2.weight"], w[p + "linear2.bias"]).sigmoid()
            y = F.conv1d(y, w[p + "linear_local.weight"], padding=dilation, dilation=dilation)
            x = torch.cat([x, y * gate], 1)
        p = f"xvector.transit{b}."
        x = F.conv1d(F.relu(bn(x, p + "nonlinear.batchnorm")), w[p + "linear.weight"])
    x = F.relu(bn(x, "xvector.out_nonlinear.batchnorm"))
    x = torch.cat([x.mean(2), x.std(2, unbiased=True)], 1)
    x = F.linear(x, w["xvector.dense.linear.weight"][:, :, 0])
    return bn(x, "xvector.dense.nonlinear.batchnorm")


@torch.inference_mode()
def main():
    folder = Path(sys.argv[1])
    first = torch.load(folder / "segmentation-3.0.pt", weights_only=True)["state_dict"]
    second = torch.load(folder / "campplus.pt", weights_only=True)
    x = sound(10 * RATE)
    classes = segmentation(first, x[None])[0]
    features = fbank(x[None])
    features = features - features.mean(1, keepdim=True)

    def numbers(tensor):
        return [round(v, 5) for v in tensor.flatten().tolist()]

    print(json.dumps({
        "log_probabilities": numbers(classes[::60]),  # every 60th frame
        "classes": "".join(map(str, classes.argmax(-1).tolist())),
        "fbank": numbers(features[0, ::100, ::8]),
        "piece": numbers(cam_plus(second, features[:, :148] - features[:, :148].mean(1, True))),
        "whole": numbers(cam_plus(second, features)),  # 998 frames: segments of 100 count
    }, separators=(",", ":")))


if __name__ == "__main__":
    main()
