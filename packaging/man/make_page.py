#!/usr/bin/env python3
"""Writes scribed(1): scribed.1.in, with what the commands take read from their --help.

Usage: make_page.py PROGRAM > scribed.1
"""
import re
import subprocess
import sys
from pathlib import Path

COLUMN = 30  # where descriptions begin in the output of --help; it counts bytes


class Help:
    """One --help: its description, its usage line, groups of (term, description), and the rest."""

    def __init__(self, program, command):
        ran = subprocess.run([program, *command, "--help"], capture_output=True, check=True)
        text = ran.stdout
        lead, _, rest = text.partition(b"Usage: ")
        usage, _, rest = rest.partition(b"\n")
        self.command = command
        self.description = lead.decode().strip()
        self.usage = usage.decode()
        self.groups = {}
        self.prose = []
        for block in re.split(rb"\n{2,}", rest.strip(b"\n")):
            lines = block.split(b"\n")
            if (lines[0].endswith(b":") and lines[0] != b"Examples:"
                    and all(line.startswith(b"  ") for line in lines[1:])):
                self.groups[lines[0][:-1].decode()] = read_items(lines[1:])
            else:
                self.prose.append(block.decode())


def read_items(lines):
    items = []
    continuation = b" " * COLUMN
    for line, following in zip(lines, [*lines[1:], b""]):
        if line.startswith(continuation):
            term, description = items[-1]
            items[-1] = (term, f"{description} {line.strip().decode()}".strip())
        elif following.startswith(continuation):
            items.append((line.strip().decode(), ""))
        else:
            items.append((line[:COLUMN].strip().decode(), line[COLUMN:].strip().decode()))
    return items


def escape(text):
    text = text.replace("\\", "\\e").replace("-", "\\-")
    return re.sub(r"^([.'])", r"\\&\1", text, flags=re.M)


def bold_and_italic(term):
    names, _, value = term.partition(" ")
    names = ", ".join(f"\\fB{escape(name)}\\fR" for name in names.split(","))
    return f"{names} \\fI{escape(value)}\\fR" if value else names


def write_command(page, seen, known_prose):
    """`seen` has the groups that earlier commands had: those are not written again."""
    lines = [f'.SS "{escape(page.usage)}"', escape(page.description) + "."]
    for name, items in page.groups.items():
        items = [item for item in items if not item[0].startswith("-h,--help")]
        if not items or name == "Subcommands":
            continue
        earlier = seen.setdefault((name, tuple(items)), page.usage.split(" [")[0])
        if earlier != page.usage.split(" [")[0] and len(items) > 1:
            lines += [".PP", f"{escape(name)}: as of \\fB{escape(earlier)}\\fR."]
            continue
        if name not in ("Options", "Positionals"):
            lines += [".PP", f"\\fI{escape(name)}\\fR"]
        for term, description in items:
            lines += [".TP", bold_and_italic(term), escape(description)]
    for text in page.prose:
        if text not in known_prose:
            known_prose.add(text)
            lines += [".PP", ".nf", escape(text), ".fi"]
    return [line for line in lines if line]


def main(program):
    run = [program, "--version"]
    version = subprocess.run(run, capture_output=True, check=True, text=True).stdout.split()[-1]
    root = Help(program, [])
    examples = next(text for text in root.prose if text.startswith("Examples:"))
    status = next(text for text in root.prose if text.startswith("Exit codes:"))
    lines, seen, known_prose = [], {}, set(root.prose)
    waiting = [[name] for name, _ in root.groups["Subcommands"]]
    while waiting:
        page = Help(program, waiting.pop(0))
        lines += write_command(page, seen, known_prose)
        below = [name for name, _ in page.groups.get("Subcommands", [])]
        waiting = [[*page.command, name] for name in below] + waiting
    words = {"VERSION": version, "COMMANDS": "\n".join(lines),
             "EXAMPLES": escape(examples.partition("\n")[2]),
             "EXIT_STATUS": escape(status.partition(": ")[2])}
    template = Path(__file__).with_name("scribed.1.in").read_text()
    sys.stdout.write(re.sub(r"@(\w+)@", lambda found: words[found[1]], template.partition("\n")[2]))


if __name__ == "__main__":
    main(sys.argv[1])
