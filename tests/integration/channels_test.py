"""Calls of which each channel is transcribed by itself: with a fake worker, and with real weights.

  SCRIBED_BIN          folder of the programs (default: build/dev/bin, then build/release/bin)
  SCRIBED_RECORDINGS   see recordings.py

The test with real weights needs the model base and recordings, and is skipped without them.
"""

import io
import json
import pathlib
import subprocess
import tempfile
import unittest
import wave

from daemon import DaemonTest
from mcp_host import McpTest, text_of
from recordings import recording
from scribed_command import FakeWorkerTest, bin_folder, wait_for

MIXED = ("All 6 channels of the audio track were mixed. If each speaker has a channel of their own, "
         "transcribe the channels one by one.")
ONE_CHANNEL = "The recording has one channel, so no channels were split."
LEFT_OUT = "The recording has 6 channels, and only the first two were transcribed."


def write_call(folder, seconds, channels=2):
    path = folder / "call.wav"
    with wave.open(str(path), "wb") as sound:
        sound.setnchannels(channels)
        sound.setsampwidth(2)
        sound.setframerate(16000)
        sound.writeframes(bytes(32000 * channels * seconds))
    return path


class CommandTest(FakeWorkerTest):
    def call(self, seconds, channels=2):
        return write_call(self.folder, seconds, channels)

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

    def test_speakers_of_each_channel_have_letters_of_their_own(self):
        call = self.call(10)
        self.assertEqual(self.split(call, "--diarize", "true").stdout,
                         "A: Segment 0.\nB: Segment 0.\nC: Segment 1.\nD: Segment 1.\n")
        text = self.split(call, "--diarize", "true", "--channel-labels", "Agent,Caller").stdout
        self.assertEqual(text, "Agent A: Segment 0.\nCaller B: Segment 0.\n"
                               "Agent C: Segment 1.\nCaller D: Segment 1.\n")
        rttm = self.split(call, "--diarize", "true", "--channel-labels", "Agent,Caller", "--format", "rttm")
        rows = [line.split() for line in rttm.stdout.splitlines()]
        self.assertEqual([(row[2], row[7]) for row in rows],
                         [("1", "Agent_A"), ("2", "Caller_B"), ("1", "Agent_C"), ("2", "Caller_D")])

    def test_mixed_channels_have_no_number(self):
        result = self.run_scribed(self.call(6), "--quiet", "--format", "json")
        self.assertNotIn("channel", json.loads(result.stdout)["segments"][0])

    def test_a_recording_of_one_channel_is_transcribed_as_it_is(self):
        call = self.call(6, channels=1)
        result = self.run_scribed(call, "--channels", "split", "--format", "json")
        self.assertEqual(result.returncode, 0, result.stderr)
        transcript = json.loads(result.stdout)
        self.assertEqual([(s["text"], s.get("channel")) for s in transcript["segments"]],
                         [(" Segment 0.", None), (" Segment 1.", None)])
        self.assertEqual((transcript["duration"], transcript["warnings"]), (6, [ONE_CHANNEL]))
        self.assertEqual(result.stderr.count(ONE_CHANNEL), 1)
        labeled = self.split(call, "--channel-labels", "Agent,Caller")
        self.assertEqual(labeled.stdout, "Segment 0.\nSegment 1.\n")

    def test_channels_that_are_left_out_are_told(self):
        call = self.call(6, channels=6)
        result = self.run_scribed(call, "--channels", "split", "--format", "json")
        self.assertEqual(result.stderr.count(f"scribed: warning: {call}: {LEFT_OUT}\n"), 1)
        self.assertEqual(json.loads(result.stdout)["warnings"], [LEFT_OUT])
        self.assertEqual({s["channel"] for s in json.loads(result.stdout)["segments"]}, {0, 1})

    def test_a_pipe_is_refused(self):
        result = self.run_scribed("-", "--channels", "split", input="")
        self.assertEqual((result.returncode, result.stdout), (2, ""))
        self.assertIn("--channels", result.stderr)

    def test_the_worker_may_die_for_both(self):
        self.behave("die_in_job")
        result = self.split(self.call(12))
        self.assertEqual(result.returncode, 6, result.stderr)

    def test_a_mix_of_many_channels_is_told_unless_one_is_named(self):
        call = self.call(4, channels=6)
        self.assertIn(MIXED, self.run_scribed(call).stderr)
        self.assertNotIn("channels", self.run_scribed(call, "--channel", "2").stderr)


