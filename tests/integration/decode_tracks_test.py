"""Which track of a recording scribed-decode takes, and what it makes of its channels."""

import unittest

from decode_command import DecodeTest, decode, tone


class TracksTest(DecodeTest):
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

    def test_titles_tell_commentaries_in_other_languages(self):
        for i, title in enumerate(("Kommentar der Regisseurin", "Audiodeskription", "Commentaire audio",
                                   "Comentario del director", "Commento del regista", "Hörfilm", "Audiodescrizione")):
            path = self.ffmpeg(f"titled-{i}.mkv", *tone(300), *tone(700), "-map", "0", "-map", "1", "-c:a", "flac",
                               "-metadata:s:a:0", f"title={title}", "-disposition:a", "0")
            with self.subTest(title):
                self.assertGreater(decode(path).strength(700), 0.95)

    def test_audio_that_a_transport_stream_calls_private_is_found(self):
        for codec in ("aac", "mp2"):
            path = self.ffmpeg(f"private-{codec}.m2ts", *tone(300), "-c:a", codec, "-f", "mpegts",
                               "-mpegts_m2ts_mode", "1")
            for options in ([], ["--unbuffered"]):
                with self.subTest(codec, options=options):
                    outcome = decode(path, *options)
                    self.assertEqual(outcome.status, 0, outcome.messages)
                    self.assertGreater(outcome.strength(300), 0.95)

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

    def test_a_mix_of_more_than_two_channels_is_told(self):
        for channels, layout in ((1, "mono"), (2, "stereo"), (3, "2.1"), (6, "5.1"), (8, "7.1")):
            path = self.ffmpeg(f"{channels}.wav", *tone(440), "-af", f"aformat=channel_layouts={layout}")
            with self.subTest(channels):
                outcome = decode(path)
                self.assertEqual(outcome.warnings, ["mixed_channels"] if channels > 2 else [])
                self.assertEqual(decode(path, "--channel", channels).warnings, [])
        self.assertIn("All 8 channels", outcome.only("warning")[0]["message"])

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

    def test_a_pair_of_more_channels_that_cancels_itself_is_heard(self):
        front = "c0=c0|c1=-1*c0"
        for layout, channels, place in (
                ("quad", front + "|c2=0*c0|c3=0*c0", "channel 2 (front right)"),
                ("quad", "c0=0*c0|c1=0*c0|c2=c0|c3=-1*c0", "channel 4 (back right)"),
                ("5.1", front + "|c2=0*c0|c3=0*c0|c4=0*c0|c5=0*c0", "channel 2 (front right)"),
                ("5.1(side)", "c0=0*c0|c1=0*c0|c2=0*c0|c3=0*c0|c4=c0|c5=-1*c0", "channel 6 (side right)"),
                ("4.0", front + "|c2=0*c0|c3=0*c0", "channel 2")):
            for suffix, coded in ((".wav", []), (".mkv", ["-c:a", "flac"])):
                name = place.replace(" ", "") + layout + suffix
                with self.subTest(name):
                    outcome = decode(self.ffmpeg(name, *tone(440), "-af", f"pan={layout}|{channels}", *coded))
                    self.assertGreater(outcome.strength(440), 0.9)
                    self.assertGreater(max(outcome.pcm), 0.02)
                    self.assertEqual(outcome.warnings, ["mixed_channels", "inverted_stereo"])
                    self.assertIn(place, outcome.only("warning")[1]["message"])


if __name__ == "__main__":
    unittest.main()
