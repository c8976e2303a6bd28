"""The command behind scripts/evaluate weights."""

import json
import os
import pathlib
import subprocess
import sys
import tempfile

from .. import manifest, models
from ..arguments import new_parser
from ..engines import EngineError

# bfloat16 and int8_bfloat16 are written where torch is beside ctranslate2.
FORMS = ["float32", "float16", "int8", "int8_float32", "int8_float16", "int16"]
EXAMPLES = """\
examples:
  scripts/evaluate weights                                # what the pinned ctranslate2 writes
  pip install --no-deps --target build/ct2-4.6.3 ctranslate2==4.6.3
  scripts/evaluate weights --writer build/ct2-4.6.3 --forms int8 int16
  scripts/evaluate weights --forms -- my/trainer/folder   # base, as others have saved it
"""


def parse_arguments():
    parser = new_parser(
        "scripts/evaluate weights",
        "Whether the text of a model is faster-whisper's, in every form that a writer gives it.", EXAMPLES,
    )  # fmt: skip
    add = parser.add_argument
    add("folders", nargs="*", type=pathlib.Path, metavar="FOLDER",
        help="other files of the same weights; their text must be that of the model itself")  # fmt: skip
    add("--sets", nargs="*", default=["kerstin-de", "ljspeech"], metavar="SET")
    add("--clips", type=int, default=3, help="of each language, the shortest ones (default 3)")
    add("--forms", nargs="*", default=FORMS, metavar="FORM",
        help=f"default {' '.join(FORMS)}; bfloat16 and int8_bfloat16 need torch")  # fmt: skip
    add("--writer", action="append", type=pathlib.Path, default=[], metavar="FOLDER",
        help="a folder with another ctranslate2, as pip install --target makes it; may be repeated")  # fmt: skip
    return parser.parse_args()


def choose_clips(arguments, english):
    clips = manifest.choose(
        manifest.read_manifest(arguments.manifest or manifest.default_manifest()), arguments.sets
    )
    chosen = []
    for language in ["en"] if english else sorted({clip.language for clip in clips}):
        of_language = sorted((c for c in clips if c.language == language), key=lambda c: c.seconds)
        chosen += of_language[: arguments.clips]
    return chosen


def is_english(model):
    """The models for English have one token less than the first ones for many languages."""
    tokens = json.loads((model / "tokenizer.json").read_text("utf-8"))["model"]["vocab"]
    return len(tokens) < 50258


def environment(writer):
    path = [str(writer.resolve())] if writer else []
    return os.environ | {"PYTHONPATH": os.pathsep.join([*path, os.environ["PYTHONPATH"]])}


def version_of(writer):
    command = [sys.executable, "-c", "import ctranslate2; print(ctranslate2.__version__)"]
    return subprocess.run(command, env=environment(writer), capture_output=True, text=True,
                          check=True).stdout.strip()  # fmt: skip


def write(writer, model, out, form):
    command = [sys.executable, "-m", "evaluate.weights.write", model, out, form]
    done = subprocess.run(command, env=environment(writer), capture_output=True, text=True)
    if done.returncode:
        raise EngineError(f"{form} was not written: {done.stderr.strip().splitlines()[-1]}")


def reference(folder, clips):
    """What faster-whisper says, computed in float32."""
    from faster_whisper import WhisperModel

    model = WhisperModel(str(folder), device="cpu", compute_type="float32")
    texts = []
    for clip in clips:
        segments, _ = model.transcribe(str(clip.file), language=clip.language, beam_size=5, temperature=0)
        texts.append(" ".join("".join(s.text for s in segments).split()))
    return texts


def scribed(program, folder, clips):
    texts = []
    for clip in clips:
        command = [program, "transcribe", "--quiet", "--model", folder, "--compute-type", "float32",
                   "--temperature", "0", "--language", clip.language, clip.file]  # fmt: skip
        done = subprocess.run(list(map(str, command)), capture_output=True, text=True)
        texts.append(" ".join((done.stdout if done.returncode == 0 else done.stderr).split()))
    return texts


def show(writer, version, form, expected, texts, clips):
    same = sum(a == b for a, b in zip(expected, texts))
    print(f"| {writer} | {version} | {form} | {same} of {len(clips)} |", flush=True)
    for clip, wanted, got in zip(clips, expected, texts):
        if wanted != got:
            print(f"{clip.name}\n  expected {wanted}\n  scribed  {got}", file=sys.stderr)
    return same == len(clips)


def main():
    arguments = parse_arguments()
    if not os.access(arguments.scribed, os.X_OK):
        raise EngineError(f"no scribed at {arguments.scribed}; build it or name one with --scribed FILE")
    model = models.ctranslate2_folder(arguments.model)
    clips = choose_clips(arguments, is_english(model))
    print("| writer | version | form | text equal |\n|---|---|---|---|", flush=True)
    equal = True
    for writer in [None, *arguments.writer] if arguments.forms else []:
        version = version_of(writer)
        for form in arguments.forms:
            with tempfile.TemporaryDirectory() as scratch:
                out = pathlib.Path(scratch) / "model"
                write(writer, model, out, form)
                equal &= show("ctranslate2", version, form, reference(out, clips),
                              scribed(arguments.scribed, out, clips), clips)  # fmt: skip
    own = reference(model, clips) if arguments.folders else []
    for folder in arguments.folders:
        equal &= show(folder.name, "", "as it is", own, scribed(arguments.scribed, folder, clips), clips)
    return 0 if equal else 1


if __name__ == "__main__":
    try:
        sys.exit(main())
    except (EngineError, manifest.ManifestError) as error:
        sys.exit(f"scripts/evaluate weights: {error}")
