"""Who speaks when, and who says what: a conversation of two people, made of single recordings, with the
real networks; and REST, which needs none.

  SCRIBED_BIN          folder of the programs (default: build/release/bin, then build/dev/bin)
  SCRIBED_RECORDINGS   see recordings.py

Without recordings, or the models base and speakers, the tests of the networks are skipped.
"""

import array
import itertools
import json
import pathlib
import subprocess
import sys
import tempfile
import unittest
import wave

from conversation import speaker_at, write_conversation
from daemon import DaemonTest
from recordings import fast_program
from scribed_command import ROOT, FakeWorkerTest

sys.path.insert(0, str(ROOT / "scripts"))
from worker_client import Worker  # noqa: E402

def require(model):
    if subprocess.run([fast_program(), "models", "show", model], capture_output=True).returncode != 0:
        raise unittest.SkipTest(f"{model} is not installed; scribed models pull {model}")


def folder_of(model):
    shown = subprocess.run([fast_program(), "models", "show", "--json", model], capture_output=True, check=True)
    return pathlib.Path(json.loads(shown.stdout)["path"])


class ConversationTest(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        require("speakers")
        folder = tempfile.TemporaryDirectory()
        cls.addClassCleanup(folder.cleanup)
        cls.folder = pathlib.Path(folder.name)
        cls.file = cls.folder / "two people.wav"
        cls.changes = write_conversation(cls.file)
        cls.turns = json.loads(cls.run_scribed("diarize", "-q", "--format", "json"))["turns"]

    @classmethod
    def run_scribed(cls, *arguments):
        result = subprocess.run([fast_program(), *map(str, arguments), cls.file], text=True,
                                capture_output=True, timeout=600)
        assert result.returncode == 0, result.stderr
        return result.stdout

    def expected(self, middle):
        return speaker_at(self.changes, middle)

    def test_turns_are_those_of_the_two_who_speak(self):
        turns = self.turns
        self.assertEqual({turn["speaker"] for turn in turns}, {"A", "B"})
        for turn in turns:
            with self.subTest(turn=turn):
                self.assertEqual(turn["speaker"], self.expected((turn["start"] + turn["end"]) / 2))
        for begin, end in itertools.pairwise(self.changes):
            heard = sum(min(turn["end"], end) - max(turn["start"], begin) for turn in turns
                        if turn["start"] < end and turn["end"] > begin)
            self.assertGreater(heard, 0.5 * (end - begin))

    def test_rttm_has_the_same_turns_and_the_name_of_the_recording(self):
        rows = [line.split() for line in self.run_scribed("diarize", "-q", "--format", "rttm").splitlines()]
        self.assertEqual([(r[0], r[1], float(r[3]), r[7]) for r in rows],
                         [("SPEAKER", "two_people", turn["start"], turn["speaker"]) for turn in self.turns])

    def test_threads_change_nothing(self):
        self.assertEqual(self.run_scribed("diarize", "-q", "--threads", "1"),
                         self.run_scribed("diarize", "-q", "--threads", "2"))

    def test_one_speaker_is_one_where_that_is_known(self):
        out = json.loads(self.run_scribed("diarize", "-q", "--format", "json", "--num-speakers", "1"))
        self.assertEqual([speaker["id"] for speaker in out["speakers"]], ["A"])

    def test_a_transcript_says_who_says_what(self):
        require("base")
        text = json.loads(self.run_scribed("transcribe", "-q", "--diarize", "true", "--format", "json"))
        self.assertEqual([speaker["id"] for speaker in text["speakers"]], ["A", "B"])
        said = [s for s in text["segments"] if s["text"].strip()]
        right = [s for s in said if s["speaker"] == self.expected((s["start"] + s["end"]) / 2)]
        self.assertGreaterEqual(len(right), len(said) - 1)
        for segment in said:
            self.assertEqual({word["speaker"] for word in segment["words"]}, {segment["speaker"]})

    def test_text_comes_as_it_is_decided_and_who_speaks_at_the_end(self):
        require("base")
        with wave.open(str(self.file), "rb") as sound:
            samples = array.array("h", sound.readframes(sound.getnframes()))
        pcm = array.array("f", (sample / 32768 for sample in samples)).tobytes()
        with Worker(fast_program().parent / "scribed-worker", stderr=subprocess.DEVNULL) as worker:
            worker.expect("hello")
            speakers = folder_of("speakers") / "segmentation-3.0.pt"
            worker.load(folder_of("base"), auxiliary={"speaker_recognition": str(speakers)})
            events = list(worker.events(pcm, diarize=True))
        kinds = [event["type"] for event in events]
        self.assertEqual(kinds[-1], "speakers")
        self.assertEqual({event["speaker"] for event in events if event["type"] == "segment"}, {""})
        phases = [event["phase"] for event in events if event["type"] == "progress"]
        self.assertEqual([phase for phase, _ in itertools.groupby(phases)],
                         ["listening", "transcribing", "diarizing"])
        turns = [(turn["start"], turn["end"], turn["speaker"]) for turn in events[-1]["turns"]]
        for (start, end, speaker), expected in zip(turns, self.turns, strict=True):
            self.assertAlmostEqual(start, expected["start"], places=3)
            self.assertAlmostEqual(end, expected["end"], places=3)
            self.assertEqual(speaker, expected["speaker"])

    def test_bounds_that_contradict_each_other_are_refused(self):
        result = subprocess.run([fast_program(), "diarize", "--min-speakers", "3", "--max-speakers", "2",
                                 self.file], text=True, capture_output=True, timeout=600)
        self.assertNotEqual(result.returncode, 0)
        self.assertIn("min_speakers is 3 and max_speakers 2", result.stderr)


class OptionsTest(FakeWorkerTest):
    def test_texts_name_the_speakers(self):
        text = self.run_scribed(self.sound(12), "--quiet", "--diarize", "true").stdout
        self.assertEqual(text, "A: Segment 0.\nB: Segment 1.\nA: Segment 2.\n")
        vtt = self.run_scribed(self.sound(6), "--quiet", "--diarize", "true", "--format", "vtt").stdout
        self.assertIn("<v A>Segment 0.", vtt)

    def test_what_cannot_be_diarized_is_refused(self):
        result = self.run_scribed(self.sound(5), "--diarize", "true", "--live")
        self.assertEqual(result.returncode, 2, result.stderr)
        self.assertIn("--diarize", result.stderr)


class RestTest(DaemonTest):
    def transcribe(self, daemon, seconds=12, **fields):
        return daemon.post_form("/v1/audio/transcriptions",
                                {"model": "gpt-4o-transcribe-diarize", **fields}.items(),
                                self.sound(seconds))

    def test_diarized_json_is_that_of_openai(self):
        body = self.transcribe(self.start(), 6, response_format="diarized_json").json
        self.assertEqual(body, {
            "task": "transcribe", "duration": 6, "text": "Segment 0. Segment 1.",
            "segments": [{"type": "transcript.text.segment", "id": "seg_001", "start": 0, "end": 5,
                          "text": "Segment 0.", "speaker": "A"},
                         {"type": "transcript.text.segment", "id": "seg_002", "start": 5, "end": 6,
                          "text": "Segment 1.", "speaker": "B"}],
            "usage": {"type": "duration", "seconds": 6}})

    def test_its_stream_has_text_at_once_and_segments_with_speakers_at_the_end(self):
        answer = self.transcribe(self.start(), 6, response_format="diarized_json", stream="true")
        events = [json.loads(line[6:]) for line in answer.text.splitlines()
                  if line.startswith("data: {")]
        self.assertEqual([event["type"].removeprefix("transcript.text.") for event in events],
                         ["delta", "delta", "segment", "segment", "done"])
        self.assertEqual([event["speaker"] for event in events[2:4]], ["A", "B"])

    def test_a_job_that_is_begun_again_knows_who_spoke_before(self):
        daemon = self.start()
        job = daemon.submit(self.sound(12), diarize="true", hotwords="fake:die_after:2")
        ended = daemon.wait_for_job(job)
        self.assertEqual((ended["status"], ended["attempts"], ended["segments"]), ("done", 2, 3))
        text = daemon.get(f"/v1/jobs/{job}/transcript?format=txt").text
        self.assertEqual(text, "A: Segment 0.\nB: Segment 1.\nA: Segment 2.\n")

    def test_whoever_follows_a_job_reads_its_speakers(self):
        self.behave("slow")
        daemon = self.start()
        job = daemon.submit(self.sound(12), diarize="true")
        followed = subprocess.run(
            [self.scribed, "jobs", "follow", job, "--server", f"127.0.0.1:{daemon.port}"],
            capture_output=True, text=True, timeout=60, env=self.environment)
        self.assertEqual(followed.stdout, "A: Segment 0.\nB: Segment 1.\nA: Segment 2.\n", followed.stderr)

    def test_text_has_a_line_for_each_segment(self):
        answer = self.transcribe(self.start(), 6, response_format="text")
        self.assertEqual(answer.text, "A: Segment 0.\nB: Segment 1.\n")

    def test_speakers_of_split_channels_are_told_with_their_channel(self):
        daemon = self.start()
        fields = {"channels": "split", "diarize": "true", "channel_labels": '["Agent", "Caller"]'}
        job = daemon.submit(self.sound(10, channels=2), **fields)
        self.assertEqual(list(daemon.wait_for_job(job)["speaker_names"]),
                         ["Agent A", "Caller B", "Agent C", "Caller D"])
        transcript = daemon.get(f"/v1/jobs/{job}/transcript?format=json").json
        self.assertEqual([(s["channel"], s["speaker"]) for s in transcript["segments"]],
                         [(0, "Agent A"), (1, "Caller B"), (0, "Agent C"), (1, "Caller D")])
        self.assertEqual([turn["channel"] for turn in transcript["turns"]], [0, 1, 0, 1])


if __name__ == "__main__":
    unittest.main()
