#!/usr/bin/env python3
"""Checks the language of what users read: the pages of the root, docs/ and examples/, the page's English texts
and the texts of commands and settings. It counts, for each file,

  words      words that the project does not use (WORDS below says what to use instead)
  sentences  sentences of more than 25 words
  lines      lines of Markdown of more than 100 characters, outside of tables, code and link addresses

scripts/words_allowed.txt has the counts that are allowed. A file fails if it has more, and also if it has fewer:
then lower the count, with --write. Usage: check_words.py [--write] [ROOT]
"""
import argparse
import re
import sys
from pathlib import Path

ALLOWED = "scripts/words_allowed.txt"
KINDS = ("words", "sentences", "lines")
SENTENCE_WORDS = 25
LINE_CHARACTERS = 100
SHOWN = 20

# What to find, and what to say instead.
WORDS = [(re.compile(found, re.I), instead) for found, instead in (
    (r"\bwhoever\b", "you, or the role"),
    (r"\bquick(?:er|est|ly)?\b(?![ -]start)", "fast, faster, fastest"),
    (r"\bbeside\b", "next to, besides, compared with"),
    (r"\bt(?:old|ell|ells|elling) (?:\w+ ){0,3}apart\b|\bwho says what\b|\bwho speaks when\b",
     "speaker labels, diarization"),
    (r"\bin work\b", "transcribing, processing"),
    (r"\bso many\b|\bno more than\b", "at least N, at most N"),
    (r"\bsounds?\b", "audio, recording"),
    (r"\bhears\b|\b(?:is|are|was|were|be) heard\b", "transcribe, decode, detect"),
    (r"\btimes of words\b|\bword times\b", "word timestamps"),
    (r"\binto English\b", "to English"),
    (r"\bfetch(?:es|ed|ing)? (?:an?|the|its|this|any|each) (?:\w+ )?models?\b"
     r"|\bmodels? (?:is|are|was|were|be) (?:being )?fetched\b", "download"),
    (r"\bnot here yet\b", "not installed"),
    (r"\bafter a restart alone\b", "restart required"),
    (r"\bwish(?:es|ed)?\b", "request"),
    (r"\bdoors?\b", "transport, socket"),
    (r"\bsoften", "softmax"),
    (r"\blines? of (?:a |the )?keys?\b", "entry of the key file"),
    (r"\bkept until\b", "retained until"),
    (r"\bspeaks? at once\b", "overlapping speech"),
    (r"\bhow soon\b", "latency"),
    (r"\bthe end of what was said\b", "end of turn"),
    (r"\b(?:is|are) sure\b", "is final, is certain"),
    (r"\bfound out\b", "detected"),
    (r"\b(?:is|are|was|were|be) told\b", "gets, receives, reads"),
    (r"\bstands in\b(?! for)|\bstands? (?:on|below|above|before|behind|between|there)\b", "is"),
    (r"\blies? (?:in|at|on|below|behind|under|between|beside|there|elsewhere)\b", "is"),
    (r"(?:^|(?<=[.!?:] ))Where (?!to )[^.?]*?,", "If"),
)]

FENCE = re.compile(r"^(```|~~~).*?^\1[^\n]*$|<!--.*?-->", re.S | re.M)
CODE = re.compile(r"`[^`]*`")
LINK = re.compile(r"!?\[([^\]]*)\]\([^)]*\)")
TAG = re.compile(r"</?[a-z][^>]*>")
BLOCK = re.compile(r"^\s*(?:[-*+]|\d+\.)\s+|^#+ +|^\s*> ?")
END = re.compile(r"(?<!\be\.g)(?<!\bi\.e)(?<!\bNo)(?<!\bDr)[.!?][\"')*_]*\s+")
# A literal of C++ or TypeScript, raw or not; or a comment, which is skipped.
LITERAL = re.compile(r'R"(\w*)\((?P<raw>.*?)\)\1"|"(?P<text>(?:[^"\\\n]|\\.)*)"|`(?P<template>(?:[^`\\]|\\.)*)`'
                     r"|//[^\n]*|/\*.*?\*/|'(?:[^'\\\n]|\\.)'", re.S)


def blank(match):
    """Removes a match and keeps its lines, so that numbers of lines stay."""
    return "\n" * match[0].count("\n")


