"""What scribed-decode refuses: the message, the exit status, and that it never reaches outside."""

import re
import shutil
import struct
import subprocess
import tempfile
import unittest

from decode_command import DecodeTest, decode, program, run, sandboxed

# Bytes that name other files or addresses. Nothing that they name may be touched.
PLAYLISTS = {
    "hls": b"#EXTM3U\n#EXT-X-TARGETDURATION:10\n#EXTINF:10,\nfile:///etc/passwd\n",
    "hls over http": b"#EXTM3U\n#EXT-X-STREAM-INF:BANDWIDTH=1\nhttp://127.0.0.1:9/a.m3u8\n",
    "ffconcat": b"ffconcat version 1.0\nfile /etc/passwd\n",
    "dash": b'<?xml version="1.0"?>\n<MPD xmlns="urn:mpeg:dash:schema:mpd:2011" type="static" '
            b'profiles="urn:mpeg:dash:profile:isoff-main:2011"><Period><AdaptationSet>'
            b'<Representation id="1"><BaseURL>file:///etc/passwd</BaseURL></Representation>'
            b"</AdaptationSet></Period></MPD>\n",
    "sdp": b"v=0\r\no=- 0 0 IN IP4 127.0.0.1\r\ns=x\r\nc=IN IP4 127.0.0.1\r\nt=0 0\r\n"
           b"m=audio 5004 RTP/AVP 0\r\n",
}
TEXTS = {
    "data uri": b"data:audio/wav;base64,UklGRiQAAABXQVZF\n",
    "imf": b'<?xml version="1.0"?><CompositionPlaylist xmlns="http://www.smpte-ra.org/schemas/'
           b'2067-3/2016"><Id>urn:uuid:0</Id></CompositionPlaylist>',
    "path": b"/etc/passwd\n",
    "file uri": b"file:///etc/passwd\n",
    "m3u": b"/etc/passwd\nhttp://127.0.0.1:9/a.mp3\n",
    "pls": b"[playlist]\nFile1=/etc/passwd\nNumberOfEntries=1\n",
    "smil": b'<smil><body><audio src="/etc/passwd"/></body></smil>',
    "asx": b'<ASX version="3.0"><Entry><Ref href="/etc/passwd"/></Entry></ASX>',
    "letter": b"Dear Sir or Madam, this is no recording.",
}
TONE = ["-f", "lavfi", "-i", "sine=440:sample_rate=16000:duration=3"]
REACHES_OUT = re.compile(r"\b(open|openat|openat2|creat|connect|socket|sendto|execve|clone3?)\(")


def external_reference(mov):
    """The same movie, whose track says by a Macintosh alias that its sound lies in /etc/passwd."""
    alias = bytes(10) + b"\x04disk".ljust(28, b"\0") + bytes(12) + b"\x06passwd".ljust(64, b"\0")
    alias += bytes(16) + struct.pack(">HH", 0, 0) + bytes(16)
    alias += struct.pack(">HH", 2, 11) + b"/etc/passwd\0" + struct.pack(">HH", 0xFFFF, 0)
    entry = struct.pack(">I4sI", 12 + len(alias), b"alis", 0) + alias
    at = mov.index(b"dref") - 4
    first = at + 16  # its first entry
    more = len(entry) - struct.unpack_from(">I", mov, first)[0]
    changed = bytearray(mov)
    for box in (b"moov", b"trak", b"mdia", b"minf", b"dinf", b"dref"):
        size = mov.rindex(box, 0, at + 8) - 4
        struct.pack_into(">I", changed, size, struct.unpack_from(">I", mov, size)[0] + more)
    return bytes(changed[:first] + entry + changed[first + len(entry) - more:])


class Recordings(DecodeTest):
    def recording(self, name="tone.wav", *arguments):
        return self.ffmpeg(name, *TONE, *arguments)

    def reference(self):
        return external_reference(self.recording("tone.mov", "-c:a", "aac").read_bytes())


