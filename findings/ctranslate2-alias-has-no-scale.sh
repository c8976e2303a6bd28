#!/usr/bin/env bash
# Guess: in an int8 model.bin of CTranslate2 every weight of 8 bits has its scales beside it, under
# its own name with "_scale", as CTranslate2's own table of variables suggests.
# Reality: the converter makes aliases of equal variables first and quantises then. The output
# projection of a model with tied embeddings is an alias of the embedding, which alone gets scales:
# there is no decoder/projection/weight_scale, and none among the aliases. CTranslate2 finds them
# by the variable that the alias stands for. A reader that copies a variable under its alias and
# then looks for that name's scales refuses every quantised Whisper.
# Seen with ctranslate2 4.3.1, 4.6.3, 4.7.2, 4.8.0 and 4.8.5 on Python 3.11:
#   embeddings/weight: int8 [4, 8]
#   embeddings/weight_scale: float32 [4]
#   projection/weight: alias of embeddings/weight
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
        self.embeddings = common_spec.EmbeddingsSpec()
        self.projection = common_spec.LinearSpec()


spec = Toy()
spec.embeddings.weight = np.arange(32, dtype=np.float32).reshape(4, 8)
spec.projection.weight = spec.embeddings.weight.copy()
spec.validate()
spec.optimize(quantization="int8")
for name, value in spec.variables(ordered=True):
    if isinstance(value, str):
        print(f"{name}: alias of {value}")
    elif "weight" in name and not value.is_scalar():
        print(f"{name}: {value.dtype} {list(value.shape)}")
PYTHON
venv/bin/python look.py | tee seen
grep -qx 'embeddings/weight_scale: float32 \[4\]' seen
grep -qx 'projection/weight: alias of embeddings/weight' seen
if grep -q '^projection/weight_scale' seen; then exit 1; fi
