"""The one file that lists every licence that ships, with the texts."""
import hashlib
import re

HEAD = """Licences of scribed {version} and of all that is shipped with it

Each part below is listed with its version, its licence (an SPDX expression), and its files; the texts follow
by number, each of them once.
"""
RULE = "=" * 100


def text_of(path):
    """A text without what concerns no part of it: Boost's copyright file has 2 MB of names."""
    text = path.read_text(encoding="utf-8", errors="replace")
    if "boost" in str(path):
        found = re.search(r"^License: BSL-1\.0\n(?: .*\n)+", text, re.M)
        return found[0]
    return text


def document(parts, version):
    texts, numbers, rows = [], {}, []
    for part in parts:
        mine = []
        for path in part.texts:
            text = text_of(path).strip("\n")
            key = hashlib.sha256(text.encode()).digest()
            if key not in numbers:
                numbers[key] = len(texts) + 1
                texts.append(text)
            mine.append(numbers[key])
        rows.append(f"{part.name} {part.version}\n  licence: {part.licence}\n"
                    f"  files: {', '.join(part.files) or 'compiled in'}\n"
                    f"  texts: {', '.join(map(str, mine))}\n"
                    + (f"  {part.note}\n" if part.note else ""))
    lines = [HEAD.format(version=version), *rows]
    lines += [f"{RULE}\nText {number}\n{RULE}\n\n{text}\n" for number, text in enumerate(texts, 1)]
    return "\n".join(lines)
