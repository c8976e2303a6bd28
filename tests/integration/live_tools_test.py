"""scripts/evaluate live: the arithmetic, and how it reads what systems say."""

import pathlib
import subprocess
import sys
import tempfile
import time
import unittest

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[2] / "tools"))
from evaluate.live import figures, recordings, table  # noqa: E402
from evaluate.live.line_reader import LineReader  # noqa: E402
from evaluate.live.matching import kept, lasting, matched, spoken  # noqa: E402
from evaluate.live.pacing import feed  # noqa: E402
from evaluate.live.peer_reader import PeerReader  # noqa: E402
from evaluate.live.realtime_reader import RealtimeReader  # noqa: E402
from evaluate.live.speech_end import Place, after_speech, speech_end  # noqa: E402
from evaluate.live.trace import Trace, Turn  # noqa: E402
from evaluate.live.usage import Usage  # noqa: E402
from evaluate.manifest import Clip  # noqa: E402

NO_ERRORS = {"percent": 0.0, "total": 0}


def turn(text, at, *shown):
    """A turn that ended at `at`, with (time, sure, unsure) texts before."""
    made = Turn()
    for state in shown:
        made.show(*state)
    made.end(at, text)
    return made


class MatchingTest(unittest.TestCase):
    def test_a_words_end_is_that_of_the_piece_it_stands_in(self):
        transcript = {"segments": [{"words": [{"word": " Well,", "end": 0.5}, {"word": " –", "end": 0.6},
                                              {"word": " know-how.", "end": 1.5}]}, {}]}
        self.assertEqual(spoken(transcript), [("well", 0.5), ("know", 1.5), ("how", 1.5)])

    def test_a_word_that_was_cut_by_a_piece_counts_when_it_is_whole(self):
        self.assertEqual(lasting([(1, "Good mor"), (2, "Good morning")]), [("good", 1), ("morning", 2)])

    def test_a_word_that_went_and_came_again_counts_from_then_on(self):
        self.assertEqual(lasting([(1, "a b"), (2, "a"), (3, "a b")]), [("a", 1), ("b", 3)])
        self.assertEqual(lasting([]), [])

    def test_what_the_kept_text_alone_has_came_with_it(self):
        states = [(1, "one"), (2, "one too")]
        self.assertEqual(kept(states, "So one two", 5), [("so", 5), ("one", 1), ("two", 5)])

    def test_words_are_matched_in_order_and_misheard_ones_are_left_out(self):
        said = [("one", 0.5), ("two", 1.0), ("three", 1.5), ("one", 2.0)]
        sent = [("one", 1.0), ("too", 1.6), ("three", 2.1), ("one", 2.4)]
        self.assertEqual(matched(said, sent), [(0.5, 1.0, 0), (1.5, 2.1, 2), (2.0, 2.4, 3)])


class SpeechEndTest(unittest.TestCase):
    def test_speech_ends_where_the_sound_falls_by_20_db(self):
        pcm = b"".join(value.to_bytes(2, "little") * 1600 for value in (8000, 1000, 500, 0))
        self.assertAlmostEqual(speech_end(pcm, 16000), 0.2)
        self.assertEqual(speech_end(bytes(3200), 16000), 0)

    def test_a_text_is_counted_from_the_speech_before_it_and_other_ends_are_false(self):
        turns = [turn("one", 1.1), turn("two", 3.4), turn("three", 7.2), Turn()]
        for ended, at in zip(turns, (1.0, 3.3, 7.0)):
            ended.stopped_at = at
        waits, false_ends = after_speech(turns, [Place(0, 3), Place(5, 6.8), Place(9, 9.5)])
        self.assertEqual([round(wait, 3) for wait in waits], [0.4, 0.4])
        self.assertEqual(false_ends, 1)


