#!/usr/bin/env python3
"""Makes the CTranslate2 files beside it with CTranslate2's own converter.

toy-int8.bin, toy-int8-float16.bin and toy-int16.bin hold the model of make_fixtures.py, quantised.
Run with ctranslate2 4.8.5, transformers 5.24.0 and torch 2.11.0:

  make_ctranslate2_fixtures.py
"""

import pathlib

from ctranslate2.converters.transformers import WhisperLoader
from make_fixtures import DIMS, hugging_face_name, shapes, tensor
from transformers import WhisperConfig, WhisperForConditionalGeneration


def transformers_model():
    config = WhisperConfig(
        vocab_size=DIMS["n_vocab"],
        num_mel_bins=DIMS["n_mels"],
        d_model=DIMS["n_text_state"],
        encoder_layers=DIMS["n_audio_layer"],
        decoder_layers=DIMS["n_text_layer"],
        encoder_attention_heads=DIMS["n_audio_head"],
        decoder_attention_heads=DIMS["n_text_head"],
        encoder_ffn_dim=4 * DIMS["n_audio_state"],
        decoder_ffn_dim=4 * DIMS["n_text_state"],
        max_source_positions=DIMS["n_audio_ctx"],
        max_target_positions=DIMS["n_text_ctx"],
        pad_token_id=0,
        bos_token_id=0,
        eos_token_id=0,
        decoder_start_token_id=0,
    )
    model = WhisperForConditionalGeneration(config)
    state = {hugging_face_name(name): tensor(name, shape).float() for name, shape in shapes()}
    state["proj_out.weight"] = state["model.decoder.embed_tokens.weight"]
    model.load_state_dict(state, strict=True)
    return model


def main():
    folder = pathlib.Path(__file__).parent
    for quantization in ("int8", "int8_float16", "int16"):
        # The steps of Converter.convert, which wants a tokenizer besides.
        spec = WhisperLoader().get_model_spec(transformers_model())
        spec.register_vocabulary(list("abcde"))
        spec.validate()
        spec.optimize(quantization=quantization)
        spec._serialize(folder / f"toy-{quantization.replace('_', '-')}.bin")


if __name__ == "__main__":
    main()
