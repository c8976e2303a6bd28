"""The page's transcript screen on the real daemon, in Chromium. See page_harness.py for what it needs."""

import random
import re
import unittest

import page_access_test
from page_harness import PageTest
from reader_job import edit, recording, segments, word_at
from scribed_command import wait_for

TEXT_NODE = """(id) => {
  const row = document.getElementById('s' + id);
  const holder = row.querySelector('.field-copy') ?? row;
  return [...holder.childNodes].find((node) => node instanceof Text);
}"""

# Where the n-th word of a segment stands in the window.
WORD_BOX = f"""([id, n]) => {{
  const node = ({TEXT_NODE})(id);
  const word = [...node.data.matchAll(/\\S+/g)][n];
  const range = document.createRange();
  range.setStart(node, word.index);
  range.setEnd(node, word.index + word[0].length);
  const box = range.getBoundingClientRect();
  return [box.x + box.width / 2, box.y + box.height / 2];
}}"""

SEEK = """(seconds) => new Promise((done) => {
  const audio = document.querySelector('audio');
  audio.addEventListener('seeked', () => requestAnimationFrame(() => requestAnimationFrame(done)), { once: true });
  audio.currentTime = seconds;
})"""

SPOKEN = "[...(CSS.highlights.get('spoken') ?? [])].map(String).join('')"
AUDIO = "document.querySelector('audio')"


def until(page, condition):
    """The page's policy forbids what Playwright's own waiting needs."""
    return wait_for(lambda: page.evaluate(condition), condition)


class ReaderTest(PageTest):
    def setUp(self):
        super().setUp()
        self.daemon = self.start()

    def read(self, job, query=""):
        page = self.open(self.daemon, f"#/r/{job}{query}")
        page.locator(".segment").first.wait_for()
        until(page, f"{AUDIO}?.duration > 0")
        return page

    def row(self, page, segment):
        return page.locator(f'.segment[data-key="{segment["id"]}"]')

    def click_word(self, page, segment, number, **more):
        self.row(page, segment).scroll_into_view_if_needed()
        page.mouse.click(*page.evaluate(WORD_BOX, [segment["id"], number]), **more)

    def now(self, page):
        return page.evaluate(f"{AUDIO}.currentTime")

    def texts(self, job):
        return [one["text"].strip() for one in segments(self.daemon, job)[0]]

    def saved(self, page, version):
        """Waits until the page has saved, and the daemon has that version."""
        page.get_by_text("Saved", exact=True).wait_for()
        wait_for(lambda: self.daemon.job(self.job)["version"] == version, f"version {version}")


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
        page.wait_for_timeout(1100)  # a scroll of the page itself is not taken for a person's
        page.mouse.move(300, 150)
        page.mouse.wheel(0, 5000)
        back = page.get_by_role("button", name="Back to the spoken word")
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
        job = daemon.submit(self.sound(60), word_timestamps="true")
        page = self.open(daemon, f"#/r/{job}")
        page.locator(".segment").first.wait_for()
        early = page.locator(".segment").count()
        self.assertEqual(page.get_by_role("button", name="Edit", exact=True).count(), 0)
        daemon.wait_for_job(job)
        until(page, "document.querySelectorAll('.segment').length === 12")
        self.assertLess(early, 12)
        page.locator(".segment").first.hover()
        page.get_by_role("button", name="Edit", exact=True).first.wait_for()


