"""Recordings in which a known sound is at a known time, in containers that tell times in their own ways and with
faults that recorders make. `tests/bench/timeline.py` and the tests of scribed-decode share them.

The sound is two pips of 0.1 s at 1 s and 4 s of a recording of 6 s.
"""

import struct
import subprocess

PIPS = ["-f", "lavfi", "-i",
        "aevalsrc='sin(2*PI*1000*t)*(between(t,1,1.1)+between(t,4,4.1))/2':s=48000:d=6"]
VIDEO = ["-f", "lavfi", "-i", "testsrc=size=64x64:rate=25:duration=10"]
HOLE = "setts=ts='if(gte(PTS*TB,3),PTS+10/TB,PTS)'"
OVERLAP = "setts=ts='if(gte(PTS*TB,3),PTS-0.5/TB,PTS)'"
FRAGMENTS = ["-movflags", "+frag_keyframe+empty_moov+default_base_moof", "-frag_duration", "500000"]
# So many seconds before 2^33 ticks of 90 kHz, the clock of an MPEG transport stream begins anew.
WRAP = ["-output_ts_offset", "95440"]

# The name of a container: the ending of its files, its audio and its video.
CONTAINERS = {
    "mp4": ("mp4", ["-c:a", "aac"], ["-c:v", "libx264", "-pix_fmt", "yuv420p"]),
    "fragmented mp4": ("mp4", ["-c:a", "aac", *FRAGMENTS], ["-c:v", "libx264", "-pix_fmt", "yuv420p"]),
    "mov": ("mov", ["-c:a", "aac"], ["-c:v", "libx264", "-pix_fmt", "yuv420p"]),
    "mkv": ("mkv", ["-c:a", "flac"], ["-c:v", "libx264", "-pix_fmt", "yuv420p"]),
    "webm": ("webm", ["-c:a", "libopus"], ["-c:v", "libvpx"]),
    "flv": ("flv", ["-c:a", "aac"], ["-c:v", "flv"]),
    "avi": ("avi", ["-c:a", "libmp3lame"], ["-c:v", "mpeg4"]),
    "ts": ("ts", ["-c:a", "mp2"], ["-c:v", "mpeg2video"]),
    "ogg": ("ogg", ["-c:a", "libvorbis"], None),
    "opus": ("opus", ["-c:a", "libopus"], None),
    "mp3": ("mp3", ["-c:a", "libmp3lame"], None),
    "adts": ("aac", ["-c:a", "aac"], None),
}


def ffmpeg(*arguments):
    """Whether this ffmpeg could do it."""
    made = subprocess.run(["ffmpeg", "-nostdin", "-v", "error", "-y", *map(str, arguments)],
                          capture_output=True, text=True, timeout=120)
    if made.returncode != 0 and "Unknown encoder" not in made.stderr:
        raise RuntimeError(made.stderr)
    return made.returncode == 0


