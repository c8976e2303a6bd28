#!/usr/bin/env python3
"""Makes the tokenizers beside it with transformers and tokenizers themselves (5.24, 0.23): the
256 bytes and two merges for text, Whisper's special tokens for three languages, and what people add.

added/ is what save_pretrained() leaves of a tokenizer to which a language, a mark and a word of
text were added, with the generation config of the model.
"""

import json
import pathlib
import shutil

from tokenizers import AddedToken, Tokenizer, decoders, models, pre_tokenizers
from transformers import GenerationConfig, WhisperTokenizer

LANGUAGES = ["en", "de", "fr"]
MARKERS = ["translate", "transcribe", "startoflm", "startofprev", "nospeech", "notimestamps"]


def tokenizer():
    letters = sorted(pre_tokenizers.ByteLevel.alphabet())
    text = [*letters, "he", "ll"]
    vocab = {token: i for i, token in enumerate([*text, "<|endoftext|>"])}
    bare = Tokenizer(models.BPE(vocab=vocab, merges=[("h", "e"), ("l", "l")]))
    bare.pre_tokenizer = pre_tokenizers.ByteLevel(add_prefix_space=False)
    bare.decoder = decoders.ByteLevel()
    names = ["startoftranscript", *LANGUAGES, *MARKERS]
    bare.add_special_tokens([AddedToken(f"<|{n}|>", special=True) for n in ["endoftext", *names]])
    bare.add_tokens([f"<|{i * 0.02:.2f}|>" for i in range(1501)])
    return WhisperTokenizer(tokenizer_object=bare)


def save(tokens, folder, **generation):
    shutil.rmtree(folder, ignore_errors=True)
    tokens.save_pretrained(folder)
    ids = tokens.get_vocab()
    config = GenerationConfig(
        decoder_start_token_id=ids["<|startoftranscript|>"], eos_token_id=ids["<|endoftext|>"],
        no_timestamps_token_id=ids["<|notimestamps|>"], prev_sot_token_id=ids["<|startofprev|>"],
        task_to_id={task: ids[f"<|{task}|>"] for task in ("translate", "transcribe")},
        is_multilingual=True, **generation,
    )  # fmt: skip
    config.save_pretrained(folder)
    # The same without white space, which is half of it.
    file = folder / "tokenizer.json"
    Tokenizer.from_file(str(file)).save(str(file), pretty=False)
    (folder / "tokenizer_config.json").unlink()


def main():
    folder = pathlib.Path(__file__).parent
    tokens = tokenizer()
    tokens.add_tokens(["<|gsw|>", "<|mark|>"], special_tokens=True)
    tokens.add_tokens(["grüezi mitenand"])
    ids = tokens.get_vocab()
    languages = {f"<|{code}|>": ids[f"<|{code}|>"] for code in [*LANGUAGES, "gsw"]}
    save(tokens, folder / "added", lang_to_id=languages)
    text = "hello grüezi mitenand"
    ids = tokens.encode(text, add_special_tokens=False)
    print(len(tokens), json.dumps({"text": text, "ids": ids, "decoded": tokens.decode(ids)}))


if __name__ == "__main__":
    main()