class EditingTest(ReaderTest):
    def setUp(self):
        super().setUp()
        self.job = recording(self.daemon)
        self.segments, self.version = segments(self.daemon, self.job)

    def edit_row(self, page, number, at=0):
        """Begins to edit before the word `at`."""
        self.click_word(page, self.segments[number], at, click_count=2)
        field = page.get_by_role("textbox", name="Text from")
        field.wait_for()
        words = self.segments[number]["text"].strip().split(" ")
        place = len(" ".join(words[:at])) + (1 if at else 0)
        field.evaluate(f"(field) => field.setSelectionRange({place}, {place})")
        return field

    def test_an_edit_keeps_the_times_of_other_words(self):
        page = self.read(self.job)
        self.edit_row(page, 3, 4)
        page.keyboard.type("bright ")
        self.saved(page, self.version + 1)
        now = segments(self.daemon, self.job)[0]
        before = self.segments[3]["words"]
        after = now[3]["words"]
        self.assertEqual(after[4][0].strip(), "bright")
        self.assertEqual(after[:4], before[:4])
        self.assertEqual(after[5:], before[4:])
        self.assertEqual(now[:3] + now[4:], self.segments[:3] + self.segments[4:])

    def test_lines_are_split_joined_and_deleted(self):
        page = self.read(self.job)
        words = self.texts(self.job)[2].split()
        self.edit_row(page, 2, 4)
        page.keyboard.press("Enter")
        self.saved(page, self.version + 1)
        self.assertEqual(self.texts(self.job)[2:4], [" ".join(words[:4]), " ".join(words[4:])])
        now = segments(self.daemon, self.job)[0]
        self.assertEqual([word[0].strip() for one in now[2:4] for word in one["words"]], words)
        page.keyboard.type("New ")  # the second part is edited, at its start
        self.saved(page, self.version + 2)
        self.assertEqual(self.texts(self.job)[3], "New " + " ".join(words[4:]))
        for _ in range(4):
            page.keyboard.press("ArrowLeft")
        page.keyboard.press("Backspace")
        self.saved(page, self.version + 3)
        self.assertEqual(self.texts(self.job)[2], " ".join(words[:4] + ["New"] + words[4:]))
        page.keyboard.press("Escape")
        self.row(page, self.segments[5]).hover()
        page.get_by_role("button", name="More for this line").click()
        page.get_by_role("menuitem", name="Delete the line").click()
        self.saved(page, self.version + 4)
        self.assertEqual(len(self.texts(self.job)), len(self.segments) - 1)

    def test_undo_leads_back_to_what_the_engine_said_and_redo_forth(self):
        job = recording(self.daemon, words=0)
        self.job, self.segments = job, segments(self.daemon, job)[0]
        first = segments(self.daemon, job)[0]
        page = self.read(job)
        self.edit_row(page, 0)
        page.keyboard.type("One ")
        self.saved(page, 1)
        page.keyboard.press("Enter")
        self.saved(page, 2)
        page.keyboard.type("two ")
        self.saved(page, 3)
        last = self.texts(job)
        page.keyboard.press("Escape")
        for version in (4, 5, 6):
            page.keyboard.press("Control+z")
            self.saved(page, version)
        self.assertEqual(segments(self.daemon, job)[0], first)
        self.assertTrue(page.get_by_role("button", name="Undo").is_disabled())
        for version in (7, 8, 9):
            page.keyboard.press("Control+Shift+z")
            self.saved(page, version)
        self.assertEqual(self.texts(job), last)

    def test_any_version_can_be_had_back(self):
        page = self.read(self.job)
        self.edit_row(page, 0)
        page.keyboard.type("Wrong ")
        self.saved(page, self.version + 1)
        page.keyboard.press("Escape")
        page.get_by_role("button", name="More", exact=True).click()
        page.get_by_role("menuitem", name="Versions").click()
        page.get_by_role("button", name=re.compile(f"version {self.version}$")).click()
        self.saved(page, self.version + 2)
        self.assertEqual(segments(self.daemon, self.job)[0], self.segments)
        self.assertNotIn("Wrong", self.row(page, self.segments[0]).inner_text())

    def test_two_windows_change_one_text(self):
        self.expect_errors("412")
        one, other = self.read(self.job), self.read(self.job)
        # What an event would tell the other window is held back until it has typed.
        edit(self.daemon, self.job, self.version,
             [{"op": "text", "segment": self.segments[1]["id"], "text": "theirs"}])
        for page, choice, kept in ((one, "Show theirs", "theirs"), (other, "Put mine on top", "mine too")):
            wait_for(lambda: "theirs" in self.row(page, self.segments[1]).inner_text(), "their text")
        self.daemon.process.send_signal(19)  # SIGSTOP: neither window hears of the other
        try:
            for page in (one, other):
                self.row(page, self.segments[2]).scroll_into_view_if_needed()
                page.mouse.dblclick(*page.evaluate(WORD_BOX, [self.segments[2]["id"], 1]))
                page.get_by_role("textbox", name="Text from").fill("mine" if page is one else "mine too")
        finally:
            self.daemon.process.send_signal(18)
        trouble = "This text was changed in another window."
        wait_for(lambda: one.get_by_text(trouble).count() + other.get_by_text(trouble).count() == 1,
                 "one window that was slower")
        slower = one if one.get_by_text(trouble).count() else other
        mine = "mine" if slower is one else "mine too"
        slower.get_by_role("button", name="Put mine on top").click()
        wait_for(lambda: self.texts(self.job)[2] == mine, "mine on top")
        wait_for(lambda: mine in self.row(one, self.segments[2]).inner_text() and
                 mine in self.row(other, self.segments[2]).inner_text(), "both windows")

    def test_their_text_is_shown_where_one_wants_it(self):
        page = self.read(self.job)
        page.context.set_offline(True)
        field = self.edit_row(page, 1)
        field.fill("mine")
        page.get_by_text("Your words are kept in this browser.").wait_for()
        edit(self.daemon, self.job, self.version,
             [{"op": "text", "segment": self.segments[1]["id"], "text": "theirs"}])
        page.context.set_offline(False)
        page.get_by_role("button", name="Show theirs").click()
        wait_for(lambda: "theirs" in self.row(page, self.segments[1]).inner_text(), "their text")
        self.assertEqual(self.texts(self.job)[1], "theirs")
        self.expect_errors("ERR_INTERNET_DISCONNECTED", "412")

    def test_find_and_replace_is_one_step(self):
        page = self.read(self.job)
        count = sum(text.split().count("keeper") for text in self.texts(self.job))
        page.keyboard.press("Control+f")
        page.keyboard.type("KEEPER")
        page.get_by_text(f"{count} places").wait_for()
        page.get_by_role("textbox", name="Replace with").fill("guardian")
        page.get_by_role("button", name="Replace all").click()
        self.saved(page, self.version + 1)
        self.assertEqual(sum(text.split().count("guardian") for text in self.texts(self.job)), count)
        page.get_by_role("button", name="Undo").first.click()
        self.saved(page, self.version + 2)
        self.assertEqual(segments(self.daemon, self.job)[0], self.segments)

    def test_one_place_is_replaced_and_the_next_one_shown(self):
        page = self.read(self.job)
        page.keyboard.press("Control+f")
        page.keyboard.type("storm")
        page.keyboard.press("Enter")
        page.get_by_role("textbox", name="Replace with").fill("gale")
        page.get_by_role("button", name="Replace", exact=True).click()
        self.saved(page, self.version + 1)
        self.assertEqual(sum(text.split().count("gale") for text in self.texts(self.job)), 1)
        self.assertEqual(page.evaluate("[...CSS.highlights.get('found-here')].map(String)"), ["storm"])

    def test_times_are_changed(self):
        page = self.read(self.job)
        self.row(page, self.segments[2]).hover()
        page.get_by_role("button", name="More for this line").click()
        page.get_by_role("menuitem", name="Change its times").click()
        page.get_by_role("textbox", name="Begins").fill("0:10.5")
        page.get_by_role("button", name="Change", exact=True).click()
        self.saved(page, self.version + 1)
        self.assertEqual(segments(self.daemon, self.job)[0][2]["start"], 10.5)

    def test_a_recording_is_renamed_kept_and_deleted(self):
        page = self.read(self.job)
        page.get_by_role("button", name="Rename").first.click()
        page.get_by_role("textbox", name="Title").fill("The keeper")
        page.get_by_role("dialog").get_by_role("button", name="Rename").click()
        page.get_by_role("heading", level=1, name="The keeper").wait_for()
        self.assertEqual(self.daemon.job(self.job)["title"], "The keeper")
        page.get_by_role("button", name="More", exact=True).click()
        page.get_by_role("menuitem", name="Pin", exact=True).click()
        page.get_by_text("kept until you unpin it").wait_for()
        self.assertTrue(self.daemon.job(self.job)["pinned"])
        page.get_by_role("button", name="More", exact=True).click()
        page.get_by_role("menuitem", name="Delete").click()
        page.get_by_role("dialog").get_by_role("button", name="Delete").click()
        wait_for(lambda: self.daemon.get(f"/v1/jobs/{self.job}").status == 404, "that it is gone")

    def test_the_sound_is_transcribed_again(self):
        page = self.read(self.job)
        page.get_by_role("button", name="More", exact=True).click()
        page.get_by_role("menuitem", name="Transcribe again").click()
        page.get_by_role("dialog").get_by_role("button", name="Transcribe", exact=True).click()
        until(page, f"!location.hash.includes('{self.job}') && location.hash.startsWith('#/r/')")
        again = page.evaluate("location.hash").split("/")[-1]
        self.assertEqual(self.daemon.wait_for_job(again)["status"], "done")

    def test_words_of_a_tab_that_died_are_saved_by_the_next(self):
        page = self.read(self.job)
        page.context.set_offline(True)
        self.edit_row(page, 4)
        page.keyboard.type("saved later ")
        page.get_by_text("Your words are kept in this browser.").wait_for()
        context = page.context
        page.close()
        context.set_offline(False)
        self.expect_errors("ERR_INTERNET_DISCONNECTED")
        page = context.new_page()
        page.goto(f"#/r/{self.job}")
        wait_for(lambda: self.texts(self.job)[4].startswith("saved later"), "what the other tab left")


