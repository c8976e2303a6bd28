#!/usr/bin/env python3
"""Checks the Markdown files of the project: every relative link leads to a file of the project, every anchor
to a heading, and README.md has at most 120 lines. An argument is the root."""
import re
import subprocess
import sys
from pathlib import Path

README_LINES = 120
FENCE = re.compile(r"^(```|~~~).*?^\1", re.S | re.M)
CODE = re.compile(r"`[^`\n]*`")
LINK = re.compile(r"\[[^\]]*\]\(<?([^)\s>]+)>?\)")
HEADING = re.compile(r"^#{1,6} +(.+?) *#*$", re.M)


def anchors(text):
    """The names that GitHub gives to headings; the second of a name gets -1."""
    seen = {}
    for heading in HEADING.findall(FENCE.sub("", text)):
        words = re.sub(r"\[([^\]]*)\]\([^)]*\)", r"\1", heading).replace("`", "").lower()
        name = re.sub(r"[^\w\- ]", "", words).replace(" ", "-")
        count = seen.get(name, 0)
        seen[name] = count + 1
        yield f"{name}-{count}" if count else name


def problems_of(file, root, texts):
    for link in LINK.findall(CODE.sub("", FENCE.sub("", texts[file]))):
        if re.match(r"[a-z]+:", link):
            continue
        path, _, anchor = link.partition("#")
        target = (file.parent / path).resolve() if path else file
        if not target.exists() or root not in [target, *target.parents]:
            yield f"{link} leads nowhere"
        elif anchor and anchor not in anchors(texts.get(target, "")):
            yield f"{link}: there is no such heading"


def main():
    root = Path(sys.argv[1] if len(sys.argv) > 1 else ".").resolve()
    listed = subprocess.run(["git", "-C", root, "ls-files", "-z", "--cached", "--others",
                             "--exclude-standard", "*.md"], capture_output=True, text=True)
    # An unpacked source has no git; then every file counts but what was built or fetched.
    names = listed.stdout.split("\0") if listed.returncode == 0 else root.rglob("*.md")
    files = [root / name for name in names if str(name) and (root / name).is_file()]
    files = [file for file in files if not {"build", ".deps"} & set(file.relative_to(root).parts)]
    texts = {file: file.read_text(encoding="utf-8") for file in files}
    problems = [f"{file.relative_to(root)}: {problem}" for file in sorted(files)
                for problem in problems_of(file, root, texts)]
    lines = texts[root / "README.md"].count("\n")
    if lines > README_LINES:
        problems.append(f"README.md: {lines} lines; move what is long to docs/ (at most {README_LINES})")
    print("\n".join(problems), file=sys.stderr) if problems else None
    return 1 if problems else 0


if __name__ == "__main__":
    sys.exit(main())
