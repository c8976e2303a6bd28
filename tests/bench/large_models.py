"""Files of a synthetic large-v3 of about 3 GB: the right names and shapes, random numbers. They are
written in pieces, so that a writer holds some megabytes. convert_weights.py has the forms' details.
"""

import json
import pathlib
import random
import struct
import sys
import zipfile

sys.path[0:0] = [str(pathlib.Path(__file__).resolve().parents[i] / folder)
                 for i, folder in ((1, "integration"), (2, "tools"))]

# pylint: disable=wrong-import-position
import nano_model
import numpy as np
from convert_weights import Pickle, hugging_face_name, mel_filters

WIDTH, LAYERS, HEADS, N_MELS, N_VOCAB = 1280, 32, 20, 128, 51866
TEXT_TOKENS = 50257
DIMS = {"n_mels": N_MELS, "n_audio_ctx": 1500, "n_audio_state": WIDTH, "n_audio_head": HEADS,
        "n_audio_layer": LAYERS, "n_vocab": N_VOCAB, "n_text_ctx": 448, "n_text_state": WIDTH,
        "n_text_head": HEADS, "n_text_layer": LAYERS}
PIECE = 4 << 20


class Noise:
    """Random bytes, the same four megabytes again and again, as finite numbers of each type."""

    def __init__(self):
        numbers = np.random.default_rng(5)
        self.blocks = {
            "f32": numbers.normal(0, 0.03, PIECE // 4).astype(np.float32).tobytes(),
            "f16": numbers.normal(0, 0.03, PIECE // 2).astype(np.float16).tobytes(),
            "i8": random.Random(5).randbytes(PIECE)}

    def write(self, file, kind, count):
        left = count * {"f32": 4, "f16": 2, "i8": 1}[kind]
        while left > 0:
            left -= file.write(self.blocks[kind][:left])


NOISE = Noise()


class Tensor:
    """The facts of a tensor that numpy's has, without its numbers."""

    def __init__(self, shape, kind="f16"):
        self.shape, self.kind = tuple(shape), kind
        self.dtype = np.dtype({"f32": np.float32, "f16": np.float16, "i8": np.int8}[kind])
        self.itemsize, self.size = self.dtype.itemsize, int(np.prod(shape, dtype=np.int64))
        self.strides = tuple(int(np.prod(shape[i + 1:], dtype=np.int64)) * self.itemsize
                             for i in range(len(shape)))

    def write(self, file):
        NOISE.write(file, self.kind, self.size)


def tensors():
    """By openai/whisper's names."""
    found = {"encoder.positional_embedding": (1500, WIDTH),
             "decoder.positional_embedding": (448, WIDTH),
             "decoder.token_embedding.weight": (N_VOCAB, WIDTH)}

    def layer(name, *shape):
        found.update({f"{name}.weight": shape, f"{name}.bias": shape[:1]})

    layer("encoder.conv1", WIDTH, N_MELS, 3)
    layer("encoder.conv2", WIDTH, WIDTH, 3)
    layer("encoder.ln_post", WIDTH)
    layer("decoder.ln", WIDTH)
    for side in ("encoder", "decoder"):
        for i in range(LAYERS):
            block = f"{side}.blocks.{i}"
            for attention in ("attn", "cross_attn")[:1 + (side == "decoder")]:
                layer(f"{block}.{attention}_ln", WIDTH)
                for part in ("query", "value", "out"):
                    layer(f"{block}.{attention}.{part}", WIDTH, WIDTH)
                found[f"{block}.{attention}.key.weight"] = (WIDTH, WIDTH)
            layer(f"{block}.mlp_ln", WIDTH)
            layer(f"{block}.mlp.0", 4 * WIDTH, WIDTH)
            layer(f"{block}.mlp.2", WIDTH, 4 * WIDTH)
    return {name: Tensor(shape) for name, shape in found.items()}


def write_tokenizer(folder):
    tokens = [nano_model._byte_names()[byte] for byte in range(256)]
    tokens += [f"a{i}" for i in range(TEXT_TOKENS - 256)]
    model = {"type": "BPE", "vocab": {token: i for i, token in enumerate(tokens)}, "merges": []}
    added = [{"id": TEXT_TOKENS, "content": "<|endoftext|>", "special": True}]
    (folder / "tokenizer.json").write_text(
        json.dumps({"version": "1.0", "added_tokens": added, "model": model}))


def write_config(folder):
    (folder / "config.json").write_text(json.dumps({
        "model_type": "whisper", "d_model": WIDTH, "num_mel_bins": N_MELS, "vocab_size": N_VOCAB,
        "encoder_layers": LAYERS, "decoder_layers": LAYERS, "encoder_attention_heads": HEADS,
        "decoder_attention_heads": HEADS} | DIMS))


def safetensors(folder):
    header, end = {}, 0
    named = {hugging_face_name(name): tensor for name, tensor in tensors().items()}
    for name, tensor in named.items():
        size = tensor.size * tensor.itemsize
        header[name] = {"dtype": "F16", "shape": tensor.shape, "data_offsets": [end, end + size]}
        end += size
    text = json.dumps(header).encode()
    with open(folder / "model.safetensors", "wb") as file:
        file.write(struct.pack("<Q", len(text)) + text)
        for tensor in named.values():
            tensor.write(file)
    write_config(folder)


def pytorch(folder):
    all_tensors = tensors()
    with zipfile.ZipFile(folder / "model.pt", "w", zipfile.ZIP_STORED) as archive:
        archive.writestr("model/data.pkl", Pickle(legacy=False).checkpoint(DIMS, all_tensors))
        archive.writestr("model/byteorder", "little")
        for i, tensor in enumerate(all_tensors.values()):
            with archive.open(f"model/data/{i}", "w", force_zip64=True) as file:
                tensor.write(file)
        archive.writestr("model/version", "3\n")


def ggml(folder):
    fields = ("n_vocab", "n_audio_ctx", "n_audio_state", "n_audio_head", "n_audio_layer",
              "n_text_ctx", "n_text_state", "n_text_head", "n_text_layer", "n_mels")
    filters = mel_filters(N_MELS)
    with open(folder / "ggml-model.bin", "wb") as file:
        file.write(struct.pack("<I11i", 0x67676D6C, *(DIMS[field] for field in fields), 1))
        file.write(struct.pack("<ii", *filters.shape) + filters.tobytes())
        file.write(struct.pack("<i", TEXT_TOKENS))
        for i in range(TEXT_TOKENS):
            token = bytes([i]) if i < 256 else f"a{i}".encode()
            file.write(struct.pack("<i", len(token)) + token)
        for name, tensor in tensors().items():
            shape = tensor.shape
            plain = len(shape) == 1 or name.endswith("positional_embedding")
            if name in ("encoder.conv1.bias", "encoder.conv2.bias"):
                shape = (shape[0], 1)
            file.write(struct.pack("<iii", len(shape), len(name), 0 if plain else 1))
            file.write(struct.pack(f"<{len(shape)}i", *reversed(shape)) + name.encode())
            Tensor(shape, "f32" if plain else "f16").write(file)


def ctranslate2_variables(int8):
    """Name → tensor, or the bytes of a setting."""
    found = {}

    def linear(path, *shape):
        found[f"{path}/weight"] = Tensor(shape, "i8" if int8 else "f16")
        if int8:
            found[f"{path}/weight_scale"] = Tensor(shape[:1], "f32")
        found[f"{path}/bias"] = Tensor(shape[:1], "f16")

    def norm(path):
        found.update({f"{path}/{part}": Tensor((WIDTH,)) for part in ("gamma", "beta")})

    for side in ("encoder", "decoder"):
        found[f"{side}/num_heads"] = struct.pack("<h", HEADS)
        found[f"{side}/position_encodings/encodings"] = Tensor(
            (1500 if side == "encoder" else 448, WIDTH))
        norm(f"{side}/layer_norm")
        for i in range(LAYERS):
            path = f"{side}/layer_{i}"
            for part in ("self_attention", "ffn", "attention")[:2 + (side == "decoder")]:
                norm(f"{path}/{part}/layer_norm")
            linear(f"{path}/self_attention/linear_0", 3 * WIDTH, WIDTH)
            linear(f"{path}/self_attention/linear_1", WIDTH, WIDTH)
            linear(f"{path}/ffn/linear_0", 4 * WIDTH, WIDTH)
            linear(f"{path}/ffn/linear_1", WIDTH, 4 * WIDTH)
            if side == "decoder":
                linear(f"{path}/attention/linear_0", WIDTH, WIDTH)
                linear(f"{path}/attention/linear_1", 2 * WIDTH, WIDTH)
                linear(f"{path}/attention/linear_2", WIDTH, WIDTH)
    for name, channels in (("conv1", N_MELS), ("conv2", WIDTH)):
        found[f"encoder/{name}/weight"] = Tensor((WIDTH, channels, 3))
        found[f"encoder/{name}/bias"] = Tensor((WIDTH,))
    linear("decoder/embeddings", N_VOCAB, WIDTH)
    del found["decoder/embeddings/bias"]
    return found


def ctranslate2(folder, int8=False):
    types = {"f32": 0, "i8": 1, "f16": 4}

    def text(name):
        return struct.pack("<H", len(name) + 1) + name.encode() + b"\0"

    variables = ctranslate2_variables(int8)
    with open(folder / "model.bin", "wb") as file:
        file.write(struct.pack("<I", 6) + text("WhisperSpec") + struct.pack("<II", 3, len(variables)))
        for name, tensor in variables.items():
            if isinstance(tensor, bytes):
                file.write(text(name) + struct.pack("<BBI", 0, 2, 2) + tensor)
                continue
            file.write(text(name) + struct.pack("<B", len(tensor.shape)))
            file.write(struct.pack(f"<{len(tensor.shape)}I", *tensor.shape))
            file.write(struct.pack("<BI", types[tensor.kind], tensor.size * tensor.itemsize))
            if name.endswith("linear_0/bias") or name.endswith("attention/linear_1/bias"):
                file.write(bytes(tensor.size * tensor.itemsize))  # keys have none
            else:
                tensor.write(file)
        file.write(struct.pack("<I", 1) + text("decoder/projection/weight"))
        file.write(text("decoder/embeddings/weight"))
    (folder / "config.json").write_text("{}")


def gguf(folder):
    """As candle has it: transformers' names and no facts."""
    named = {hugging_face_name(name): tensor for name, tensor in tensors().items()}
    with open(folder / "model.gguf", "wb") as file:
        file.write(b"GGUF" + struct.pack("<IQQ", 3, len(named), 0))
        end = 0
        for name, tensor in named.items():
            file.write(struct.pack("<Q", len(name)) + name.encode())
            file.write(struct.pack(f"<I{len(tensor.shape)}QIQ", len(tensor.shape),
                                   *reversed(tensor.shape), 1, end))
            end += -(-tensor.size * tensor.itemsize // 32) * 32
        file.write(bytes(-file.tell() % 32))
        for tensor in named.values():
            tensor.write(file)
            file.write(bytes(-(tensor.size * tensor.itemsize) % 32))


def mlx(folder):
    with zipfile.ZipFile(folder / "weights.npz", "w", zipfile.ZIP_STORED) as archive:
        for name, tensor in tensors().items():
            if name == "encoder.positional_embedding":
                continue
            shape = tensor.shape
            if len(shape) == 3:
                shape = (shape[0], shape[2], shape[1])
            name = name.replace("mlp.0", "mlp1").replace("mlp.2", "mlp2")
            with archive.open(f"{name}.npy", "w", force_zip64=True) as file:
                np.lib.format.write_array_header_1_0(
                    file, {"descr": "<f2", "fortran_order": False, "shape": shape})
                tensor.write(file)
    write_config(folder)


FORMS = {"safetensors": safetensors, "pytorch": pytorch, "ggml": ggml, "ctranslate2": ctranslate2,
         "ctranslate2-int8": lambda folder: ctranslate2(folder, int8=True), "gguf": gguf, "mlx": mlx}