def markdown_texts(source):
    """Yields the line and the text of each paragraph, item and cell."""
    text, first = [], 0
    for number, line in enumerate([*FENCE.sub(blank, source).split("\n"), ""], 1):
        is_row = line.lstrip().startswith("|")
        if text and (is_row or not line.strip() or BLOCK.match(line)):
            yield first, " ".join(text)
            text = []
        if is_row:
            yield from ((number, cell.strip()) for cell in CODE.sub("X", line).split("|"))
        elif line.strip() and not line.startswith("Contents:"):
            first = first if text else number
            text.append(BLOCK.sub("", line).strip())


def literal_texts(source):
    """Yields the line and the text of each literal of several words; adjacent ones are one text."""
    line, text, end = 0, "", None
    for match in LITERAL.finditer(source):
        part = match["raw"] or match["text"] or match["template"] or ""
        if text and end is not None and not source[end:match.start()].strip():
            text += part
        else:
            if text.count(" ") > 1:
                yield line, text
            line, text = source.count("\n", 0, match.start()) + 1, part
        end = match.end()
    if text.count(" ") > 1:
        yield line, text


def is_long(sentence):
    return sum(bool(re.search(r"\w", word)) for word in sentence.split()) > SENTENCE_WORDS


def findings(texts):
    """Yields kind, line and message."""
    for line, text in texts:
        plain = TAG.sub("", LINK.sub(r"\1", CODE.sub("X", text).replace("\\n", "\n")))
        for found, instead in WORDS:
            for match in found.finditer(plain):
                yield "words", line, f'"{match[0][:40]}": say {instead}'
        for sentence in END.split(plain):
            for paragraph in re.split(r"\n\s*\n", sentence):
                if is_long(paragraph):
                    yield "sentences", line, f'"{" ".join(paragraph.split())[:60]}…" is long'


def long_lines(source):
    for number, line in enumerate(FENCE.sub(blank, source).split("\n"), 1):
        shown = re.sub(r"`[^`]{40,}`", "`…`", re.sub(r"\]\([^)]*\)", "]", line))
        if len(shown) > LINE_CHARACTERS and not line.lstrip().startswith("|"):
            yield "lines", number, f"{len(shown)} characters"


def files_of(root):
    """Returns pages, then sources whose literals are texts for users; scripts for shells are none."""
    pages = [*root.glob("*.md"), *root.glob("docs/**/*.md"), *root.glob("examples/*.md")]
    sources = [*root.glob("web/src/i18n/en/*.ts"), *root.glob("server/commands/*.cpp"),
               *root.glob("server/config/*.cpp"), *root.glob("protocol/option_table.cpp")]
    return sorted(pages) + sorted(file for file in sources if file.name != "completion_scripts.cpp")


def check(file):
    source = file.read_text(encoding="utf-8")
    if file.suffix != ".md":
        return list(findings(literal_texts(source)))
    return [*findings(markdown_texts(source)), *long_lines(source)]


def read_allowed(file):
    rows = file.read_text(encoding="utf-8").splitlines() if file.exists() else []
    return {(path, kind): int(count) for path, kind, count in (row.split() for row in rows if row[:1] != "#")}


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--write", action="store_true", help="write the counts that there are, and succeed")
    parser.add_argument("root", nargs="?", default=".")
    arguments = parser.parse_args()
    root = Path(arguments.root).resolve()
    found = {}
    for file in files_of(root):
        for kind, line, message in check(file):
            found.setdefault((str(file.relative_to(root)), kind), []).append((line, message))
    if arguments.write:
        rows = [f"{path} {kind} {len(found[path, kind])}" for path, kind in sorted(found)]
        (root / ALLOWED).write_text("\n".join(["# Written by scripts/check_words.py --write; counts only shrink.",
                                               *rows, ""]), encoding="utf-8")
        return 0
    allowed = read_allowed(root / ALLOWED)
    failed = False
    for path, kind in sorted({*found, *allowed}):
        here, count = found.get((path, kind), []), allowed.get((path, kind), 0)
        if len(here) == count:
            continue
        failed = True
        if len(here) < count:
            print(f"{path}: {kind}: {len(here)}, and {count} are allowed: run scripts/check_words.py --write",
                  file=sys.stderr)
            continue
        for line, message in here[:SHOWN]:
            print(f"{path}:{line}: {message}", file=sys.stderr)
        print(f"{path}: {kind}: {len(here)}, at most {count} are allowed", file=sys.stderr)
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
