"""scribed-decode over every kind of recording: how long it is, and that it is the right sound."""

import subprocess
import unittest

from decode_command import RATE, DecodeTest, decode, tone
from recordings import recording

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

    def test_headerless_sound_is_recognised_by_the_name_of_its_file(self):
        coded = self.ffmpeg("named.g722", *tone(440), "-ar", "16000", "-ac", "1")
        for extension in ("g722", "722"):
            outcome = decode(coded, "--extension", extension)
            self.assertEqual(outcome.format["codec"], "adpcm_g722")
            self.assertAlmostEqual(outcome.seconds, 2, delta=0.01)
            self.assertGreater(outcome.strength(440), 0.95)
        self.assert_fails(decode(coded), "unsupported_format", 4, "not a known audio or video format")
        # What is sure by content comes before the name.
        for name, codec in (("misnamed.wav", "pcm_s16le"), ("misnamed.mp3", "mp3"), ("misnamed.flac", "flac"),
                            ("misnamed.opus", "opus"), ("misnamed.m4a", "aac"), ("misnamed.ts", "mp2")):
            with self.subTest(name):
                outcome = decode(self.ffmpeg(name, *tone(440)), "--extension", "g722")
                self.assertEqual(outcome.format["codec"], codec)

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
                mixed = outcome.format["channels"] > 2
                self.assertEqual(outcome.warnings, (["damaged_audio"] if damaged else []) +
                                 (["mixed_channels"] if mixed else []))

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
