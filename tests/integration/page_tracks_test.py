"""Files with several audio tracks on the page, in Chromium. See page_harness.py for what it needs."""

import shutil
import subprocess
import unittest

from list_page import ListTest
from scribed_command import write_silence


class TracksTest(ListTest):
    def film(self, name):
        if shutil.which("ffmpeg") is None:
            self.skipTest("no ffmpeg program to make recordings with")
        path = self.recordings / name
        tones = [option for hertz in (300, 700)
                 for option in ("-f", "lavfi", "-i", f"sine={hertz}:sample_rate=16000:duration=5")]
        subprocess.run(["ffmpeg", "-nostdin", "-v", "error", *tones, "-map", "0", "-map", "1", "-c:a", "flac",
                        "-metadata:s:a:0", "language=eng", "-metadata:s:a:1", "language=fre", path], check=True)
        return path

    def test_the_text_says_which_track_it_is_of_and_another_one_can_be_chosen(self):
        daemon = self.start()
        page = self.open(daemon)
        self.drop(page, self.film("first.mkv"))
        job, = self.wait_for_jobs(daemon, 1)
        self.assertIn("Transcribed: 1 (english", job["warnings"][0])
        page.get_by_label("Audio track").select_option("2")
        self.drop(page, self.film("second.mkv"))
        other = next(found for found in self.wait_for_jobs(daemon, 2) if found["id"] != job["id"])
        self.assertEqual(other["warnings"], [])  # that one was asked for
        page.get_by_label("Audio track").select_option("3")
        self.drop(page, self.film("third.mkv"))
        self.row(page, "third.mkv").get_by_text("Audio track 3 was asked for, but the file has 2.").wait_for()
        page.get_by_role("link", name="first.mkv", exact=True).click()
        page.get_by_text("The file has 2 audio tracks. Transcribed: 1 (english").wait_for()

    def test_the_text_says_that_many_channels_were_mixed(self):
        daemon = self.start()
        page = self.open(daemon)
        write_silence(self.recordings / "room.wav", 5, channels=6)
        self.drop(page, self.recordings / "room.wav")
        self.wait_for_jobs(daemon, 1)
        page.get_by_role("link", name="room.wav", exact=True).click()
        page.get_by_text("All 6 channels of the audio track were mixed.").wait_for()

    def test_the_track_is_forgotten_with_the_visit(self):
        page = self.open(self.start())
        page.get_by_label("Audio track").select_option("2")
        page.get_by_label("Speakers").select_option("auto")
        page.reload()
        self.assertEqual(page.get_by_label("Speakers").input_value(), "auto")
        self.assertEqual(page.get_by_label("Audio track").input_value(), "0")


if __name__ == "__main__":
    unittest.main()