class FiguresTest(unittest.TestCase):
    def test_percentiles_lie_between_the_nearest_values(self):
        self.assertEqual(figures.percentile([3, 1, 2], 50), 2)
        self.assertEqual(figures.percentile([1, 2], 50), 1.5)
        self.assertAlmostEqual(figures.percentile(list(range(101)), 99), 99)
        self.assertEqual(figures.percentile([7], 90), 7)
        self.assertIsNone(figures.percentile([], 50))

    def test_words_behind_the_first_that_differs_are_taken_back(self):
        self.assertEqual(figures.taken_back(["a b", "a b c", "a x c", "a"]), 2 + 2)
        self.assertEqual(figures.taken_back(["A b,", "a b. C"]), 0)
        self.assertEqual(figures.taken_back([]), 0)

    def test_words_that_are_not_kept_have_changed(self):
        self.assertEqual(figures.changed_in_the_end(turn("one two three", 3, (1, "one to three", ""))), 1)
        self.assertEqual(figures.changed_in_the_end(turn("so one", 3, (1, "one", ""))), 0)
        self.assertEqual(figures.changed_in_the_end(turn("", 3)), 0)

    def test_latencies_are_of_words_and_of_turns(self):
        first = turn("one two", 2.5, (1.25, "one", " to"), (1.75, "one", " two"), (2, "one two", ""))
        second = turn("three", 4.5)
        found = figures.latencies(Trace([first, second]), [("one", 0.5), ("two", 1.0), ("three", 3.0)])
        self.assertEqual(found, {"sent": [0.75, 1.0, 1.5], "shown": [0.75, 0.75, 1.5], "text": [1.5, 1.5]})

    def test_a_turn_that_failed_has_no_words_and_is_counted(self):
        lost = Turn()
        lost.show(1, "one")
        found = figures.session(Trace([lost, turn("two", 3)]), [("one", 0.5), ("two", 2.0)])
        self.assertEqual((found["failed_turns"], found["sent"], found["words"]), (1, [1.0], 1))

    def test_sessions_are_joined_by_their_words_and_the_worst_lag(self):
        one = figures.session(Trace([turn("one", 2)], seconds=2, late_s=0.5, ended_at=3), [("one", 1.0)])
        other = figures.session(Trace([turn("one", 4)], seconds=2, late_s=0.1, ended_at=2.5), [("one", 1.0)])
        found = figures.join([one, other])
        self.assertEqual((found["sessions"], found["words"], found["sent"]["p50"]), (2, 2, 2.0))
        self.assertEqual((found["late_s"], found["end_s"]), (0.5, 1.0))


class RealtimeReaderTest(unittest.TestCase):
    def read(self, reader, *events):
        for at, kind, more in events:
            reader.take(at, {"type": kind, **more})
        return reader.trace()

    def text(self, at, kind, item, **more):
        return at, f"conversation.item.input_audio_transcription.{kind}", {"item_id": item, **more}

    def buffer(self, at, kind, item=None):
        return at, f"input_audio_buffer.{kind}", {"item_id": item}

    def test_a_turn_has_its_words_its_end_and_its_text(self):
        reader = RealtimeReader()
        found = self.read(reader, self.buffer(0.3, "speech_started", "a"), self.text(1, "delta", "a", delta="One"),
                          self.text(2, "delta", "a", delta=" two"), self.buffer(2.5, "speech_stopped", "a"),
                          self.buffer(2.5, "committed", "a"), self.text(3, "completed", "a", transcript="One two."))
        only, = found.turns
        self.assertEqual(only.sure, [(1, "One"), (2, "One two")])
        self.assertEqual((only.stopped_at, only.text, only.text_at), (2.5, "One two.", 3))
        self.assertEqual(found.text, "One two.")

    def test_it_ends_when_the_last_commit_has_its_text(self):
        reader = RealtimeReader()
        self.read(reader, self.buffer(1, "committed", "a"))
        reader.ask_to_end()
        self.read(reader, self.buffer(2, "cleared"), self.text(2, "completed", "a", transcript=""))
        self.assertFalse(reader.ended, "the commit was not answered")
        self.read(reader, self.buffer(3, "committed", "b"))
        self.assertFalse(reader.ended)
        self.read(reader, self.text(3, "completed", "b", transcript="Two"))
        self.assertTrue(reader.ended)

    def test_a_last_commit_of_nothing_is_no_failure_and_any_other_error_is(self):
        reader = RealtimeReader()
        reader.ask_to_end()
        empty = {"error": {"code": "input_audio_buffer_commit_empty", "message": "…"}}
        self.read(reader, (1, "error", empty), self.buffer(1, "cleared"))
        self.assertTrue(reader.ended)
        self.assertEqual(reader.failed, "")
        self.read(reader, (2, "error", {"error": {"code": "server_error", "message": "gone"}}))
        self.assertEqual(reader.trace().failed, "server_error: gone")

    def test_a_turn_that_failed_has_no_text(self):
        reader = RealtimeReader()
        found = self.read(reader, self.buffer(1, "committed", "a"), self.text(2, "failed", "a", error={}))
        self.assertIsNone(found.turns[0].text)