class SpeakersTest(ReaderTest):
    def test_speakers_are_renamed_everywhere_and_changed_for_a_line(self):
        self.job = recording(self.daemon, words=6)
        found, version = segments(self.daemon, self.job)
        edit(self.daemon, self.job, version,
             [{"op": "speaker", "segment": one["id"], "speaker": "AB"[number % 2]}
              for number, one in enumerate(found)])
        page = self.read(self.job)
        page.get_by_role("button", name="Speakers", exact=True).click()
        page.get_by_role("textbox", name="Speaker 1").fill("Ada")
        page.get_by_role("dialog").get_by_role("button", name="Done").click()
        wait_for(lambda: self.daemon.job(self.job)["speaker_names"].get("A") == "Ada", "the name")
        wait_for(lambda: page.locator(".who", has_text="Ada").count() == len(found) / 2, "all rows")
        text = self.daemon.get(f"/v1/jobs/{self.job}/transcript?format=txt").text
        self.assertEqual(text.count("Ada: "), len(found) / 2)
        self.segments = found
        self.click_word(page, found[0], 1)
        page.keyboard.press("2")
        wait_for(lambda: segments(self.daemon, self.job)[0][0]["speaker"] == "B", "the other speaker")
        page.keyboard.press("Control+z")
        wait_for(lambda: segments(self.daemon, self.job)[0][0]["speaker"] == "A", "the first again")


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

    def test_the_whole_text_is_copied(self):
        self.job = recording(self.daemon)
        page = self.read(self.job)
        page.context.grant_permissions(["clipboard-read", "clipboard-write"])
        page.keyboard.press("c")
        page.get_by_text("The whole text is copied.").wait_for()
        self.assertEqual(page.evaluate("navigator.clipboard.readText()").split("\n"), self.texts(self.job))


