"""What is fed: the clips of a set and a language as one recording, with silence between them, so that turns end."""

import dataclasses
import itertools
import pathlib
import subprocess

from .. import manifest
from .speech_end import Place, speech_end

RATE = 16000
DETECT = "-"
UNKNOWN = ("zxx", "und", "-")  # no speech, and languages that the manifest does not name


@dataclasses.dataclass(frozen=True)
class Recording:
    name: str
    language: str
    seconds: float
    file: pathlib.Path  # WAV, 16 kHz, mono
    pcm: bytes  # of it, 16-bit
    reference: str  # empty: nobody speaks
    places: tuple = ()  # of its clips

    def at_rate(self, rate):
        """Its samples at another rate, 16-bit."""
        command = ["ffmpeg", "-nostdin", "-loglevel", "error", "-i", self.file, "-f", "s16le", "-ac", "1"]
        return subprocess.run([*command, "-ar", str(rate), "-"], capture_output=True, check=True).stdout


def within(clips, seconds):
    """The first of the clips that last so long together, and at least one."""
    ends = itertools.accumulate(clip.seconds for clip in clips)
    return [clip for clip, end in zip(clips, ends) if end <= seconds] or clips[:1]


def joined(name, language, clips, gap_s, folder, decode=manifest.decode_s16):
    silence = bytes(2 * int(gap_s * RATE))
    sounds = [decode(clip.file) for clip in clips]
    begins = itertools.accumulate((len(sound + silence) / 2 / RATE for sound in sounds), initial=0.0)
    places = tuple(Place(begin, begin + speech_end(sound, RATE)) for begin, sound in zip(begins, sounds))
    pcm = b"".join(sound + silence for sound in sounds)
    file = pathlib.Path(folder) / f"{name}-{language}.wav"
    manifest.write_wav(file, pcm)
    reference = " ".join(clip.reference for clip in clips).strip()
    return Recording(name, language, len(pcm) / 2 / RATE, file, pcm, reference, places)


def make(clips, seconds, gap_s, folder, decode=manifest.decode_s16):
    """A recording for each set and language of the clips whose words are known."""
    groups = {}
    for clip in clips:
        if clip.reference is not None:
            language = DETECT if clip.language in UNKNOWN else clip.language
            groups.setdefault((clip.name.split("/")[0], language), []).append(clip)
    return [joined(*key, within(group, seconds), gap_s, folder, decode) for key, group in groups.items()]