class OtherReadersTest(unittest.TestCase):
    def test_lines_of_the_command_are_one_turn(self):
        reader = LineReader()
        for at, event in ((1.5, {"type": "partial", "heard_s": 1.0, "text": " One", "tail": " too"}),
                          (2.0, {"type": "segment", "text": " One two."}),
                          (2.0, {"type": "partial", "heard_s": 1.9, "text": "", "tail": " three"}),
                          (3.0, {"type": "done", "text": " One two. Three."})):
            reader.take(at, event)
        found = reader.trace()
        self.assertEqual(found.turns[0].sure, [(1.5, " One"), (2.0, " One two.")])
        self.assertEqual(found.turns[0].shown[-1], (2.0, " One two. three"))
        self.assertEqual((found.text, found.heard_late_s), ("One two. Three.", 0.5))

    def test_lines_of_the_peer_are_sure_and_its_buffer_is_not(self):
        reader = PeerReader()
        reader.take(0, {"type": "config"})
        reader.take(1, {"lines": [{"speaker": 1, "text": " One"}, {"speaker": -2, "text": None}],
                        "buffer_transcription": "two"})
        self.assertFalse(reader.ended)
        reader.take(2, {"type": "ready_to_stop"})
        found = reader.trace().turns[0]
        self.assertTrue(reader.ended)
        self.assertEqual((found.sure, found.shown, found.text), ([(1, "One")], [(1, "One two")], "One two"))


class FeedingTest(unittest.TestCase):
    def test_a_piece_is_sent_when_its_last_sample_was_spoken(self):
        clock, sent = [10.0], []

        def sleep(seconds):
            clock[0] += seconds

        def send(piece):
            sent.append((round(clock[0], 3), len(piece)))
            clock[0] += 0.5 if len(sent) == 2 else 0.0  # the second is taken slowly

        late = feed(bytes(1000), 1000, 0.3, 10.0, send, lambda: clock[0], sleep)
        self.assertEqual(sent, [(10.3, 300), (10.6, 300), (11.1, 300), (11.1, 100)])
        self.assertAlmostEqual(late, 0.5)

    def test_clips_are_joined_by_set_and_language_with_silence_behind_each(self):
        clips = [Clip("a/1.wav", None, 4, "en", "One"), Clip("a/2.wav", None, 4, "en", "two"),
                 Clip("a/3.wav", None, 4, "en", "three"), Clip("a/4.wav", None, 1, "de", None),
                 Clip("b/1.wav", None, 9, "zxx", "")]
        self.assertEqual(recordings.within(clips[:3], 8), clips[:2])
        self.assertEqual(recordings.within(clips[4:], 8), clips[4:])
        with tempfile.TemporaryDirectory() as folder:
            made = recordings.make(clips, 8, 0.5, folder, lambda _: b"\1\0" * 16000)
        self.assertEqual([(one.name, one.language, one.seconds, one.reference) for one in made],
                         [("a", "en", 3.0, "One two"), ("b", recordings.DETECT, 1.5, "")])
        self.assertEqual(made[0].pcm[32000:48000], bytes(16000))

    def test_what_processes_compute_and_hold_is_seen(self):
        code = "x = bytearray(50_000_000)\nn = 0\nwhile True: n += 1"
        child = subprocess.Popen([sys.executable, "-c", code])
        usage = Usage(child.pid)
        try:
            usage.begin()
            until = time.monotonic() + 60
            while (usage.cpu_s < 0.05 or usage.peak_bytes < 50e6) and time.monotonic() < until:
                time.sleep(0.01)
            usage.end()
        finally:
            child.kill()
            child.wait()
        self.assertGreater(usage.cpu_s, 0)
        self.assertGreater(usage.peak_bytes, 50e6)


class TableTest(unittest.TestCase):
    def row(self, *turns, **more):
        joined = figures.join([figures.session(Trace(list(turns), seconds=2), [("one", 0.5)])])
        return joined | {"recording": "talk", "language": "en", "run": "here", "errors": NO_ERRORS,
                         "whole": NO_ERRORS, "against_whole": NO_ERRORS, "cpu_per_second": 0.25,
                         "peak_bytes": 2e8, "failed": [], **more}

    def cells(self, text):
        return [cell.strip() for cell in text.splitlines()[2].split("|")][1:-1]

    def test_words_and_turns_have_their_seconds(self):
        row = self.row(turn("one", 2.0, (1.0, "", "one"), (1.25, "one", "")))
        self.assertEqual(self.cells(table.latency([row])),
                         ["talk (en)", "here", "1", "0.75", "0.75", "0.75", "0.50", "1.50", "1.50", "–", "–", "–",
                          "0.00", "0.00", "0.00"])
        self.assertEqual(self.cells(table.cost([row]))[2:], ["0.0", "0.0", "0.0", "0.0", "0.00", "–", "0.00", "0.250",
                                                             "200", "–"])

    def test_words_where_nobody_speaks_are_made_up(self):
        row = self.row(turn("you", 2.0), errors={"percent": None, "total": 1})
        self.assertIn("1 made up", table.latency([row]))

    def test_failures_are_named(self):
        row = self.row(Turn(), failed=["the server closed the socket"])
        self.assertEqual(table.failures([row]), ["talk, here: the server closed the socket",
                                                 "talk, here: 1 turns without a text"])


if __name__ == "__main__":
    unittest.main()
