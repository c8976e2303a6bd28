"""Many recordings of the page's home screen at once, on the real daemon, in Chromium. See page_harness.py for what it
needs."""

import io
import re
import unittest
import zipfile

from list_page import ListTest
from scribed_command import wait_for

NAMES = ("a.wav", "b.wav", "c.wav", "d.wav")


class BatchTest(ListTest):
    def setUp(self):
        super().setUp()
        self.daemon = self.start()
        self.ids = {}
        for name in NAMES:
            answer = self.daemon.post_form("/v1/jobs", [], self.sound(6), file_name=name)
            self.ids[name] = answer.json["id"]
            self.daemon.wait_for_job(answer.json["id"])
        self.page = self.open(self.daemon)
        self.row(self.page, "a.wav").wait_for()

    def box(self, name):
        return self.page.get_by_role("checkbox", name=f"Select {name}", exact=True)

    def bar(self):
        return self.page.get_by_role("region", name="Selected recordings")

    def selected(self):
        return [name for name in NAMES if self.box(name).is_checked()]

    def titles(self):
        return sorted(job["title"] for job in self.jobs(self.daemon))

    def download(self, format):
        self.bar().get_by_role("button", name="Download").click()
        with self.page.expect_download() as download:
            self.page.get_by_role("menuitem", name=format).click()
        packed = zipfile.ZipFile(io.BytesIO(download.value.path().read_bytes()))
        self.assertIsNone(packed.testzip())
        return download.value.suggested_filename, packed

    def test_a_click_with_shift_selects_all_between(self):
        self.box("d.wav").click()
        self.box("b.wav").click(modifiers=["Shift"])
        self.bar().get_by_text("3 selected").wait_for()
        self.assertEqual(self.selected(), ["b.wav", "c.wav", "d.wav"])
        self.bar().get_by_role("button", name="Select all shown").click()
        self.bar().get_by_text("4 selected").wait_for()
        self.bar().get_by_role("button", name="Clear the selection").click()
        self.bar().wait_for(state="detached")
        self.assertEqual(self.selected(), [])

    def test_many_are_deleted_after_a_question(self):
        self.box("a.wav").click()
        self.box("c.wav").click()
        self.bar().get_by_role("button", name="Delete").click()
        dialog = self.page.get_by_role("dialog", name="Delete 2 recordings and their transcripts?")
        dialog.get_by_role("button", name="Cancel").click()
        self.assertEqual(len(self.jobs(self.daemon)), 4)
        self.bar().get_by_role("button", name="Delete").click()
        dialog.get_by_role("button", name="Delete").click()
        self.page.get_by_role("status").get_by_text("2 recordings deleted.").wait_for()
        self.bar().wait_for(state="detached")
        self.assertEqual(self.titles(), ["b.wav", "d.wav"])

    def test_what_could_not_be_deleted_is_named_and_stays_selected(self):
        self.expect_errors("507 (")
        error = {"error": {"code": "out_of_disk", "message": "The disk is full.", "fix": "Free some space."}}
        self.page.route(f"**/v1/jobs/{self.ids['b.wav']}", lambda route: route.fulfill(status=507, json=error))
        for name in NAMES:
            self.box(name).click()
        self.bar().get_by_role("button", name="Delete").click()
        self.page.get_by_role("dialog").get_by_role("button", name="Delete").click()
        alert = self.page.get_by_role("alert").filter(has_text="1 recording could not be deleted:")
        alert.get_by_text("b.wav: The disk is full. Free some space.").wait_for()
        self.assertEqual(self.titles(), ["b.wav"])
        self.bar().get_by_text("1 selected").wait_for()

    def test_transcripts_are_saved_as_one_zip_in_each_format(self):
        self.daemon.request("PATCH", f"/v1/jobs/{self.ids['b.wav']}", '{"title": "a/b: c"}',
                            {"Content-Type": "application/json"})
        self.row(self.page, "a/b: c").wait_for()
        self.page.keyboard.press("Escape")
        self.box("a.wav").click()
        self.page.get_by_role("checkbox", name="Select a/b: c").click()
        for format, named in (("txt", "Text"), ("srt", "Subtitles SRT"), ("vtt", "Subtitles VTT"),
                              ("docx", "Word documents"), ("json", "JSON")):
            with self.subTest(format):
                name, packed = self.download(named)
                self.assertEqual(name, f"transcripts-{format}.zip")
                self.assertEqual(sorted(packed.namelist()), [f"a.{format}", f"a_b_ c.{format}"])
                wanted = self.daemon.get(f"/v1/jobs/{self.ids['a.wav']}/transcript?format={format}").body
                if format != "docx":  # which has the time of its making in it
                    self.assertEqual(packed.read(f"a.{format}"), wanted)
                else:
                    self.assertIn("word/document.xml", zipfile.ZipFile(io.BytesIO(packed.read("a.docx"))).namelist())
                self.page.get_by_role("status").get_by_text("2 transcripts saved.").wait_for()

    def test_what_has_no_transcript_is_not_in_the_zip_and_is_named(self):
        broken = self.daemon.post_form("/v1/jobs", [], b"no sound", file_name="broken.wav").json["id"]
        self.daemon.wait_for_job(broken)
        self.row(self.page, "broken.wav").get_by_text("unsupported_format").wait_for()
        self.box("broken.wav").click()
        self.box("a.wav").click()
        _, packed = self.download("Text")
        self.assertEqual(packed.namelist(), ["a.txt"])
        alert = self.page.get_by_role("alert").filter(has_text="1 transcript is not in the zip:")
        alert.get_by_text("broken.wav: It has no transcript.").wait_for()

    def test_many_are_tried_again(self):
        self.box("a.wav").click()
        self.box("b.wav").click()
        self.bar().get_by_role("button", name="Transcribe again").click()
        self.page.get_by_role("status").get_by_text("2 recordings queued again").wait_for()
        self.wait_for_jobs(self.daemon, 6)
        self.assertEqual(self.titles(), ["a.wav", "a.wav", "b.wav", "b.wav", "c.wav", "d.wav"])

    def test_one_whose_audio_is_not_there_is_named(self):
        broken = self.daemon.post_form("/v1/jobs", [], b"no sound", file_name="broken.wav").json["id"]
        self.daemon.wait_for_job(broken)
        self.row(self.page, "broken.wav").get_by_text("unsupported_format").wait_for()
        self.box("broken.wav").click()
        self.bar().get_by_role("button", name="Try again").click()
        alert = self.page.get_by_role("alert").filter(has_text="1 recording could not be transcribed again:")
        alert.get_by_text("broken.wav: Its audio is not kept. Upload it again.").wait_for()

    def test_all_of_it_by_keyboard(self):
        press = self.page.keyboard.press
        self.page.get_by_role("link", name="d.wav", exact=True).focus()
        press("x")
        self.bar().get_by_text("1 selected").wait_for()
        self.page.get_by_role("link", name="b.wav", exact=True).focus()
        press("Shift+x")
        self.assertEqual(self.selected(), ["b.wav", "c.wav", "d.wav"])
        press("x")
        self.assertEqual(self.selected(), ["c.wav", "d.wav"])
        press("Escape")
        self.bar().wait_for(state="detached")
        self.box("c.wav").focus()
        press("Space")
        self.box("a.wav").focus()
        press("Shift+Space")
        self.assertEqual(self.selected(), ["a.wav", "b.wav", "c.wav"])
        press("Control+a")
        self.assertEqual(self.selected(), list(NAMES))
        self.bar().get_by_role("button", name="Delete").focus()
        press("Enter")
        self.page.get_by_role("dialog").wait_for()
        press("Tab")
        press("Enter")
        self.page.get_by_text("No recordings yet.").wait_for()
        self.assertEqual(self.jobs(self.daemon), [])

    def test_what_is_not_shown_is_not_selected(self):
        self.box("a.wav").click()
        self.bar().wait_for()
        self.page.get_by_role("radio", name="Failed").check()
        self.bar().wait_for(state="detached")
        self.page.get_by_role("radio", name="All").check()
        self.row(self.page, "a.wav").wait_for()
        self.assertEqual(self.selected(), [])

    def test_the_panel_of_keys_names_it(self):
        self.page.keyboard.press("?")
        self.page.get_by_role("dialog").get_by_text("Select the recording").wait_for()


if __name__ == "__main__":
    unittest.main()
