#!/usr/bin/env python3
"""Turns the weights of a CTranslate2 Whisper folder into the other file formats that scribed reads.

    convert_weights.py FOLDER OUT pt pt-legacy safetensors safetensors-sharded ggml-f16 …

Formats and what they become in OUT (NAME is --name, by default the folder's name):
    pt                   NAME.pt, as torch.save writes it since 1.6
    pt-legacy            NAME-legacy.pt, as before 1.6
    safetensors          safetensors/model.safetensors with Hugging Face's names, and config.json
    safetensors-sharded  sharded/model-00001-of-00003.safetensors … and the index
    ggml-f32 ggml-f16 ggml-q8_0 ggml-q5_0 ggml-q5_1 ggml-q4_0    ggml-NAME-TYPE.bin
    npz                  NAME.npz under openai/whisper's names, for comparisons

Needs numpy and nothing else. Numbers keep the precision they have in FOLDER, except where a format
has its own: ggml stores vectors and positions in float32.
"""

import argparse
import json
import pathlib
import struct
import zipfile

import numpy as np

CT2_TYPES = [np.float32, np.int8, np.int16, np.int32, np.float16]


# ---- reading CTranslate2 ---------------------------------------------------------------------


def read_ctranslate2(path):
    """All variables of a model.bin by name, aliases resolved."""
    data = path.read_bytes()
    at = 0

    def number(code):
        nonlocal at
        (value,) = struct.unpack_from("<" + code, data, at)
        at += struct.calcsize(code)
        return value

    def text():
        nonlocal at
        size = number("H")
        at += size
        return data[at - size : at - 1].decode()

    if not 4 <= number("I") <= 6 or text() != "WhisperSpec":
        raise SystemExit(f"{path}: not a CTranslate2 Whisper model")
    number("I")
    variables = {}
    for _ in range(number("I")):
        name = text()
        shape = [number("I") for _ in range(number("B"))]
        dtype, size = number("B"), number("I")
        variables[name] = np.frombuffer(data[at : at + size], CT2_TYPES[dtype]).reshape(shape)
        at += size
    for _ in range(number("I")):
        alias = text()
        variables[alias] = variables[text()]
    return variables


def openai_tensors(variables):
    """The model's tensors under openai/whisper's names, in the order of its state_dict."""
    tensors = {}

    def linear(name, path):
        tensors[name + ".weight"] = variables[path + "/weight"]
        tensors[name + ".bias"] = variables[path + "/bias"]

    def norm(name, path):
        tensors[name + ".weight"] = variables[path + "/gamma"]
        tensors[name + ".bias"] = variables[path + "/beta"]

    def fused(name, path, parts):
        weights = np.split(variables[path + "/weight"], len(parts))
        biases = np.split(variables[path + "/bias"], len(parts))
        for part, weight, bias in zip(parts, weights, biases):
            tensors[f"{name}.{part}.weight"] = weight
            if part != "key":  # Whisper's keys have no bias; CTranslate2 stores zeros
                tensors[f"{name}.{part}.bias"] = bias

    def side(name):
        tensors[name + ".positional_embedding"] = variables[name + "/position_encodings/encodings"]
        if name == "encoder":
            linear("encoder.conv1", "encoder/conv1")
            linear("encoder.conv2", "encoder/conv2")
        else:
            tensors["decoder.token_embedding.weight"] = variables["decoder/embeddings/weight"]
        layer = 0
        while f"{name}/layer_{layer}/ffn/layer_norm/gamma" in variables:
            path, block = f"{name}/layer_{layer}", f"{name}.blocks.{layer}"
            fused(block + ".attn", path + "/self_attention/linear_0", ["query", "key", "value"])
            linear(block + ".attn.out", path + "/self_attention/linear_1")
            norm(block + ".attn_ln", path + "/self_attention/layer_norm")
            if name == "decoder":
                linear(block + ".cross_attn.query", path + "/attention/linear_0")
                fused(block + ".cross_attn", path + "/attention/linear_1", ["key", "value"])
                linear(block + ".cross_attn.out", path + "/attention/linear_2")
                norm(block + ".cross_attn_ln", path + "/attention/layer_norm")
            linear(block + ".mlp.0", path + "/ffn/linear_0")
            linear(block + ".mlp.2", path + "/ffn/linear_1")
            norm(block + ".mlp_ln", path + "/ffn/layer_norm")
            layer += 1
        norm("encoder.ln_post" if name == "encoder" else "decoder.ln", name + "/layer_norm")

    side("encoder")
    side("decoder")
    return {name: np.ascontiguousarray(tensor) for name, tensor in tensors.items()}


