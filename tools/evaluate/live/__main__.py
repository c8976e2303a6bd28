"""The command behind scripts/evaluate live."""

import json
import os
import pathlib
import subprocess
import sys
import tempfile

from .. import manifest, models
from ..arguments import new_parser
from ..engines import EngineError
from . import recordings, runs, table
from .scribed import Scribed

EXAMPLES = """\
examples:
  scripts/evaluate live                                            # one session of the Realtime API
  scripts/evaluate live --sessions 1 4 8 --beside-file
  scripts/evaluate live --margins 10 15 20 25 --plots build/live   # errors against latency
  scripts/evaluate live music-silence spontaneous telephone 'fleurs/fleurs-en-*' --json build/live.json
"""


def parse_arguments():
    parser = new_parser(
        "scripts/evaluate live",
        "How soon words come, and which, while recordings are fed as fast as they were spoken.", EXAMPLES,
    )  # fmt: skip
    add = parser.add_argument
    add("sets", nargs="*", default=["librispeech-test-other"], metavar="SET",
        help="a folder of the manifest, or a glob over its paths (default librispeech-test-other)")  # fmt: skip
    add("--compute-type", default="auto")
    add("--seconds", type=float, default=120, help="of sound from each set and language, at most (default 120)")
    add("--gap", type=float, default=1.0, help="seconds of silence behind each clip (default 1)")
    add("--piece-ms", type=float, default=100, help="sound that is sent at once (default 100)")
    add("--silence-ms", type=int, default=200, help="silence that ends a turn (default 200)")
    add("--sessions", type=int, nargs="*", default=[1], metavar="N",
        help="so many sessions of the Realtime API at once, staggered; a row for each number (default 1)")  # fmt: skip
    add("--eagerness", nargs="*", default=[], choices=["low", "medium", "high"],
        help="also one session with semantic_vad, which has silences of its own; for each")  # fmt: skip
    add("--beside-file", action="store_true", help="also one session while the daemon transcribes a long file")
    add("--command", action="store_true", help="also scribed transcribe --live")
    add("--margins", type=int, nargs="*", default=[], metavar="M",
        help="also scribed transcribe --live --live-margin M, for each")  # fmt: skip
    add("--peer", action="store_true", help="also WhisperLiveKit")
    add("--set", action="append", default=[], metavar="KEY=VALUE", help="a setting of scribed serve; may be repeated")
    add("--plots", type=pathlib.Path, metavar="FOLDER", help="a picture of the margins for each recording")
    add("--json", type=pathlib.Path, metavar="FILE", help="keep the figures")
    return parser.parse_args()


def keep(rows, arguments):
    """The figures so far, so that a run that is ended keeps what it has."""
    if arguments.json:
        arguments.json.write_text(json.dumps(rows, ensure_ascii=False, indent=1), encoding="utf-8")


def draw(rows, folder):
    from . import plot

    folder.mkdir(parents=True, exist_ok=True)
    for name, language in dict.fromkeys((row["recording"], row["language"]) for row in rows):
        of_one = [row for row in rows if (row["recording"], row["language"]) == (name, language)
                  and "margin" in row and row["sent"]["count"] and row["errors"]["percent"] is not None]  # fmt: skip
        if of_one:
            plot.write(folder / f"{name}-{language}.png", sorted(of_one, key=lambda row: row["margin"]))


def evaluate(arguments, scratch):
    clips = manifest.choose(
        manifest.read_manifest(arguments.manifest or manifest.default_manifest()), arguments.sets
    )
    chosen = recordings.make(clips, arguments.seconds, arguments.gap, scratch)
    if not chosen:
        raise manifest.ManifestError("none of the chosen clips has a transcript to score against")
    if not os.access(arguments.scribed, os.X_OK):
        raise EngineError(f"no scribed at {arguments.scribed}; build it or name one with --scribed FILE")
    scribed = Scribed(arguments.scribed, models.for_scribed(arguments.model), arguments.compute_type,
                      arguments.threads)  # fmt: skip
    print(subprocess.run([scribed.program, "--version"], capture_output=True, text=True, check=True).stdout.strip(),
          f"load before: {os.getloadavg()[0]:.2f}", sep=", ")  # fmt: skip
    rows = []
    for recording in chosen:
        for row in runs.of(recording, scribed, arguments):
            rows.append(row)
            keep(rows, arguments)
            print(f"measured: {row['recording']} ({row['language']}), {row['run']}", file=sys.stderr)
    return rows


def main():
    arguments = parse_arguments()
    try:
        with tempfile.TemporaryDirectory() as scratch:
            rows = evaluate(arguments, pathlib.Path(scratch))
    except (manifest.ManifestError, EngineError) as error:
        print(f"evaluate: {error}", file=sys.stderr)
        return 2
    print(f"\n{table.latency(rows)}\n\n{table.cost(rows)}")
    if arguments.plots:
        draw(rows, arguments.plots)
    failed = table.failures(rows)
    for line in failed:
        print(f"failed: {line}", file=sys.stderr)
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
