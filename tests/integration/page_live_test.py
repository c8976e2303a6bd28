"""The page's Live screen on the real daemon with real weights, in Chromium, whose fake microphone plays a recording.
See live_daemon.py and page_harness.py for what it needs."""

import functools
import io
import re
import subprocess
import tempfile
import unittest
import wave

from daemon import Daemon
from live_daemon import LiveDaemonTest
from live_test import word_errors, words_of
from page_harness import PageTest, need_browser, sync_playwright
from recordings import recording
from scribed_command import wait_for

LIMIT_MS = 120_000
SPOKEN = ("en-nogo", "en-thanks")
NAMED = "scribed.example"  # a name of this machine, which browsers do not trust as they trust localhost
DEVICE = "--use-fake-device-for-media-stream"
CONSENT = "--use-fake-ui-for-media-stream"  # the browser's question is answered with yes


def microphone_file(folder):
    """What the fake microphone plays once: recordings at 48 kHz, and then silence."""
    path = folder / "microphone.wav"
    inputs = [part for name in SPOKEN for part in ("-i", str(recording(f"{name}.wav")))]
    parts = "".join(f"[{n}]aresample=48000,apad=pad_dur=1.5[p{n}];" for n in range(len(SPOKEN)))
    names = "".join(f"[p{n}]" for n in range(len(SPOKEN)))
    joined = f"{parts}{names}concat=n={len(SPOKEN)}:v=0:a=1,apad=pad_dur=60"
    subprocess.run(["ffmpeg", "-nostdin", "-y", "-loglevel", "error", *inputs, "-filter_complex", joined,
                    "-ac", "1", "-ar", "48000", "-sample_fmt", "s16", str(path)], check=True)
    return path


