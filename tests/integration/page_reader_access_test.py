"""axe on what opens on the transcript screen of the real daemon, in Chromium. See page_harness.py for what it needs."""

import unittest

import page_access_test
from page_harness import PageTest
from reader_job import edit, recording, segments


class AccessTest(PageTest):
    """axe on what opens on this screen; page_access_test has the screen itself."""

    check = page_access_test.AccessTest.check
    check_as_it_is = page_access_test.AccessTest.check_as_it_is

    @classmethod
    def setUpClass(cls):
        super().setUpClass()
        if page_access_test.Axe is None:
            raise unittest.SkipTest("no Playwright: run scripts/setup --tests")
        cls.axe = page_access_test.Axe()

    def test_what_opens_is_for_everybody(self):
        daemon = self.start()
        job = recording(daemon)
        found, version = segments(daemon, job)
        edit(daemon, job, version, [{"op": "speaker", "segment": one["id"], "speaker": "AB"[number // 3 % 2]}
                                    for number, one in enumerate(found)])
        page = self.open(daemon, f"#/r/{job}")
        page.locator(".segment").first.wait_for()

        def dialog(name):
            page.set_viewport_size({"width": 1280, "height": 800})
            page.get_by_role("button", name="More", exact=True).click()
            page.get_by_role("menuitem", name=name, exact=True).click()
            page.get_by_role("dialog").wait_for()
            self.check(page, name)
            page.keyboard.press("Escape")
            page.get_by_role("dialog").wait_for(state="detached")

        for name in ("Speakers", "Versions", "Share by a link", "Rename", "Transcribe again"):
            dialog(name)
        page.keyboard.press("d")
        page.get_by_role("dialog").wait_for()
        self.check(page, "download")
        page.keyboard.press("Escape")
        page.set_viewport_size({"width": 1280, "height": 800})
        page.keyboard.press("e")
        page.get_by_role("textbox", name="Text from").wait_for()
        self.check(page, "editing")
        page.keyboard.press("Escape")
        page.evaluate("document.activeElement.blur()")
        page.keyboard.press("n")
        self.check(page, "low-confidence words")
        page.keyboard.press("Control+f")
        page.keyboard.type("keeper")
        page.keyboard.press("Enter")
        self.check(page, "find")

    def test_in_german(self):
        daemon = self.start()
        job = recording(daemon)
        page = self.open(daemon, f"#/r/{job}", language="de-DE")
        page.get_by_role("button", name="Herunterladen").click()
        page.get_by_role("dialog", name="Transkript herunterladen").wait_for()
        self.assertEqual(page.evaluate("document.documentElement.lang"), "de")


if __name__ == "__main__":
    unittest.main()
