"""Text normalizers of the Whisper paper, taken from the openai-whisper package as they are.

Only the package's `normalizers` folder is loaded: importing the whole of it would need torch.
"""

import functools
import importlib.util
import pathlib
import sys

# Written without spaces between words: scored by the character.
BY_CHARACTER = {"zh", "ja", "yue", "th", "lo", "my", "km"}


@functools.cache
def _package():
    found = importlib.util.find_spec("whisper")
    if found is None or found.origin is None:
        raise RuntimeError(
            "the Python package openai-whisper is missing; scripts/evaluate sets it up"
        )
    folder = pathlib.Path(found.origin).parent / "normalizers"
    name = "whisper_normalizers"
    spec = importlib.util.spec_from_file_location(
        name, folder / "__init__.py", submodule_search_locations=[str(folder)]
    )
    module = importlib.util.module_from_spec(spec)
    sys.modules[name] = module
    spec.loader.exec_module(module)
    return module


@functools.cache
def _normalizer(kind):
    if kind == "english":
        return _package().EnglishTextNormalizer()
    return _package().BasicTextNormalizer(split_letters=kind == "characters")


def unit(language):
    """What an error rate in this language counts: "words" or "characters"."""
    return "characters" if language in BY_CHARACTER else "words"


def normalize(text, language):
    """The list of words (or characters) that are compared."""
    if unit(language) == "characters":
        return _normalizer("characters")(text).split()
    return _normalizer("english" if language == "en" else "basic")(text).split()
