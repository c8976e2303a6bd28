"""The page's home screen on the real daemon, in Chromium: dropping, queue, history, search. See page_harness.py for
what it needs."""

import re
import unittest

import fake_hub
import nano_model
from list_page import BROKEN_LINE, ListTest
from page_harness import HOLD_FRAMES
from scribed_command import wait_for

# A model of which only the hub knows the hashes, so that ours can stand in for it.
HUB_MODEL = "distil-small.en"


class FirstUseTest(ListTest):
    def test_from_no_model_to_two_texts(self):
        hub = fake_hub.FakeHub(nano_model.files())
        self.addCleanup(hub.close)
        self.environment |= {"HF_ENDPOINT": hub.endpoint, "NO_PROXY": "*", "PATH": "/nowhere"}
        daemon = self.start("--set", "model.pull=false", model=HUB_MODEL)
        page = self.open(daemon)
        page.get_by_text("No recordings yet.").wait_for()
        page.get_by_text(f"The model {HUB_MODEL} is not installed.").wait_for()
        self.drop(page, self.file("first.wav"), self.file("second.wav"))
        self.row(page, "first.wav").get_by_text("waiting for a model").wait_for()
        page.get_by_role("button", name="Download it").click()
        self.row(page, "first.wav").get_by_role("link", name="Save first.wav as Text").wait_for()
        self.row(page, "second.wav").get_by_role("link", name="Save second.wav as Text").wait_for()
        self.assertEqual(page.get_by_text("is not installed").count(), 0)
        with page.expect_download() as download:
            self.row(page, "first.wav").get_by_role("link", name="Save first.wav as Text").click()
        self.assertEqual(download.value.suggested_filename, "first.txt")
        self.assertIn("Segment 0.", download.value.path().read_text())
        page.get_by_role("link", name="second.wav", exact=True).click()
        page.get_by_text("Segment 0.").wait_for()

    def test_a_folder_is_dropped_and_what_is_no_recording_is_left_out(self):
        daemon = self.start()
        page = self.open(daemon)
        self.file("talks/one.wav")
        (self.recordings / "talks" / "deeper").mkdir()
        self.file("talks/deeper/two.wav")
        (self.recordings / "talks" / "notes.pdf").write_bytes(b"%PDF")
        (self.recordings / "talks" / ".DS_Store").write_bytes(b"x")
        (self.recordings / "talks" / "empty.wav").write_bytes(b"")
        self.drop(page, self.recordings / "talks")
        left_out = page.get_by_text(re.compile("not recordings: notes.pdf.+they are empty: empty.wav."))
        left_out.wait_for()
        jobs = self.wait_for_jobs(daemon, 2)
        self.assertEqual({job["title"] for job in jobs}, {"one.wav", "two.wav"})

    def test_what_is_too_large_or_has_no_sound_is_told_before_it_is_sent(self):
        daemon = self.start("--set", "server.max_upload_bytes=1000000",
                            "--set", "server.max_body_bytes_sync=1000000")
        page = self.open(daemon)
        self.drop(page, self.file("long.wav", 40), self.silent_video(daemon))
        self.row(page, "long.wav").get_by_text("this server accepts up to 1 MB").wait_for()
        self.row(page, "mute.webm").get_by_text("This video has no audio.").wait_for()
        self.assertEqual(daemon.get("/v1/uploads").json["data"], [])
        self.row(page, "long.wav").get_by_role("button", name="Remove").click()
        self.assertEqual(self.row(page, "long.wav").count(), 0)

    def silent_video(self, daemon):
        """A picture that the browser itself records."""
        page = self.new_context(daemon).new_page()
        recorded = page.evaluate("""async () => {
          const canvas = document.createElement('canvas');
          canvas.getContext('2d').fillRect(0, 0, 9, 9);
          const recorder = new MediaRecorder(canvas.captureStream(10), { mimeType: 'video/webm' });
          const parts = [];
          recorder.ondataavailable = (event) => parts.push(event.data);
          recorder.start();
          for (let n = 0; n < 10; n += 1) {
            canvas.getContext('2d').fillRect(n, n, 9, 9);
            await new Promise((done) => setTimeout(done, 50));
          }
          await new Promise((done) => { recorder.onstop = done; recorder.stop(); });
          return [...new Uint8Array(await new Blob(parts).arrayBuffer())];
        }""")
        path = self.recordings / "mute.webm"
        path.write_bytes(bytes(recorded))
        return path


