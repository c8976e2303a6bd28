"""Calls of which each channel is transcribed by itself: with a fake worker, and with real weights.

  SCRIBED_BIN      folder of the programs (default: build/dev/bin, then build/release/bin)
  SCRIBED_SHARED   folder with audio/ (default: ../shared beside the repository)

The test with real weights needs the model base and recordings, and is skipped without them.
"""

import json
import os
import pathlib
import subprocess
import tempfile
import unittest
import wave

from scribed_command import ROOT, FakeWorkerTest, bin_folder

CLIPS = pathlib.Path(os.environ.get("SCRIBED_SHARED", ROOT.parent / "shared")) / "audio" / "ljspeech"


class CommandTest(FakeWorkerTest):
    def call(self, seconds, channels=2):
        path = self.folder / "call.wav"
        with wave.open(str(path), "wb") as sound:
            sound.setnchannels(channels)
            sound.setsampwidth(2)
            sound.setframerate(16000)
            sound.writeframes(bytes(32000 * channels * seconds))
        return path

    def split(self, path, *options):
        return self.run_scribed(path, "--quiet", "--channels", "split", *options)

    def test_segments_of_both_channels_are_in_the_order_of_their_starts(self):
        result = self.split(self.call(12), "--format", "json")
        transcript = json.loads(result.stdout)
        segments = transcript["segments"]
        self.assertEqual([(s["channel"], s["start"]) for s in segments],
                         [(0, 0), (1, 0), (0, 5), (1, 5), (0, 10), (1, 10)])
        self.assertEqual([s["id"] for s in segments], list(range(6)))
        self.assertEqual(transcript["duration"], 12)
        self.assertEqual(transcript["text"], "".join(s["text"] for s in segments))

    def test_labels_are_written_where_they_are_asked_for(self):
        call = self.call(6)
        self.assertEqual(self.split(call).stdout, "Segment 0.\nSegment 0.\nSegment 1.\nSegment 1.\n")
        self.assertEqual(self.split(call, "--channel-labels", "Agent,Caller").stdout,
                         "Agent: Segment 0.\nCaller: Segment 0.\n"
                         "Agent: Segment 1.\nCaller: Segment 1.\n")

    def test_mixed_channels_have_no_number(self):
        result = self.run_scribed(self.call(6), "--quiet", "--format", "json")
        self.assertNotIn("channel", json.loads(result.stdout)["segments"][0])

    def test_a_recording_of_one_channel_is_refused(self):
        result = self.split(self.call(6, channels=1))
        self.assertEqual((result.returncode, result.stdout), (4, ""), result.stderr)
        self.assertIn("channel", result.stderr)

    def test_a_pipe_is_refused(self):
        result = self.run_scribed("-", "--channels", "split", input="")
        self.assertEqual((result.returncode, result.stdout), (2, ""))
        self.assertIn("--channels", result.stderr)

    def test_the_worker_may_die_for_both(self):
        self.behave("die_in_job")
        result = self.split(self.call(12))
        self.assertEqual(result.returncode, 6, result.stderr)


class RealModelTest(unittest.TestCase):
    def test_each_channel_has_its_own_text(self):
        scribed = bin_folder() / "scribed"
        if subprocess.run([scribed, "models", "show", "base"], capture_output=True).returncode != 0:
            self.skipTest("base is not installed; scribed models pull base")
        clips = sorted(CLIPS.glob("*.flac"))[:2]
        if len(clips) < 2:
            self.skipTest(f"no recordings in {CLIPS}")
        with tempfile.TemporaryDirectory() as folder:
            call = pathlib.Path(folder) / "call.wav"
            subprocess.run(["ffmpeg", "-nostdin", "-loglevel", "error", "-i", clips[0], "-i", clips[1],
                            "-filter_complex", "[0]aformat=channel_layouts=mono[a];"
                            "[1]aformat=channel_layouts=mono[b];[a][b]join=inputs=2:"
                            "channel_layout=stereo", call], check=True)
            options = ["--quiet", "--model", "base", "--language", "en", "--format", "json"]
            run = lambda *more: json.loads(subprocess.run(
                [scribed, "transcribe", *options, *map(str, more)], capture_output=True, check=True,
                timeout=600).stdout)
            split = run("--channels", "split", call)
            for channel, clip in enumerate(clips):
                text = "".join(s["text"] for s in split["segments"] if s["channel"] == channel)
                alone = run("--channel", channel + 1, call)["text"]
                self.assertEqual(text, alone, clip)


if __name__ == "__main__":
    unittest.main()
