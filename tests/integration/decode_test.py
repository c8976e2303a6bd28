"""scribed-decode over every kind of recording: how long it is, and that it is the right sound."""

import subprocess
import unittest

from decode_command import RATE, DecodeTest, decode
from recordings import recording
from timeline_recordings import WRAP

try:
    import numpy
except ImportError:
    numpy = None

STUDIO = ["-ar", "48000", "-ac", "2", "-strict", "-2"]
CAMERA = ["-f", "lavfi", "-i", "testsrc=size=720x576:rate=25:duration=2", "-map", "1:v", "-map", "0:a"]

# Each entry has the name, the container and codec in the report, and ffmpeg's options. All last two
# seconds.
MADE = [
    ("tone.wav", "wav", "pcm_s16le", []),
    ("wide.wav", "wav", "pcm_f32le", ["-c:a", "pcm_f32le"]),
    ("tone.w64", "w64", "pcm_s16le", []),
    ("tone.flac", "flac", "flac", []),
    ("tone.mp3", "mp3", "mp3", ["-c:a", "libmp3lame"]),
    ("tone.m4a", "m4a", "aac", []),
    ("alac.m4a", "m4a", "alac", ["-c:a", "alac"]),
    ("front.mp4", "mp4", "aac", ["-movflags", "+faststart"]),
    ("parts.mp4", "mp4", "aac", ["-movflags", "+frag_keyframe+empty_moov", "-frag_duration", "500000"]),
    ("tone.mov", "mov", "aac", ["-c:a", "aac"]),
    ("tone.3gp", "3gp", "aac", ["-c:a", "aac"]),
    ("phone.3gp", "3gp", "amr_nb", ["-c:a", "libopencore_amrnb", "-ar", "8000", "-ac", "1"]),
    ("tone.amr", "amr", "amr_nb", ["-c:a", "libopencore_amrnb", "-ar", "8000", "-ac", "1"]),
    ("tone.mkv", "matroska", "vorbis", ["-c:a", "libvorbis"]),
    ("tone.webm", "matroska", "opus", ["-c:a", "libopus"]),
    ("tone.ogg", "ogg", "vorbis", ["-c:a", "libvorbis"]),
    ("tone.opus", "ogg", "opus", ["-c:a", "libopus"]),
    ("tone.aac", "aac", "aac", []),
    ("tone.aiff", "aiff", "pcm_s16be", []),
    ("tone.wma", "asf", "wmav2", []),
    ("tone.caf", "caf", "pcm_s16le", ["-c:a", "pcm_s16le"]),
    ("tone.au", "au", "pcm_mulaw", ["-c:a", "pcm_mulaw"]),
    ("tone.avi", "avi", "mp3", ["-c:a", "libmp3lame"]),
    ("tone.flv", "flv", "mp3", ["-c:a", "libmp3lame"]),
    ("tone.mpg", "mpeg", "mp2", ["-f", "mpeg"]),
    ("tone.ts", "mpegts", "mp2", []),
    ("aac.ts", "mpegts", "aac", ["-c:a", "aac"]),
    ("latm.ts", "mpegts", "aac_latm", ["-c:a", "aac", "-mpegts_flags", "latm"]),
    ("opus.ts", "mpegts", "opus", ["-c:a", "libopus"]),
    ("studio.ts", "mpegts", "s302m", ["-c:a", "s302m", "-af", "asetnsamples=960", *STUDIO]),
    ("tone.m2ts", "mpegts", "ac3", ["-c:a", "ac3", "-mpegts_m2ts_mode", "1"]),
    ("disc.m2ts", "mpegts", "pcm_bluray", ["-c:a", "pcm_bluray", *STUDIO]),
    ("tone.ac3", "ac3", "ac3", []),
    ("tone.eac3", "eac3", "eac3", []),
    ("tone.dts", "dts", "dts", ["-c:a", "dca", *STUDIO]),
    ("dts.mkv", "matroska", "dts", ["-c:a", "dca", *STUDIO]),
    ("tone.thd", "truehd", "truehd", STUDIO),
    ("truehd.mkv", "matroska", "truehd", ["-c:a", "truehd", *STUDIO]),
    ("tone.mlp", "mlp", "mlp", STUDIO),
    ("tone.wv", "wv", "wavpack", []),
    ("wavpack.mkv", "matroska", "wavpack", ["-c:a", "wavpack"]),
    ("tone.tta", "tta", "tta", []),
    ("tta.mkv", "matroska", "tta", ["-c:a", "tta"]),
    ("tone.voc", "voc", "pcm_u8", ["-c:a", "pcm_u8", "-ar", "8000"]),
    ("wide.voc", "voc", "pcm_s16le", []),
    ("tone.gsm", "gsm", "gsm", ["-c:a", "libgsm", "-ar", "8000", "-ac", "1"]),
    ("g723.wav", "wav", "g723_1", ["-c:a", "g723_1", "-b:a", "6300", "-ar", "8000", "-ac", "1"]),
    ("g722.wav", "wav", "adpcm_g722", ["-c:a", "g722", "-ar", "16000", "-ac", "1"]),
    ("tone.nut", "nut", "vorbis", ["-c:a", "libvorbis"]),
    ("tone.loas", "loas", "aac_latm", ["-f", "latm", "-c:a", "aac"]),
    ("tone.mxf", "mxf", "pcm_s16le", [*CAMERA, "-c:v", "mpeg2video", "-c:a", "pcm_s16le", *STUDIO]),
    ("tone.dv", "dv", "pcm_s16le", [*CAMERA, "-target", "pal-dv"]),
]