class QueueTest(ListTest):
    def test_twenty_are_dropped_two_are_stopped_and_a_reload_shows_the_same(self):
        self.behave("slow")
        daemon = self.start("--set", "jobs.parallel=1")
        page = self.open(daemon)
        self.drop(page, *(self.file(f"{n:02}.wav", 60) for n in range(20)))
        wait_for(lambda: len(self.jobs(daemon)) == 20, "the jobs")
        self.group(page, "Uploading").wait_for(state="detached")
        running = self.names(page, "Processing")[0]
        page.get_by_role("button", name=f"Cancel {running}").click()
        page.get_by_role("button", name="Cancel 19.wav").click()
        self.wait_for_jobs(daemon, 2, "cancelled")
        self.row(page, "19.wav").get_by_text("Canceled").wait_for()
        self.row(page, running).get_by_text("Canceled").wait_for()
        wait_for(lambda: self.in_turn(page) == self.turns(daemon), "the turns of the daemon")
        before = self.names(page, "Processing")
        page.reload()
        self.row(page, "19.wav").get_by_text("Canceled").wait_for()
        wait_for(lambda: self.in_turn(page) == self.turns(daemon), "the same after the reload")
        after = self.names(page, "Processing")
        self.assertEqual(after, before[-len(after):], "some may have ended meanwhile")
        self.assertIn("position", self.row(page, after[-1]).inner_text())

    def in_turn(self, page):
        """The last ones that wait; those before them may begin while one looks."""
        return self.names(page, "Processing")[-10:]

    def turns(self, daemon):
        waiting = [job for job in self.jobs(daemon) if job["status"] == "queued"]
        return [job["title"] for job in sorted(waiting, key=lambda job: job["queue_place"])][-10:]

    def test_progress_comes_by_itself(self):
        self.behave("listens_first")
        daemon = self.start()
        page = self.open(daemon)
        daemon.submit(self.sound(60))
        row = self.row(page, "talk.wav")
        row.get_by_text("× real time").wait_for()
        self.assertGreater(row.get_by_role("progressbar").evaluate("(bar) => bar.value"), 0)
        row.get_by_role("link", name="Save").wait_for()

    def test_a_failure_says_what_to_do(self):
        daemon = self.start()
        page = self.open(daemon)
        broken = self.recordings / "broken.wav"
        broken.write_bytes(b"no sound at all" * 100)
        self.drop(page, broken)
        row = self.row(page, "broken.wav")
        row.get_by_text("unsupported_format").wait_for()
        row.get_by_role("button", name="Actions for broken.wav").click()
        page.get_by_role("menuitem", name="Delete").click()
        page.get_by_role("dialog").get_by_role("button", name="Delete").click()
        row.wait_for(state="detached")
        self.assertEqual(self.jobs(daemon), [])


class HistoryTest(ListTest):
    def setUp(self):
        super().setUp()
        self.daemon = self.start()

    def submitted(self, *names):
        for name in names:
            answer = self.daemon.post_form("/v1/jobs", [], self.sound(6), file_name=name)
            self.daemon.wait_for_job(answer.json["id"])

    def test_a_search_leads_to_the_place(self):
        self.submitted("one.wav", "two.wav")
        page = self.open(self.daemon)
        self.row(page, "two.wav").wait_for()
        page.keyboard.press("/")
        page.keyboard.type("segment 1")
        page.get_by_text("Found in 2 recordings.").wait_for()
        self.assertEqual(self.row(page, "one.wav").locator("mark").first.inner_text(), "Segment 1")
        place = self.row(page, "one.wav").locator(".matches a").first
        self.assertRegex(place.get_attribute("href"), r"^#/r/\w+\?t=5$")
        place.press("Enter")
        page.wait_for_url("**#/r/*t=5")
        page.go_back()
        page.get_by_text("Found in 2 recordings.").wait_for()
        self.assertEqual(page.get_by_role("searchbox").input_value(), "segment 1")
        page.get_by_role("searchbox").fill("nobody said this")
        page.get_by_text("No title, transcript or speaker name contains “nobody said this”.").wait_for()

    def test_who_comes_back_begins_at_the_recording_and_can_search_at_once(self):
        self.submitted("one.wav", "two.wav")
        page = self.open(self.daemon)
        for name in ("one.wav", "two.wav"):
            page.get_by_role("link", name=name, exact=True).click()
            page.get_by_role("heading", level=1, name=name).wait_for()
            page.evaluate(HOLD_FRAMES)
            page.go_back()
            self.row(page, name).wait_for()
            self.assertEqual(page.evaluate("document.activeElement.textContent"), name)
        page.keyboard.press("/")
        page.keyboard.type("segm")
        page.evaluate("draw()")
        page.keyboard.type("ent 1")
        page.get_by_text("Found in 2 recordings.").wait_for()

    def test_what_is_named_and_pinned_stays_so(self):
        self.submitted("one.wav", "two.wav")
        page = self.open(self.daemon)
        page.get_by_role("button", name="Actions for one.wav").click()
        page.get_by_role("menuitem", name="Rename").click()
        page.keyboard.type("The keeper")
        page.keyboard.press("Enter")
        page.get_by_role("button", name="Actions for The keeper").click()
        page.get_by_role("menuitem", name="Pin").click()
        self.group(page, "Pinned").wait_for()
        page.reload()
        self.group(page, "Pinned").wait_for()
        self.assertEqual((self.names(page, "Pinned"), self.names(page, "Today")), (["The keeper"], ["two.wav"]))

    def test_filters_show_what_they_say(self):
        self.submitted("good.wav")
        self.daemon.post_form("/v1/jobs", [], b"nothing", file_name="bad.wav")
        page = self.open(self.daemon)
        self.row(page, "good.wav").wait_for()
        page.get_by_role("radio", name="Failed").check()
        self.row(page, "good.wav").wait_for(state="detached")
        self.row(page, "bad.wav").wait_for()
        page.get_by_role("radio", name="Processing").check()
        page.get_by_text("No recordings match.").wait_for()
        page.get_by_role("button", name="Show all").click()
        self.row(page, "good.wav").wait_for()

    def test_two_hundred_are_there_as_one_scrolls(self):
        for n in range(210):
            job = self.daemon.submit(self.sound(1))
            if n % 60 == 59:  # so many may wait
                self.daemon.wait_for_job(job)
        self.wait_for_jobs_of_pages(210)
        page = self.open(self.daemon)
        self.row(page, "talk.wav").first.wait_for()
        wait_for(lambda: page.mouse.wheel(0, 20_000) or page.locator("li.job").count() == 210, "all rows")

    def wait_for_jobs_of_pages(self, count):
        def ended():
            found, after = [], ""
            while True:
                page = self.daemon.get(f"/v1/jobs?limit=100&status=done{after}").json
                found += page["data"]
                if not page["has_more"]:
                    return len(found) == count
                after = f"&after={page['data'][-1]['id']}"
        wait_for(ended, f"{count} jobs")