class RefusalTest(Recordings):
    def test_playlists_are_refused_by_name(self):
        for name, content in PLAYLISTS.items():
            with self.subTest(name):
                outcome = decode(content)
                self.assert_fails(outcome, "refers_to_other_files", 5, "never opened")
                self.assertEqual(len(outcome.pcm), 0)

    def test_a_movie_whose_sound_lies_elsewhere_is_refused(self):
        self.assert_fails(decode(self.reference()), "refers_to_other_files", 5, "never opened")

    def test_text_is_no_recording(self):
        for name, content in TEXTS.items():
            with self.subTest(name):
                self.assert_fails(decode(content), "unsupported_format", 4, "This ")

    def test_a_playlist_stays_refused_when_called_a_recording(self):
        for name in ("wav", "mp3", "mp4", "ogg"):
            with self.subTest(name):
                outcome = decode(PLAYLISTS["hls"], "--format", name)
                self.assertIn(outcome.error, ("nothing_decodable", "no_audio_track"))

    def test_an_empty_input(self):
        for piped in (False, True):
            self.assert_fails(decode(b"", piped=piped), "empty_input", 3, "no bytes at all")

    def test_a_film_without_sound(self):
        film = self.ffmpeg("mute.mkv", "-f", "lavfi", "-i", "testsrc=size=64x64:rate=5:duration=1",
                           "-c:v", "mjpeg")
        self.assert_fails(decode(film), "no_audio_track", 6, "no audio track")

    def test_a_codec_that_is_not_supported(self):
        film = self.recording("strange.mkv", "-c:a", "real_144", "-ar", "8000", "-ac", "1")
        self.assert_fails(decode(film), "unsupported_codec", 7, "'ra_144'")

    def test_a_transport_stream_without_a_programme(self):
        packets = (b"G\x40\0\x10" + b"\xff" * 184) * 200
        self.assert_fails(decode(packets), "no_audio_track", 6, "no audio track")

    def test_a_track_of_which_nothing_can_be_decoded(self):
        whole = self.recording("hole.flac").read_bytes()
        header = whole.index(b"\xff\xf8")
        self.assert_fails(decode(whole[:header] + bytes(5000)), "nothing_decodable", 8, "damaged")

    def test_a_track_without_a_sample(self):
        header = self.recording().read_bytes().partition(b"data")[0] + b"data\0\0\0\0"
        self.assert_fails(decode(header), "empty_audio", 9, "not hold a single sample")

    def test_tracks_and_channels_that_are_not_there(self):
        sound = self.recording()
        self.assert_fails(decode(sound, "--track", 2), "track_not_found", 10, "track 2")
        self.assert_fails(decode(sound, "--channel", 2), "channel_not_found", 11, "Channel 2")

    def test_a_table_of_contents_at_the_end_of_a_pipe(self):
        sound = self.ffmpeg("end.mp4", "-f", "lavfi", "-i", "anoisesrc=duration=10:sample_rate=48000",
                            "-c:a", "alac")
        self.assertEqual(decode(sound).status, 0)
        self.assert_fails(decode(sound, piped=True), "needs_seekable_input", 12, "from a pipe")

    def test_more_seconds_than_allowed(self):
        outcome = decode(self.recording(), "--max-seconds", 2)
        self.assert_fails(outcome, "too_long", 13, "limit of 2 seconds")
        self.assertEqual(outcome.seconds, 2)
        self.assertEqual(decode(self.recording(), "--max-seconds", 3).status, 0)

    def test_more_bytes_than_allowed(self):
        sound = self.recording()
        size = sound.stat().st_size
        for piped in (False, True):
            outcome = decode(sound, "--max-bytes", size - 1, piped=piped)
            self.assert_fails(outcome, "too_large", 14, f"limit of {size - 1} bytes")
            self.assertEqual(decode(sound, "--max-bytes", size, piped=piped).status, 0)

    def test_what_cannot_be_read(self):
        ended = subprocess.run(["sh", "-c", 'exec "$0" <"$1"', program(), self.folder],
                               capture_output=True, text=True)
        self.assertEqual(ended.returncode, 15)
        self.assertIn("could not be read", ended.stderr)

    def test_options_that_cannot_be(self):
        for options in (["--speed", "2"], ["--track", "0"], ["--channel", "one"], ["--format", "hls"],
                        ["--max-seconds", "nan"], ["--sample-rate", "8000"], ["--resampler", "x"]):
            with self.subTest(options):
                ended = subprocess.run([program(), *options], stdin=subprocess.DEVNULL,
                                       capture_output=True, text=True)
                self.assertEqual((ended.returncode, ended.stdout), (2, ""))
                self.assertIn(options[0].removeprefix("--"), ended.stderr)


