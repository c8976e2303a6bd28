#!/usr/bin/env python3
"""Writes data/: transcripts made by hand and the files that openai-whisper's writers make of them.

Needs the package openai-whisper 20250625. data/cases.json lists every pair with its options.

Subtitles depart from openai-whisper's in what parsers need, and here, too: a segment without text
is no cue, "-->" of a text is "->" in srt, and vtt has escapes for "&", "<" and ">".
"""

import html
import io
import json
import re
from pathlib import Path

from whisper.utils import get_writer

DATA = Path(__file__).parent / "data"
OPENAI_KEYS = ("text", "segments", "language")


def word(start, end, text, probability=0.875):
    return {"word": text, "start": start, "end": end, "probability": probability}


def segment(number, start, end, text, words=None, **statistics):
    made = {
        "id": number,
        "seek": int(start // 30) * 3000,
        "start": start,
        "end": end,
        "text": text,
        "tokens": [50364, 400 + number, 50464],
        "temperature": 0.0,
        "avg_logprob": -0.25,
        "compression_ratio": 1.5,
        "no_speech_prob": 0.0078125,
    }
    made.update(statistics)
    if words is not None:
        made["words"] = words
    return made


def transcript(language, segments, **extra):
    made = {
        "text": "".join(s["text"] for s in segments),
        "segments": segments,
        "language": language,
        "duration": segments[-1]["end"] if segments else 0.0,
        "model": "base",
        "device": "cpu",
        "device_reason": "this machine has no GPU",
        "fallback": None,
        "compute_type": "float32",
        "task": "transcribe",
        "timings": {"load_s": 0.5, "decode_s": 0.125, "transcribe_s": 2.0, "total_s": 2.5},
        "warnings": [],
    }
    made.update(extra)
    return made


def spread(start, step, *texts):
    return [word(round(start + i * step, 3), round(start + i * step + step * 0.75, 3), text)
            for i, text in enumerate(texts)]


PLAIN = transcript("en", [
    segment(0, 0.0, 4.0, " Hello, world."),
    segment(1, 4.0, 4.0, "", tokens=[], temperature=0.4),
    segment(2, 4.0005, 59.9995, "  Left --> right --> and <-- back. "),
    segment(3, 61.5, 75.1235, "\tTabs\tinside\tthe text.\u00a0\u3000\x1f", avg_logprob=-1e-05),
    segment(4, 75.1245, 3599.9996, " \"Quotes\", back\\slashes & <tags>.",
            compression_ratio=1234567.125, no_speech_prob=1.4012984643e-45),
    segment(5, 3600.0, 7325.25, " 今日は、良い天気です。 🎙 naïve\x7f", no_speech_prob=0.0001),
    segment(6, 360000.02, 360001.0, " line one\nline two", avg_logprob=float(1e22)),
], warnings=["2 packets were damaged", "ü"])

EMPTY = transcript("en", [])

WORDS = transcript("en", [
    segment(0, 0.2, 4.0, " The quick brown fox jumps over the lazy dog.",
            spread(0.2, 0.4, " The", " quick", " brown", " fox", " jumps", " over", " the",
                   " lazy", " dog.")),
    segment(1, 4.0, 4.0, "", [], tokens=[]),
    segment(2, 4.1, 6.0, " Then --> it slept.",
            [word(4.1, 4.3, " Then"), word(4.3, 4.4, " -->"), word(4.5, 5.0, " it"),
             word(5.0, 6.0, " slept.")]),
    segment(3, 12.0, 16.0, " A pause came before this, and another comes here.",
            [*spread(12.0, 0.25, " A", " pause", " came", " before", " this,"),
             *spread(17.5, 0.25, " and", " another", " comes", " here.")]),
    segment(4, 3600.5, 3603.0, " An hour later: antidisestablishmentarianism rules.",
            spread(3600.5, 0.5, " An", " hour", " later:", " antidisestablishmentarianism",
                   " rules.")),
])

CJK = transcript("ja", [
    segment(0, 0.0, 3.0, "今日は良い天気です",
            spread(0.0, 0.5, "今日", "は", "良い", "天気", "です", "🎙")),
    segment(1, 3.0, 5.0, " \u3000明日\n雨 か\n雪 。",
            [word(3.0, 3.5, "\u3000明日\n"), word(3.5, 4.0, "雨 "), word(4.0, 4.5, "か\n雪"),
             word(4.5, 5.0, " 。")]),
])

VARIANTS = {
    "default": {},
    "width18": {"max_line_width": 18},
    "width18-lines2": {"max_line_width": 18, "max_line_count": 2},
    "width4-lines1": {"max_line_width": 4, "max_line_count": 1},
    "words3": {"max_words_per_line": 3},
    "words3-width12": {"max_words_per_line": 3, "max_line_width": 12},
    "highlight": {"highlight_words": True},
    "highlight-width18-lines2": {"highlight_words": True, "max_line_width": 18,
                                 "max_line_count": 2},
    "words4-width1000-lines2": {"max_words_per_line": 4, "max_line_width": 1000,
                                "max_line_count": 2},
}
NONE_GIVEN = {"max_line_width": None, "max_line_count": None, "max_words_per_line": None,
              "highlight_words": False}


TIMES = re.compile(r"[\d:.,]+ --> [\d:.,]+")
ARROW = "\ue000\ue001\ue002"  # as long as "-->", which openai-whisper changes in some places only


def as_parsers_need(line, extension):
    """One line of openai-whisper's file with scribed's departures."""
    if TIMES.fullmatch(line):
        return line
    if extension == "srt":
        return line.replace(ARROW, "->")
    escaped = html.escape(line.replace(ARROW, "-->"), quote=False)
    return re.sub("&lt;(/?u)&gt;", r"<\1>", escaped)


def written(result, extension, options):
    """openai-whisper's file; it sees no key that is not its own."""
    file = io.StringIO()
    is_subtitle = extension in ("srt", "vtt")
    openai_result = {key: result[key] for key in OPENAI_KEYS}
    if is_subtitle:
        said = [segment for segment in result["segments"] if segment["text"].strip()]
        text = json.dumps(said, ensure_ascii=False).replace("-->", ARROW)
        openai_result["segments"] = json.loads(text)
    get_writer(extension, ".").write_result(openai_result, file, {**NONE_GIVEN, **options})
    if not is_subtitle:
        return file.getvalue()
    return "\n".join(as_parsers_need(line, extension) for line in file.getvalue().split("\n"))


def main():
    DATA.mkdir(exist_ok=True)
    cases = []
    for name, result in {"plain": PLAIN, "empty": EMPTY, "words": WORDS, "cjk": CJK}.items():
        (DATA / f"{name}.input.json").write_text(
            json.dumps(result, ensure_ascii=False, indent=1) + "\n", encoding="utf-8")
        has_words = any("words" in s for s in result["segments"])
        for variant, options in VARIANTS.items():
            extensions = ("txt", "tsv", "json", "srt", "vtt") if not options else ("srt", "vtt")
            if options and not has_words:
                continue
            for extension in extensions:
                expected = f"{name}.{variant}.{extension}"
                (DATA / expected).write_bytes(written(result, extension, options).encode())
                cases.append({"input": f"{name}.input.json", "format": extension,
                              "options": options, "expected": expected})
    lines = ",\n".join(json.dumps(case) for case in cases)
    (DATA / "cases.json").write_text(f"[\n{lines}\n]\n")


if __name__ == "__main__":
    main()
