"""The same model through every reader: bit-equal numbers, and for ggml's quantised types the
numbers of an independent dequantisation, within the format's own error.

SCRIBED_MODELS names a folder with CTranslate2 models (base, tiny.en, …), SCRIBED_BUILD the build
folder. Skipped without them, or without numpy.
"""

import json
import os
import pathlib
import struct
import subprocess
import sys
import tempfile
import unittest

try:
    import numpy as np
except ImportError:
    np = None

ROOT = pathlib.Path(__file__).resolve().parents[2]
BUILD = pathlib.Path(os.environ.get("SCRIBED_BUILD", ROOT / "build" / "release"))
DUMP = BUILD / "tests" / "dump_weights"
MODELS = os.environ.get("SCRIBED_MODELS")
EXACT = {
    "pt": "{name}.pt",
    "pt-legacy": "{name}-legacy.pt",
    "safetensors": "safetensors",
    "safetensors-sharded": "sharded",
    "ggml-f32": "ggml-{name}-f32.bin",
    "ggml-f16": "ggml-{name}-f16.bin",
}
# Steps between two neighbouring numbers of a block, as a share of its range: the largest error is
# half of one, and a whole one at the end that the type's asymmetry cuts off.
QUANTISED = {"q8_0": 0.5 / 127, "q5_0": 1 / 16, "q5_1": 1 / 31, "q4_0": 1 / 8}


def dump(model, folder):
    """What the readers give: the report, and every tensor as float32 by name."""
    out = pathlib.Path(folder) / "dump.f32"
    result = subprocess.run([DUMP, model, out], capture_output=True, text=True, check=False)
    report = json.loads(result.stdout)
    if result.returncode != 0:
        raise AssertionError(report)
    numbers = np.fromfile(out, dtype=np.float32)
    tensors, at = {}, 0
    for name, facts in report["tensors"].items():
        count = int(np.prod(facts["shape"]))
        tensors[name] = numbers[at : at + count].reshape(facts["shape"])
        at += count
    assert at == numbers.size
    out.unlink()
    return report, tensors


def ggml_tensors(path):
    """A plain reading of a ggml file: {name: (type, shape, bytes)}."""
    data = path.read_bytes()
    n_mels, n_bins = struct.unpack_from("<ii", data, 48)
    at = 56 + 4 * n_mels * n_bins
    (count,) = struct.unpack_from("<i", data, at)
    at += 4
    for _ in range(count):
        at += 4 + struct.unpack_from("<i", data, at)[0]
    sizes = {0: (1, 4), 1: (1, 2), 2: (32, 18), 6: (32, 22), 7: (32, 24), 8: (32, 34)}
    while at < len(data):
        rank, length, kind = struct.unpack_from("<iii", data, at)
        shape = struct.unpack_from(f"<{rank}i", data, at + 12)[::-1]
        at += 12 + 4 * rank
        name = data[at : at + length].decode()
        at += length
        block, width = sizes[kind]
        size = int(np.prod(shape)) // block * width
        yield name, kind, shape, data[at : at + size]
        at += size


def dequantise(kind, data):
    half = {2: 1, 6: 1, 7: 2, 8: 1}[kind]
    width = {2: 18, 6: 22, 7: 24, 8: 34}[kind]
    rows = np.frombuffer(data, np.uint8).reshape(-1, width)
    head = rows[:, : 2 * half].copy().view(np.float16).astype(np.float32)
    if kind == 8:
        return rows[:, 2:].copy().view(np.int8).astype(np.float32) * head[:, :1]
    nibbles = rows[:, -16:]
    q = np.concatenate([nibbles & 15, nibbles >> 4], axis=1).astype(np.int32)
    if kind != 2:
        bits = np.unpackbits(rows[:, 2 * half : 2 * half + 4], axis=1, bitorder="little")
        q += 16 * bits
    if kind == 7:
        return q.astype(np.float32) * head[:, :1] + head[:, 1:]
    return (q - {2: 8, 6: 16}[kind]).astype(np.float32) * head[:, :1]


@unittest.skipUnless(np, "needs numpy")
@unittest.skipUnless(MODELS, "SCRIBED_MODELS is not set")
@unittest.skipUnless(DUMP.exists(), f"{DUMP} is not built")
class SameModelInEveryFormat(unittest.TestCase):
    def models(self):
        found = sorted(path.parent for path in pathlib.Path(MODELS).glob("*/model.bin"))
        self.assertTrue(found, f"{MODELS} holds no CTranslate2 model")
        return found

    def convert(self, model, kind, folder):
        tool = [sys.executable, ROOT / "tools" / "convert_weights.py"]
        command = [*tool, model, folder, kind, "--name", "m"]
        subprocess.run(command, check=True, stdout=subprocess.DEVNULL)

    def test_unquantised_formats_are_bit_equal(self):
        for model in self.models():
            with tempfile.TemporaryDirectory() as folder:
                reference, expected = dump(model, folder)
                self.assertEqual(
                    reference["alignment_heads"],
                    json.loads((model / "config.json").read_text())["alignment_heads"],
                )
            for kind, file in EXACT.items():
                with self.subTest(model.name, kind=kind), tempfile.TemporaryDirectory() as folder:
                    self.convert(model, kind, folder)
                    report, tensors = dump(pathlib.Path(folder) / file.format(name="m"), folder)
                    self.assertEqual(report["dims"], reference["dims"])
                    self.assertEqual(list(tensors), list(expected))
                    for name, tensor in tensors.items():
                        same = np.array_equal(
                            tensor.view(np.uint32), expected[name].view(np.uint32)
                        )
                        self.assertTrue(same, name)

    def test_quantised_types_equal_their_definition_and_stay_within_their_error(self):
        for model in self.models():
            with tempfile.TemporaryDirectory() as folder:
                _, expected = dump(model, folder)
            for kind, step in QUANTISED.items():
                with self.subTest(model.name, kind=kind), tempfile.TemporaryDirectory() as folder:
                    self.convert(model, "ggml-" + kind, folder)
                    path = pathlib.Path(folder) / f"ggml-m-{kind}.bin"
                    report, tensors = dump(path, folder)
                    self.assertEqual(list(tensors), list(expected))
                    self.compare_quantised(path, report, tensors, expected, kind, step)

    def compare_quantised(self, path, report, tensors, expected, kind, step):
        compared = 0
        for name, number, _, data in ggml_tensors(path):
            tensor = tensors[name]
            if number < 2:
                self.assertTrue(np.array_equal(tensor, expected[name]), name)
                continue
            self.assertEqual(report["tensors"][name]["dtype"], kind)
            definition = dequantise(number, data).reshape(tensor.shape)
            self.assertTrue(np.array_equal(tensor, definition), name)
            blocks = expected[name].reshape(-1, 32)
            if kind == "q5_1":
                span = blocks.max(axis=1) - blocks.min(axis=1)
            else:
                span = np.abs(blocks).max(axis=1)
            error = np.abs(tensor.reshape(-1, 32) - blocks).max(axis=1)
            # Scale and minimum are half-precision numbers themselves, off by 2^-11 of their value
            # or, below its normal range, by 2^-25; up to 127 steps multiply that.
            rounding = np.abs(blocks).max(axis=1) * 2.0**-10 + 128 * 2.0**-25
            self.assertTrue(np.all(error <= span * step + rounding), name)
            compared += 1
        self.assertGreater(compared, 0)


if __name__ == "__main__":
    unittest.main()