class CollectionRefusalTest(DecodeTest):
    EXPECTED = {
        "containers/describe_video_content.mp4": ("no_audio_track", 6),
        "robustness/fixture-null.webm": ("no_audio_track", 6),
        "robustness/empty_file.mp3": ("empty_input", 3),
        "robustness/mono.empty.wav": ("empty_input", 3),
        "robustness/incomplete.mp3": ("unsupported_format", 4),
        "robustness/invalid.wav": ("unsupported_format", 4),
        "robustness/mono.invalid.wav": ("unsupported_format", 4),
        "robustness/mono.zero.wav": ("empty_audio", 9),
        "robustness/null.wav": ("empty_audio", 9),
        "robustness/test1_empty.wav": ("empty_audio", 9),
        "robustness/CWE-835-01.aiff": ("nothing_decodable", 8),
        "robustness/alac_file.m4a": ("nothing_decodable", 8),
        "robustness/awful.wav": ("nothing_decodable", 8),
        "robustness/bad.wav": ("nothing_decodable", 8),
        "robustness/evil.wav": ("nothing_decodable", 8),
        "robustness/fixture-corrupt.mkv": ("nothing_decodable", 8),
        "robustness/invalid_sample_rate.aiff": ("nothing_decodable", 8),
    }

    def test_broken_files_say_what_is_wrong_with_them(self):
        for path, (code, status) in zip(self.collection(*self.EXPECTED), self.EXPECTED.values()):
            with self.subTest(path.name):
                self.assert_fails(decode(path), code, status, "")


class ReachTest(Recordings):
    """By the kernel's own account: once the first byte is read, nothing is opened or connected."""

    def setUp(self):
        if shutil.which("strace") is None:
            self.skipTest("no strace")
        if subprocess.run(["strace", "-o", "/dev/null", "true"], capture_output=True).returncode:
            self.skipTest("strace may not trace here")
        if not sandboxed():
            self.skipTest("this build has no sandbox")

    def calls_after_first_read(self, content):
        with tempfile.TemporaryFile() as stream, tempfile.NamedTemporaryFile("r") as log:
            stream.write(content)
            stream.seek(0)
            run([], {"stdin": stream}, wrapper=["strace", "-f", "-o", log.name])
            calls = log.read()
        first = re.search(r"^\d+ +(read|pread64)\(0,.*", calls, re.MULTILINE)
        self.assertIsNotNone(first, calls[-2000:])
        return calls[first.start():]

    def test_nothing_is_opened_or_connected(self):
        hostile = {**PLAYLISTS, **TEXTS, "mov": self.reference(),
                   "sound": self.recording("plain.m4a").read_bytes()}
        for name, content in hostile.items():
            with self.subTest(name):
                self.assertIsNone(REACHES_OUT.search(self.calls_after_first_read(content)))

    def test_the_name_of_a_broadcaster_opens_nothing(self):
        # FFmpeg converts it with iconv, which looks for its tables.
        stream = self.recording("named.ts", "-metadata", "service_name=Fernsehen für alle").read_bytes()
        latin = stream.replace("für".encode(), b"\x05f\xfcr")[:len(stream)]
        for content in (stream, latin):
            self.assertEqual(decode(content).status, 0)
            for line in self.calls_after_first_read(content).splitlines():
                if REACHES_OUT.search(line):
                    self.assertIn("= -1 EPERM", line)


if __name__ == "__main__":
    unittest.main()
