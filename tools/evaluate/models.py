"""One set of weights, in the file format that each engine reads."""

import os
import pathlib
import subprocess
import sys

from .engines import EngineError

ROOT = pathlib.Path(__file__).resolve().parents[2]
CONVERTED = ROOT / ".deps" / "evaluate" / "models"

OPENVINO = "openvino-int8"

# For each compute type, what tools/convert_weights.py is asked for, and the file that is read;
# faster-whisper reads the CTranslate2 folder itself, and OpenVINO a folder that its own exporter
# makes of the safetensors file.
GGML = {
    "": ("ggml-f16", "ggml-model-f16.bin"),
    "f16": ("ggml-f16", "ggml-model-f16.bin"),
    "q8_0": ("ggml-q8_0", "ggml-model-q8_0.bin"),
}
FORMATS = {
    "openai": {"": ("pt", "model.pt")},
    "faster-whisper": {},
    "whisper.cpp": GGML,
    "crispasr": GGML,
    "openvino": {"": ("safetensors", OPENVINO), "int8": ("safetensors", OPENVINO)},
}


def _store_folders():
    """Where scribed keeps installed models, in the order in which it looks."""
    environment = os.environ
    if environment.get("SCRIBED_DATA_DIR"):
        yield pathlib.Path(environment["SCRIBED_DATA_DIR"]) / "models"
        return
    yield pathlib.Path("/var/lib/scribed/models")
    data = environment.get("XDG_DATA_HOME") or pathlib.Path.home() / ".local" / "share"
    yield pathlib.Path(data) / "scribed" / "models"


def ctranslate2_folder(model):
    for folder in [pathlib.Path(model), *(store / model for store in _store_folders())]:
        if (folder / "model.bin").is_file():
            return folder.resolve()
    raise EngineError(
        f"no CTranslate2 folder for '{model}': install it with `scribed models pull {model}`, "
        "or name a folder with a model.bin"
    )


def for_scribed(model):
    """A folder's full path, or the name of an installed model as it is."""
    return pathlib.Path(model).resolve() if (pathlib.Path(model) / "model.bin").is_file() else model


def for_engine(engine, compute_type, model):
    folder = ctranslate2_folder(model)
    forms = FORMATS[engine]
    if not forms:
        return folder
    # Peers' own names for types of arithmetic, such as float32 of openai, need no file of their own.
    form, file_name = forms.get(compute_type, forms[""])
    weights = (folder / "model.bin").stat()
    # The size and time in the name keep a replaced model from being taken for the old one.
    target = CONVERTED / f"{folder.name}-{weights.st_size}-{weights.st_mtime_ns}"
    file = target / file_name
    if not file.exists():
        target.mkdir(parents=True, exist_ok=True)
        print(f"making {file}", file=sys.stderr)
        converter = ROOT / "tools" / "convert_weights.py"
        command = [sys.executable, converter, folder, target, form, "--name", "model"]
        if subprocess.run(command, stdout=subprocess.DEVNULL).returncode != 0:
            raise EngineError(f"the weights in {folder} could not be converted for {engine}")
        if engine == "openvino":
            _export_openvino(folder, target / "safetensors", file)
    return file


def exporter():
    """The interpreter of OpenVINO's exporter (scripts/bench makes it), whose packages clash with
    those of other engines."""
    python = ROOT / ".deps" / "evaluate" / "openvino-export" / "bin" / "python"
    if not python.is_file():
        raise EngineError("OpenVINO's exporter is not installed; `scripts/bench peers` does it")
    return python


def _export_openvino(folder, safetensors, out):
    script = ROOT / "tools" / "evaluate" / "openvino_export.py"
    command = [exporter(), script, folder, safetensors, out]
    if subprocess.run(command, stdout=subprocess.DEVNULL).returncode != 0:
        raise EngineError(f"the weights in {folder} could not be exported for OpenVINO")
