"""scripts/evaluate diarization: its arithmetic, and the conversations that it makes.

  SCRIBED_RECORDINGS   see recordings.py; conversations are made of them
"""

import itertools
import pathlib
import random
import sys
import tempfile
import unittest
import wave

import numpy

from recordings import RATE, RECORDINGS, recording

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[2] / "tools"))
from evaluate.diarization import conversations, recipes, table, voices, words  # noqa: E402
from evaluate.diarization.assignment import best_pairs  # noqa: E402
from evaluate.diarization.errors import errors, matched, rate, read_rttm, write_rttm  # noqa: E402

REFERENCE = [(0.0, 10.0, "ann"), (10.0, 20.0, "bob")]


def loud_parts(samples):
    """Speech enough for prompts without noise: runs of 50 ms above a level, with pauses below 0.2 s closed."""
    frames = samples[: len(samples) // 800 * 800].reshape(-1, 800)
    runs = []
    for i in numpy.flatnonzero(numpy.sqrt((frames**2).mean(1)) > 0.01):
        if runs and i - runs[-1][1] < 4:
            runs[-1][1] = int(i) + 1
        else:
            runs.append([int(i), int(i) + 1])
    return [(begin * 800, end * 800) for begin, end in runs]


class ErrorsTest(unittest.TestCase):
    def test_pairs_are_the_best_of_all_permutations(self):
        source = random.Random(1)
        for _ in range(200):
            rows, columns = source.randint(1, 4), source.randint(1, 5)
            worth = [[source.choice((0, 0, 1, 3, 10 * source.random())) for _ in range(columns)]
                     for _ in range(rows)]
            count = min(rows, columns)
            best = max(sum(worth[i][j] for i, j in zip(some, order))
                       for some in itertools.combinations(range(rows), count)
                       for order in itertools.permutations(range(columns), count))
            found = best_pairs(worth)
            self.assertAlmostEqual(sum(worth[i][j] for i, j in found), best)
            self.assertEqual(len({i for i, _ in found}), len({j for _, j in found}))

    def test_names_do_not_matter(self):
        found = [(0.0, 10.0, "B"), (10.0, 20.0, "A")]
        self.assertEqual(rate(errors(REFERENCE, found)), 0)
        self.assertEqual(matched(REFERENCE, found), {"B": "ann", "A": "bob"})

    def test_what_is_missed_made_up_and_confused_is_counted_apart(self):
        found = [(1.0, 12.0, "A"), (12.0, 22.0, "B")]
        self.assertEqual(errors(REFERENCE, found), {"missed": 1, "false": 2, "confused": 2, "speech": 20})

    def test_both_voices_of_an_overlap_are_scored(self):
        both = [(0.0, 10.0, "ann"), (6.0, 10.0, "bob")]
        self.assertEqual(errors(both, [(0.0, 10.0, "A")]),
                         {"missed": 4, "false": 0, "confused": 0, "speech": 14})

    def test_a_collar_leaves_out_both_sides_of_each_edge(self):
        found = [(0.2, 10.2, "A"), (10.2, 20.3, "B")]
        self.assertAlmostEqual(errors(REFERENCE, found, 0.25)["false"], 0.05)
        self.assertAlmostEqual(errors(REFERENCE, found, 0.25)["speech"], 19)
        self.assertAlmostEqual(errors(REFERENCE, found, 0.25)["confused"], 0)

    def test_nothing_found_is_all_missed(self):
        self.assertEqual(rate(errors(REFERENCE, [])), 100)

    def test_rttm_comes_back_as_it_was_written(self):
        with tempfile.TemporaryDirectory() as folder:
            file = pathlib.Path(folder) / "talk.rttm"
            write_rttm(file, REFERENCE)
            self.assertEqual(read_rttm(file), REFERENCE)
            self.assertTrue(file.read_text().startswith("SPEAKER talk 1 0.000 10.000 <NA> <NA> ann <NA> <NA>\n"))


class WordsTest(unittest.TestCase):
    SAID = [(word, "ann") for word in "one two three".split()] + [(word, "bob") for word in "four five".split()]

    def test_a_word_has_the_right_speaker_under_the_best_names(self):
        heard = [("one", "B"), ("two", "B"), ("three", "A"), ("four", "A"), ("five", "A")]
        found = words.score(self.SAID, heard)
        self.assertEqual((found["equal"], found["equal_right"]), (5, 4))

    def test_misheard_words_have_a_speaker_but_are_counted_apart(self):
        heard = [("one", "A"), ("too", "A"), ("three", "A"), ("four", "B")]
        found = words.score(self.SAID, heard)
        self.assertEqual((found["words"], found["aligned"], found["aligned_right"], found["equal_right"]),
                         (5, 4, 4, 3))

    def test_a_word_without_speaker_is_not_right(self):
        heard = [("one", None), ("two", "A"), ("three", "A"), ("four", None), ("five", None)]
        self.assertEqual(words.score(self.SAID, heard)["equal_right"], 2)


class TableTest(unittest.TestCase):
    def test_a_wrong_number_of_speakers_is_shown_and_not_counted_as_right(self):
        score = {"turns": [], "wall_s": 2.0, "cpu_s": 4.0,
                 "errors": {"0": {"missed": 1, "false": 0, "confused": 1, "speech": 20}}}
        rows = [{"name": "talk", "seconds": 20.0, "speakers": 2,
                 "found": {"good": score | {"speakers": 2}, "bad": score | {"speakers": 3}}}]
        good, bad = table.summary(rows, ["good", "bad"], ["0"]).splitlines()[2:]
        self.assertEqual([cell.strip() for cell in good.split("|")][1:-1],
                         ["good", "10.00", "5.00", "0.00", "5.00", "1 of 1", "10.0", "5.0"])
        self.assertIn("0 of 1", bad)
        self.assertIn("10.00 (3)", table.by_recording(rows, ["good", "bad"], "0"))


class ConversationsTest(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        recording("en-thanks.wav")  # skips where there are none
        cls.library = voices.Library("/nonexistent", RECORDINGS, loud_parts)

    def recipe(self, seed=1, **rest):
        return recipes.Recipe("talk", ("allison", "maxim"), 20, seed, overlap=0.5, **rest)

    def test_a_seed_makes_the_same_bytes_and_another_one_does_not(self):
        files = []
        with tempfile.TemporaryDirectory() as folder:
            for number, seed in enumerate((1, 1, 2)):
                out = pathlib.Path(folder) / str(number)
                out.mkdir()
                conversations.write(self.recipe(seed), self.library, out)
                files.append([(out / name).read_bytes() for name in ("talk.wav", "talk.rttm")])
        self.assertEqual(files[0], files[1])
        self.assertNotEqual(files[0][0], files[2][0])
        self.assertNotEqual(files[0][1], files[2][1])

    def test_turns_are_where_the_sound_is(self):
        samples, turns, said = conversations.converse(self.recipe(), self.library)
        self.assertEqual({speaker for *_, speaker in turns}, {"allison", "maxim"})
        self.assertEqual(said, [])
        spoken = numpy.zeros(len(samples), bool)
        for begin, end, _ in turns:
            self.assertLess(end, len(samples) / RATE)
            spoken[int(begin * RATE):int(end * RATE) + 1] = True
        self.assertGreater(conversations.level(samples[spoken]), 20 * conversations.level(samples[~spoken]))

    def test_voices_overlap_where_that_is_asked_for(self):
        def overlapping(turns):
            return sum(max(0, min(a[1], b[1]) - max(a[0], b[0]))
                       for a, b in itertools.combinations(turns, 2) if a[2] != b[2])
        alone = recipes.Recipe("talk", ("allison", "maxim"), 20, 1)
        self.assertEqual(overlapping(conversations.converse(alone, self.library)[1]), 0)
        self.assertGreater(overlapping(conversations.converse(self.recipe(), self.library)[1]), 0.3)

    def test_a_long_range_of_speech_is_cut(self):
        samples = numpy.ones(25 * RATE, numpy.float32)
        samples[9 * RATE:9 * RATE + 800] = 0
        spans = voices.shortened(samples, (0, len(samples)))
        self.assertEqual((spans[0][0], spans[-1][1]), (0, len(samples)))
        self.assertAlmostEqual(spans[0][1] / RATE, 9.025, delta=0.05)
        for (_, end), (begin, _) in itertools.pairwise(spans):
            self.assertEqual(end, begin)
        self.assertLessEqual(max(end - begin for begin, end in spans), voices.LONGEST_S * RATE)

    def test_short_pauses_of_one_voice_do_not_end_a_turn(self):
        turns = [(0.0, 1.0, "a"), (1.2, 2.0, "a"), (2.5, 3.0, "a"), (0.5, 1.5, "b")]
        self.assertEqual(conversations.joined(turns), [(0.0, 2.0, "a"), (0.5, 1.5, "b"), (2.5, 3.0, "a")])


class RecipesTest(unittest.TestCase):
    def test_nobody_of_the_first_set_speaks_in_the_second(self):
        first, second = ({v for recipe in chosen for v in recipe.voices} for chosen in (recipes.SET_1, recipes.SET_2))
        self.assertEqual(first & second, set())
        self.assertLessEqual(first | second, set(voices.VOICES))

    def test_names_and_seeds_are_each_used_once(self):
        for chosen in recipes.SETS.values():
            self.assertEqual(len({recipe.name for recipe in chosen}), len(chosen))
        seeds = [recipe.seed for chosen in recipes.SETS.values() for recipe in chosen]
        self.assertEqual(len(set(seeds)), len(seeds))

    def test_missing_voices_are_named(self):
        library = voices.Library("/nonexistent", "/nonexistent", loud_parts)
        self.assertEqual(library.missing(recipes.SET_1[0]), ["1688", "2033"])
        music = next(recipe for recipe in recipes.SET_2 if recipe.music is not None)
        self.assertIn("music", library.missing(music))

    def test_whole_recordings_are_turns_with_their_words(self):
        with tempfile.TemporaryDirectory() as folder:
            folder = pathlib.Path(folder)
            file = folder / "librispeech-misc" / "librispeech-1995-1.wav"
            file.parent.mkdir()
            tone = (8000 * numpy.sin(numpy.arange(2 * RATE) / 10)).astype("<i2")
            with wave.open(str(file), "wb") as out:
                out.setparams((1, 2, RATE, 0, "NONE", ""))
                out.writeframes(tone.tobytes())
            file.with_name(file.name + ".txt").write_text("a tone\n", encoding="utf-8")
            library = voices.Library(folder, folder, loud_parts)
            made = recipes.Recipe("talk", ("1995",), 5, 1, whole=True)
            _, turns, said = conversations.converse(made, library)
        self.assertEqual([part["text"] for part in said], ["a tone"] * len(said))
        self.assertEqual((said[0]["start"], said[0]["speaker"], said[0]["language"]), (0.5, "1995", "en"))
        self.assertEqual(len(turns), len(said))


if __name__ == "__main__":
    unittest.main()
