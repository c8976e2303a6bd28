#!/usr/bin/env python3
"""Checks where `co_await` stands. GCC 12 compiles some programs wrongly that have one inside a condition or a
larger expression: temporaries are destroyed twice or too early. So every `co_await` is a statement of its own,
what is assigned, or what is returned: `const auto job = co_await find(id); if (job) …`."""
import re
import sys
from pathlib import Path

# Comments and texts may hold anything, so they are blanked; line ends stay, because lines are
# counted.
NOT_CODE = re.compile(r'//[^\n]*|/\*.*?\*/|R"\((?:.*?)\)"|"(?:\\.|[^"\\\n])*"|\'(?:\\.|[^\'\\\n])\'', re.S)
CHOICE = re.compile(r"\?|(?<!auto)&&|\|\|")
# The code that may stand before co_await in its statement, without brackets and their content.
BEFORE = re.compile(r"(?:.*(?:=|:|\b(?:co_return|else|do|if|while|for)))?\s*", re.S)
INNERMOST = re.compile(r"\([^()]*\)|\[[^\[\]]*\]|\{[^{}]*\}")


def without_brackets(text):
    while (shorter := INNERMOST.sub("", text)) != text:
        text = shorter
    return text


def statement_around(code, at):
    """The text of the statement before and behind a place; nothing where that is within brackets."""
    depth, start = 0, at
    while start > 0:
        sign = code[start - 1]
        if sign in ")]":
            depth += 1
        elif sign in "([":
            if depth == 0:
                return None
            depth -= 1
        elif depth == 0 and sign in ";{}":
            # Foo{co_await …} is an expression; the brace of a block has a space before it.
            if sign == "{" and re.match(r"[\w>]", code[max(start - 2, 0)]):
                return None
            break
        start -= 1
    depth, end = 0, at
    while end < len(code) and not (depth <= 0 and code[end] in ";}"):
        depth += {"(": 1, "[": 1, "{": 1, ")": -1, "]": -1, "}": -1}.get(code[end], 0)
        end += 1
    return code[start:at], code[at:end]


def wrong_lines(text):
    code = NOT_CODE.sub(lambda found: re.sub(r"[^\n]", " ", found[0]), text)
    for found in re.finditer(r"\bco_await\b", code):
        statement = statement_around(code, found.start())
        if statement:
            before, behind = (without_brackets(part) for part in statement)
            if BEFORE.fullmatch(before) and not CHOICE.search(before) and not CHOICE.search(behind):
                continue
        yield code.count("\n", 0, found.start()) + 1


def main():
    root = Path(sys.argv[1] if len(sys.argv) > 1 else ".").resolve()
    problems = [f"{file.relative_to(root)}:{line}: co_await inside a condition or an expression; "
                "give its value a name first (CONTRIBUTING.md, Coroutines)"
                for top in ("server", "tests")
                for file in sorted((root / top).rglob("*"))
                if file.suffix in (".h", ".cpp")
                for line in wrong_lines(file.read_text(encoding="utf-8"))]
    print("\n".join(problems), file=sys.stderr) if problems else None
    return 1 if problems else 0


if __name__ == "__main__":
    sys.exit(main())
