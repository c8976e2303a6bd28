#!/usr/bin/env python3
"""Makes the models of MLX and of GGUF beside it with MLX, candle, NumPy and gguf themselves.

A Whisper model of a few hundred numbers, or where the type has groups of 32, of some thousand:

  mlx-npz/          weights.npz as mlx-examples' convert.py writes it, by NumPy, in float16
  mlx-bfloat16/     weights.npz by MLX itself, which gives bfloat16 a type of its own
  mlx-quantized/    weights.safetensors by MLX, quantised to 4 bits in groups of 32
  candle.gguf       transformers' names and q4_0, without a single value
  transcribe.gguf   names, values and a vocabulary as transcribe.cpp's convert-whisper.py has them

  pip install mlx[cpu]==0.32.4 candle-nn==0.4.2 gguf==0.19.0 && python3 make_mlx_gguf.py
"""

import json
import pathlib
import re

import gguf
import numpy as np

FOLDER = pathlib.Path(__file__).parent


def dims(n):
    sizes = dict(n_mels=2, n_audio_ctx=3, n_audio_state=n, n_audio_head=2, n_audio_layer=1)
    return sizes | dict(n_vocab=5, n_text_ctx=2, n_text_state=n, n_text_head=2, n_text_layer=1)


def shapes(n):
    def layer(name, *shape):
        yield name + ".weight", shape
        yield name + ".bias", shape[:1]

    def attention(name):
        for part in ("query", "value", "out"):
            yield from layer(f"{name}.{part}", n, n)
        yield name + ".key.weight", (n, n)
        yield from layer(name + "_ln", n)

    yield from layer("encoder.conv1", n, 2, 3)
    yield from layer("encoder.conv2", n, n, 3)
    yield "encoder.positional_embedding", (3, n)
    yield "decoder.positional_embedding", (2, n)
    yield "decoder.token_embedding.weight", (5, n)
    for block in ("encoder.blocks.0.", "decoder.blocks.0."):
        yield from attention(block + "attn")
        if block.startswith("decoder"):
            yield from attention(block + "cross_attn")
        yield from layer(block + "mlp.0", 4 * n, n)
        yield from layer(block + "mlp.2", n, 4 * n)
        yield from layer(block + "mlp_ln", n)
    yield from layer("encoder.ln_post", n)
    yield from layer("decoder.ln", n)


def model(n):
    """{name: numbers} by openai/whisper's names; toy_model.cpp has the same rule."""
    tensors = {}
    for name, shape in shapes(n):
        steps = sum(name.encode()) + 37 * np.arange(np.prod(shape))
        tensors[name] = ((steps % 255 - 127) / 64).astype(np.float32).reshape(shape)
    return tensors


def write_mlx(folder, n, save, dtype, bits=None):
    import mlx.core as mx

    mx.set_default_device(mx.cpu)
    weights = {}
    for name, numbers in model(n).items():
        if name == "encoder.positional_embedding":
            continue  # MLX computes it
        array = mx.array(numbers).astype(dtype)
        if numbers.ndim == 3:
            array = array.transpose(0, 2, 1)
        name = name.replace(".mlp.0.", ".mlp1.").replace(".mlp.2.", ".mlp2.")
        is_matrix = name.endswith(".weight") and numbers.ndim == 2
        if bits and is_matrix:
            array, scales, biases = mx.quantize(array, group_size=32, bits=bits)
            weights[name[: -len("weight")] + "scales"] = scales
            weights[name[: -len("weight")] + "biases"] = biases
        weights[name] = array
    # As Whisper.set_alignment_heads makes it: every head of the last layer.
    weights["alignment_heads"] = mx.array(np.asarray(np.ones((1, 2), bool).nonzero()).T)
    config = dims(n) | {"model_type": "whisper"}
    if bits:
        config["quantization"] = {"group_size": 32, "bits": bits}
    (FOLDER / folder).mkdir(exist_ok=True)
    (FOLDER / folder / "config.json").write_text(json.dumps(config, indent=4))
    save(FOLDER / folder, weights)


