"""Times of what scribed-decode gives are those that players show: every container with every fault."""

import pathlib
import unittest

from decode_command import RATE, DecodeTest, decode
from timeline_recordings import FAULTS, Timelines, onsets

# What a container does not tell, so that players show it too: what the codec put in front (a frame of AAC has 21 ms,
# and MP3 more), and of AVI that the audio begins later than the video.
UNTOLD_S = 0.085
UNTOLD_LATE = ("avi",)


class TimelineTest(DecodeTest):
    def test_every_container_has_the_times_of_players(self):
        recordings = Timelines(pathlib.Path(self.folder))
        for fault, containers, right in FAULTS:
            for container in containers:
                if fault == "late" and container in UNTOLD_LATE:
                    continue
                with self.subTest(container, fault=fault):
                    path = getattr(recordings, fault)(container)
                    if path is None:
                        continue  # this ffmpeg cannot make it
                    outcome = decode(path)
                    self.assertEqual(outcome.status, 0, outcome.messages)
                    begins = onsets(outcome.pcm, RATE)
                    self.assertEqual(len(begins), len(right), begins)
                    for begin, wanted in zip(begins, right):
                        self.assertAlmostEqual(begin, wanted, delta=UNTOLD_S)
                    self.assertEqual(outcome.warnings, [])


if __name__ == "__main__":
    unittest.main()
