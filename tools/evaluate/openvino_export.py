"""An OpenVINO folder, with 8-bit weights, out of the weights that scribed reads.

  openvino_export.py CTRANSLATE2_FOLDER SAFETENSORS_FOLDER OUT

Runs in an environment with transformers, torch and optimum-intel (tools/requirements-openvino.txt).
On the way it makes a Hugging Face folder, which optimum-cli reads: the safetensors folder holds the
weights and dimensions, CTranslate2's the tokenizer and what generation must know.
"""

import json
import pathlib
import subprocess
import sys
import tempfile

from safetensors.torch import load_file
from transformers import (
    GenerationConfig,
    WhisperConfig,
    WhisperFeatureExtractor,
    WhisperForConditionalGeneration,
    WhisperTokenizerFast,
)

BEGIN = "<|startoftranscript|>"
END = "<|endoftext|>"


def tokens_of(tokenizer):
    one = tokenizer.convert_tokens_to_ids
    end = one(END)
    return {
        "bos_token_id": end,
        "eos_token_id": end,
        "pad_token_id": end,
        "decoder_start_token_id": one(BEGIN),
        "begin_suppress_tokens": [one("Ġ"), end],
    }


def model_of(safetensors, tokens):
    dims = json.loads((safetensors / "config.json").read_text())
    width = 4 * dims["d_model"]  # of every Whisper
    dims |= {"encoder_ffn_dim": width, "decoder_ffn_dim": width}
    model = WhisperForConditionalGeneration(WhisperConfig(**(dims | tokens)))
    weights = {k: v.float() for k, v in load_file(safetensors / "model.safetensors").items()}
    loaded = model.load_state_dict(weights, strict=False)
    lacking = set(loaded.missing_keys) - {"proj_out.weight"}  # tied to the token embedding
    if lacking or loaded.unexpected_keys:
        raise SystemExit(f"weights do not fit: {lacking} {loaded.unexpected_keys}")
    model.tie_weights()
    return model


def generation_of(ctranslate2, tokenizer, tokens):
    known = json.loads((ctranslate2 / "config.json").read_text())
    one = tokenizer.convert_tokens_to_ids
    return GenerationConfig(
        **tokens,
        alignment_heads=known["alignment_heads"],
        suppress_tokens=known["suppress_ids"],
        is_multilingual=len(known["lang_ids"]) > 1,
        lang_to_id={tokenizer.convert_ids_to_tokens(i): i for i in known["lang_ids"]},
        task_to_id={task: one(f"<|{task}|>") for task in ("transcribe", "translate")},
        no_timestamps_token_id=one("<|notimestamps|>"),
        prev_sot_token_id=one("<|startofprev|>"),
        max_initial_timestamp_index=50,
        max_length=448,
    )


def export(model, tokenizer, out):
    with tempfile.TemporaryDirectory() as folder:
        model.half().save_pretrained(folder)
        tokenizer.save_pretrained(folder)
        WhisperFeatureExtractor(feature_size=model.config.num_mel_bins).save_pretrained(folder)
        program = pathlib.Path(sys.executable).with_name("optimum-cli")
        command = [program, "export", "openvino", "--model", folder, "--weight-format", "int8"]
        command += ["--task", "automatic-speech-recognition-with-past", out]
        subprocess.run(command, check=True)


def main():
    ctranslate2, safetensors, out = map(pathlib.Path, sys.argv[1:4])
    tokenizer = WhisperTokenizerFast(tokenizer_file=str(ctranslate2 / "tokenizer.json"))
    tokens = tokens_of(tokenizer)
    model = model_of(safetensors, tokens)
    model.generation_config = generation_of(ctranslate2, tokenizer, tokens)
    export(model, tokenizer, out)


if __name__ == "__main__":
    main()
