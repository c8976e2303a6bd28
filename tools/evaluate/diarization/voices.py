"""Recordings of single speakers, which conversations are made of."""

import dataclasses
import functools
import math
import pathlib
import subprocess
import wave

import numpy

RATE = 16000
LONGEST_S = 10
# Prompts that scripts/setup --tests makes: one professional speaker for each language.
PROMPTS = ("congrats", "instruct", "echotest", "moreinfo", "nogo", "allbusy", "thanks", "abouttotry")


@dataclasses.dataclass(frozen=True)
class Voice:
    language: str
    patterns: tuple  # of files below the collection's folder, or prompts:LANGUAGE


def _voice(language, *patterns):
    return Voice(language, patterns)


# No two are the same person.
VOICES = {
    # The voices of set 1, on which thresholds were chosen.
    **{n: _voice("en", f"librispeech-test-other/{n}-*.flac") for n in ("1688", "1998", "2033", "2414", "2609")},
    "LJ": _voice("en", "ljspeech/*.flac"),
    "kathleen": _voice("en", "arctic-kathleen/*.wav"),
    "kerstin": _voice("de", "kerstin-de/*.webm"),
    "austen": _voice("en", "librivox-austen/*.wav"),
    # The voices of set 2.
    "allison": _voice("en", "prompts:en"),
    "june": _voice("fr", "prompts:fr"),
    "maxim": _voice("ru", "prompts:ru"),
    "bush": _voice("en", "long/columbia.wma"),
    "kennedy": _voice("en", "containers/jfk.flac", "containers/kennedy.wav"),
    "sonnet": _voice("en", "long/sonnet1-en.mp3"),
    "earnings": _voice("en", "spontaneous/earnings22*.wav"),
    "1272": _voice("en", "containers/1272-141231-0002.flac", "languages/leopard-en.wav"),
    "198": _voice("en", "containers/198-209-0000.ogg"),
    "3436": _voice("en", "containers/3436-172162-0000.ogg"),
    "5703": _voice("en", "containers/5703-47212-0000.ogg"),
    "p287": _voice("en", "noisy/p287_*.clean.wav"),
    "harvard": _voice("en", "telephone/OSR_us_000_0034_8k.wav"),
    "1995": _voice("en", "librispeech-misc/librispeech-1995-*.wav"),
    "simplicissimus": _voice("de", "long/simplicissimus-de.mp3"),
    "machine": _voice("de", "synthetic-long/tts-5min-de.ogg"),
    "leopard": _voice("de", "languages/leopard-de.wav"),
    "fleurs": _voice("de", "fleurs/fleurs-de-000.ogg"),
    "cold": _voice("en", "spontaneous/cold_corpus.wav"),
    "baudelaire": _voice("fr", "long-fr-fleurs-du-mal/fleursdumal_00[2-5]*.mp3"),
    "13697": _voice("es", "languages/13697_11991_000000.opus"),
}
MUSIC = "music-silence/Kevin_MacLeod_-_Vibe_Ace.ogg"


class Library:
    """The voices that are there.

    `collection` is a folder of recordings as VOICES names them, `prompts` that of scripts/setup --tests;
    `speech` gives the sample ranges in which a recording has speech.
    """

    def __init__(self, collection, prompts, speech):
        self._collection = pathlib.Path(collection)
        self._prompts = pathlib.Path(prompts)
        self._speech = speech

    def files(self, name):
        return [file for pattern in VOICES[name].patterns for file in self._matching(pattern)]

    def _matching(self, pattern):
        kind, _, language = pattern.partition(":")
        if kind != "prompts":
            return sorted(self._collection.glob(pattern))
        named = (self._prompts / f"{language}-{prompt}.wav" for prompt in PROMPTS)
        return [file for file in named if file.is_file()]

    def missing(self, recipe):
        """Names of what a conversation would be made of and is not there."""
        names = [name for name in dict.fromkeys(recipe.voices) if not self.files(name)]
        return names + (["music"] if recipe.music is not None and not self._matching(MUSIC) else [])

    def music(self):
        return load(self._collection / MUSIC)

    @functools.cache
    def recording(self, file):
        """Its samples and their ranges of speech, none longer than LONGEST_S."""
        samples = load(file)
        return samples, [piece for span in self._speech(samples) for piece in shortened(samples, span)]


def shortened(samples, span):
    """The range cut where the middle half is quietest, again and again while it is too long for a turn."""
    begin, end = span
    if end - begin <= LONGEST_S * RATE:
        return [span]
    first, step = begin + (end - begin) // 4, RATE // 20
    middle = samples[first : end - (end - begin) // 4]
    frames = middle[: len(middle) // step * step].reshape(-1, step)
    cut = first + int((frames**2).sum(1).argmin()) * step + step // 2
    return shortened(samples, (begin, cut)) + shortened(samples, (cut, end))


def is_plain(file):
    """Whether a WAV file is mono, 16 kHz, 16 bits: what every system reads."""
    try:
        with wave.open(str(file), "rb") as sound:
            return (sound.getnchannels(), sound.getsampwidth(), sound.getframerate()) == (1, 2, RATE)
    except wave.Error:  # samples of another kind than whole numbers
        return False


def save(file, samples):
    with wave.open(str(file), "wb") as out:
        out.setparams((1, 2, RATE, 0, "NONE", ""))
        out.writeframes(numpy.floor(numpy.clip(samples, -1, 32767 / 32768) * 32768).astype("<i2").tobytes())


def load(file):
    """Mono, 16 kHz, float32 from -1 to 1."""
    if file.suffix == ".wav" and is_plain(file):
        with wave.open(str(file), "rb") as sound:
            pcm = sound.readframes(sound.getnframes())
        return numpy.frombuffer(pcm, "<i2").astype(numpy.float32) / 32768
    if file.suffix in (".wav", ".flac"):
        return _resampled(file)
    command = ["ffmpeg", "-v", "error", "-i", file, "-ac", "1", "-ar", str(RATE), "-f", "f32le", "-"]
    return numpy.frombuffer(subprocess.run(command, capture_output=True, check=True).stdout, numpy.float32)


def _resampled(file):
    import scipy.signal
    import soundfile

    samples, rate = soundfile.read(file, dtype="float32", always_2d=True)
    common = math.gcd(rate, RATE)
    samples = samples.mean(1)
    if rate == RATE:
        return samples
    return scipy.signal.resample_poly(samples, RATE // common, rate // common).astype(numpy.float32)


def silero():
    """Speech as Silero VAD hears it in a clean recording; energy would not do, because some readers have
    noise 10 dB below their voice."""
    import silero_vad
    import torch

    torch.set_num_threads(1)
    model = silero_vad.load_silero_vad()

    def speech(samples):
        spans = silero_vad.get_speech_timestamps(
            torch.from_numpy(samples.copy()), model, threshold=0.5, min_speech_duration_ms=100,
            min_silence_duration_ms=200, speech_pad_ms=30,
        )  # fmt: skip
        return [(span["start"], span["end"]) for span in spans]

    return speech
