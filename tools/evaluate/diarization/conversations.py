"""Conversations of single speakers' recordings, with the exact turns and, where whole recordings are the
turns, the exact words."""

import itertools
import json

import numpy

from .errors import write_rttm
from .voices import RATE, VOICES, save

LEVEL_DB = -23  # of a voice over its speech
CLOSED_S = 0.3  # a shorter pause of one voice does not end its turn


def level(samples):
    """Root mean square, in float64: sums in float32 differ with the place in memory."""
    return float(numpy.sqrt(numpy.mean(samples.astype(numpy.float64) ** 2)))


class Part:
    """What a voice says at once: levelled samples, sample ranges of speech, and the words where they are known."""

    def __init__(self, samples, spans, text=None):
        loud = level(numpy.concatenate([samples[b:e] for b, e in spans]))
        self.samples = samples * numpy.float32(10 ** (LEVEL_DB / 20) / max(loud, 1e-4))
        self.spans = spans
        self.text = text


def cut_parts(library, name, rng, low, high):
    """Endless parts of `low` to `high` seconds, which begin and end where the voice itself pauses."""
    for file in itertools.cycle(library.files(name)):
        samples, spans = library.recording(file)
        first = 0
        while first < len(spans):
            wanted, last = rng.uniform(low, high), first
            while last + 1 < len(spans) and (spans[last][1] - spans[first][0]) / RATE < wanted:
                last += 1
            begin, end = spans[first][0], spans[last][1]
            if (end - begin) / RATE >= 0.4:
                inside = [(b - begin, e - begin) for b, e in spans[first : last + 1]]
                yield Part(samples[begin:end].copy(), inside)
            first = last + 1


def whole_parts(library, name):
    """Endless parts that are whole recordings, with their words."""
    for file in itertools.cycle(library.files(name)):
        samples, spans = library.recording(file)
        begin, end = spans[0][0], spans[-1][1]
        text = file.with_name(file.name + ".txt").read_text(encoding="utf-8").strip()
        yield Part(samples[begin:end].copy(), [(b - begin, e - begin) for b, e in spans], text)


class _Mix:
    def __init__(self, recipe, rng):
        self.samples = numpy.zeros(int((recipe.seconds + 60) * RATE), numpy.float32)
        self.turns, self.said = [], []
        self._gain = {v: 10 ** (rng.uniform(-recipe.gain, recipe.gain) / 20) for v in recipe.voices}

    def put(self, voice, at, part):
        self.samples[at : at + len(part.samples)] += part.samples * self._gain[voice]
        self.turns += [((at + b) / RATE, (at + e) / RATE, voice) for b, e in part.spans]
        if part.text is not None:
            self.said.append({"start": at / RATE, "end": (at + len(part.samples)) / RATE, "speaker": voice,
                              "language": VOICES[voice].language, "text": part.text})  # fmt: skip


def _other(rng, voices, than):
    return str(rng.choice([v for v in voices if v != than]))


def _talk(recipe, library, rng, mix):
    """Turns at random: who, when and for how long. The order of the random numbers is part of a recipe."""
    voices = recipe.voices
    if recipe.whole:
        parts = {v: whole_parts(library, v) for v in voices}
    else:
        parts = {v: cut_parts(library, v, rng, recipe.low, recipe.high) for v in voices}
    words = {v: cut_parts(library, v, rng, 0.4, 0.8) for v in voices}
    now, last = int(0.5 * RATE), None
    while now < recipe.seconds * RATE:
        voice = _other(rng, voices, last) if len(voices) > 1 else voices[0]
        part, at = next(parts[voice]), now
        length = len(part.samples)
        if rng.random() < recipe.overlap and last:
            at = max(0, now - int(min(rng.uniform(0.3, 1.8), 0.6 * length / RATE) * RATE))
        mix.put(voice, at, part)
        if rng.random() < recipe.remarks and length > 3 * RATE and len(voices) > 1:
            remark = next(words[by := _other(rng, voices, voice)])
            if len(remark.samples) < 1.5 * RATE:
                mix.put(by, at + int(rng.uniform(0.5, length / RATE - 1.5) * RATE), remark)
        now = at + length + int(rng.uniform(*recipe.gaps) * RATE)
        if rng.random() < recipe.silences:
            now += int(rng.uniform(3, 8) * RATE)
        last = voice


def _with_music(samples, music, below):
    factor = 10 ** ((LEVEL_DB - below) / 20) / level(music)
    return samples + numpy.resize(music, len(samples)) * numpy.float32(factor)


def _treated(recipe, library, rng, samples):
    if recipe.music is not None:
        samples = _with_music(samples, library.music(), recipe.music)
    if recipe.effect:
        from . import effects

        samples = getattr(effects, recipe.effect)(samples, rng)
    noise = rng.standard_normal(len(samples)).astype(numpy.float32)
    samples = samples + noise * 10 ** ((LEVEL_DB - recipe.noise) / 20)
    return samples * min(1, 0.95 / numpy.abs(samples).max())


def joined(turns):
    """The turns of each voice with short pauses closed, in the order of their starts."""
    out = []
    for voice in sorted({v for *_, v in turns}):
        mine = []
        for begin, end in sorted((b, e) for b, e, v in turns if v == voice):
            if mine and begin <= mine[-1][1] + CLOSED_S:
                mine[-1] = (mine[-1][0], max(end, mine[-1][1]), voice)
            else:
                mine.append((begin, end, voice))
        out += mine
    return sorted(out)


def converse(recipe, library):
    """Samples, turns, and what was said by whom."""
    rng = numpy.random.default_rng(recipe.seed)
    mix = _Mix(recipe, rng)
    _talk(recipe, library, rng, mix)
    count = int((max(end for _, end, _ in mix.turns) + 1) * RATE)
    samples = _treated(recipe, library, rng, mix.samples[:count])
    return samples, joined(mix.turns), sorted(mix.said, key=lambda part: part["start"])


def write(recipe, library, folder):
    """NAME.wav with its NAME.rttm, and NAME.json with the words where they are known."""
    samples, turns, said = converse(recipe, library)
    save(folder / f"{recipe.name}.wav", samples)
    write_rttm(folder / f"{recipe.name}.rttm", turns)
    if said:
        text = json.dumps(said, ensure_ascii=False, indent=1)
        (folder / f"{recipe.name}.json").write_text(text, encoding="utf-8")