def hugging_face_name(name):
    for ours, theirs in [
        (".blocks.", ".layers."), (".cross_attn_ln.", ".encoder_attn_layer_norm."),
        (".cross_attn.", ".encoder_attn."), (".attn_ln.", ".self_attn_layer_norm."),
        (".attn.", ".self_attn."), (".mlp_ln.", ".final_layer_norm."), (".mlp.0.", ".fc1."),
        (".mlp.2.", ".fc2."), (".query.", ".q_proj."), (".key.", ".k_proj."),
        (".value.", ".v_proj."), (".out.", ".out_proj."), (".ln_post.", ".layer_norm."),
        ("decoder.ln.", "decoder.layer_norm."), (".token_embedding.", ".embed_tokens."),
        (".positional_embedding", ".embed_positions.weight"),
    ]:  # fmt: skip
        name = name.replace(ours, theirs)
    return "model." + name


def write_candle(path, n):
    import candle
    from candle.utils import save_gguf

    def quantised(numbers):
        # As candle's tensor-tools: matrices whose rows are whole blocks, the rest in f32.
        kind = "q4_0" if numbers.ndim == 2 and numbers.shape[1] % 32 == 0 else "f32"
        return candle.Tensor(numbers.ravel().tolist()).reshape(numbers.shape).quantize(kind)

    save_gguf(str(path), {hugging_face_name(k): quantised(v) for k, v in model(n).items()}, {})


def transcribe_name(name):
    for ours, theirs in [
        ("encoder.", "enc."), ("decoder.", "dec."), ("conv1.", "conv.0."), ("conv2.", "conv.1."),
        (".positional_embedding", ".pos_emb.weight"), ("token_embedding", "token_embd"),
        ("enc.ln_post.", "enc.final_norm."), ("dec.ln.", "dec.final_norm."),
        (".cross_attn_ln.", ".norm_cross."), (".mlp_ln.", ".norm_ffn."),
        (".mlp.0.", ".ffn.fc1."), (".mlp.2.", ".ffn.fc2."), (".query.", ".q."),
        (".key.", ".k."), (".value.", ".v."),
    ]:  # fmt: skip
        name = name.replace(ours, theirs)
    if name.startswith("enc."):
        return name.replace(".attn_ln.", ".norm_attn.")
    return re.sub(r"(\d)\.attn\.", r"\1.self_attn.", name.replace(".attn_ln.", ".norm_self."))


def write_transcribe(path, n):
    d = dims(n)
    writer = gguf.GGUFWriter(str(path), "whisper")
    writer.add_string("stt.variant", "whisper-toy")
    writer.add_array("tokenizer.ggml.tokens", ["a", "Ã©Ċ", "Ġthe", "<|endoftext|>", "<|en|>"])
    writer.add_array("tokenizer.ggml.token_type", [1, 1, 1, 3, 3])
    for side, short, context in (("encoder", "audio", "source"), ("decoder", "text", "target")):
        key = f"stt.whisper.{side}."
        writer.add_uint32(key + "n_layers", d[f"n_{short}_layer"])
        writer.add_uint32(key + "d_model", d[f"n_{short}_state"])
        writer.add_uint32(key + "n_heads", d[f"n_{short}_head"])
        writer.add_uint32(key + f"max_{context}_positions", d[f"n_{short}_ctx"])
    writer.add_uint32("stt.whisper.encoder.num_mel_bins", d["n_mels"])
    writer.add_uint32("stt.whisper.decoder.vocab_size", d["n_vocab"])
    writer.add_tensor("frontend.window", np.ones(400, np.float32))
    for name, numbers in model(n).items():
        writer.add_tensor(transcribe_name(name), numbers.astype(np.float16))
    writer.write_header_to_file()
    writer.write_kv_data_to_file()
    writer.write_tensors_to_file()
    writer.close()


def main():
    import mlx.core as mx

    write_mlx("mlx-npz", 4, lambda f, w: np.savez(f / "weights.npz", **w), mx.float16)
    write_mlx("mlx-bfloat16", 4, lambda f, w: mx.savez(f / "weights.npz", **w), mx.bfloat16)
    write_mlx(
        "mlx-quantized", 32,
        lambda f, w: mx.save_safetensors(str(f / "weights.safetensors"), w), mx.float16, 4,
    )  # fmt: skip
    write_candle(FOLDER / "candle.gguf", 32)
    write_transcribe(FOLDER / "transcribe.gguf", 4)


if __name__ == "__main__":
    main()
