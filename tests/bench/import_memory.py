#!/usr/bin/env python3
"""The memory that `scribed models check` and `import` take for a large-v3 of random numbers, 3 GB in
float16, in each form that they read. Prints JSON, in MB (10⁶ bytes):

  anonymous  the peak of memory that is no file's (RssAnon, looked at every 2 ms)
  resident   the peak of all (VmHWM), with pages of the model's file that the system may take back

It fails where an import's anonymous memory is more than 300 MB. The forms are written one after the
other into FOLDER, which needs 7 GB.

  import_memory.py FOLDER [FORM…]
"""

import argparse
import json
import pathlib
import shutil
import subprocess
import sys
import time

sys.path[0] = str(pathlib.Path(__file__).resolve().parent)

# pylint: disable=wrong-import-position
import large_models
from scribed_command import bin_folder, own_environment

MOST_MB = 300


def status(pid):
    """Numbers of /proc/PID/status in bytes; empty at the process's end."""
    try:
        lines = pathlib.Path(f"/proc/{pid}/status").read_text().splitlines()
    except (FileNotFoundError, ProcessLookupError):
        return {}
    found = dict(line.split(":", 1) for line in lines)
    return {name: int(found[name].split()[0]) * 1024 for name in ("RssAnon", "VmHWM") if name in found}


def measure(store, *arguments):
    process = subprocess.Popen([bin_folder() / "scribed", "models", *arguments],
                               env=own_environment(SCRIBED_DATA_DIR=str(store)),
                               stdout=subprocess.DEVNULL)
    anonymous = resident = 0
    begin = time.monotonic()
    while process.poll() is None:
        now = status(process.pid)
        anonymous = max(anonymous, now.get("RssAnon", 0))
        resident = max(resident, now.get("VmHWM", 0))
        time.sleep(0.002)
    if process.returncode != 0:
        raise SystemExit(f"scribed models {arguments[0]} failed with {process.returncode}")
    return {"anonymous": round(anonymous / 1e6, 1), "resident": round(resident / 1e6, 1),
            "s": round(time.monotonic() - begin, 2)}


def size_of(folder):
    return sum(file.stat().st_size for file in folder.rglob("*") if file.is_file())


def run(form, folder):
    model, store = folder / "model", folder / "store"
    for made in (model, store):
        shutil.rmtree(made, ignore_errors=True)
        made.mkdir(parents=True)
    try:
        large_models.FORMS[form](model)
        if form != "ggml":
            large_models.write_tokenizer(model)
        path = model / "ggml-model.bin" if form == "ggml" else model
        return {"form": form, "mb": round(size_of(model) / 1e6),
                "check": measure(store, "check", path),
                "import": measure(store, "import", path, "--name", "large")}
    finally:
        shutil.rmtree(model)
        shutil.rmtree(store)


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("folder", type=pathlib.Path)
    parser.add_argument("forms", nargs="*", metavar="form", default=list(large_models.FORMS))
    given = parser.parse_args()
    found = [run(form, given.folder) for form in given.forms]
    print(json.dumps(found, indent=1))
    too_much = [row["form"] for row in found if row["import"]["anonymous"] > MOST_MB]
    sys.exit(f"more than {MOST_MB} MB: {', '.join(too_much)}" if too_much else 0)


if __name__ == "__main__":
    main()
