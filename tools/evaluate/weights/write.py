"""Writes a CTranslate2 model anew with whatever ctranslate2 is on the path, quantised:

  python -m evaluate.weights.write MODEL OUT FORM

The variables of a model in float16 have the names of the converter's own specification, so no
checkpoint of PyTorch is needed. It runs as a process of its own, as each has one ctranslate2.
"""

import json
import pathlib
import shutil
import struct
import sys

import numpy as np
from ctranslate2.specs import WhisperSpec, model_spec

TYPES = [np.float32, np.int8, np.int16, np.int32, np.float16]
# These are made by the converter, and not variables of the checkpoint.
COPIED = ("tokenizer.json", "config.json")


def read_variables(path):
    data, at = path.read_bytes(), 0

    def take(form):
        nonlocal at
        (value,) = struct.unpack_from("<" + form, data, at)
        at += struct.calcsize("<" + form)
        return value

    def text():
        nonlocal at
        size = take("H")
        at += size
        return data[at - size : at - 1].decode()

    take("I"), text(), take("I")
    variables = {}
    for _ in range(take("I")):
        name = text()
        shape = [take("I") for _ in range(take("B"))]
        kind, size = TYPES[take("B")], take("I")
        variables[name] = np.frombuffer(data, kind, size // np.dtype(kind).itemsize, at).reshape(shape)
        at += size
    for _ in range(take("I")):
        alias = text()
        variables[alias] = variables[text()]
    return variables


def layers(variables, side):
    names = {name.split("/")[1] for name in variables if name.startswith(f"{side}/layer_")}
    return len(names - {"layer_norm"})


def spec_of(variables):
    heads = [int(variables[f"{side}/num_heads"]) for side in ("encoder", "decoder")]
    spec = WhisperSpec(layers(variables, "encoder"), heads[0], layers(variables, "decoder"), heads[1])
    for name, value in variables.items():
        if value.ndim == 0:
            continue  # a setting, which the specification has made itself
        scope, _, attribute = name.rpartition("/")
        setattr(model_spec.index_spec(spec, scope), attribute, value.astype(np.float32))
    return spec


def tokens_of(model):
    if (model / "vocabulary.json").exists():
        return json.loads((model / "vocabulary.json").read_text("utf-8"))
    return (model / "vocabulary.txt").read_text("utf-8").rstrip("\n").split("\n")


def main(model, out, form):
    model, out = pathlib.Path(model), pathlib.Path(out)
    spec = spec_of(read_variables(model / "model.bin"))
    spec.register_vocabulary(tokens_of(model))
    spec.validate()
    spec.optimize(quantization=form)
    out.mkdir(parents=True)
    spec.save(str(out))
    for name in COPIED:
        shutil.copy(model / name, out / name)


if __name__ == "__main__":
    main(*sys.argv[1:])
