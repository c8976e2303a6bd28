"""What the commands behind scripts/evaluate and scripts/bench take alike."""

import argparse
import os
import pathlib

ROOT = pathlib.Path(__file__).resolve().parents[2]


def new_parser(prog, description, examples):
    parser = argparse.ArgumentParser(
        prog=prog,
        allow_abbrev=False,
        description=description,
        epilog=examples,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    add = parser.add_argument
    add("--model", default="base", help="an installed model's name, or a CTranslate2 folder")
    add("--scribed", type=pathlib.Path, default=ROOT / "build" / "release" / "bin" / "scribed")
    add(
        "--manifest", type=pathlib.Path, help="tab-separated; default: ../shared/audio/MANIFEST.tsv"
    )
    add("--threads", type=int, default=os.cpu_count())
    return parser