class ServerTest(DaemonTest):
    def call(self, seconds, channels=2):
        return write_call(self.folder, seconds, channels).read_bytes()

    def transcribe(self, daemon, sound, **fields):
        fields = {"model": "whisper-1", "channels": "split", **fields}
        return daemon.post_form("/v1/audio/transcriptions", fields.items(), sound)

    def test_an_answer_has_the_channel_of_each_segment_or_its_label(self):
        daemon = self.start()
        verbose = self.transcribe(daemon, self.call(6), response_format="verbose_json").json
        self.assertEqual([(s["channel"], s["text"]) for s in verbose["segments"]],
                         [(0, " Segment 0."), (1, " Segment 0."), (0, " Segment 1."),
                          (1, " Segment 1.")])
        self.assertNotIn("warnings", verbose)
        labels = json.dumps(["Agent", "Caller"])
        text = self.transcribe(daemon, self.call(6), response_format="text", channel_labels=labels)
        self.assertEqual(text.text, "Agent: Segment 0.\nCaller: Segment 0.\n"
                                    "Agent: Segment 1.\nCaller: Segment 1.\n")
        srt = self.transcribe(daemon, self.call(4), response_format="srt", channel_labels=labels)
        self.assertEqual(srt.text, "1\n00:00:00,000 --> 00:00:04,000\n"
                                   "- Agent: Segment 0.\n- Caller: Segment 0.\n\n")
        whisper = self.transcribe(daemon, self.call(4), response_format="srt", channel_labels=labels,
                                  subtitle_style="whisper")
        self.assertEqual(whisper.text, "1\n00:00:00,000 --> 00:00:04,000\nAgent: Segment 0.\n\n"
                                       "2\n00:00:00,000 --> 00:00:04,000\nCaller: Segment 0.\n\n")

    def test_the_kept_audio_of_one_channel_is_the_recording(self):
        daemon = self.start()
        call = self.call(6, channels=1)
        job = daemon.post_form("/v1/jobs", [("channels", "split")], call).json["id"]
        self.assertEqual(daemon.wait_for_job(job)["warnings"], [ONE_CHANNEL])
        audio = daemon.get(f"/v1/jobs/{job}/audio")
        with wave.open(io.BytesIO(audio.body)) as sound:
            self.assertEqual(sound.getnframes() / sound.getframerate(), 6)

    def test_deepgrams_multichannel_of_one_channel_has_one(self):
        daemon = self.start()
        answer = daemon.request("POST", "/v1/listen?multichannel=true", self.call(6, channels=1),
                                {"Content-Type": "audio/wav"})
        self.assertEqual(answer.status, 200, answer.text)
        self.assertEqual((answer.json["metadata"]["channels"], len(answer.json["results"]["channels"])), (1, 1))

    def test_a_mix_of_many_channels_is_told(self):
        daemon = self.start()
        for channels, told in ((2, []), (6, [MIXED])):
            sound = self.call(4, channels)
            self.assertEqual(daemon.wait_for_job(daemon.submit(sound))["warnings"], told)
            verbose = self.transcribe(daemon, sound, channels="mix", response_format="verbose_json").json
            self.assertEqual(verbose.get("warnings", []), told)

    def test_one_channel_and_more_than_two_are_told(self):
        daemon = self.start()
        answer = self.transcribe(daemon, self.call(6, channels=1), response_format="verbose_json")
        self.assertEqual((answer.status, answer.json["warnings"]), (200, [ONE_CHANNEL]))
        self.assertEqual(len(answer.json["segments"]), 2)
        verbose = self.transcribe(daemon, self.call(6, channels=6), response_format="verbose_json")
        self.assertEqual(verbose.json["warnings"], [LEFT_OUT])
        job = daemon.submit(self.call(6, channels=6), channels="split")
        self.assertEqual(daemon.wait_for_job(job)["warnings"], [LEFT_OUT])

    def test_a_job_goes_on_in_both_channels_after_a_crash(self):
        self.behave("slow")
        daemon = self.start()
        job = daemon.submit(self.call(60), channels="split",
                            channel_labels=json.dumps(["Agent", "Caller"]))
        wait_for(lambda: daemon.job(job)["segments"] >= 5, "some segments")
        daemon.kill()
        daemon = self.start()
        self.assertEqual(daemon.wait_for_job(job)["status"], "done")
        transcript = daemon.get(f"/v1/jobs/{job}/transcript?format=json").json
        self.assertEqual([s["id"] for s in transcript["segments"]], list(range(24)))
        for channel in (0, 1):
            own = [s["start"] for s in transcript["segments"] if s["channel"] == channel]
            self.assertEqual(own, list(range(0, 60, 5)), channel)
        text = daemon.get(f"/v1/jobs/{job}/transcript").text
        self.assertEqual(text.count("Agent: Segment"), 12)
        self.assertEqual(text.count("Caller: Segment"), 12)


class HostTest(McpTest):
    def test_a_host_is_told_who_speaks_and_what_is_left_out(self):
        write_call(self.folder, 6, channels=6)
        result = self.ready_host().use("transcribe", path="call.wav", channels="split",
                                       segments=True)
        self.assertIn("Left: Segment 0.\nRight: Segment 0.\nLeft: Segment 1.", text_of(result))
        self.assertIn(f"Note: {LEFT_OUT}", text_of(result))
        self.assertEqual([s["channel"] for s in result["structuredContent"]["segments"]],
                         [0, 1, 0, 1])
        self.assertEqual([s["speaker"] for s in result["structuredContent"]["segments"]],
                         ["Left", "Right", "Left", "Right"])

    def test_a_host_is_told_that_many_channels_were_mixed(self):
        write_call(self.folder, 4, channels=6)
        self.assertIn(f"Note: {MIXED}", text_of(self.ready_host().use("transcribe", path="call.wav")))

    def test_a_host_is_told_that_there_is_nothing_to_split(self):
        write_call(self.folder, 6, channels=1)
        self.assertIn(f"Note: {ONE_CHANNEL}",
                      text_of(self.ready_host().use("transcribe", path="call.wav", channels="split")))


class RealModelTest(unittest.TestCase):
    def test_each_channel_has_its_own_text(self):
        scribed = bin_folder() / "scribed"
        if subprocess.run([scribed, "models", "show", "base"], capture_output=True).returncode != 0:
            self.skipTest("base is not installed; scribed models pull base")
        clips = [recording("en-nogo.wav"), recording("en-allbusy.wav")]
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