RAW = [
    ("g722", ["-f", "g722", "-ar", "16000", "-ac", "1"], []),
    ("s16le", ["-f", "s16le", "-ar", "16000", "-ac", "1"], []),
    ("s24be", ["-f", "s24be", "-ar", "48000", "-ac", "2"], ["--sample-rate", 48000, "--channels", 2]),
    ("f32le", ["-f", "f32le", "-ar", "8000", "-ac", "1"], ["--sample-rate", 8000]),
    ("mulaw", ["-f", "mulaw", "-ar", "8000", "-ac", "1"], ["--sample-rate", 8000]),
]

# Each entry has the name of a file of speech, and ffmpeg's options for it.
SPEECH = [("talk.flac", []), ("talk.mp3", ["-b:a", "64k"]), ("talk.m4a", []), ("talk.aiff", []),
          ("talk.ogg", ["-c:a", "libvorbis"]), ("talk.webm", ["-c:a", "libopus"]),
          ("talk.aac", ["-ar", "44100"]), ("talk.wma", []), ("talk.mkv", ["-ac", "2"])]

# Files of the collection's robustness folder, with their seconds of sound.
ODD_BUT_SOUND = {"8khz_5s.opus": 5.0, "Fnonull.aif": 0.0, "adpcm.wav": 12.1,
                 "corrupt_metadata.ogg": 2.1, "cut_off_titles.mp3": 0.05,
                 "fixture-bad-offset.mp3": 0.5, "gsm_6_10.wav": 0.1,
                 "id3_header_with_a_zero_byte.wav": 1.0, "lossless.wma": 0.65,
                 "wrong_extension.aac": 9.7}

SAME_RECORDING = [
    ("1272-141231-0002", "flac mp3"),
    ("LJ001-0001", "mp3"),
    ("LJ001-0003", "mp3"),
    ("jfk", "flac mp3"),
    ("sonnet-p001", "aac aiff flac mp3 mp4 ogg webm"),
    ("weather", "flac ogg webm"),
]


def tone(hertz, seconds=2):
    return ["-f", "lavfi", "-i", f"sine={hertz}:sample_rate=44100:duration={seconds}"]


def likeness(one, other):
    """Correlation of two sounds, one of which may start a little later."""
    one, other = (numpy.frombuffer(sound, numpy.float32).astype(float) for sound in (one, other))
    size = 1 << (len(one) + len(other)).bit_length()
    products = numpy.fft.irfft(numpy.fft.rfft(one, size) * numpy.fft.rfft(other, size).conj(), size)
    near = RATE // 5
    best = max(products[:near].max(), products[-near:].max())
    return best / numpy.sqrt((one @ one) * (other @ other))


