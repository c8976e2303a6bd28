"""Reading and hearing a transcript on the real daemon, in Chromium. See page_harness.py for what it needs."""

import itertools
import random
import unittest

from page_harness import PageTest
from reader_job import recording, segments, word_at
from reader_page import AUDIO, SEEK, SPOKEN, WORD_BOX, ReaderTest, until
from scribed_command import wait_for


class ListeningTest(ReaderTest):
    def setUp(self):
        super().setUp()
        self.job = recording(self.daemon)
        self.segments = segments(self.daemon, self.job)[0]

    def test_a_click_on_a_word_goes_to_it(self):
        page = self.read(self.job)
        for segment, number in ((self.segments[0], 3), (self.segments[7], 3), (self.segments[2], 8)):
            self.click_word(page, segment, number)
            self.assertAlmostEqual(self.now(page), segment["start"] + segment["words"][number][1], delta=0.05)
            self.assertEqual(page.evaluate(SPOKEN), segment["words"][number][0].strip())

    def test_the_word_under_the_time_is_lit(self):
        page = self.read(self.job)
        for seconds in (random.uniform(0, 59) for _ in range(20)):
            page.evaluate(SEEK, seconds)
            self.assertEqual(page.evaluate(SPOKEN), word_at(self.segments, seconds) or "", seconds)

    def test_playing_lights_one_word_after_the_other_and_follows_until_somebody_scrolls(self):
        page = self.read(self.job)
        page.get_by_role("button", name="Play", exact=True).click()
        seen = set()
        wait_for(lambda: seen.add(page.evaluate(SPOKEN)) or len(seen) > 3, "several words")
        self.assertLessEqual({word for word in seen if word},
                             {word[0].strip() for one in self.segments for word in one["words"]})
        page.set_viewport_size({"width": 800, "height": 420})
        page.evaluate(SEEK, 1)
        page.mouse.move(300, 150)
        back = page.get_by_role("button", name="Back to the current word")
        # For a while after a scroll of the page itself none is taken for a person's.
        ways = itertools.cycle((5000, -5000))
        wait_for(lambda: page.mouse.wheel(0, next(ways)) or back.is_visible(), "that it waits")
        back.click()
        back.wait_for(state="detached")
        self.assertTrue(page.evaluate("scrollY") < 400)

    def test_marking_words_with_the_mouse_goes_nowhere(self):
        page = self.read(self.job)
        begin = page.evaluate(WORD_BOX, [self.segments[1]["id"], 2])
        end = page.evaluate(WORD_BOX, [self.segments[1]["id"], 6])
        page.mouse.move(*begin)
        page.mouse.down()
        page.mouse.move(*end)
        page.mouse.up()
        self.assertEqual(self.now(page), 0)
        self.assertIn(" ", page.evaluate("getSelection().toString()"))

    def test_the_slider_says_where_it_is_and_moves(self):
        page = self.read(self.job)
        slider = page.get_by_role("slider", name="Position")
        slider.focus()
        for key, seconds in (("ArrowRight", 5), ("Shift+ArrowRight", 6), ("PageUp", 60), ("PageDown", 0),
                             ("End", 60), ("ArrowLeft", 55), ("Home", 0)):
            page.keyboard.press(key)
            self.assertAlmostEqual(self.now(page), seconds, delta=0.05, msg=key)
        page.keyboard.press("ArrowRight")
        self.assertEqual(slider.get_attribute("aria-valuetext"), "5 seconds of 1 minute")

    def test_an_address_says_where_to_begin_and_what_to_look_for(self):
        word = self.segments[9]["words"][0][0].strip()
        page = self.read(self.job, f"?t=45.1&q={word}")
        wait_for(lambda: abs(self.now(page) - 45.1) < 0.05, "the time of the address")
        self.assertEqual(page.get_by_role("searchbox", name="Find").input_value(), word)
        page.get_by_text("1 place").wait_for()


