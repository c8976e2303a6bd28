"""When the audio of a recording is, by scribed-decode: late starts, gaps, wraps, joined files."""

import unittest

from decode_command import RATE, DecodeTest, decode
from timeline_recordings import WRAP


class TimesTest(DecodeTest):
    def test_padding_of_the_codec_is_cut_off(self):
        # A click keeps its place, although the coder put some silence before it.
        click = ["-f", "lavfi", "-i", "aevalsrc='if(eq(n,24000),0.9,0)':s=48000:d=1"]
        for name in ("click.m4a", "click.opus", "click.mp3"):
            with self.subTest(name):
                pcm = decode(self.ffmpeg(name, *click)).pcm
                self.assertAlmostEqual(max(range(len(pcm)), key=lambda i: abs(pcm[i])), 8000, delta=40)

    def tones(self, path, *options, piped=False):
        """When tones begin, in seconds, and what the decoder warned of."""
        outcome = decode(path, *options, piped=piped)
        self.assertEqual(outcome.status, 0, outcome.messages)
        begins, last = [], -1
        for i in range(0, len(outcome.pcm), 16):
            if max(map(abs, outcome.pcm[i:i + 16])) > 0.1:
                if i / RATE - last > 0.5:
                    begins.append(i / RATE)
                last = i / RATE
        return begins, outcome.warnings

    def assert_tones(self, path, expected, *options, piped=False):
        begins, warnings = self.tones(path, *options, piped=piped)
        self.assertEqual(len(begins), len(expected), begins)
        for begin, right in zip(begins, expected):
            self.assertAlmostEqual(begin, right, delta=0.025)  # a frame of AAC before the sound has 21 ms
        self.assertEqual(warnings, [])

    def test_times_are_those_that_players_show(self):
        pips = self.ffmpeg("pips.wav", "-f", "lavfi", "-i",
                           "aevalsrc='sin(6283*t)*(between(t,1,1.1)+between(t,4,4.1))/2':s=48000:d=6")
        video = ["-f", "lavfi", "-i", "testsrc=size=64x64:rate=10:duration=10"]
        late = [*video, "-itsoffset", "3", "-i", pips, "-map", "0:v", "-map", "1:a"]
        for name, coded in [("late.mp4", ["-c:v", "mpeg4", "-c:a", "aac"]),
                            ("late.mov", ["-c:v", "mpeg4", "-c:a", "aac"]),
                            ("late.mkv", ["-c:v", "libx264", "-pix_fmt", "yuv420p", "-c:a", "flac"]),
                            ("late.webm", ["-c:v", "libvpx", "-c:a", "libopus"]),
                            ("late.flv", ["-c:v", "flv", "-c:a", "aac"]),
                            ("late.mpg", ["-c:v", "mpeg2video", "-r", "25", "-c:a", "mp2"]),
                            ("late.ts", ["-c:v", "mpeg2video", "-r", "25", "-c:a", "mp2"]),
                            ("late.m2ts", ["-c:v", "libx264", "-c:a", "ac3", *WRAP])]:
            path = self.ffmpeg(name, *late, *coded)
            if path is None:
                continue  # this ffmpeg cannot write it
            with self.subTest(name):
                self.assert_tones(path, [4, 7])
                self.assert_tones(path, [1, 4], "--timeline", "packed")
        # The same packets with a hole of ten seconds between them.
        hole = ["-c", "copy", "-bsf:a", "setts=ts='if(gte(PTS*TB,3),PTS+10/TB,PTS)'"]
        opus = self.ffmpeg("pips.webm", "-i", pips, "-c:a", "libopus")
        aac = self.ffmpeg("pips.m4a", "-i", pips, "-c:a", "aac")
        mp2 = self.ffmpeg("pips.ts", "-i", pips, "-c:a", "mp2")
        for name, source in [("hole.webm", opus), ("hole.mkv", opus), ("hole.mp4", aac), ("hole.mov", aac),
                             ("hole.ts", mp2)]:
            with self.subTest(name):
                path = self.ffmpeg(name, "-i", source, *hole)
                self.assert_tones(path, [1, 14])
                if name.endswith(("webm", "ts")):
                    self.assert_tones(path, [1, 14], piped=True)

    def test_whole_files_are_not_called_cut_off(self):
        pips = self.ffmpeg("pips.wav", "-f", "lavfi", "-i",
                           "aevalsrc='sin(6283*t)*(between(t,1,1.1)+between(t,4,4.1))/2':s=48000:d=6")
        hole = ["-c", "copy", "-bsf:a", "setts=ts='if(gte(PTS*TB,3),PTS+10/TB,PTS)'"]
        opus = self.ffmpeg("pips.webm", "-i", pips, "-c:a", "libopus")
        for name in ("hole.webm", "hole.mkv"):
            with self.subTest(name):
                path = self.ffmpeg(name, "-i", opus, *hole)
                self.assert_tones(path, [1, 4], "--timeline", "packed")
                cut = path.with_name("cut-" + name)
                cut.write_bytes(path.read_bytes()[:-8000])
                self.assertIn("shorter_than_declared", decode(cut, "--timeline", "packed").warnings)
        video = ["-f", "lavfi", "-i", "testsrc=size=64x64:rate=10:duration=10"]
        asf = ["-map", "0:v", "-map", "1:a", "-c:v", "wmv2", "-c:a", "wmav2"]
        for offset, expected in (("3", [4, 7]), ("-1.5", [1.04, 4.04])):  # the coder puts 43 ms before the sound
            path = self.ffmpeg(f"late{offset}.wmv", *video, "-itsoffset", offset, "-i", pips, *asf)
            with self.subTest(path.name):
                self.assert_tones(path, expected)
        alone = self.ffmpeg("late.wma", "-itsoffset", "3", "-i", pips, "-c:a", "wmav2")
        self.assert_tones(alone, [1.04, 4.04])

    def test_a_transport_stream_may_wrap_its_clock_and_begin_it_again(self):
        pips = ["-f", "lavfi", "-i", "aevalsrc='sin(6283*t)*(between(t,1,1.1)+between(t,4,4.1))/2':s=48000:d=6"]
        wraps = self.ffmpeg("wraps.ts", *pips, "-c:a", "mp2", *WRAP)
        early = self.ffmpeg("early.ts", *pips, "-c:a", "mp2").read_bytes()
        late = self.ffmpeg("late.ts", *pips, "-c:a", "mp2", "-output_ts_offset", "50000").read_bytes()
        for piped in (False, True):
            self.assert_tones(wraps, [1, 4], piped=piped)
            for joined in (early + early, early + late, late + early):
                self.assert_tones(joined, [1, 4, 7, 10], piped=piped)

    def test_joined_recordings_with_a_video_follow_its_end(self):
        pips = ["-f", "lavfi", "-i", "aevalsrc='sin(6283*t)*(between(t,1,1.1)+between(t,4,4.1))/2':s=48000:d=6"]
        video = ["-f", "lavfi", "-i", "testsrc=size=64x64:rate=25:duration=10"]
        coded = ["-map", "0:v", "-map", "1:a", "-c:v", "mpeg2video", "-c:a", "mp2"]
        for name in ("both.ts", "both.mpg"):
            for late, expected in ((0, [1, 4, 11, 14]), (3, [4, 7, 14, 17])):
                path = self.ffmpeg(f"{late}-{name}", *video, "-itsoffset", str(late), *pips, *coded)
                for piped in (False, True):
                    with self.subTest(name, late=late, piped=piped):
                        begins, warnings = self.tones(path.read_bytes() * 2, piped=piped)
                        self.assertEqual(len(begins), 4, begins)
                        for begin, right in zip(begins, expected):
                            self.assertAlmostEqual(begin, right, delta=0.06)
                        self.assertEqual(warnings, [])

    def test_joined_recordings_follow_each_other_without_a_warning(self):
        pips = ["-f", "lavfi", "-i", "aevalsrc='sin(6283*t)*between(t,1,1.1)/2':s=48000:d=3"]
        for name in ("pip.mp3", "pip.opus", "pip.ogg", "pip.aac"):
            path = self.ffmpeg(name, *pips)
            with self.subTest(name):
                (first,), _ = self.tones(path)
                length = decode(path).seconds
                begins, warnings = self.tones(path.read_bytes() * 2)
                self.assertEqual(warnings, [])
                self.assertEqual(len(begins), 2)
                self.assertAlmostEqual(begins[1] - begins[0], length, delta=0.06)


if __name__ == "__main__":
    unittest.main()
