"""How much memory decoders take together: those that need much wait for each other, small ones for nobody."""

import os
import resource
import struct
import subprocess
import tempfile
import threading
import unittest

from daemon import DaemonTest
from decode_command import program, sandboxed
from scribed_command import TIME_LIMIT, processes, wait_for

MIB = 1 << 20
LARGE = 42  # MiB that a decoder has only with the large limit: 32, and 5 that each takes


def recording(samples):
    """An mp4 file of a few kilobytes whose index takes 24 bytes of memory per packet of one sample."""
    def box(kind, *parts):
        body = b"".join(parts)
        return struct.pack(">I4s", 8 + len(body), kind) + body

    def full(kind, *parts, flags=0):
        return box(kind, struct.pack(">I", flags), *parts)

    per_chunk = 1000
    chunks = samples // per_chunk
    rate = 16000
    ticks = 2  # of a sample: FFmpeg joins samples of one tick
    milliseconds = samples * 1000 // rate
    matrix = struct.pack(">9I", 0x10000, 0, 0, 0, 0x10000, 0, 0, 0, 0x40000000)

    def moov(offset):
        sound = box(b"sowt", bytes(6), struct.pack(">H", 1), struct.pack(">HHIHHHHI", 0, 0, 0, 1, 16, 0, 0, rate << 16))
        table = box(b"stbl", full(b"stsd", struct.pack(">I", 1), sound),
                    full(b"stts", struct.pack(">III", 1, samples, ticks)),
                    full(b"stsz", struct.pack(">II", 2, samples)),
                    full(b"stsc", struct.pack(">IIII", 1, 1, per_chunk, 1)),
                    full(b"stco", struct.pack(">I", chunks), struct.pack(">I", offset) * chunks))
        media = box(b"mdia", full(b"mdhd", struct.pack(">IIIIHH", 0, 0, ticks * rate, ticks * samples, 0x55c4, 0)),
                    full(b"hdlr", bytes(4), b"soun", bytes(13)),
                    box(b"minf", full(b"smhd", bytes(4)),
                        box(b"dinf", full(b"dref", struct.pack(">I", 1), full(b"url ", flags=1))), table))
        track = box(b"trak", full(b"tkhd", struct.pack(">IIIII", 0, 0, 1, 0, milliseconds), bytes(8),
                                  struct.pack(">HHHH", 0, 0, 0x100, 0), matrix, bytes(8), flags=7), media)
        movie = full(b"mvhd", struct.pack(">IIIII", 0, 0, 1000, milliseconds, 0x10000), struct.pack(">H", 0x100),
                     bytes(10), matrix, bytes(24), struct.pack(">I", 2))
        return box(b"moov", movie, track)

    head = box(b"ftyp", b"isom\0\0\2\0isommp41")
    offset = len(head) + len(moov(0)) + 8
    return head + moov(offset) + box(b"mdat", bytes(range(1, 251)) * 8)


HUNGRY = 2_000_000  # samples: two minutes, 48 MiB


def status(pid, field):
    """A figure of a process in MiB; 0 when it has ended."""
    try:
        with open(f"/proc/{pid}/status") as file:
            return next((int(line.split()[1]) // 1024 for line in file if line.startswith(field)), 0)
    except OSError:
        return 0


class DecoderTest(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        program()
        if not sandboxed():
            raise unittest.SkipTest("this build has no sandbox, or the machine has none")

    def test_a_decoder_that_needs_much_memory_asks_and_waits(self):
        reader, writer = os.pipe()
        with tempfile.TemporaryFile() as file, open(reader, "rb") as report:
            file.write(recording(HUNGRY))
            file.seek(0)
            decoder = subprocess.Popen([program(), "--report-fd", str(writer), "--memory-on-request"],
                                       stdin=file, stdout=subprocess.PIPE, pass_fds=[writer])
            self.addCleanup(decoder.wait)
            self.addCleanup(decoder.kill)
            self.addCleanup(decoder.stdout.close)
            os.close(writer)
            self.assertEqual(report.readline(), b'{"type":"memory_wanted"}\n')
            self.assertLess(status(decoder.pid, "RssAnon"), LARGE)
            with open(f"/proc/{decoder.pid}/oom_score_adj") as score:
                self.assertEqual(int(score.read()), 1000)
            soft, hard = resource.prlimit(decoder.pid, resource.RLIMIT_DATA)
            self.assertLess(soft, hard)
            self.assertEqual(hard, 256 * MIB)
            resource.prlimit(decoder.pid, resource.RLIMIT_DATA, (hard, hard))
            pcm = decoder.stdout.read()
            self.assertEqual(len(pcm), HUNGRY * 4)
            self.assertIn(b'"type":"format"', report.readline())
            self.assertIn(b'"type":"finished"', report.read().splitlines()[-1])
            self.assertEqual(decoder.wait(TIME_LIMIT), 0)


class SumTest(DaemonTest):
    @staticmethod
    def decoders(daemon):
        return [pid for pid, (parent, name) in processes().items()
                if parent == daemon.process.pid and name == "scribed-decode"]

    def large(self, daemon):
        return [pid for pid in self.decoders(daemon) if status(pid, "RssAnon") >= LARGE]

    def test_few_decoders_have_much_memory_at_once_and_a_clip_waits_for_none(self):
        if not sandboxed():
            self.skipTest("this build has no sandbox, or the machine has none")
        daemon = self.start("--set", "jobs.parallel_for_clients=16")
        file = recording(HUNGRY)
        answers = []
        threads = [threading.Thread(target=lambda: answers.append(daemon.post_form(
            "/v1/audio/transcriptions", [("model", "whisper-1")], file, file_name="talk.mp4"))) for _ in range(4)]
        for thread in threads:
            thread.start()
        most = 0

        def two_are_large():
            nonlocal most
            most = max(most, len(self.large(daemon)))
            return most >= 2
        wait_for(two_are_large, "two decoders that have much memory")
        clip = daemon.post_form("/v1/audio/transcriptions", [("model", "whisper-1")], self.sound(1))
        self.assertEqual(clip.status, 200, clip.text)
        while any(thread.is_alive() for thread in threads):
            most = max(most, len(self.large(daemon)))
            threads[0].join(0.05)
        self.assertEqual([answer.status for answer in answers], [200] * 4)
        self.assertEqual(most, 2, "of one client, though four wanted it")


if __name__ == "__main__":
    unittest.main()
