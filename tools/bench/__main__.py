"""The command behind scripts/bench."""

import json
import os
import pathlib
import subprocess
import sys
import tempfile

from evaluate import manifest
from evaluate.arguments import new_parser
from evaluate.engines import EngineError, Settings

from . import levels, machine, report
from .peers import KNOWN, taking_part
from .works import WORKS, Bench

LIMITS = "limits"
SIZES = "sizes"  # takes long, and models of some GB: only where it is asked for
EXAMPLES = """\
examples:
  scripts/bench peers
  scripts/bench peers --work long --engine scribed:int8 --engine openvino:int8:bf16
  scripts/bench peers --level avx2 --work long
  scripts/bench peers --json bench.json --plot bench.png
"""


def parse_arguments():
    parser = new_parser(
        "scripts/bench",
        "scribed beside other Whisper engines, on this machine, in one run.",
        EXAMPLES,
    )
    add = parser.add_argument
    add("what", choices=["peers"])
    add("--work", action="append", choices=[*WORKS, LIMITS], help="only this; default: all but sizes")
    add("--engine", action="append", choices=KNOWN, metavar="SPEC",
        help="only this one, as of scripts/evaluate; default: all that take part in a work")  # fmt: skip
    add("--rounds", type=int, default=3, help="how often each engine has its turn (default 3)")
    add("--level", choices=levels.LEVELS, help="engines use no more of the CPU than this")
    add("--beam-size", type=int, default=1)
    add("--json", type=pathlib.Path, metavar="FILE", help="also write the figures here")
    add("--plot", type=pathlib.Path, metavar="FILE", help="also draw speed and errors (PNG)")
    return parser.parse_args()


def limits(bench):
    command = [bench.scribed, "bench", "--json", "--model", bench.model]
    command += ["--threads", str(bench.settings.threads), "--compute-type", "int8"]
    return json.loads(subprocess.run(command, check=True, capture_output=True).stdout)


def measure(arguments, scratch):
    settings = Settings(beam_size=arguments.beam_size, language="en", threads=arguments.threads)
    recordings = manifest.read_manifest(arguments.manifest or manifest.default_manifest())
    bench = Bench(recordings, arguments.model, arguments.scribed, settings, scratch, arguments.rounds)
    data = {"machine": machine.describe(), "model": arguments.model, "works": {}}
    if arguments.level:
        data["level"] = arguments.level
        os.environ |= levels.variables(arguments.level)  # every engine is a child process
    data |= {"threads": arguments.threads, "beam_size": arguments.beam_size}
    for work in arguments.work or [*(work for work in WORKS if work != SIZES), LIMITS]:
        if work == LIMITS:
            data[LIMITS] = limits(bench)
            continue
        specs = taking_part(work, arguments.engine, arguments.level)
        if not specs:
            able = taking_part(work, None, arguments.level)
            print(f"==> {work}: only for {', '.join(able)}", file=sys.stderr)
            continue
        print(f"==> {work}: {', '.join(specs)}", file=sys.stderr)
        data["works"][work] = WORKS[work](bench, specs)
    report.add_ratios(data["works"])
    return data


def main():
    arguments = parse_arguments()
    try:
        with tempfile.TemporaryDirectory() as scratch:
            data = measure(arguments, pathlib.Path(scratch))
    except (manifest.ManifestError, EngineError) as error:
        print(f"bench: {error}", file=sys.stderr)
        return 2
    if arguments.json:
        arguments.json.write_text(json.dumps(data, indent=1) + "\n", encoding="utf-8")
    if arguments.plot:
        from . import plot

        plot.write(data, arguments.plot)
    print(report.render(data))
    if data.get(LIMITS):
        print(f"\n## {report.TITLES[LIMITS]}\n\n{json.dumps(data[LIMITS], indent=1)}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