def model_dims(tensors, variables):
    def layers(side):
        return 1 + max(int(k.split(".")[2]) for k in tensors if k.startswith(side + ".blocks."))

    audio = tensors["encoder.positional_embedding"].shape
    text = tensors["decoder.positional_embedding"].shape
    return {
        "n_mels": tensors["encoder.conv1.weight"].shape[1],
        "n_audio_ctx": audio[0],
        "n_audio_state": audio[1],
        "n_audio_head": int(variables.get("encoder/num_heads", audio[1] // 64)),
        "n_audio_layer": layers("encoder"),
        "n_vocab": tensors["decoder.token_embedding.weight"].shape[0],
        "n_text_ctx": text[0],
        "n_text_state": text[1],
        "n_text_head": int(variables.get("decoder/num_heads", text[1] // 64)),
        "n_text_layer": layers("decoder"),
    }


# ---- PyTorch ---------------------------------------------------------------------------------


class Pickle:
    """The few opcodes of pickle's protocol 2 that a checkpoint needs."""

    STORAGES = {np.dtype(np.float32): "FloatStorage", np.dtype(np.float16): "HalfStorage"}

    def __init__(self, legacy):
        self.out = bytearray(b"\x80\x02")
        self.legacy = legacy

    def integer(self, value):
        self.out += b"J" + struct.pack("<i", value)

    def text(self, value):
        self.out += b"X" + struct.pack("<I", len(value.encode())) + value.encode()

    def name(self, module, name):
        self.out += f"c{module}\n{name}\n".encode()

    def dictionary(self, entries, write_value):
        self.out += b"}("
        for key, value in entries.items():
            self.text(key)
            write_value(value)
        self.out += b"u"

    def integers(self, values):
        self.out += b"("
        for value in values:
            self.integer(value)
        self.out += b"t"

    def tensor(self, key, tensor):
        self.name("torch._utils", "_rebuild_tensor_v2")
        self.out += b"(("
        self.text("storage")
        self.name("torch", self.STORAGES[tensor.dtype])
        self.text(key)
        self.text("cpu")
        self.integer(tensor.size)
        self.out += (b"N" if self.legacy else b"") + b"tQ"
        self.integer(0)
        self.integers(tensor.shape)
        self.integers([step // tensor.itemsize for step in tensor.strides])
        self.out += b"\x89"  # requires_grad: False
        self.name("collections", "OrderedDict")
        self.out += b")RtR"

    def checkpoint(self, dims, tensors):
        keys = {name: str(i) for i, name in enumerate(tensors)}
        parts = {
            "dims": lambda: self.dictionary(dims, self.integer),
            "model_state_dict": lambda: self.dictionary(
                {name: name for name in tensors}, lambda n: self.tensor(keys[n], tensors[n])
            ),
        }
        self.dictionary(parts, lambda write: write())
        return self.done()

    def done(self):
        return bytes(self.out + b".")


def write_torch_zip(path, dims, tensors):
    with zipfile.ZipFile(path, "w", zipfile.ZIP_STORED) as archive:
        archive.writestr(f"{path.stem}/data.pkl", Pickle(legacy=False).checkpoint(dims, tensors))
        archive.writestr(f"{path.stem}/byteorder", "little")
        for i, tensor in enumerate(tensors.values()):
            archive.writestr(f"{path.stem}/data/{i}", tensor.tobytes())
        archive.writestr(f"{path.stem}/version", "3\n")


def write_torch_legacy(path, dims, tensors):
    magic = Pickle(legacy=True)
    magic.out += b"\x8a\x0a" + (0x1950A86A20F9469CFC6C).to_bytes(10, "little")
    protocol = Pickle(legacy=True)
    protocol.integer(1001)
    system = Pickle(legacy=True)
    sizes = {"short": 2, "int": 4, "long": 4}
    system.dictionary(
        {
            "protocol_version": lambda: system.integer(1001),
            "little_endian": lambda: system.out.extend(b"\x88"),
            "type_sizes": lambda: system.dictionary(sizes, system.integer),
        },
        lambda write: write(),
    )
    keys = Pickle(legacy=True)
    keys.out += b"]("
    for i in range(len(tensors)):
        keys.text(str(i))
    keys.out += b"e"
    with open(path, "wb") as file:
        file.write(magic.done() + protocol.done() + system.done())
        file.write(Pickle(legacy=True).checkpoint(dims, tensors))
        file.write(keys.done())
        for tensor in tensors.values():
            file.write(struct.pack("<q", tensor.size) + tensor.tobytes())


# ---- safetensors -----------------------------------------------------------------------------

HUGGING_FACE_PARTS = {
    "attn": "self_attn",
    "attn_ln": "self_attn_layer_norm",
    "cross_attn": "encoder_attn",
    "cross_attn_ln": "encoder_attn_layer_norm",
    "mlp_ln": "final_layer_norm",
    "blocks": "layers",
    "query": "q_proj",
    "key": "k_proj",
    "value": "v_proj",
    "out": "out_proj",
    "ln_post": "layer_norm",
    "ln": "layer_norm",
    "token_embedding": "embed_tokens",
    "positional_embedding": "embed_positions.weight",
}


def hugging_face_name(name):
    name = name.replace(".mlp.0.", ".fc1.").replace(".mlp.2.", ".fc2.")
    return "model." + ".".join(HUGGING_FACE_PARTS.get(part, part) for part in name.split("."))


def write_safetensors(path, tensors):
    header, offset = {"__metadata__": {"format": "pt"}}, 0
    for name, tensor in tensors.items():
        header[name] = {
            "dtype": {2: "F16", 4: "F32"}[tensor.itemsize],
            "shape": list(tensor.shape),
            "data_offsets": [offset, offset + tensor.nbytes],
        }
        offset += tensor.nbytes
    text = json.dumps(header).encode()
    text += b" " * (-len(text) % 8)
    with open(path, "wb") as file:
        file.write(struct.pack("<Q", len(text)) + text)
        for tensor in tensors.values():
            file.write(tensor.tobytes())


def write_sharded(folder, tensors, count=3):
    names = list(tensors)
    size = -(-len(names) // count)
    weight_map = {}
    for i in range(count):
        shard = f"model-{i + 1:05}-of-{count:05}.safetensors"
        part = {name: tensors[name] for name in names[i * size : (i + 1) * size]}
        write_safetensors(folder / shard, part)
        weight_map.update({name: shard for name in part})
    total = sum(tensor.nbytes for tensor in tensors.values())
    index = {"metadata": {"total_size": total}, "weight_map": weight_map}
    (folder / "model.safetensors.index.json").write_text(json.dumps(index, indent=2))


def write_hugging_face_config(folder, dims, config):
    (folder / "config.json").write_text(
        json.dumps(
            {
                "model_type": "whisper",
                "d_model": dims["n_audio_state"],
                "num_mel_bins": dims["n_mels"],
                "vocab_size": dims["n_vocab"],
                "encoder_layers": dims["n_audio_layer"],
                "decoder_layers": dims["n_text_layer"],
                "encoder_attention_heads": dims["n_audio_head"],
                "decoder_attention_heads": dims["n_text_head"],
                "max_source_positions": dims["n_audio_ctx"],
                "max_target_positions": dims["n_text_ctx"],
            },
            indent=2,
        )
    )
    heads = {"alignment_heads": config["alignment_heads"]} if "alignment_heads" in config else {}
    (folder / "generation_config.json").write_text(json.dumps(heads))


# ---- ggml ------------------------------------------------------------------------------------


def mel_filters(n_mels, n_fft=400, rate=16000):
    """Triangles on Slaney's mel scale, each of area one: [n_mels, n_fft / 2 + 1]."""
    step = np.log(6.4) / 27  # above 1 kHz the scale is logarithmic, below it 200/3 Hz a mel

    def to_hz(mel):
        return np.where(mel < 15, mel * 200 / 3, 1000 * np.exp(step * (mel - 15)))

    highest = 15 + np.log(rate / 2 / 1000) / step
    edges = to_hz(np.linspace(0, highest, n_mels + 2))
    bins = np.fft.rfftfreq(n_fft, 1 / rate)
    rising = (bins - edges[:-2, None]) / (edges[1:-1] - edges[:-2])[:, None]
    falling = (edges[2:, None] - bins) / (edges[2:] - edges[1:-1])[:, None]
    area = 2 / (edges[2:] - edges[:-2])
    return (np.maximum(0, np.minimum(rising, falling)) * area[:, None]).astype(np.float32)


def vocabulary(folder):
    """The bytes of every ordinary token, in order of id, from the folder's tokenizer.json."""
    tokenizer = json.loads((folder / "tokenizer.json").read_text(encoding="utf-8"))
    special = {token["content"] for token in tokenizer["added_tokens"]}
    ids = {token: i for token, i in tokenizer["model"]["vocab"].items() if token not in special}
    # GPT-2 writes bytes that are no printable character as characters from 256 on.
    plain = [*range(33, 127), *range(161, 173), *range(174, 256)]
    byte_of = {chr(b): b for b in plain}
    byte_of.update({chr(256 + i): b for i, b in enumerate(sorted(set(range(256)) - set(plain)))})
    tokens = sorted(ids, key=ids.get)
    if [ids[token] for token in tokens] != list(range(len(tokens))):
        raise SystemExit(f"{folder}: tokenizer.json has gaps between its tokens")
    return [bytes(byte_of[c] for c in token) for token in tokens]


def strongest(blocks):
    """The number of largest magnitude in each row, with its sign: [n, 1]."""
    at = np.argmax(np.abs(blocks), axis=1)
    return np.take_along_axis(blocks, at[:, None], axis=1)


def inverse(scale):
    return np.divide(1, scale, out=np.zeros_like(scale), where=scale != 0)


def nibbles(q):
    return (q[:, :16] & 15) | ((q[:, 16:] & 15) << 4)


def fifth_bits(q):
    return np.packbits((q >> 4).astype(np.uint8), axis=1, bitorder="little")


def as_bytes(*columns):
    rows = [np.ascontiguousarray(c).view(np.uint8).reshape(len(c), -1) for c in columns]
    return np.concatenate(rows, axis=1).tobytes()


def quantise(blocks, kind):
    """Rows of 32 float32 numbers as ggml's blocks."""
    half = np.float16
    if kind == "q8_0":
        scale = np.abs(blocks).max(axis=1, keepdims=True) / np.float32(127)
        scaled = blocks * inverse(scale)
        q = np.sign(scaled) * np.floor(np.abs(scaled) + np.float32(0.5))
        return as_bytes(scale.astype(half), q.astype(np.int8))
    if kind == "q5_1":
        low = blocks.min(axis=1, keepdims=True)
        scale = (blocks.max(axis=1, keepdims=True) - low) / np.float32(31)
        q = ((blocks - low) * inverse(scale) + np.float32(0.5)).astype(np.uint8)
        return as_bytes(scale.astype(half), low.astype(half), fifth_bits(q), nibbles(q))
    zero = {"q4_0": 8, "q5_0": 16}[kind]
    scale = strongest(blocks) / np.float32(-zero)
    q = (blocks * inverse(scale) + np.float32(zero + 0.5)).astype(np.uint8)
    q = np.minimum(q, 2 * zero - 1)
    if kind == "q4_0":
        return as_bytes(scale.astype(half), nibbles(q))
    return as_bytes(scale.astype(half), fifth_bits(q), nibbles(q))


GGML_TYPES = {"f32": 0, "f16": 1, "q4_0": 2, "q5_0": 6, "q5_1": 7, "q8_0": 8}
GGML_FILE_TYPES = {"f32": 0, "f16": 1, "q4_0": 2, "q8_0": 7, "q5_0": 8, "q5_1": 9}


def ggml_kind(name, tensor, wanted):
    """As whisper.cpp has it: vectors and positions in f32, and only matrices are quantised."""
    if tensor.ndim == 1 or name.endswith("positional_embedding"):
        return "f32"
    if tensor.ndim == 2 or wanted in ("f32", "f16"):
        return wanted
    return "f16"


def write_ggml(path, dims, tensors, tokens, wanted):
    fields = "n_vocab n_audio_ctx n_audio_state n_audio_head n_audio_layer"
    fields += " n_text_ctx n_text_state n_text_head n_text_layer n_mels"
    filters = mel_filters(dims["n_mels"])
    with open(path, "wb") as file:
        file.write(struct.pack("<I10i", 0x67676D6C, *(dims[field] for field in fields.split())))
        file.write(struct.pack("<i", GGML_FILE_TYPES[wanted]))
        file.write(struct.pack("<ii", *filters.shape) + filters.tobytes())
        file.write(struct.pack("<i", len(tokens)))
        for token in tokens:
            file.write(struct.pack("<i", len(token)) + token)
        for name, tensor in tensors.items():
            kind = ggml_kind(name, tensor, wanted)
            if name in ("encoder.conv1.bias", "encoder.conv2.bias"):
                tensor = tensor[:, None]
            encoded = name.encode()
            file.write(struct.pack("<iii", tensor.ndim, len(encoded), GGML_TYPES[kind]))
            file.write(struct.pack(f"<{tensor.ndim}i", *reversed(tensor.shape)) + encoded)
            if kind in ("f32", "f16"):
                file.write(tensor.astype({"f32": np.float32, "f16": np.float16}[kind]).tobytes())
            else:
                file.write(quantise(tensor.astype(np.float32).reshape(-1, 32), kind))


# ---- command ---------------------------------------------------------------------------------


def write(kind, out, name, model):
    if kind == "pt":
        write_torch_zip(out / f"{name}.pt", model["dims"], model["tensors"])
    elif kind == "pt-legacy":
        write_torch_legacy(out / f"{name}-legacy.pt", model["dims"], model["tensors"])
    elif kind in ("safetensors", "safetensors-sharded"):
        folder = out / ("safetensors" if kind == "safetensors" else "sharded")
        folder.mkdir(exist_ok=True)
        renamed = {hugging_face_name(k): tensor for k, tensor in model["tensors"].items()}
        if kind == "safetensors":
            write_safetensors(folder / "model.safetensors", renamed)
        else:
            write_sharded(folder, renamed)
        write_hugging_face_config(folder, model["dims"], model["config"])
    elif kind == "npz":
        np.savez(out / f"{name}.npz", **model["tensors"])
    else:
        wanted = kind.removeprefix("ggml-")
        tokens = vocabulary(model["folder"])
        path = out / f"ggml-{name}-{wanted}.bin"
        write_ggml(path, model["dims"], model["tensors"], tokens, wanted)


def main():
    kinds = ["pt", "pt-legacy", "safetensors", "safetensors-sharded", "npz"]
    kinds += [f"ggml-{kind}" for kind in GGML_TYPES]
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("folder", type=pathlib.Path)
    parser.add_argument("out", type=pathlib.Path)
    parser.add_argument("formats", nargs="+", choices=kinds, metavar="format")
    parser.add_argument("--name", help="base name of the files")
    arguments = parser.parse_args()
    folder, out = arguments.folder, arguments.out
    variables = read_ctranslate2(folder / "model.bin")
    tensors = openai_tensors(variables)
    config = folder / "config.json"
    model = {
        "folder": folder,
        "tensors": tensors,
        "dims": model_dims(tensors, variables),
        "config": json.loads(config.read_text()) if config.exists() else {},
    }
    out.mkdir(parents=True, exist_ok=True)
    for kind in arguments.formats:
        write(kind, out, arguments.name or folder.resolve().name, model)
        print(f"{kind}: {len(tensors)} tensors")


if __name__ == "__main__":
    main()
