"""The command behind scripts/evaluate."""

import json
import pathlib
import sys
import tempfile

from . import manifest, table
from .arguments import new_parser
from .engines import EngineError, Settings
from .make_engine import make_engine

EXAMPLES = """\
examples:
  scripts/evaluate core
  scripts/evaluate core --engine scribed:float32 --engine openai --beam-size 1
  scripts/evaluate librispeech-test-other --joined --engine scribed --engine faster-whisper:float32
  scripts/evaluate 'fleurs/fleurs-fr-*' --engine scribed --manifest ../shared/audio/MANIFEST.tsv
"""


def parse_arguments():
    parser = new_parser(
        "scripts/evaluate", "Error rates, speed and memory over recordings with transcripts.", EXAMPLES
    )
    add = parser.add_argument
    add(
        "sets",
        nargs="+",
        metavar="SET",
        help="core, a folder of the manifest, or a glob over its paths",
    )
    add("--engine", action="append", metavar="NAME[:COMPUTE_TYPE[:MODE]]",
        help="scribed (default; mode sequential or parallel), openai, faster-whisper (mode batched), "
        "whisper.cpp (f16 or q8_0), openvino (int8; mode bf16 or f32); once per engine")  # fmt: skip
    add("--beam-size", type=int, default=5, help="0 or 1: greedy (default 5)")
    add("--fallback", action="store_true",
        help="allow temperatures above 0, which are sampled: results differ from run to run")  # fmt: skip
    add("--language", help="tell the engines this language; default: they detect it")
    add("--words", action="store_true", help="with the time of every word")
    add("--joined", action="store_true", help="join all clips of the set into one recording")
    add("--by-set", action="store_true", help="also a table of error rates with a row for each folder")
    add("--block", type=int, default=10, help="clips an engine gets before the next has its turn")
    add("--limit", type=int, help="only the first N clips")
    add("--json", action="store_true", help="results as JSON instead of a table")
    add("--details", type=pathlib.Path, metavar="FILE", help="write each transcript as a JSON line")
    return parser.parse_args()


def run(engines, clips, block, details):
    """Engines take turns over blocks of clips, so that what else the machine does hits them alike."""
    tallies = [table.Tally() for _ in engines]
    for start in range(0, len(clips), block):
        part = clips[start : start + block]
        turn = (start // block) % len(engines)
        for engine, tally in (list(zip(engines, tallies)) * 2)[turn : turn + len(engines)]:
            for clip, result in zip(part, engine.transcribe([c.file for c in part])):
                errors = tally.add(clip, result)
                if details:
                    line = {"engine": engine.label, "clip": clip.name, "errors": errors.total}
                    line |= {
                        "language": result.language,
                        "text": result.text,
                        "error": result.error,
                    }
                    details.write(json.dumps(line, ensure_ascii=False) + "\n")
        if sys.stderr.isatty():
            print(f"\r{start + len(part)}/{len(clips)} clips", end="", file=sys.stderr)
    if sys.stderr.isatty():
        print(file=sys.stderr)
    return [table.as_data(e, t) for e, t in zip(engines, tallies)]


def evaluate(arguments, scratch):
    clips = manifest.choose(
        manifest.read_manifest(arguments.manifest or manifest.default_manifest()), arguments.sets
    )
    scored = [c for c in clips if c.reference is not None][: arguments.limit]
    if len(scored) < len(clips) and not arguments.limit:
        print(
            f"{len(clips) - len(scored)} clips have no plain transcript: left out", file=sys.stderr
        )
    if not scored:
        raise manifest.ManifestError("none of the chosen clips has a transcript to score against")
    if arguments.joined:
        scored = [manifest.join(scored, scratch)]
    settings = Settings(
        beam_size=arguments.beam_size,
        temperatures=(0.0, 0.2, 0.4, 0.6, 0.8, 1.0) if arguments.fallback else (0.0,),
        language=arguments.language,
        threads=arguments.threads,
        word_timestamps=arguments.words,
    )
    engines = []
    try:
        for spec in arguments.engine or ["scribed"]:
            engines.append(make_engine(spec, arguments.model, arguments.scribed, settings))
        if arguments.details:
            with arguments.details.open("w", encoding="utf-8") as details:
                return run(engines, scored, arguments.block, details)
        return run(engines, scored, arguments.block, None)
    finally:
        for engine in engines:
            engine.close()


def main():
    arguments = parse_arguments()
    try:
        with tempfile.TemporaryDirectory() as scratch:
            results = evaluate(arguments, pathlib.Path(scratch))
    except (manifest.ManifestError, EngineError) as error:
        print(f"evaluate: {error}", file=sys.stderr)
        return 2
    failed = {f"{r['engine']}: {clip}": why for r in results for clip, why in r["failed"].items()}
    for clip, why in failed.items():
        print(f"failed: {clip}: {why}", file=sys.stderr)
    if arguments.json:
        print(json.dumps(results, ensure_ascii=False, indent=1))
    else:
        print(table.render(results))
        if arguments.by_set:
            print(f"\nError rates in percent:\n{table.render_sets(results)}")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
