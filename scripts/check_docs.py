#!/usr/bin/env python3
"""Checks the Markdown files of the project: every relative link leads to a file of the project, every anchor
to a heading; the contents of a page name all of its sections; the pages of the root and of docs/ name no source
that is not there; README.md has at most 120 lines. An argument is the root."""
import re
import sys
from pathlib import Path

README_LINES = 120
FENCE = re.compile(r"^(```|~~~).*?^\1", re.S | re.M)
CODE = re.compile(r"`[^`\n]*`")
LINK = re.compile(r"\[[^\]]*\]\(<?([^)\s>]+)>?\)")
SOURCE = re.compile(r"`((?:docker|engine|examples|packaging|platform|protocol|scripts|server|tests|tools|web)/[\w./*-]+)`")
HEADING = re.compile(r"^#{1,6} +(.+?) *#*$", re.M)
OLD_ANCHOR = re.compile(r'^<a id="([\w-]+)"></a>$', re.M)
SECTION = re.compile(r"^## +(.+?) *#*$", re.M)
CONTENTS = re.compile(r"^Contents: (.+?)\n\n", re.S | re.M)


def anchors(text, headings=HEADING):
    """The names that GitHub gives to headings; the second of a name gets -1."""
    seen = {}
    for heading in headings.findall(FENCE.sub("", text)):
        words = re.sub(r"\[([^\]]*)\]\([^)]*\)", r"\1", heading).replace("`", "").lower()
        name = re.sub(r"[^\w\- ]", "", words).replace(" ", "-")
        count = seen.get(name, 0)
        seen[name] = count + 1
        yield f"{name}-{count}" if count else name


def places(text):
    """Returns what an anchor may name: headings, and `<a id="…"></a>` where a heading had another name."""
    return {*anchors(text), *OLD_ANCHOR.findall(text)}


def problems_of(file, root, texts):
    for link in LINK.findall(CODE.sub("", FENCE.sub("", texts[file]))):
        if re.match(r"[a-z]+:", link):
            continue
        path, _, anchor = link.partition("#")
        target = (file.parent / path).resolve() if path else file
        if not target.exists() or root not in [target, *target.parents]:
            yield f"{link} leads nowhere"
        elif anchor and anchor not in places(texts.get(target, "")):
            yield f"{link}: there is no such heading"
    if contents := CONTENTS.search(texts[file]):
        for missing in set(anchors(texts[file], SECTION)) - set(re.findall(r"\(#([^)]+)\)", contents[1])):
            yield f"#{missing} is not among its contents"
    is_of_now = file.parent in (root, root / "docs") and file.name != "CHANGELOG.md"
    for source in SOURCE.findall(texts[file]) if is_of_now else []:
        if not any(root.glob(source.rstrip("/*") + "*")):
            yield f"{source} is not there"


def main():
    root = Path(sys.argv[1] if len(sys.argv) > 1 else ".").resolve()
    folders = [top for top in root.iterdir() if top.is_dir() and not re.match(r"\.|build$", top.name)]
    files = [*root.glob("*.md"), *(file for top in folders for file in top.rglob("*.md")
                                   if "node_modules" not in file.parts)]
    texts = {file: file.read_text(encoding="utf-8") for file in files}
    problems = [f"{file.relative_to(root)}: {problem}" for file in sorted(files)
                for problem in problems_of(file, root, texts)]
    lines = texts[root / "README.md"].count("\n")
    if lines > README_LINES:
        problems.append(f"README.md: {lines} lines; move what is long to docs/ (at most {README_LINES})")
    for problem in problems:
        print(problem, file=sys.stderr)
    return 1 if problems else 0


if __name__ == "__main__":
    sys.exit(main())
