"""A Whisper model of some megabytes, all zeros, as files that the engine can read."""

import json
import struct

N_VOCAB = 51864
TEXT_TOKENS = 50256
WIDTH = 64  # of the one head
N_MELS = 80


def all_shapes(width):
    """Names as in Hugging Face's safetensors, and shapes."""

    def layer(name, *shape):
        yield name + ".weight", list(shape)
        yield name + ".bias", [shape[0]]

    def attention(name):
        for part in ("q_proj", "v_proj", "out_proj"):
            yield from layer(f"{name}.{part}", width, width)
        yield f"{name}.k_proj.weight", [width, width]

    yield from layer("model.encoder.conv1", width, N_MELS, 3)
    yield from layer("model.encoder.conv2", width, width, 3)
    yield "model.encoder.embed_positions.weight", [1500, width]
    yield "model.decoder.embed_positions.weight", [448, width]
    yield "model.decoder.embed_tokens.weight", [N_VOCAB, width]
    for side in ("encoder", "decoder"):
        block = f"model.{side}.layers.0"
        yield from attention(block + ".self_attn")
        yield from layer(block + ".self_attn_layer_norm", width)
        if side == "decoder":
            yield from attention(block + ".encoder_attn")
            yield from layer(block + ".encoder_attn_layer_norm", width)
        yield from layer(block + ".fc1", 4 * width, width)
        yield from layer(block + ".fc2", width, 4 * width)
        yield from layer(block + ".final_layer_norm", width)
        yield from layer(f"model.{side}.layer_norm", width)


def safetensors_header(shapes):
    """Where each tensor lies, and the bytes of all."""
    header, end = {}, 0
    for name, shape in shapes.items():
        size = 2
        for n in shape:
            size *= n
        header[name] = {"dtype": "F16", "shape": shape, "data_offsets": [end, end + size]}
        end += size
    return header, end


def safetensors(width=WIDTH, shapes=None):
    header, end = safetensors_header(shapes or dict(all_shapes(width)))
    text = json.dumps(header).encode()
    text += b" " * (-len(text) % 8)
    return struct.pack("<Q", len(text)) + text + bytes(end)


def config(width=WIDTH):
    return json.dumps({
        "model_type": "whisper", "d_model": width, "num_mel_bins": N_MELS,
        "vocab_size": N_VOCAB, "encoder_layers": 1, "decoder_layers": 1,
        "encoder_attention_heads": 1, "decoder_attention_heads": 1,
        "max_source_positions": 1500, "max_target_positions": 448,
    }).encode()


def _byte_names():
    """The printable stand-in for each byte that byte-level vocabularies use."""
    plain = [*range(33, 127), *range(161, 173), *range(174, 256)]
    names = {byte: chr(byte) for byte in plain}
    others = [byte for byte in range(256) if byte not in names]
    return {**names, **{byte: chr(256 + i) for i, byte in enumerate(others)}}


def tokenizer():
    tokens = [_byte_names()[byte] for byte in range(256)]
    tokens += [f"a{i}" for i in range(TEXT_TOKENS - 256)]
    vocab = {token: i for i, token in enumerate(tokens)}
    added = [{"id": TEXT_TOKENS, "content": "<|endoftext|>", "special": True}]
    return json.dumps({"version": "1.0", "added_tokens": added,
                       "model": {"type": "BPE", "vocab": vocab, "merges": []}}).encode()


def files(width=WIDTH):
    """What a repository of the hub holds of it."""
    return {"config.json": config(width), "generation_config.json": b"{}",
            "tokenizer.json": tokenizer(), "model.safetensors": safetensors(width)}