class MadeTest(DecodeTest):
    def test_every_container_gives_its_sound(self):
        for name, container, codec, arguments in MADE:
            with self.subTest(name):
                path = self.ffmpeg(name, *tone(440), *arguments)
                if path is None:
                    continue  # this ffmpeg cannot write it
                outcome = decode(path)
                self.assertEqual(outcome.status, 0, outcome.messages)
                self.assertEqual(outcome.format["container"], container)
                self.assertEqual(outcome.format["codec"], codec)
                self.assertEqual(outcome.warnings, [])
                self.assertAlmostEqual(outcome.seconds, 2, delta=0.1)
                self.assertGreater(outcome.strength(440), 0.95)

    def test_what_can_stream_comes_through_a_pipe_alike(self):
        for name, arguments in [("p.wav", []), ("p.flac", []), ("p.mp3", []), ("p.ogg", []),
                                ("p.m4a", ["-movflags", "+faststart"]), ("p.webm", [])]:
            with self.subTest(name):
                path = self.ffmpeg(name, *tone(440), *arguments)
                piped = decode(path, piped=True)
                self.assertEqual(piped.status, 0, piped.messages)
                sought = decode(path)
                self.assertAlmostEqual(piped.seconds, sought.seconds, delta=0.05)
                for one, other in zip(piped.pcm, sought.pcm):
                    self.assertAlmostEqual(one, other, delta=1e-3)

    def test_raw_sound_is_read_as_it_is_told(self):
        for name, arguments, options in RAW:
            with self.subTest(name):
                outcome = decode(self.ffmpeg(f"raw.{name}", *tone(440), *arguments),
                                 "--format", name, *options)
                self.assertEqual(outcome.status, 0, outcome.messages)
                self.assertAlmostEqual(outcome.seconds, 2, delta=0.01)
                self.assertGreater(outcome.strength(440), 0.95)

    def test_raw_sound_may_have_any_number_of_channels(self):
        mono = self.ffmpeg("mono.raw", *tone(440, 1), "-f", "s16le", "-ar", str(RATE), "-ac", "1").read_bytes()
        samples = [mono[i:i + 2] for i in range(0, len(mono), 2)]
        for channels in (1, 2, 5, 8, 9, 16, 17, 32, 63, 64):
            with self.subTest(channels):
                options = ["--format", "s16le", "--channels", channels]
                outcome = decode(b"".join(sample * channels for sample in samples), *options)
                self.assertEqual(outcome.status, 0, outcome.messages)
                self.assertEqual(outcome.format["channels"], channels)
                self.assertAlmostEqual(outcome.seconds, 1, delta=0.01)
                self.assertGreater(outcome.strength(440, 0.1, 0.8), 0.95)
                last = decode(b"".join(bytes(2 * channels - 2) + s for s in samples),
                              *options, "--channel", channels)
                self.assertGreater(last.strength(440, 0.1, 0.8), 0.95)

    def test_a_track_or_a_channel_can_be_named(self):
        film = self.ffmpeg("film.mkv", "-f", "lavfi", "-i", "testsrc=size=64x64:rate=5:duration=2",
                           *tone(300), *tone(700), *tone(1900),
                           "-filter_complex", "[2][3]amerge=inputs=2[both]",
                           "-map", "0", "-map", "1", "-map", "[both]",
                           "-c:v", "mjpeg", "-c:a", "flac")
        self.assertEqual(decode(film).format["tracks"], 2)
        for options, hertz in [([], 300), (["--track", 1], 300),
                               (["--track", 2, "--channel", 1], 700),
                               (["--track", 2, "--channel", 2], 1900)]:
            with self.subTest(options):
                self.assertGreater(decode(film, *options).strength(hertz), 0.95)
        both = decode(film, "--track", 2)
        self.assertAlmostEqual(both.strength(700), 0.5, delta=0.05)
        self.assertAlmostEqual(both.strength(1900), 0.5, delta=0.05)

    def test_the_main_track_is_taken_and_the_others_are_told(self):
        def film(name, *tracks):
            """A film whose tracks have tones of 300, 700 and 1900 Hz."""
            hertz = (300, 700, 1900)[:len(tracks)]
            given = [option for h in hertz for option in tone(h)]
            given += [option for i in range(len(tracks)) for option in ("-map", str(i))]
            for i, (language, disposition) in enumerate(tracks):
                given += [f"-metadata:s:a:{i}", f"language={language}",
                          f"-disposition:a:{i}", disposition]
            return self.ffmpeg(name, *given, "-c:a", "aac")

        for name in ("film.mkv", "film.mp4"):
            path = film(name, ("eng", "comment"), ("ger", "0"), ("fre", "default"))
            for options, hertz in [([], 1900), (["--prefer-language", "de"], 700),
                                   (["--prefer-language", "en"], 1900), (["--track", "English"], 300),
                                   (["--track", "ger"], 700), (["--track", "1"], 300)]:
                with self.subTest(name, options=options):
                    outcome = decode(path, *options)
                    self.assertGreater(outcome.strength(hertz), 0.95)
                    told = [] if options == ["--track", "1"] else ["several_tracks"]
                    self.assertEqual(outcome.warnings, told)
        text = decode(path).only("warning")[0]["message"]
        self.assertIn("3 audio tracks", text)
        self.assertIn("Transcribed: 3 (french", text)
        self.assertIn("1 (english, commentary", text)
        self.assert_fails(decode(path, "--track", "ja"), "track_not_found", 10, "japanese")
        alone = film("alone.mkv", ("eng", "comment"))
        self.assertEqual(decode(alone).warnings, [])

    def test_a_track_that_cannot_be_decoded_gives_way_to_the_next(self):
        path = self.ffmpeg("odd.mkv", *tone(300), *tone(700), "-map", "0", "-map", "1",
                           "-c:a:0", "real_144", "-ar:a:0", "8000", "-ac:a:0", "1", "-c:a:1", "ac3")
        outcome = decode(path)
        self.assertEqual(outcome.status, 0)
        self.assertGreater(outcome.strength(700), 0.95)
        self.assertEqual(outcome.warnings, ["track_undecodable", "several_tracks"])
        self.assertEqual(decode(path, "--track", "1").error, "unsupported_codec")

    def test_a_silent_track_gives_way_to_the_next(self):
        silence = ["-f", "lavfi", "-i", "anullsrc=r=48000:cl=stereo:d=2"]
        late = ["-f", "lavfi", "-i", "aevalsrc='gt(t,1.5)*sin(700*2*PI*t)/2':s=48000:d=3"]
        for name in ("silent.mkv", "silent.mp4", "silent.ts"):
            with self.subTest(name):
                path = self.ffmpeg(name, *silence, *silence, *late, *tone(300), "-map", "0", "-map", "1",
                                   "-map", "2", "-map", "3", "-c:a", "aac")
                outcome = decode(path)
                self.assertGreater(outcome.strength(700, 1.7), 0.95)
                self.assertEqual(outcome.warnings, ["silent_track", "several_tracks"])
                silent, choice = (warning["message"] for warning in outcome.only("warning"))
                self.assertIn("Audio track 1 is silent. Audio track 2 is silent.", silent)
                self.assertIn("Transcribed: 3", choice)
                self.assertAlmostEqual(outcome.seconds, 3, delta=0.05)
        # A pipe cannot be read again, and a track that was asked for is not replaced.
        for options, piped in (([], True), (["--track", "1"], False)):
            outcome = decode(self.folder / "silent.mkv", *options, piped=piped)
            self.assertEqual(max(map(abs, outcome.pcm)), 0)
            self.assertIn("silent_track", outcome.warnings)
        both = self.ffmpeg("both.mkv", *silence, *silence, "-map", "0", "-map", "1", "-c:a", "flac")
        outcome = decode(both)
        self.assertEqual(outcome.warnings, ["several_tracks", "silent_track"])
        self.assertAlmostEqual(outcome.seconds, 2, delta=0.01)

    def test_stereo_whose_channels_cancel_each_other_is_heard(self):
        inverted = "pan=stereo|c0=c0|c1=-1*c0"
        for name, coded in (("inverted.wav", []), ("inverted.mp3", ["-b:a", "128k"]), ("inverted.m4a", []),
                            ("inverted.opus", ["-c:a", "libopus"])):
            with self.subTest(name):
                outcome = decode(self.ffmpeg(name, *tone(440), "-af", inverted, *coded))
                self.assertGreater(outcome.strength(440), 0.9)
                self.assertGreater(max(outcome.pcm), 0.1)
                self.assertEqual(outcome.warnings, ["inverted_stereo"])
        later = self.ffmpeg("later.wav", *tone(440), *tone(880), "-filter_complex",
                            f"[0]pan=stereo|c0=c0|c1=c0[a];[1]{inverted}[b];[a][b]concat=n=2:v=0:a=1[o]", "-map", "[o]")
        outcome = decode(later)
        self.assertAlmostEqual(outcome.seconds, 4, delta=0.001)
        self.assertGreater(outcome.strength(440), 0.95)
        self.assertGreater(outcome.strength(880, 2.2), 0.95)
        self.assertEqual(outcome.warnings, ["inverted_stereo"])

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

    def test_a_transport_stream_may_wrap_its_clock_and_begin_it_again(self):
        pips = ["-f", "lavfi", "-i", "aevalsrc='sin(6283*t)*(between(t,1,1.1)+between(t,4,4.1))/2':s=48000:d=6"]
        wraps = self.ffmpeg("wraps.ts", *pips, "-c:a", "mp2", *WRAP)
        early = self.ffmpeg("early.ts", *pips, "-c:a", "mp2").read_bytes()
        late = self.ffmpeg("late.ts", *pips, "-c:a", "mp2", "-output_ts_offset", "50000").read_bytes()
        for piped in (False, True):
            self.assert_tones(wraps, [1, 4], piped=piped)
            for joined in (early + early, early + late, late + early):
                self.assert_tones(joined, [1, 4, 7, 10], piped=piped)

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

    @unittest.skipUnless(numpy, "needs numpy")
    def test_speech_sounds_the_same_in_every_form(self):
        file = recording("en-thanks.wav")
        plain = decode(file).pcm
        for name, arguments in SPEECH:
            with self.subTest(name):
                path = self.ffmpeg(name, "-i", file, *arguments)
                if path is None:
                    continue  # this ffmpeg cannot write it
                self.assertGreater(likeness(plain, decode(path).pcm), 0.95)

    def test_damaged_sound_is_kept_as_far_as_it_goes_with_a_warning(self):
        whole = self.ffmpeg("whole.flac", *tone(440, 6)).read_bytes()
        cut = decode(whole[:len(whole) // 2])
        self.assertEqual(cut.status, 0)
        self.assertAlmostEqual(cut.seconds, 3, delta=0.5)
        self.assertIn("shorter_than_declared", cut.warnings)
        holed = bytearray(whole)
        holed[len(whole) // 2:len(whole) // 2 + 3000] = bytes(3000)
        outcome = decode(bytes(holed))
        self.assertEqual(outcome.status, 0)
        self.assertIn("damaged_audio", outcome.warnings)
        self.assertGreater(outcome.strength(440), 0.95)
        self.assertGreater(outcome.only("finished")[0]["damaged_packets"], 0)


class CollectionTest(DecodeTest):
    def seconds_by_ffmpeg(self, path):
        made = subprocess.run(["ffmpeg", "-nostdin", "-v", "quiet", "-i", path, "-f", "s16le",
                               "-ac", "1", "-ar", str(RATE), "-"], stdout=subprocess.PIPE)
        return len(made.stdout) / 2 / RATE

    def test_every_container_gives_sound_without_a_warning(self):
        for path in self.collection("containers")[0].iterdir():
            if path.suffix == ".txt" or path.name == "describe_video_content.mp4":
                continue
            with self.subTest(path.name):
                raw = path.suffix == ".raw"
                outcome = decode(path, *(["--format", "s16le"] if raw else []))
                self.assertEqual(outcome.status, 0, outcome.messages)
                expected = path.stat().st_size / 2 / RATE if raw else self.seconds_by_ffmpeg(path)
                self.assertAlmostEqual(outcome.seconds, expected, delta=0.05)
                damaged = path.name == "sonnet-p001.flac"
                self.assertEqual(outcome.warnings, ["damaged_audio"] if damaged else [])

    def test_odd_files_that_hold_sound_give_it(self):
        folder = self.collection("robustness")[0]
        for name, seconds in ODD_BUT_SOUND.items():
            with self.subTest(name):
                outcome = decode(folder / name)
                self.assertEqual(outcome.status, 0, outcome.messages)
                self.assertAlmostEqual(outcome.seconds, seconds, delta=0.1)

    @unittest.skipUnless(numpy, "needs numpy")
    def test_one_recording_sounds_the_same_in_every_form(self):
        folder = self.collection("containers")[0]
        for name, forms in SAME_RECORDING:
            plain = decode(folder / f"{name}.wav").pcm
            for form in forms.split():
                with self.subTest(f"{name}.{form}"):
                    self.assertGreater(likeness(plain, decode(folder / f"{name}.{form}").pcm), 0.95)


if __name__ == "__main__":
    unittest.main()
