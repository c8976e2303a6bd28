#!/usr/bin/env python3
"""Makes the checkpoints beside it with PyTorch itself: a Whisper model of a few hundred numbers.

toy.pt and toy-legacy.pt hold it in OpenAI's form, toy-state-dict.pt as a bare state_dict of
parameters with transformers' names. module.pt, double.pt and strided.pt must be refused.
"""

import collections
import pathlib

import torch

DIMS = dict(n_mels=2, n_audio_ctx=3, n_audio_state=4, n_audio_head=2, n_audio_layer=1)
DIMS |= dict(n_vocab=5, n_text_ctx=2, n_text_state=4, n_text_head=2, n_text_layer=1)


def tensor(name, shape):
    count = int(torch.tensor(shape).prod())
    first = sum(name.encode())
    values = [((first + 37 * i) % 255 - 127) / 64 for i in range(count)]
    return torch.tensor(values, dtype=torch.float16).reshape(shape)


def shapes(n=4):
    def layer(name, *shape):
        yield name + ".weight", shape
        yield name + ".bias", shape[:1]

    def attention(name):
        for part in ("query", "value", "out"):
            yield from layer(f"{name}.{part}", n, n)
        yield name + ".key.weight", (n, n)
        yield from layer(name + "_ln", n)

    yield from layer("encoder.conv1", n, DIMS["n_mels"], 3)
    yield from layer("encoder.conv2", n, n, 3)
    yield "encoder.positional_embedding", (DIMS["n_audio_ctx"], n)
    yield "decoder.positional_embedding", (DIMS["n_text_ctx"], n)
    yield "decoder.token_embedding.weight", (DIMS["n_vocab"], n)
    for block in ("encoder.blocks.0.", "decoder.blocks.0."):
        yield from attention(block + "attn")
        if block.startswith("decoder"):
            yield from attention(block + "cross_attn")
        yield from layer(block + "mlp.0", 4 * n, n)
        yield from layer(block + "mlp.2", n, 4 * n)
        yield from layer(block + "mlp_ln", n)
    yield from layer("encoder.ln_post", n)
    yield from layer("decoder.ln", n)


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


def main():
    folder = pathlib.Path(__file__).parent
    tensors = {name: tensor(name, shape) for name, shape in shapes()}
    model = {"dims": DIMS, "model_state_dict": tensors}
    torch.save(model, folder / "toy.pt")
    torch.save(model, folder / "toy-legacy.pt", _use_new_zipfile_serialization=False)

    state_dict = collections.OrderedDict(
        (hugging_face_name(name), torch.nn.Parameter(t.float())) for name, t in tensors.items()
    )
    # Module.state_dict() has this, and the tied projection, which shares the storage.
    state_dict._metadata = collections.OrderedDict({"": {"version": 1}})
    state_dict["proj_out.weight"] = state_dict["model.decoder.embed_tokens.weight"]
    torch.save(state_dict, folder / "toy-state-dict.pt")

    torch.save(torch.nn.Linear(1, 1), folder / "module.pt")
    name = "encoder.conv1.bias"
    torch.save({name: tensors[name].double()}, folder / "double.pt")
    torch.save({name: tensors["encoder.blocks.0.mlp.0.weight"].T}, folder / "strided.pt")


if __name__ == "__main__":
    main()
