"""Changing a transcript on the real daemon, in Chromium. See page_harness.py for what it needs."""

import re
import unittest

from reader_job import edit, recording, segments
from reader_page import WORD_BOX, ReaderTest, until
from scribed_command import wait_for


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
        for page, choice, kept in ((one, "Show theirs", "theirs"), (other, "Apply mine", "mine too")):
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
        slower.get_by_role("button", name="Apply mine").click()
        wait_for(lambda: self.texts(self.job)[2] == mine, "mine on top")
        wait_for(lambda: mine in self.row(one, self.segments[2]).inner_text() and
                 mine in self.row(other, self.segments[2]).inner_text(), "both windows")

    def test_their_text_is_shown_where_one_wants_it(self):
        page = self.read(self.job)
        page.context.set_offline(True)
        field = self.edit_row(page, 1)
        field.fill("mine")
        page.get_by_text("Your changes are stored in this browser.").wait_for()
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

    def test_a_double_click_selects_the_word_and_typing_replaces_it_in_its_time(self):
        page = self.read(self.job)
        self.click_word(page, self.segments[3], 4, click_count=2)
        field = page.get_by_role("textbox", name="Text from")
        field.wait_for()
        word = self.segments[3]["words"][4][0].strip()
        marked = field.evaluate("(field) => field.value.slice(field.selectionStart, field.selectionEnd)")
        self.assertEqual(marked, word.rstrip(".,;:!?"))
        page.keyboard.type("lantern")
        self.saved(page, self.version + 1)
        now = segments(self.daemon, self.job)[0][3]["words"]
        self.assertEqual([one[1:3] for one in now], [one[1:3] for one in self.segments[3]["words"]])
        self.assertEqual(now[4][0].strip(), word.replace(marked, "lantern"))

    def test_the_undo_of_a_notice_is_gone_with_its_step(self):
        page = self.read(self.job)
        page.keyboard.press("Control+f")
        page.keyboard.type("keeper")
        page.get_by_role("textbox", name="Replace with").fill("guardian")
        page.get_by_role("button", name="Replace all").click()
        notice = page.get_by_text("Replaced in")
        notice.wait_for()
        page.get_by_role("button", name="Undo: Replace").click()
        notice.wait_for(state="detached")
        self.saved(page, self.version + 2)
        self.assertEqual(segments(self.daemon, self.job)[0], self.segments)
        page.get_by_role("button", name="Redo: Replace").click()
        self.saved(page, self.version + 3)

    def test_a_notice_leaves_when_something_else_is_done(self):
        page = self.read(self.job)
        self.row(page, self.segments[5]).hover()
        page.get_by_role("button", name="More for this line").click()
        page.get_by_role("menuitem", name="Delete the line").click()
        notice = page.get_by_text("is deleted.")
        notice.wait_for()
        self.saved(page, self.version + 1)
        self.edit_row(page, 1)
        page.keyboard.type("New ")
        notice.wait_for(state="detached")

    def test_one_place_is_replaced_and_the_next_one_shown(self):
        page = self.read(self.job)
        page.keyboard.press("Control+f")
        until(page, "document.activeElement.type === 'search'")
        page.keyboard.type("storm")
        page.keyboard.press("Enter")
        page.get_by_role("textbox", name="Replace with").fill("gale")
        page.get_by_role("button", name="Replace", exact=True).click()
        self.saved(page, self.version + 1)
        self.assertEqual(sum(text.split().count("gale") for text in self.texts(self.job)), 1)
        until(page, "[...CSS.highlights.get('found-here')].join() === 'storm'")

    def test_times_are_changed(self):
        page = self.read(self.job)
        self.row(page, self.segments[2]).hover()
        page.get_by_role("button", name="More for this line").click()
        page.get_by_role("menuitem", name="Change times").click()
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
        page.get_by_text("· pinned").wait_for()
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
        page.get_by_text("Your changes are stored in this browser.").wait_for()
        context = page.context
        page.close()
        context.set_offline(False)
        self.expect_errors("ERR_INTERNET_DISCONNECTED", "412")  # both may be on their way
        page = context.new_page()
        # The page waits 250 ms for other tabs to say that they are there. Somebody may be quicker than
        # that, and does not write over what the other tab has left.
        page.add_init_script("{ const later = setTimeout; window.setTimeout = (run, ms, ...more) => "
                             "later(run, ms === 250 ? 2500 : ms, ...more); }")
        page.goto(f"#/r/{self.job}")
        self.row(page, self.segments[4]).hover()
        self.row(page, self.segments[4]).get_by_role("button", name="Edit", exact=True).click()
        page.keyboard.press("End")
        page.keyboard.type(" and more")
        wait_for(lambda: self.texts(self.job)[4].startswith("saved later"), "what the other tab left")
        wait_for(lambda: self.texts(self.job)[4].endswith("and more"), "what was typed")
        self.assertTrue(self.texts(self.job)[4].startswith("saved later"))


class SpeakersTest(ReaderTest):
    def test_speakers_are_renamed_everywhere_and_changed_for_a_line(self):
        self.job = recording(self.daemon, words=6)
        found, version = segments(self.daemon, self.job)
        edit(self.daemon, self.job, version,
             [{"op": "speaker", "segment": one["id"], "speaker": "AB"[number % 2]}
              for number, one in enumerate(found)])
        page = self.read(self.job)
        page.get_by_role("button", name="Speakers", exact=True).click()
        self.assertTrue(page.locator("input:focus").get_attribute("placeholder"), "one begins to type at once")
        page.keyboard.type("Ada")
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

    def test_two_speakers_that_were_one_are_merged_and_parted_again(self):
        self.job = recording(self.daemon, words=6)
        found, version = segments(self.daemon, self.job)
        edit(self.daemon, self.job, version,
             [{"op": "speaker", "segment": one["id"], "speaker": "ABC"[number % 3]}
              for number, one in enumerate(found)])
        page = self.read(self.job)
        page.get_by_role("button", name="Speakers", exact=True).click()
        page.get_by_label("Same person as").nth(1).select_option("C")
        speakers = lambda: {one["speaker"] for one in segments(self.daemon, self.job)[0]}
        wait_for(lambda: speakers() == {"A", "C"}, "one speaker less")
        page.get_by_role("dialog").get_by_role("button", name="Done").click()
        wait_for(lambda: page.locator(".who", has_text="B").count() == 0, "the rows")
        page.get_by_role("button", name="Undo: Merge speakers").click()
        wait_for(lambda: speakers() == {"A", "B", "C"}, "all three again")

    def test_a_long_name_is_shown_in_two_lines_and_whole_on_request(self):
        self.job = recording(self.daemon, words=6)
        found, version = segments(self.daemon, self.job)
        name = "Prof. Dr. Maria-Magdalena Featherstonehaugh"
        edit(self.daemon, self.job, version,
             [{"op": "speaker", "segment": one["id"], "speaker": "A"} for one in found] +
             [{"op": "name", "speaker": "A", "name": name}])
        page = self.read(self.job)
        who = page.locator(".who").first
        self.assertIn(name, who.get_attribute("title"))
        box = who.bounding_box()
        self.assertGreater(box["height"], 30, "two lines")
        edit(self.daemon, self.job, self.daemon.job(self.job)["version"],
             [{"op": "name", "speaker": "A", "name": "Anna Reporter"}])
        wait_for(lambda: who.inner_text() == "Anna Reporter", "the other name")
        self.assertTrue(who.evaluate("(one) => one.scrollHeight <= one.clientHeight + 1"), "it is whole")


if __name__ == "__main__":
    unittest.main()
