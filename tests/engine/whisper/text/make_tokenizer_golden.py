#!/usr/bin/env python3
"""Makes tokenizer_golden.json with openai-whisper 20250625, which has to be importable:

  .deps/evaluate/venv/bin/python tests/engine/whisper/text/make_tokenizer_golden.py
"""
import dataclasses
import json
from pathlib import Path

from whisper.tokenizer import get_tokenizer

TEXTS = [
    "Hello, world!", " And so my fellow Americans, ask not.",
    "I'll say it's what they've done; we'd won't I'm you're", "'S 'T DON'T don’t",
    "  two  spaces   three\n\nlines\t\ttabs \r\n end  ", "", "   ", "\n",
    " 12345 3.14 ½ Ⅻ ٣٤ 1st", "Straße, naïve café, Ærøskøbing", "e\u0301 cafe\u0301 a\u0308\u0323",
    "Здравствуй, мир! Как дела?", "日本語の文章です。 東京は2024年", "你好，世界", "안녕하세요 세계",
    "नमस्ते दुनिया", "สวัสดีชาวโลก", "שלום עולם", "مرحبا بالعالم", "γειά σου Κόσμε",
    "😀 👩\u200d👩\u200d👧 🏳\ufe0f\u200d🌈", "♪♪ la la ♪ [music] (laughs)", "<|en|> is text <|0.00|>",
    "a\u00a0b\u3000c\u2028d\u200be\ufefff", "\u0000\u0001 control",
    "https://example.org/a?b=c&d=%20#e", "!!!??? ... --- ((( \"quoted\" ‘x’", "a" * 39,
    "\U0001d54f\U00020000",
]
TOKENS = [
    [50364, 2425, 50464], [50258, 50259, 50359, 50363, 15947, 50257], [162, 121, 109, 3],
    [117, 121], [0, 162, 50364, 121], [172, 253, 246], [162], [160, 0], [223, 223, 223],
]
WORDS = [("en", " Hello, it's \"fine\" (really) - 3.14!"), ("de", " Straße und Äpfel…"),
         ("ja", "今日は𠮷野家。"), ("en", " 😀 café")]
EOT = 50257


def words(tokenizer, language, text):
    ids = [*tokenizer.encode(text), EOT]
    split, tokens = dataclasses.replace(tokenizer, language=language).split_to_word_tokens(ids)
    return {"language": language, "ids": ids, "words": split, "tokens": tokens}


def lines(items):
    rows = (json.dumps(item, separators=(",", ":")) for item in items)
    return "[\n    " + ",\n    ".join(rows) + "\n  ]"


def main():
    both, english = get_tokenizer(True), get_tokenizer(False)
    encode = [{"text": text, "multilingual": both.encoding.encode_ordinary(text),
               "english": english.encoding.encode_ordinary(text)} for text in TEXTS]
    decode = [{"ids": ids, "text": both.decode_with_timestamps(ids),
               "without_timestamps": both.decode(ids)} for ids in TOKENS]
    parts = {"encode": lines(encode), "decode": lines(decode),
             "words": lines(words(both, *case) for case in WORDS),
             "non_speech_multilingual": json.dumps(both.non_speech_tokens, separators=(",", ":")),
             "non_speech_english": json.dumps(english.non_speech_tokens, separators=(",", ":"))}
    body = ",\n".join(f'  "{name}": {value}' for name, value in parts.items())
    Path(__file__).with_name("tokenizer_golden.json").write_text("{\n" + body + "\n}\n")


main()