class Timelines:
    """Makes recordings in a folder. Each method gives a path, or None where it cannot be made."""

    def __init__(self, folder):
        self.folder = folder

    def _make(self, container, fault, *arguments):
        ending = CONTAINERS[container][0]
        path = self.folder / f"{fault}-{container}.{ending}".replace(" ", "_")
        return path if ffmpeg(*arguments, path) else None

    def plain(self, container):
        return self._make(container, "plain", *PIPS, *CONTAINERS[container][1])

    def late(self, container):
        """With a video, 3 s after which the audio begins."""
        _, audio, video = CONTAINERS[container]
        return self._make(container, "late", *VIDEO, "-itsoffset", 3, *PIPS, "-map", "0:v", "-map", "1:a",
                          *video, *audio)

    def _copied(self, container, fault, *options, before=()):
        source = self.plain(container)
        return source and self._make(container, fault, *before, "-i", source, "-c", "copy",
                                     *(FRAGMENTS if "fragmented" in container else ()), *options)

    def hole(self, container):
        """Ten seconds without a packet, after 3 s."""
        if container in ("ogg", "opus"):
            source = self.plain(container)
            path = self.folder / f"hole.{container}"
            path.write_bytes(ogg_with_hole(source.read_bytes(), 3 * 48000, 10 * 48000))
            return path
        return self._copied(container, "hole", "-bsf:a", HOLE)

    def overlap(self, container):
        """After 3 s packets begin 0.5 s before the end of those before them."""
        return self._copied(container, "overlap", "-bsf:a", OVERLAP)

    def cut(self, container):
        """Half a second is cut off at the front, by an edit list where the container has them."""
        return self._copied(container, "cut", before=["-ss", "0.5"])

    def far(self, container):
        """The first timestamp is 10,000 s."""
        return self._copied(container, "far", "-output_ts_offset", "10000")

    def delayed(self, container):
        """The recording begins 20 s after its own 0."""
        return self._copied(container, "delayed", "-output_ts_offset", "20")

    def part(self, container):
        """The second half of a broadcast in parts, which has the time of the whole one."""
        path = self.folder / "part.mp4"
        if not ffmpeg(*PIPS, *CONTAINERS[container][1], "-f", "hls", "-hls_time", 3, "-hls_segment_type", "fmp4",
                      "-hls_fmp4_init_filename", "part-head.mp4",
                      "-hls_segment_filename", self.folder / "part-%d.m4s", self.folder / "part.m3u8"):
            return None
        path.write_bytes(b"".join((self.folder / name).read_bytes() for name in ("part-head.mp4", "part-1.m4s")))
        return path

    def subtitled(self, container):
        """With a subtitle 2 s before video and audio."""
        _, audio, video = CONTAINERS[container]
        text = self.folder / "subtitle.srt"
        text.write_text("1\n00:00:00,000 --> 00:00:01,000\nBefore\n")
        return self._make(container, "subtitled", "-i", text, "-itsoffset", 2, *VIDEO, "-itsoffset", 2, *PIPS,
                          "-map", "0:s", "-map", "1:v", "-map", "2:a", "-c:s", "srt", *video, *audio)

    def wrap(self, container):
        """The container's clock begins anew on the way."""
        return self._copied(container, "wrap", *WRAP)

    def joined(self, container):
        """Two recordings, one behind the other."""
        source = self.plain(container)
        path = self.folder / f"joined{source.suffix}"
        path.write_bytes(source.read_bytes() * 2)
        return path

    def changed(self, container):
        """Two recordings, one behind the other, the second one of another sample rate and with more channels."""
        first = self.plain(container)
        rate = 16000 if container == "ogg" else 32000  # a frame of AAC and MP3 has few milliseconds then
        second = self._make(container, "other-rate", *PIPS, *CONTAINERS[container][1], "-ar", rate, "-ac", 2)
        path = self.folder / f"changed{first.suffix}"
        path.write_bytes(first.read_bytes() + second.read_bytes())
        return path

    def both_joined(self, container):
        """Two recordings, one behind the other, each with a video of 10 s, 3 s after which the audio begins."""
        source = self.late(container)
        path = self.folder / f"both-joined{source.suffix}"
        path.write_bytes(source.read_bytes() * 2)
        return path


ALL = tuple(CONTAINERS)
WITH_VIDEO = tuple(name for name, made in CONTAINERS.items() if made[2])
# What was made, for which containers, and when the pips begin.
FAULTS = (
    ("plain", ALL, (1, 4)),
    ("late", WITH_VIDEO, (4, 7)),
    ("hole", ("mp4", "fragmented mp4", "mov", "mkv", "webm", "flv", "ts", "ogg", "opus"), (1, 14)),
    ("overlap", ("mkv", "webm", "ts"), (1, 3.5)),
    ("cut", ("mp4", "fragmented mp4", "mov"), (0.5, 3.5)),
    ("delayed", ("mp4", "mov"), (21, 24)),
    ("part", ("fragmented mp4",), (4,)),
    ("subtitled", ("mkv",), (3, 6)),
    ("far", ("mkv", "webm", "ts", "ogg", "opus"), (1, 4)),
    ("wrap", ("ts",), (1, 4)),
    ("joined", ("ts", "ogg", "opus", "mp3", "adts"), (1, 4, 7, 10)),
    ("changed", ("ogg", "mp3", "adts"), (1, 4, 7, 10)),
    ("both_joined", ("ts",), (4, 7, 14, 17)),
)


def onsets(samples, rate):
    """When pips begin, in seconds."""
    begins, last = [], -rate
    for i, sample in enumerate(samples):
        if abs(sample) > 0.1:
            if i - last > rate // 2:
                begins.append(i / rate)
            last = i
    return begins


def ogg_with_hole(content, after, samples):
    """The same Ogg stream, whose granule positions beyond one are later by so many samples."""
    changed, at = bytearray(content), 0
    while at < len(changed):
        segments = changed[at + 26]
        size = 27 + segments + sum(changed[at + 27:at + 27 + segments])
        granule = struct.unpack_from("<q", changed, at + 6)[0]
        if granule >= after:
            struct.pack_into("<q", changed, at + 6, granule + samples)
        struct.pack_into("<I", changed, at + 22, 0)
        struct.pack_into("<I", changed, at + 22, ogg_checksum(changed[at:at + size]))
        at += size
    return bytes(changed)


def ogg_checksum(page):
    rest = 0
    for byte in page:
        rest ^= byte << 24
        for _ in range(8):
            rest = (rest << 1 ^ 0x04C11DB7 if rest & 0x80000000 else rest << 1) & 0xFFFFFFFF
    return rest