class LivePageTest(LiveDaemonTest, PageTest):
    """Real weights, and a browser for each test, because the fake microphone is a browser's."""

    model = "base"

    @classmethod
    def setUpClass(cls):
        need_browser()
        super().setUpClass()
        cls.driver = sync_playwright().start()
        cls.addClassCleanup(cls.driver.stop)
        cls.file = microphone_file(cls.folder)

    def setUp(self):
        self.expected = []

    @functools.cached_property
    def expected_words(self):
        return words_of(" ".join(map(self.offline, SPOKEN)))

    def open_live(self, daemon=None, arguments=(DEVICE, CONSENT), **more):
        browser = self.launch(*arguments, f"--use-file-for-fake-audio-capture={self.file}%noloop")
        self.addCleanup(browser.close)
        tab = self.new_context(daemon or self.daemon, browser=browser, **more).new_page()
        tab.goto("#/live")
        tab.get_by_role("heading", name="Live", level=1).wait_for()
        return tab

    def press(self, tab, name):
        tab.get_by_role("button", name=name, exact=True).click()

    def begin(self, tab):
        self.press(tab, "Start")
        tab.get_by_role("button", name="Pause").wait_for(timeout=LIMIT_MS)

    def captions(self, tab):
        return " ".join(tab.locator(".captions p:not(.meta)").all_inner_texts())

    def wait_in(self, tab, condition, what):
        """Waits while the tab goes on, whose events are handled by its own calls alone."""
        return wait_for(lambda: condition() or tab.wait_for_timeout(200), what)

    def wait_for_words(self, tab, count):
        self.wait_in(tab, lambda: len(words_of(self.captions(tab))) >= count, "the words")

    def stop(self, tab):
        self.press(tab, "Stop")
        tab.get_by_role("button", name="Start again").wait_for(timeout=LIMIT_MS)

    def live_jobs(self, daemon=None):
        return [job for job in (daemon or self.daemon).get("/v1/jobs").json["data"] if job["live"]]

    def text_of(self, job, daemon=None):
        return (daemon or self.daemon).get(f"/v1/jobs/{job['id']}/transcript?format=txt").text

    def seconds_of_sound(self, job, daemon=None):
        answer = (daemon or self.daemon).get(f"/v1/jobs/{job['id']}/audio")
        self.assertEqual(answer.status, 200, answer.body[:200])
        with wave.open(io.BytesIO(answer.body)) as sound:
            return sound.getnframes() / sound.getframerate()

    def assert_heard(self, text, most=0.2):
        self.assertLess(word_errors(self.expected_words, words_of(text)), most, text)

    def test_what_is_said_becomes_captions_and_a_recording(self):
        tab = self.open_live()
        self.begin(tab)
        self.wait_for_words(tab, len(self.expected_words) - 3)
        self.stop(tab)
        self.assert_heard(self.captions(tab))
        tab.get_by_role("link", name="Open the recording").click()
        tab.wait_for_url(re.compile(r"#/r/\w+"))
        job = self.daemon.wait_for_job(tab.url.rpartition("/")[2])
        self.assertEqual((job["status"], job["live"], job["language"]), ("done", True, "en"))
        self.assertTrue(job["title"].startswith("Live, "))
        self.assert_heard(self.text_of(job))
        self.assertAlmostEqual(self.seconds_of_sound(job), job["duration"], delta=0.05)
        segments = self.daemon.get(f"/v1/jobs/{job['id']}/segments").json["data"]
        self.assertGreater(len(segments), 1)
        self.assertTrue(all(segment["words"] for segment in segments))

    def test_a_tab_that_is_closed_leaves_a_recording(self):
        tab = self.open_live()
        self.begin(tab)
        self.wait_for_words(tab, 8)
        heard = words_of(self.captions(tab))
        tab.close()
        job, = [self.daemon.wait_for_job(job["id"]) for job in self.live_jobs() if job["status"] == "running"]
        self.assertEqual(job["status"], "done")
        self.assertGreaterEqual(len(words_of(self.text_of(job))), len(heard) - 1)
        self.assertGreater(self.seconds_of_sound(job), 1)  # the last moments before a closed tab may be lost

    def test_a_daemon_that_is_killed_has_the_recording_when_it_is_back(self):
        state = tempfile.mkdtemp(dir=self.folder)
        options = ("--model", self.model, "--state-folder", state)
        daemon = Daemon(self.scribed, self.environment, *options)
        self.addCleanup(daemon.end)
        self.expect_errors("WebSocket", "ERR_", "Failed to load")
        tab = self.open_live(daemon)
        self.begin(tab)
        running = lambda: [job for job in self.live_jobs(daemon) if job["segments"] > 0]
        self.wait_in(tab, lambda: running(), "a sentence that is kept")
        job, = running()
        kept = self.text_of(job, daemon)
        daemon.kill()
        tab.get_by_text("The connection to scribed was lost.").wait_for(timeout=LIMIT_MS)
        again = Daemon(self.scribed, self.environment, *options, "--listen", f"127.0.0.1:{daemon.port}")
        self.addCleanup(again.end)
        back = again.job(job["id"])
        self.assertEqual((back["status"], back["error"]), ("done", None))
        self.assertTrue(self.text_of(back, again).startswith(kept))
        self.assertGreater(self.seconds_of_sound(back, again), 3)
        # The page finds the daemon again, and goes on with what was said meanwhile.
        tab.get_by_text("The connection to scribed was lost.").wait_for(state="hidden", timeout=LIMIT_MS)
        self.stop(tab)
        tab.get_by_role("link", name="Open part 2").wait_for()
        second, = [one for one in self.live_jobs(again) if one["id"] != job["id"]]
        self.assertTrue(second["title"].endswith("(2)"))

    def test_nothing_is_kept_where_that_is_switched_off(self):
        before = len(self.live_jobs())
        tab = self.open_live()
        tab.get_by_role("checkbox", name="Save as a recording").uncheck()
        self.begin(tab)
        self.wait_for_words(tab, 5)
        self.stop(tab)
        self.assertEqual(len(self.live_jobs()), before)
        self.assertEqual(tab.get_by_role("link", name="Open the recording").count(), 0)

    def test_a_pause_closes_the_microphone_and_the_session_goes_on_behind_it(self):
        before = len(self.live_jobs())
        tab = self.open_live()
        self.begin(tab)
        self.wait_for_words(tab, 5)
        tab.keyboard.press("Space")
        tab.get_by_role("button", name="Resume").wait_for()
        clock = tab.locator(".live-clock .time").inner_text()
        tab.wait_for_timeout(1500)
        self.assertEqual(tab.locator(".live-clock .time").inner_text(), clock)
        tab.keyboard.press("Space")
        tab.get_by_role("button", name="Pause").wait_for(timeout=LIMIT_MS)
        self.stop(tab)
        self.assertEqual(len(self.live_jobs()), before + 1)

    def test_big_text_grows_by_its_buttons_and_closes_by_escape(self):
        tab = self.open_live()
        self.begin(tab)
        self.wait_for_words(tab, 3)
        tab.keyboard.press("b")
        dialog = tab.get_by_role("dialog", name="Large text")
        size = lambda: dialog.locator(".big-words").evaluate("one => parseFloat(getComputedStyle(one).fontSize)")
        before = size()
        dialog.get_by_role("button", name="Larger text").click()
        self.assertGreater(size(), before)
        self.assertIn(words_of(self.captions(tab))[0], words_of(dialog.inner_text()))
        tab.keyboard.press("Escape")
        dialog.wait_for(state="hidden")
        self.stop(tab)

    def test_sure_sentences_are_said_aloud_and_what_may_change_is_not(self):
        tab = self.open_live()
        self.begin(tab)
        log = tab.get_by_role("log", name="Transcript")
        self.wait_in(tab, lambda: log.inner_text().strip(), "a sentence")
        self.assertEqual(log.locator("[aria-hidden]").count(), 0)
        self.assertRegex(log.inner_text().strip(), r"[.!?]$")
        self.stop(tab)

    def test_a_browser_that_refuses_the_microphone_is_explained(self):
        tab = self.open_live(arguments=(DEVICE, "--deny-permission-prompts"))
        self.press(tab, "Start")
        tab.get_by_text("The browser blocks the microphone.").wait_for()
        tab.get_by_role("button", name="Try again").wait_for()

    def test_a_machine_without_a_microphone_is_explained(self):
        tab = self.open_live(arguments=(CONSENT,))
        self.press(tab, "Start")
        tab.get_by_text("No microphone was found.").wait_for()

    def test_a_page_that_browsers_do_not_trust_says_what_to_do(self):
        daemon = self.start("--set", f"server.allowed_hosts={NAMED}")
        self.expect_errors("Cross-Origin-Opener-Policy")  # which also asks for https
        tab = self.open_live(daemon, (DEVICE, CONSENT, f"--host-resolver-rules=MAP {NAMED} 127.0.0.1"), host=NAMED)
        self.press(tab, "Start")
        tab.get_by_text("Browsers allow microphones only on https and localhost.").wait_for()
        tab.get_by_text(f"http://localhost:{daemon.port}").wait_for()

    def test_a_server_that_has_no_place_says_so(self):
        daemon = self.start("--set", "live.max_sessions=1")
        session = self.realtime(daemon)
        self.expect_errors("WebSocket", "Failed to load")
        tab = self.open_live(daemon)
        self.press(tab, "Start")
        tab.get_by_text("live sessions are going on already").wait_for(timeout=LIMIT_MS)
        session.end()


if __name__ == "__main__":
    unittest.main()
