"""An OpenVINO folder of a size of Whisper, with random weights in 8 bits.

  openvino_random.py CTRANSLATE2_FOLDER N_MELS WIDTH HEADS ENCODER_LAYERS DECODER_LAYERS OUT

Runs where openvino_export.py does. The folder of CTranslate2 is of any multilingual model: it gives
the tokenizer, and so the size of the vocabulary.
"""

import pathlib
import sys

from evaluate.openvino_export import export, generation_of, tokens_of
from transformers import WhisperConfig, WhisperForConditionalGeneration, WhisperTokenizerFast


def main():
    ctranslate2, out = pathlib.Path(sys.argv[1]), sys.argv[-1]
    n_mels, width, heads, encoder_layers, decoder_layers = map(int, sys.argv[2:-1])
    tokenizer = WhisperTokenizerFast(tokenizer_file=str(ctranslate2 / "tokenizer.json"))
    tokens = tokens_of(tokenizer)
    config = WhisperConfig(
        **tokens, num_mel_bins=n_mels, d_model=width, vocab_size=len(tokenizer),
        encoder_layers=encoder_layers, decoder_layers=decoder_layers,
        encoder_attention_heads=heads, decoder_attention_heads=heads,
        encoder_ffn_dim=4 * width, decoder_ffn_dim=4 * width,
    )  # fmt: skip
    model = WhisperForConditionalGeneration(config)
    model.generation_config = generation_of(ctranslate2, tokenizer, tokens)
    export(model, tokenizer, out)


if __name__ == "__main__":
    main()