class ShareTest(ReaderTest):
    def test_a_link_shows_the_recording_to_others_until_it_is_ended(self):
        self.job = recording(self.daemon)
        page = self.read(self.job)
        page.get_by_role("button", name="More", exact=True).click()
        page.get_by_role("menuitem", name="Share by a link").click()
        page.get_by_role("button", name="Make a link").click()
        address = page.get_by_role("textbox", name="the link").input_value()
        guest = self.open(self.daemon, address[address.index("#"):])
        guest.locator(".segment").first.wait_for()
        self.assertEqual(guest.locator(".segment").count(), 12)
        self.assertEqual(guest.get_by_role("button", name="Edit", exact=True).count(), 0)
        until(guest, f"{AUDIO}?.duration > 0")
        guest.get_by_role("button", name="Play", exact=True).click()
        until(guest, f"{AUDIO}.currentTime > 0.2")
        page.get_by_role("button", name="End it now").click()
        page.get_by_role("button", name="End it now").wait_for(state="detached")
        token = address.rpartition("/")[2]
        self.assertEqual(self.daemon.get(f"/v1/shares/{token}").status, 404)


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
        at = self.now(page)
        press("Space")  # goes on a second earlier
        until(page, f"!{AUDIO}.paused")
        self.assertLess(self.now(page), at - 0.5)
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
        press("r")
        self.assertAlmostEqual(self.now(page), 20, delta=0.5)
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
        page.get_by_role("region", name="Unsure words").wait_for()
        press("Control+f")
        page.get_by_role("searchbox", name="Find").wait_for()
        self.assertTrue(page.get_by_role("searchbox", name="Find").evaluate("(e) => e === document.activeElement"))
        page.keyboard.press("Escape")
        press("d")
        page.get_by_role("dialog", name="Download the text").wait_for()
        press("Escape")
        press("?")
        page.get_by_role("dialog").wait_for()
        press("Escape")
        for key in ("e", "Enter"):
            press(key)
            page.get_by_role("textbox", name="Text from").wait_for()
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
        for dark in (False, True):
            page = self.open(daemon, f"#/r/{job}", dark=dark)
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
            self.check(page, "unsure words")
            page.keyboard.press("Control+f")
            page.keyboard.type("keeper")
            page.keyboard.press("Enter")
            self.check(page, "find")
            page.context.close()

    def test_in_german(self):
        daemon = self.start()
        job = recording(daemon)
        page = self.open(daemon, f"#/r/{job}", language="de-DE")
        page.get_by_role("button", name="Herunterladen").click()
        page.get_by_role("dialog", name="Text herunterladen").wait_for()
        self.assertEqual(page.evaluate("document.documentElement.lang"), "de")


if __name__ == "__main__":
    unittest.main()
