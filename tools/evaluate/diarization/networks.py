"""The two networks in torch, to be exported for sherpa-onnx: pyannote's segmentation-3.0 and 3D-Speaker's CAM++."""

import torch
import torch.nn.functional as F


class Segmentation(torch.nn.Module):
    """[batch, 1, samples] to [batch, frames, 7]: log-probabilities of the sets of at most two of three voices."""

    def __init__(self, file):
        super().__init__()
        weights = torch.load(file, map_location="cpu", weights_only=True)["state_dict"]
        self.w = weights
        self.filters = sinc_filters(weights)
        self.lstm = torch.nn.LSTM(60, 128, 4, batch_first=True, bidirectional=True)
        self.lstm.load_state_dict(
            {k.removeprefix("lstm."): v for k, v in weights.items() if k.startswith("lstm.")}
        )
        self.eval()

    def _norm(self, x, name):
        return F.instance_norm(x, weight=self.w[f"{name}.weight"], bias=self.w[f"{name}.bias"])

    def forward(self, x):
        w = self.w
        x = F.conv1d(self._norm(x, "sincnet.wav_norm1d"), self.filters, stride=10).abs()
        x = F.leaky_relu(self._norm(F.max_pool1d(x, 3), "sincnet.norm1d.0"))
        for i in (1, 2):
            x = F.conv1d(x, w[f"sincnet.conv1d.{i}.weight"], w[f"sincnet.conv1d.{i}.bias"])
            x = F.leaky_relu(self._norm(F.max_pool1d(x, 3), f"sincnet.norm1d.{i}"))
        x, _ = self.lstm(x.transpose(1, 2))
        for i in (0, 1):
            x = F.leaky_relu(F.linear(x, w[f"linear.{i}.weight"], w[f"linear.{i}.bias"]))
        return F.log_softmax(F.linear(x, w["classifier.weight"], w["classifier.bias"]), -1)


def sinc_filters(weights):
    """40 even and 40 odd band passes of 251 taps out of 40 pairs of edges in Hz: [80, 1, 251]."""
    p = "sincnet.conv1d.0.filterbank."
    low = 50 + weights[p + "low_hz_"].abs()
    high = (low + 50 + weights[p + "band_hz_"].abs()).clamp(50, 8000)
    times, window = weights[p + "n_"], weights[p + "window_"]
    band = high - low
    even = ((high @ times).sin() - (low @ times).sin()) / (times / 2) * window
    odd = ((low @ times).cos() - (high @ times).cos()) / (times / 2) * window
    even = torch.cat([even, 2 * band, even.flip(1)], 1)
    odd = torch.cat([odd, torch.zeros_like(band), -odd.flip(1)], 1)
    return (torch.cat([even, odd]) / torch.cat([2 * band, 2 * band]))[:, None]


class CamPlus(torch.nn.Module):
    """[batch, frames, 80] log-mel frames without their mean to [batch, 192]: a voice."""

    def __init__(self, file):
        super().__init__()
        self.w = torch.load(file, map_location="cpu", weights_only=True)
        self.eval()

    def _norm(self, x, name):
        w = self.w
        return F.batch_norm(x, w[f"{name}.running_mean"], w[f"{name}.running_var"],
                            w.get(f"{name}.weight"), w.get(f"{name}.bias"))  # fmt: skip

    def _block(self, x, name, stride):
        """A residual block over bands and frames; only bands are strided."""
        y = F.conv2d(x, self.w[f"{name}.conv1.weight"], stride=(stride, 1), padding=1)
        y = F.conv2d(F.relu(self._norm(y, f"{name}.bn1")), self.w[f"{name}.conv2.weight"], padding=1)
        if stride > 1:
            x = F.conv2d(x, self.w[f"{name}.shortcut.0.weight"], stride=(stride, 1))
            x = self._norm(x, f"{name}.shortcut.1")
        return F.relu(x + self._norm(y, f"{name}.bn2"))

    def _head(self, x):
        x = F.conv2d(x.transpose(1, 2)[:, None], self.w["head.conv1.weight"], padding=1)
        x = F.relu(self._norm(x, "head.bn1"))
        for layer in ("head.layer1", "head.layer2"):
            x = self._block(self._block(x, f"{layer}.0", 2), f"{layer}.1", 1)
        x = F.conv2d(x, self.w["head.conv2.weight"], stride=(2, 1), padding=1)
        return F.relu(self._norm(x, "head.bn2")).flatten(1, 2)

    def _masked(self, x, name, dilation):
        """A convolution whose channels are weighted by what the whole and each 100 frames are like."""
        y = F.conv1d(x, self.w[f"{name}.linear_local.weight"], padding=dilation, dilation=dilation)
        parts = F.avg_pool1d(x, 100, 100, ceil_mode=True, count_include_pad=False)
        parts = parts[..., None].expand(-1, -1, -1, 100).flatten(2)[:, :, : x.shape[2]]
        context = x.mean(2, keepdim=True) + parts
        context = F.relu(F.conv1d(context, self.w[f"{name}.linear1.weight"], self.w[f"{name}.linear1.bias"]))
        mask = F.conv1d(context, self.w[f"{name}.linear2.weight"], self.w[f"{name}.linear2.bias"])
        return y * mask.sigmoid()

    def forward(self, x):
        w = self.w
        x = F.conv1d(self._head(x), w["xvector.tdnn.linear.weight"], stride=2, padding=2)
        x = F.relu(self._norm(x, "xvector.tdnn.nonlinear.batchnorm"))
        for block, (layers, dilation) in enumerate(((12, 1), (24, 2), (16, 2)), 1):
            for layer in range(1, layers + 1):
                p = f"xvector.block{block}.tdnnd{layer}"
                y = F.relu(self._norm(x, f"{p}.nonlinear1.batchnorm"))
                y = F.conv1d(y, w[f"{p}.linear1.weight"])
                y = F.relu(self._norm(y, f"{p}.nonlinear2.batchnorm"))
                x = torch.cat([x, self._masked(y, f"{p}.cam_layer", dilation)], 1)
            p = f"xvector.transit{block}"
            x = F.conv1d(F.relu(self._norm(x, f"{p}.nonlinear.batchnorm")), w[f"{p}.linear.weight"])
        x = F.relu(self._norm(x, "xvector.out_nonlinear.batchnorm"))
        x = torch.cat([x.mean(2), x.std(2, unbiased=True)], 1)
        x = F.linear(x, w["xvector.dense.linear.weight"][:, :, 0])
        return self._norm(x, "xvector.dense.nonlinear.batchnorm")  # no ReLU follows
