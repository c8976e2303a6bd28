#!/usr/bin/env python3
"""Makes narrow-heads/ beside it with transformers: a model whose heads are narrower than 64.

The encoder has four heads, which are 16 wide, and the decoder two of 32. Its numbers are random and
few, so that the file is small once it is compressed. expected.tensors holds a window of mel
frames, tokens, and what transformers computes of them in float32: the encoder's output, the logits
and the decoder's cross-attention. Run with transformers 5.24.0 and torch 2.11.0:

  make_narrow_heads.py
"""

import pathlib

import torch
from safetensors.torch import save_file
from transformers import WhisperConfig, WhisperForConditionalGeneration

TOKENS = [7, 63, 0, 41, 41, 13]


def config():
    return WhisperConfig(
        vocab_size=64,
        num_mel_bins=8,
        d_model=64,
        encoder_layers=1,
        decoder_layers=1,
        encoder_attention_heads=4,
        decoder_attention_heads=2,
        encoder_ffn_dim=256,
        decoder_ffn_dim=256,
        max_source_positions=20,
        max_target_positions=16,
        pad_token_id=0,
        bos_token_id=0,
        eos_token_id=0,
        decoder_start_token_id=0,
        begin_suppress_tokens=None,
    )


def fill(model):
    """Gives all tensors numbers of 17 sizes, of which norms' weights are around 1."""
    random = torch.Generator().manual_seed(5)
    for name, tensor in model.state_dict().items():
        steps = torch.randint(-8, 9, tensor.shape, generator=random)
        is_norm = "layer_norm" in name and name.endswith(".weight")
        tensor.copy_(steps / 32 + is_norm)


def main():
    folder = pathlib.Path(__file__).parent / "narrow-heads"
    model = WhisperForConditionalGeneration(config()).eval()
    with torch.no_grad():
        fill(model)
        model.half().save_pretrained(folder)
        model.float().set_attn_implementation("eager")
        mel = torch.randn((1, 8, 40), generator=torch.Generator().manual_seed(6))
        tokens = torch.tensor([TOKENS])
        found = model(mel, decoder_input_ids=tokens, output_attentions=True)
    tensors = {
        "mel": mel[0],
        "tokens": tokens[0].float(),
        "encoded": found.encoder_last_hidden_state[0],
        "logits": found.logits[0],
        "cross_attention": found.cross_attentions[0][0],
    }
    save_file({name: x.contiguous() for name, x in tensors.items()}, folder / "expected.tensors")


if __name__ == "__main__":
    main()
