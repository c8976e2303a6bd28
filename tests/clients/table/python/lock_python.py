#!/usr/bin/env python3
"""Resolves requirements.in with pip, and writes requirements.txt: each package with the hash of its wheel. Packages of
requirements-alone.in come without what they need."""

import json
import pathlib
import subprocess
import sys

HERE = pathlib.Path(__file__).resolve().parent
HEAD = "# Made by lock_python.py. Wheels for Python 3.11 on x86_64.\n"


def resolve(*options):
    command = [sys.executable, "-m", "pip", "install", "--quiet", "--dry-run", "--ignore-installed", "--only-binary=:all:", "--report", "-"]
    return json.loads(subprocess.run([*command, *options], check=True, stdout=subprocess.PIPE, cwd=HERE).stdout)["install"]


found = resolve("-r", "requirements.in") + resolve("--no-deps", "-r", "requirements-alone.in")
packages = {one["metadata"]["name"].lower().replace("_", "-"): one for one in found}
lines = [f"{name}=={one['metadata']['version']} \\\n    --hash={one['download_info']['archive_info']['hash'].replace('=', ':')}\n"
         for name, one in sorted(packages.items())]
(HERE / "requirements.txt").write_text(HEAD + "".join(lines))
