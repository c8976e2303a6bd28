#!/usr/bin/env bash
# Guess: an archive of arrays that MLX's savez wrote is read by NumPy as what it was: bfloat16 is
# refused or comes as float32, and an array that was made row by row is said to be in C order.
# Reality: bfloat16 is written as NumPy's type <V2, two bytes of no type, which NumPy loads without
# a word and cannot compute with. A list and an array of a single row are said to be in Fortran's
# order, and a list of pairs that was transposed is in it, so whoever takes the flag for an error
# refuses every Whisper model that MLX's converter wrote: its alignment_heads are such a list.
# Seen with mlx 0.32.4 and numpy 2.3.5, the header of each array:
#   bfloat16 [2, 3]: '<V2' False
#   float32 [4]: '<f4' True
#   float32 [1, 4]: '<f4' True
#   int64 [3, 2], transposed from [2, 3]: '<i8' True
#   numpy loads |V2 and computes: False
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/venv"
"$folder/venv/bin/pip" --quiet --disable-pip-version-check install --only-binary :all: \
  mlx==0.32.4 mlx-cpu==0.32.4 numpy==2.3.5
"$folder/venv/bin/python" - "$folder/a.npz" <<'PYTHON'
import re
import sys
import zipfile
from importlib.metadata import version

import mlx.core as mx
import numpy as np

mx.set_default_device(mx.cpu)
print("mlx", version("mlx"), "numpy", np.__version__)
arrays = {
    "bfloat16 [2, 3]": mx.ones((2, 3), mx.bfloat16),
    "float32 [4]": mx.zeros((4,)),
    "float32 [1, 4]": mx.zeros((1, 4)),
    "int64 [3, 2], transposed from [2, 3]": mx.array(np.arange(6).reshape(2, 3)).T,
}
mx.savez(sys.argv[1], **arrays)
found = {}
with zipfile.ZipFile(sys.argv[1]) as archive:
    for name in arrays:
        header = archive.read(name + ".npy")[10:128].decode("latin-1")
        found[name] = re.search(r"'descr': ('[^']*'), 'fortran_order': (\w+)", header).groups()
        print(f"{name}: {' '.join(found[name])}")
loaded = np.load(sys.argv[1])["bfloat16 [2, 3]"]
try:
    loaded + 1
    computes = True
except TypeError:
    computes = False
print("numpy loads", loaded.dtype.str, "and computes:", computes)
assert found["bfloat16 [2, 3]"][0] == "'<V2'" and not computes
assert all(found[name][1] == "True" for name in list(arrays)[1:])
PYTHON
