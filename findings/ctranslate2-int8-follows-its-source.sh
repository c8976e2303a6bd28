#!/usr/bin/env bash
# Guess: a CTranslate2 model that was converted with --quantization int8 has one form: weights of 8
# bits, the rest in float32.
# Reality: int8 leaves what is not quantised (biases, norms, positions) in the type of the source.
# From a float16 checkpoint they are float16, so "int8" is what int8_float16 writes; from a float32
# one it is int8_float32. Files of one name and one command differ in size and in numbers, and only
# the variables' types tell.
# Seen with ctranslate2 4.8.5 on Python 3.11:
#   float32 source, int8: bias float32
#   float16 source, int8: bias float16
#   float16 source, int8_float32: bias float32
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
python3 -m venv venv
venv/bin/pip install --quiet --disable-pip-version-check ctranslate2==4.8.5 numpy==2.4.6 setuptools==84.2.1
cat >look.py <<'PYTHON'
import numpy as np
from ctranslate2.specs import common_spec, model_spec


class Toy(model_spec.ModelSpec):
    name = "Toy"

    def __init__(self):
        super().__init__()
        self.linear = common_spec.LinearSpec()


for source, quantization in (("float32", "int8"), ("float16", "int8"), ("float16", "int8_float32")):
    spec = Toy()
    spec.linear.weight = np.ones((4, 8), dtype=source)
    spec.linear.bias = np.ones(4, dtype=source)
    spec.validate()
    spec.optimize(quantization=quantization)
    print(f"{source} source, {quantization}: bias {spec.variables()['linear/bias'].dtype}")
PYTHON
venv/bin/python look.py | tee seen
grep -qx 'float32 source, int8: bias float32' seen
grep -qx 'float16 source, int8: bias float16' seen
grep -qx 'float16 source, int8_float32: bias float32' seen
