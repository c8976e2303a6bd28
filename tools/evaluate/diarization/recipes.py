"""Which conversations there are. A recipe and the recordings make always the same bytes."""

import dataclasses


@dataclasses.dataclass(frozen=True)
class Recipe:
    name: str
    voices: tuple
    seconds: int
    seed: int
    low: float = 1.0  # a turn's seconds, at least and at most
    high: float = 8.0
    gaps: tuple = (0.1, 1.0)  # seconds between turns
    overlap: float = 0.0  # share of turns that begin before the last one has ended
    remarks: float = 0.0  # share of long turns that another one says a word into
    silences: float = 0.0  # share of gaps that are 3 to 8 s longer
    gain: float = 4.0  # dB that a voice is louder or softer, at most
    noise: float = 45.0  # dB below speech
    music: float | None = None  # dB below speech
    effect: str = ""  # telephone or room
    whole: bool = False  # turns are whole recordings, whose words are known


def _recipe(name, voices, seconds, seed, **rest):
    return Recipe(name, tuple(voices.split()), seconds, seed, **rest)


# The first settings were chosen on these.
SET_1 = [
    _recipe("two-clean", "1688 2033", 120, 1),
    _recipe("two-overlap", "1998 2414", 120, 2, overlap=0.5, remarks=0.3, gaps=(0.05, 0.5)),
    _recipe("two-quick", "2609 LJ", 90, 3, low=0.6, high=2.5, gaps=(0.05, 0.4), overlap=0.2),
    _recipe("three-overlap", "1688 2414 LJ", 150, 4, overlap=0.4, remarks=0.2),
    _recipe("three-silence", "2609 1998 kathleen", 150, 5, silences=0.4, gaps=(0.3, 2.0)),
    _recipe("four-overlap", "1998 2033 2609 2414", 180, 6, overlap=0.4, remarks=0.2),
    _recipe("five", "1688 1998 2033 2414 2609", 240, 7, overlap=0.15),
    _recipe("telephone-two", "1688 1998", 120, 8, overlap=0.3, noise=25, effect="telephone"),
    _recipe("room-three", "2033 2414 LJ", 150, 9, overlap=0.2, noise=20, effect="room"),
    _recipe("one", "2414", 70, 10, gaps=(0.2, 2.0)),
    _recipe("eight", "1688 1998 2033 2414 2609 LJ kerstin austen", 420, 11, overlap=0.15),
]
# Nobody of set 1 speaks in these.
SET_2 = [
    _recipe("one-reader", "bush", 60, 101, gaps=(0.2, 2.0)),
    _recipe("one-music", "sonnet", 60, 102, gaps=(0.2, 2.0), music=12),
    _recipe("two-german", "simplicissimus machine", 90, 103, overlap=0.3, remarks=0.2),
    _recipe("two-french", "baudelaire june", 90, 104, overlap=0.3),
    _recipe("two-quick", "allison kennedy", 60, 105, low=0.6, high=2.5, gaps=(0.05, 0.4), overlap=0.2),
    _recipe("two-music", "maxim 5703", 90, 106, overlap=0.1, music=12),
    _recipe("two-telephone", "harvard bush", 90, 107, overlap=0.3, noise=25, effect="telephone"),
    _recipe("three-telephone", "simplicissimus machine fleurs", 100, 108, noise=25, effect="telephone"),
    _recipe("three-noise", "1272 earnings allison", 100, 109, overlap=0.2, noise=10),
    _recipe("three-prompts", "allison june maxim", 100, 110, overlap=0.3, silences=0.3),
    _recipe("three-room", "198 3436 sonnet", 100, 111, overlap=0.2, noise=20, effect="room"),
    _recipe("four-overlap", "bush june 3436 p287", 120, 112, overlap=0.4, remarks=0.2),
    _recipe("five-languages", "allison baudelaire maxim simplicissimus 13697", 150, 113, overlap=0.15),
    _recipe("six", "1272 5703 kennedy cold sonnet earnings", 150, 114, overlap=0.15),
    _recipe("seven", "bush june machine 198 harvard 1995 3436", 180, 115, overlap=0.15),
    _recipe("eight", "allison baudelaire kennedy 5703 simplicissimus 1272 p287 13697", 240, 116, overlap=0.2),
]
# Whole recordings with their texts, for the words. The German one and the last have voices of set 2.
WORDS = [
    _recipe("words-two", "1688 2033", 120, 201, whole=True),
    _recipe("words-three", "2414 LJ kathleen", 120, 202, whole=True),
    _recipe("words-five", "1688 1998 2033 2414 2609", 240, 203, whole=True),
    _recipe("words-german", "kerstin fleurs leopard", 120, 204, whole=True),
    _recipe("words-held-out", "1272 p287 1995", 120, 205, whole=True),
    _recipe("words-two-overlap", "1998 LJ", 120, 206, overlap=0.5, whole=True),
    _recipe("words-three-overlap", "2609 kathleen 2033", 120, 207, overlap=0.5, whole=True),
    _recipe("words-four-overlap", "1998 2033 2609 2414", 180, 208, overlap=0.4, whole=True),
    _recipe("words-held-out-overlap", "1272 p287 1995", 120, 209, overlap=0.4, whole=True),
]
SETS = {"set-1": SET_1, "set-2": SET_2, "words": WORDS}
