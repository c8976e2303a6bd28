"""The keys of the transcript screen on the real daemon, in Chromium. See page_harness.py for what it needs."""

import unittest

from page_harness import HOLD_FRAMES
from reader_job import edit, recording, segments
from reader_page import AUDIO, SEEK, ReaderTest, until
from scribed_command import wait_for


class KeysTest(ReaderTest):
    """Every row of the table of keys."""

    def setUp(self):
        super().setUp()
        self.job = recording(self.daemon)
        found, version = segments(self.daemon, self.job)
        edit(self.daemon, self.job, version,
             [{"op": "speaker", "segment": one["id"], "speaker": "AB"[number % 2]}
              for number, one in enumerate(found)])
        self.segments = segments(self.daemon, self.job)[0]

    def test_keys_while_reading(self):
        page = self.read(self.job)
        audio = lambda what: page.evaluate(f"{AUDIO}.{what}")
        press = page.keyboard.press
        for key in ("Space", "F4", "MediaPlayPause"):
            press(key)
            until(page, f"!{AUDIO}.paused")
            press(key)
            until(page, f"{AUDIO}.paused")
        page.evaluate(SEEK, 20)
        press("Space")
        until(page, f"{AUDIO}.currentTime > 20.5")
        press("Space")
        until(page, f"{AUDIO}.paused")
        at = self.now(page)
        page.evaluate(f"{AUDIO}.addEventListener('play', (e) => window.resumedAt = e.target.currentTime, {{once: true}})")
        press("Space")  # goes on a second earlier
        until(page, "window.resumedAt !== undefined")
        self.assertAlmostEqual(page.evaluate("window.resumedAt"), at - 1, delta=0.2)
        press("Space")
        page.evaluate(SEEK, 20)
        for key, seconds in (("ArrowLeft", 15), ("ArrowRight", 20), ("Shift+ArrowLeft", 19),
                             ("Shift+ArrowRight", 20), ("ArrowUp", 15), ("ArrowDown", 20)):
            press(key)
            self.assertAlmostEqual(self.now(page), seconds, delta=0.05, msg=key)
        for key, rate in (("[", 0.9), ("]", 1), ("]", 1.1), ("\\", 1)):
            press(key)
            self.assertAlmostEqual(audio("playbackRate"), rate, msg=key)
        page.evaluate(SEEK, 23)
        page.evaluate(f"{AUDIO}.addEventListener('seeking', (e) => window.soughtTo = e.target.currentTime, {{once: true}})")
        press("r")
        until(page, "window.soughtTo !== undefined")
        self.assertAlmostEqual(page.evaluate("window.soughtTo"), 20, delta=0.5)
        until(page, f"!{AUDIO}.paused")
        press("Shift+r")
        self.assertAlmostEqual(audio("playbackRate"), 0.7)
        press("Space")
        follow = page.get_by_role("checkbox", name="Follow")
        press("f")
        self.assertFalse(follow.is_checked())
        press("f")
        self.assertTrue(follow.is_checked())
        press("n")
        page.get_by_role("region", name="Low-confidence words").wait_for()
        press("Control+f")
        page.get_by_role("searchbox", name="Find").wait_for()
        self.assertTrue(page.get_by_role("searchbox", name="Find").evaluate("(e) => e === document.activeElement"))
        page.keyboard.press("Escape")
        for key, name in (("d", "Download the transcript"), ("?", None)):
            press(key)
            dialog = page.get_by_role("dialog", name=name) if name else page.get_by_role("dialog")
            dialog.wait_for()
            press("Escape")
            dialog.wait_for(state="hidden")
        for key in ("e", "Enter"):
            press(key)
            page.locator("[role=textbox]:focus, textarea:focus").wait_for()
            press("Escape")
            page.get_by_role("textbox", name="Text from").wait_for(state="detached")
            page.evaluate("document.activeElement.blur()")
        press("/")
        until(page, "location.hash === '#/'")

    def test_keys_while_a_text_is_edited(self):
        page = self.read(self.job)
        press = page.keyboard.press
        page.evaluate(SEEK, 20)
        press("e")
        field = page.get_by_role("textbox", name="Text from 0:20")
        field.wait_for()
        before = field.input_value()
        for key in ("Control+Space", "F4", "MediaPlayPause"):
            press(key)
            until(page, f"!{AUDIO}.paused")
            press(key)
            until(page, f"{AUDIO}.paused")
        page.evaluate(SEEK, 20)
        for key, seconds in (("Alt+Shift+ArrowLeft", 15), ("Alt+Shift+ArrowRight", 20)):
            press(key)
            self.assertAlmostEqual(self.now(page), seconds, delta=0.05, msg=key)
        for key, rate in (("Alt+[", 0.9), ("Alt+]", 1), ("Alt+]", 1.1), ("Alt+\\", 1)):
            press(key)
            self.assertAlmostEqual(page.evaluate(f"{AUDIO}.playbackRate"), rate, msg=key)
        press("Alt+r")
        until(page, f"!{AUDIO}.paused")
        press("F4")
        press("Alt+2")
        wait_for(lambda: segments(self.daemon, self.job)[0][4]["speaker"] == "B", "the second speaker")
        self.assertEqual(field.input_value(), before)
        for letter in "r n f c d":  # single keys write
            page.keyboard.type(letter)
        self.assertEqual(field.input_value(), before + "r n f c d")
        press("Control+s")
        wait_for(lambda: "r n f c d" in self.texts(self.job)[4], "the text")
        press("Control+z")
        wait_for(lambda: field.input_value() == before, "undo")
        press("Control+Shift+z")
        wait_for(lambda: field.input_value() == before + "r n f c d", "redo")
        press("Tab")  # Tab is never taken
        self.assertFalse(field.evaluate("(e) => e === document.activeElement"))

    def test_what_is_typed_right_after_a_key_arrives_however_late_the_browser_draws(self):
        page = self.read(self.job)
        page.evaluate(HOLD_FRAMES)
        page.keyboard.press("Control+f")
        page.keyboard.type("kee")
        page.evaluate("draw()")
        page.keyboard.type("per")
        self.assertEqual(page.get_by_role("searchbox", name="Find").input_value(), "keeper")
        page.keyboard.press("Escape")
        page.keyboard.press("e")
        page.keyboard.press("Escape")
        self.click_word(page, self.segments[2], 1, click_count=2)  # the keyboard goes on at another line
        page.keyboard.type("one ")
        page.evaluate("draw()")
        page.keyboard.type("two ")
        wait_for(lambda: "one two" in self.texts(self.job)[2], "all that was typed")

    def test_single_keys_can_be_turned_off(self):
        page = self.read(self.job)
        page.evaluate("localStorage.setItem('scribed.single_keys', 'off')")
        page.reload()
        until(page, f"{AUDIO}?.duration > 0")
        page.keyboard.press("Space")
        page.keyboard.press("d")
        page.wait_for_timeout(300)
        self.assertTrue(page.evaluate(f"{AUDIO}.paused"))
        self.assertEqual(page.get_by_role("dialog").count(), 0)
        page.keyboard.press("F4")
        until(page, f"!{AUDIO}.paused")


if __name__ == "__main__":
    unittest.main()
