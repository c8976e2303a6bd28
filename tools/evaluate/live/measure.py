"""One row of the table: a recording, the way in which it was fed, and what came of it."""

import dataclasses

from .. import normalizer, wer
from . import figures
from .matching import spoken
from .recordings import DETECT


@dataclasses.dataclass(frozen=True)
class Whole:
    """What the same model makes of the whole recording."""

    said: list  # (word, when it ends)
    text: str


def whole(transcript):
    return Whole(spoken(transcript), transcript["text"])


def word_errors(reference, text, language):
    language = "en" if language == DETECT else language
    return wer.align(normalizer.normalize(reference, language), normalizer.normalize(text, language))


def _counts(errors):
    return dataclasses.asdict(errors) | {"percent": errors.percent if errors.reference else None, "total": errors.total}


def row(run, recording, of_whole, traces, usage, **more):
    """Plain data. `run` says how the recording was fed; `more` is kept as it is."""
    errors, against_whole = wer.Errors(), wer.Errors()
    for trace in traces:
        errors += word_errors(recording.reference, trace.text, recording.language)
        against_whole += word_errors(of_whole.text, trace.text, recording.language)
    sound_s = sum(trace.seconds for trace in traces)
    return figures.join([figures.session(trace, of_whole.said, recording.places) for trace in traces]) | {
        "run": run, "recording": recording.name, "language": recording.language, "seconds": recording.seconds,
        "errors": _counts(errors), "against_whole": _counts(against_whole),
        "whole": _counts(word_errors(recording.reference, of_whole.text, recording.language)),
        "cpu_per_second": usage.cpu_s / sound_s if sound_s else None, "peak_bytes": usage.peak_bytes,
        "failed": [trace.failed for trace in traces if trace.failed], **more,
    }  # fmt: skip