class KeyboardTest(ListTest):
    def tab_to(self, page, name, role="button"):
        """Presses Tab until the focus is there, as far as it may be away."""
        target = page.get_by_role(role, name=name, exact=True).first
        for _ in range(60):
            if target.evaluate("(element) => element === document.activeElement"):
                return
            page.keyboard.press("Tab")
        self.fail(f"no way to {name} by Tab")

    def test_a_recording_is_sent_named_and_deleted_without_a_mouse(self):
        daemon = self.start()
        page = self.open(daemon)
        choosers = []
        page.on("filechooser", lambda chooser: choosers.append(chooser))  # early, as Playwright takes a moment to catch them
        page.get_by_text("No recordings yet.").wait_for()
        self.tab_to(page, "Choose files")
        page.keyboard.press("Enter")
        wait_for(lambda: page.wait_for_timeout(10) or choosers, "the window that chooses files")
        choosers[0].set_files(self.file("talk.wav"))
        self.row(page, "talk.wav").get_by_role("link", name="Save").wait_for()
        self.tab_to(page, "Actions for talk.wav")
        page.keyboard.press("Enter")
        page.keyboard.press("Enter")  # at once: the menu's first item has the focus
        page.locator("input:focus").wait_for()
        page.keyboard.type("Minutes")
        page.keyboard.press("Enter")
        page.get_by_role("link", name="Minutes", exact=True).wait_for()
        self.tab_to(page, "Actions for Minutes")
        page.keyboard.press("Enter")
        page.keyboard.press("End")
        page.keyboard.press("Enter")
        page.get_by_role("dialog").wait_for()
        self.tab_to(page, "Delete")
        page.keyboard.press("Enter")
        page.get_by_text("No recordings yet.").wait_for()
        self.assertEqual(self.jobs(daemon), [])


class TabsTest(ListTest):
    def test_a_second_tab_uses_no_second_stream_and_takes_over(self):
        daemon = self.start()
        first = self.open(daemon)
        first.get_by_text("No recordings yet.").wait_for()
        second = first.context.new_page()
        streams = []
        for page in (first, second):
            page.on("request", lambda request, page=page: request.url.endswith("/v1/events")
                    and streams.append(page))
        second.goto(first.url)
        second.get_by_text("No recordings yet.").wait_for()
        daemon.submit(self.sound(5))
        for page in (first, second):
            self.row(page, "talk.wav").get_by_role("link", name="Save").wait_for()
        self.assertEqual(streams, [])
        first.close()
        wait_for(lambda: second.wait_for_timeout(10) or streams == [second], "the second tab's own stream")
        daemon.submit(self.sound(5))
        second.get_by_role("link", name="Save").nth(1).wait_for()

    def test_without_a_stream_the_page_asks_again_and_again(self):
        daemon = self.start()
        page = self.new_context(daemon).new_page()
        page.route("**/v1/events", lambda route: route.fulfill(status=404, body=""))
        self.expect_errors(*BROKEN_LINE)
        page.goto("")
        page.get_by_text("No recordings yet.").wait_for()
        daemon.submit(self.sound(5))
        self.row(page, "talk.wav").get_by_role("link", name="Save").wait_for()

    def test_only_begin_half_and_end_are_said_aloud(self):
        self.behave("listens_first")
        daemon = self.start()
        page = self.open(daemon)
        page.get_by_text("No recordings yet.").wait_for()
        page.evaluate("""() => {
          window.said = [];
          for (const region of document.querySelectorAll('[role=status]')) {
            new MutationObserver(() => window.said.push(region.textContent))
              .observe(region, { childList: true, characterData: true, subtree: true });
          }
        }""")
        daemon.submit(self.sound(120))
        page.get_by_role("link", name="Save").wait_for()
        said = [text for text in page.evaluate("window.said") if text]
        self.assertEqual(said, ["talk.wav has started.", "talk.wav is half done.", "talk.wav is completed."])


if __name__ == "__main__":
    unittest.main()
