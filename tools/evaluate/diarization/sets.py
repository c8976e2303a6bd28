"""The sets of recordings, each with an RTTM of its name: conversations that are made where they are missing, and clips
of real meetings where a collection has them."""

import hashlib
import pathlib
import shutil

from .recipes import SETS
from .voices import Library, is_plain, load, save, silero

SOURCES = ("conversations.py", "effects.py", "recipes.py", "voices.py")


def _stamp():
    """What the conversations depend on besides the recordings."""
    here = pathlib.Path(__file__).parent
    return hashlib.sha256(b"".join((here / name).read_bytes() for name in SOURCES)).hexdigest()


def make(home, collection, prompts):
    """Makes what is missing below `home`. Returns lines that say what cannot be made, and why."""
    stamp = home / "stamp"
    if stamp.is_file() and stamp.read_text() == _stamp():
        return (home / "left-out").read_text(encoding="utf-8").splitlines()
    from . import conversations

    shutil.rmtree(home, ignore_errors=True)
    library, left_out = Library(collection, prompts, silero()), []
    for name, recipes in SETS.items():
        (home / name).mkdir(parents=True)
        for recipe in recipes:
            missing = library.missing(recipe)
            if missing:
                left_out.append(f"{name}/{recipe.name}: there are no recordings of {', '.join(missing)}")
            else:
                conversations.write(recipe, library, home / name)
    (home / "left-out").write_text("".join(f"{line}\n" for line in left_out), encoding="utf-8")
    stamp.write_text(_stamp())
    return left_out


def recordings(folder):
    return sorted(f for f in pathlib.Path(folder).glob("*.wav") if f.with_suffix(".rttm").is_file())


def plain(folder, home):
    """The recordings of a folder in the form that every system reads; copies lie below `home`."""
    files = recordings(folder)
    if all(map(is_plain, files)):
        return files
    copies = home / pathlib.Path(folder).resolve().name
    copies.mkdir(parents=True, exist_ok=True)
    for file in files:
        save(copies / file.name, load(file))
        shutil.copy(file.with_suffix(".rttm"), copies)
    return recordings(copies)