class RunningTest(PageTest):
    def test_text_of_a_running_job_appears_as_it_is_decided(self):
        self.behave("slow")
        daemon = self.start()
        job = daemon.submit(self.sound(200), word_timestamps="true")
        page = self.open(daemon, f"#/r/{job}")
        page.locator(".segment").first.wait_for()
        early = page.locator(".segment").count()
        self.assertEqual(page.get_by_role("button", name="Edit", exact=True).count(), 0)
        daemon.wait_for_job(job)
        until(page, "document.querySelectorAll('.segment').length === 40")
        self.assertLess(early, 40)
        page.locator(".segment").first.hover()
        page.get_by_role("button", name="Edit", exact=True).first.wait_for()


class DownloadTest(ReaderTest):
    def test_downloads_are_what_the_api_gives(self):
        self.job = recording(self.daemon)
        page = self.read(self.job)
        page.keyboard.press("d")
        dialog = page.get_by_role("dialog")
        dialog.get_by_role("link").first.wait_for()
        links = dialog.get_by_role("link").all()
        self.assertGreaterEqual(len(links), 8)
        for link in links:
            with self.subTest(link.get_attribute("aria-label")), page.expect_download() as download:
                link.click()
            got = download.value.path().read_bytes()
            address = "/" + link.get_attribute("href")
            self.assertEqual(got, self.daemon.get(address).body, address)
            self.assertEqual(download.value.suggested_filename.rpartition(".")[0], "talk")

    def test_subtitles_are_downloaded_with_the_lines_that_are_chosen(self):
        self.job = recording(self.daemon)
        page = self.read(self.job)
        page.keyboard.press("d")
        dialog = page.get_by_role("dialog")
        subtitles = dialog.get_by_role("link", name="Download: Subtitles for videos")
        style = dialog.get_by_role("combobox", name="Subtitle style")
        style.select_option("whisper")
        dialog.get_by_label("Characters per line").fill("20")
        dialog.get_by_label("Lines per subtitle").fill("1")
        self.assertEqual(subtitles.get_attribute("href").partition("?")[2],
                         "format=srt&subtitle_style=whisper&max_line_width=20&max_line_count=1")
        with page.expect_download() as download:
            subtitles.click()
        lines = download.value.path().read_text().split("\n\n")[:-1]
        self.assertGreater(len(lines), 20)
        self.assertTrue(all(len(cue.split("\n")) == 3 and len(cue.split("\n")[2]) <= 20 for cue in lines))
        dialog.get_by_label("Highlight each word").check()
        self.assertIn("&highlight_words=true", subtitles.get_attribute("href"))
        style.select_option("netflix")
        self.assertEqual(dialog.get_by_label("Characters per line").count(), 0)
        self.assertTrue(subtitles.get_attribute("href").endswith("?format=srt&subtitle_style=netflix"))

    def test_the_whole_text_is_copied(self):
        self.job = recording(self.daemon)
        page = self.read(self.job)
        page.context.grant_permissions(["clipboard-read", "clipboard-write"])
        page.keyboard.press("c")
        page.get_by_text("All text is copied.").wait_for()
        self.assertEqual(page.evaluate("navigator.clipboard.readText()").split("\n"), self.texts(self.job))


class ShareTest(ReaderTest):
    def test_a_link_shows_the_recording_to_others_until_it_is_ended(self):
        self.job = recording(self.daemon)
        page = self.read(self.job)
        page.get_by_role("button", name="More", exact=True).click()
        page.get_by_role("menuitem", name="Share by a link").click()
        page.get_by_role("button", name="Create a link").click()
        address = page.get_by_role("textbox", name="the link").input_value()
        guest = self.open(self.daemon, address[address.index("#"):])
        guest.locator(".segment").first.wait_for()
        self.assertEqual(guest.locator(".segment").count(), 12)
        self.assertEqual(guest.get_by_role("button", name="Edit", exact=True).count(), 0)
        until(guest, f"{AUDIO}?.duration > 0")
        guest.get_by_role("button", name="Play", exact=True).click()
        until(guest, f"{AUDIO}.currentTime > 0.2")
        page.get_by_role("button", name="Revoke it").click()
        page.get_by_role("button", name="Revoke it").wait_for(state="detached")
        token = address.rpartition("/")[2]
        self.assertEqual(self.daemon.get(f"/v1/shares/{token}").status, 404)


if __name__ == "__main__":
    unittest.main()
