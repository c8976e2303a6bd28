"""The page's screen of storage on the real daemon, in Chromium. See page_harness.py for what it needs."""

import json
import re
import unittest

from list_page import ListTest
from scribed_command import wait_for

JSON = {"Content-Type": "application/json"}
KEYS = {"ada": "transcribe", "eve": "transcribe, read_status, manage"}


class StorageTest(ListTest):
    def submitted(self, daemon, *names, seconds=6, **headers):
        """The ids of recordings that are done, by their names."""
        found = {}
        for name in names:
            answer = daemon.post_form("/v1/jobs", [], self.sound(seconds), file_name=name, headers=headers)
            found[name] = answer.json["id"]
        for job in found.values():
            wait_for(lambda: daemon.get(f"/v1/jobs/{job}", **headers).json["status"] == "done", "a text")
        return found

    def change(self, daemon, job, **changes):
        answer = daemon.request("PATCH", f"/v1/jobs/{job}", json.dumps(changes), JSON)
        self.assertEqual(answer.status, 200, answer.text)

    def section(self, page, name):
        return page.locator("section").filter(has=page.get_by_role("heading", name=name, exact=True))

    def titles(self, daemon):
        return sorted(job["title"] for job in self.jobs(daemon))

    def old_ones(self, daemon):
        """The screen, with recordings of any age chosen."""
        page = self.open(daemon, "#/storage")
        page.get_by_role("spinbutton", name="Older than days").fill("0")
        return page

    def confirm(self, page, button):
        page.get_by_role("dialog").get_by_role("button", name=button, exact=True).click()

    def test_it_says_what_is_used_and_by_what(self):
        daemon = self.start()
        self.submitted(daemon, "small.wav", seconds=2)
        self.submitted(daemon, "large.wav", seconds=60)
        page = self.open(daemon, "#/storage")
        page.get_by_text(re.compile(r"^Audio\s+2 MB$")).wait_for()  # 62 s of 32 kB
        page.get_by_text(re.compile(r"^2 MB of 69 GB used$")).wait_for()
        page.get_by_text("Free on the disk").wait_for()
        largest = self.section(page, "Largest recordings").get_by_role("link").all_inner_texts()
        oldest = self.section(page, "Oldest recordings").get_by_role("link").all_inner_texts()
        self.assertEqual((largest, oldest), (["large.wav", "small.wav"], ["small.wav", "large.wav"]))
        self.section(page, "Largest recordings").get_by_text("1.9 MB").wait_for()
        self.assertEqual(page.get_by_role("heading", name="By user").count(), 0, "there is one alone")

    def test_old_recordings_are_deleted_but_for_those_with_work_in_them(self):
        daemon = self.start()
        jobs = self.submitted(daemon, "a.wav", "b.wav", "pinned.wav", "named.wav", "shared.wav")
        self.change(daemon, jobs["pinned.wav"], pinned=True)
        self.change(daemon, jobs["named.wav"], title="Minutes")
        daemon.request("POST", f"/v1/jobs/{jobs['shared.wav']}/shares", "{}", JSON)
        page = self.open(daemon, "#/storage")
        page.get_by_text("No recording matches.").wait_for()  # none is 30 days old
        self.assertTrue(page.get_by_role("button", name="Delete", exact=True).is_disabled())
        page.get_by_role("spinbutton", name="Older than days").fill("0")
        page.get_by_text(re.compile("^2 recordings, .* of audio")).click()
        self.assertEqual(page.locator(".found-old li").all_inner_texts(), ["b.wav", "a.wav"])
        button = page.get_by_role("button", name="Delete 2 recordings")
        button.click()
        page.get_by_role("dialog", name="Delete 2 recordings older than 0 days?").wait_for()
        self.confirm(page, "Cancel")
        self.assertEqual(len(self.jobs(daemon)), 5)
        button.click()
        self.confirm(page, "Delete 2 recordings")
        page.get_by_role("status").get_by_text("2 recordings deleted.").wait_for()
        self.assertEqual(self.titles(daemon), ["Minutes", "pinned.wav", "shared.wav"])
        for name, count in (("pinned", 1), ("edited or renamed", 2), ("shared by a link", 3)):
            page.get_by_role("checkbox", name=name).check()
            page.get_by_role("button", name=re.compile(f"^Delete {count} recording")).wait_for()
        page.get_by_role("button", name="Delete 3 recordings").click()
        page.get_by_role("dialog").get_by_text("3 of them are pinned, edited or shared.").wait_for()
        self.confirm(page, "Delete 3 recordings")
        page.get_by_text("There are no recordings to delete.").wait_for()
        self.assertEqual(self.jobs(daemon), [])
        page.get_by_text(re.compile(r"^Audio\s+0 bytes$")).wait_for()

    def test_what_could_not_be_deleted_is_named(self):
        self.expect_errors("507 (")
        daemon = self.start()
        jobs = self.submitted(daemon, "good.wav", "stuck.wav")
        page = self.old_ones(daemon)
        error = {"error": {"code": "out_of_disk", "message": "The disk is full.", "fix": "Free some space."}}
        page.route(f"**/v1/jobs/{jobs['stuck.wav']}", lambda route: route.fulfill(status=507, json=error))
        page.get_by_role("button", name="Delete 2 recordings").click()
        self.confirm(page, "Delete 2 recordings")
        alert = page.get_by_role("alert").filter(has_text="1 recording was not deleted:")
        alert.get_by_text("stuck.wav: The disk is full. Free some space.").wait_for()
        page.get_by_role("status").get_by_text("1 recording deleted.").wait_for()
        self.assertEqual(self.titles(daemon), ["stuck.wav"])
        alert.get_by_role("button", name="Close").click()
        alert.wait_for(state="detached")

    def test_one_is_deleted_by_keyboard(self):
        daemon = self.start()
        self.submitted(daemon, "one.wav", "two.wav")
        page = self.open(daemon, "#/storage")
        self.section(page, "Oldest recordings").get_by_role("button", name="Delete one.wav").focus()
        page.keyboard.press("Enter")
        page.get_by_role("dialog", name="Delete “one.wav” and its transcript?").wait_for()
        page.keyboard.press("Tab")
        page.keyboard.press("Enter")
        page.get_by_role("status").get_by_text("1 recording deleted.").wait_for()
        self.assertEqual(self.titles(daemon), ["two.wav"])

    def test_all_old_ones_are_deleted_by_keyboard(self):
        daemon = self.start()
        self.submitted(daemon, "one.wav")
        page = self.open(daemon, "#/storage")
        days = page.get_by_role("spinbutton", name="Older than days")
        days.focus()
        page.keyboard.press("Control+A")
        page.keyboard.type("0")
        page.get_by_role("button", name="Delete 1 recording").wait_for()
        page.keyboard.press("Enter")
        page.get_by_role("dialog").wait_for()
        page.keyboard.press("Escape")
        page.get_by_role("dialog").wait_for(state="detached")
        self.assertEqual(len(self.jobs(daemon)), 1)
        days.focus()
        page.keyboard.press("Enter")
        page.get_by_role("dialog").wait_for()
        page.keyboard.press("Tab")
        page.keyboard.press("Enter")
        page.get_by_text("There are no recordings to delete.").wait_for()

    def test_a_key_sees_its_own_and_an_operator_everybody(self):
        self.expect_errors("401 (Unauthorized)")
        keys = self.folder / "keys"
        keys.write_text("".join(f"{name} secret-key-of-{name} [{rights}]\n" for name, rights in KEYS.items()))
        keys.chmod(0o600)
        daemon = self.start("--key-file", keys)
        self.submitted(daemon, "of ada.wav", Authorization="Bearer secret-key-of-ada")

        def signed_in(name):
            page = self.open(daemon, "#/storage")
            page.get_by_label("Key", exact=True).fill(f"secret-key-of-{name}")
            page.get_by_role("button", name="Sign in").click()
            page.get_by_text(re.compile(" used$")).first.wait_for()
            return page

        page = signed_in("ada")
        self.section(page, "Largest recordings").get_by_role("link", name="of ada.wav").wait_for()
        self.assertEqual(page.get_by_text("Free on the disk").count(), 0)
        self.assertEqual(page.get_by_role("heading", name="By user").count(), 0)
        page = signed_in("eve")
        self.section(page, "By user").get_by_text(re.compile("^ada")).wait_for()
        page.get_by_text("Free on the disk").wait_for()
        page.get_by_text("There are no recordings to delete.").wait_for()


if __name__ == "__main__":
    unittest.main()
