#!/usr/bin/env python3
"""Makes the files beside it with ggml, gguf and MLX themselves.

types.gguf holds for each quantised type of ggml one row of 256 numbers ("q4_K") and the numbers
that ggml reads in it ("q4_K.numbers"); ggml's library comes with the package pywhispercpp.
groups.npz holds for each width that MLX packs one row of 64 numbers in groups of 32 ("4.weight",
"4.scales", "4.biases") and the numbers that MLX reads in it ("4.numbers").

  pip install gguf==0.19.0 pywhispercpp==1.5.1 mlx[cpu]==0.32.4 && python3 make_fixtures.py
"""

import ctypes
import pathlib
import site

import gguf
import numpy as np

TYPES = ["Q4_0", "Q4_1", "Q5_0", "Q5_1", "Q8_0", "Q2_K", "Q3_K", "Q4_K", "Q5_K", "Q6_K", "Q8_K"]
NUMBERS = 256


def ggml():
    for folder in site.getsitepackages():
        for path in pathlib.Path(folder).glob("libggml-base.so*"):
            return ctypes.CDLL(str(path))
    raise SystemExit("libggml-base.so is missing: pip install pywhispercpp==1.5.1")


def quantise(library, kind, row):
    # ggml_quantize_chunk has no q8_K, which ggml computes with and candle stores.
    if kind == gguf.GGMLQuantizationType.Q8_K:
        packed = np.zeros(292, np.uint8)
        library.quantize_row_q8_K_ref(row.ctypes, packed.ctypes, ctypes.c_int64(NUMBERS))
        return packed
    library.ggml_row_size.restype = ctypes.c_size_t
    library.ggml_quantize_chunk.restype = ctypes.c_size_t
    size = library.ggml_row_size(int(kind), ctypes.c_int64(NUMBERS))
    packed = np.zeros(size, np.uint8)
    count = [ctypes.c_int64(n) for n in (0, 1, NUMBERS)]
    assert library.ggml_quantize_chunk(int(kind), row.ctypes, packed.ctypes, *count, None) == size
    return packed


def write_groups(path):
    import mlx.core as mx

    mx.set_default_device(mx.cpu)
    row = mx.array(np.random.default_rng(6).normal(scale=0.05, size=(1, 64)).astype(np.float32))
    arrays = {}
    for bits in (2, 3, 4, 5, 6, 8):
        words, scales, biases = mx.quantize(row, group_size=32, bits=bits)
        numbers = mx.dequantize(words, scales, biases, group_size=32, bits=bits)
        arrays |= {f"{bits}.weight": words, f"{bits}.scales": scales, f"{bits}.biases": biases}
        arrays[f"{bits}.numbers"] = numbers
    mx.savez(path, **arrays)


def main():
    write_groups(pathlib.Path(__file__).parent / "groups.npz")
    library = ggml()
    random = np.random.default_rng(5)
    row = random.normal(scale=0.05, size=NUMBERS).astype(np.float32)
    writer = gguf.GGUFWriter(pathlib.Path(__file__).parent / "types.gguf", "numbers")
    writer.add_uint32("numbers.count", NUMBERS)
    writer.add_int32("numbers.negative", -1)
    writer.add_bool("numbers.random", True)
    writer.add_array("numbers.names", TYPES)
    writer.add_array("numbers.seeds", [5, 6])
    for name in TYPES:
        kind = gguf.GGMLQuantizationType[name]
        packed = quantise(library, kind, row)
        numbers = np.zeros(NUMBERS, np.float32)
        # Its symbols are dequantize_row_q4_0 and dequantize_row_q4_K.
        read = getattr(library, "dequantize_row_" + "q" + name[1:])
        read(packed.ctypes, numbers.ctypes, ctypes.c_int64(NUMBERS))
        writer.add_tensor(name, packed.reshape(1, -1), raw_dtype=kind)
        writer.add_tensor(name + ".numbers", numbers)
    writer.write_header_to_file()
    writer.write_kv_data_to_file()
    writer.write_tensors_to_file()
    writer.close()


if __name__ == "__main__":
    main()
