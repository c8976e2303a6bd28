"""Words with the right speaker: what was said is known, so each word that was heard has an owner.

Words of the reference and of the transcript are normalised one by one and aligned by the fewest edits; a pair of
them has the right speaker if the transcript's is the one that is matched with the reference's. Speakers are
matched so that most words are right.
"""

import json
import subprocess

from .. import normalizer, wer
from .assignment import best_pairs


def reference_words(said):
    """(word, speaker) in the order of the turns."""
    return [(word, part["speaker"]) for part in said for word in normalizer.normalize(part["text"], part["language"])]


def heard_words(transcript, language):
    """(word, speaker) of a transcript with the times of words; speaker is None where nobody was found."""
    return [
        (token, word.get("speaker"))
        for segment in transcript["segments"]
        for word in segment.get("words", [])
        for token in normalizer.normalize(word["word"], language)
    ]


def score(said, heard):
    """Counts of words: of the reference, aligned with any, equal, and of both those with the right speaker."""
    pairs = [
        (*said[i], *heard[j])
        for i, j in wer.pairs([word for word, _ in said], [word for word, _ in heard])
        if i is not None and j is not None
    ]
    names = sorted({p[1] for p in pairs}), sorted({p[3] for p in pairs if p[3] is not None})
    common = [[sum(p[1] == r and p[3] == h for p in pairs) for h in names[1]] for r in names[0]]
    match = {names[1][j]: names[0][i] for i, j in best_pairs(common)}
    right = [p for p in pairs if match.get(p[3]) == p[1]]
    return {
        "words": len(said), "aligned": len(pairs), "aligned_right": len(right),
        "equal": sum(p[0] == p[2] for p in pairs), "equal_right": sum(p[0] == p[2] for p in right),
        "speakers": len({speaker for _, speaker in said}), "found": len({s for _, s in heard if s is not None}),
    }  # fmt: skip


def transcribe(program, model, threads, language, file):
    command = [program, "transcribe", "--quiet", "--model", model, "--language", language, "--diarize", "true",
               "--threads", str(threads), "--format", "json", file]  # fmt: skip
    result = subprocess.run(command, capture_output=True, text=True, check=True)
    return json.loads(result.stdout)


def measure(program, model, threads, file):
    """The score of a conversation beside which its words lie as JSON."""
    said = json.loads(file.with_suffix(".json").read_text(encoding="utf-8"))
    language = said[0]["language"]
    transcript = transcribe(program, model, threads, language, file)
    return score(reference_words(said), heard_words(transcript, language))
