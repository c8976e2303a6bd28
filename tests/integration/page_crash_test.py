"""No word that somebody typed is lost, however often tabs and the daemon are killed.

  SCRIBED_PAGE_KILLS   how often (scripts/crash_test: 100)
"""

import os
import random
import signal
import time
import unittest

from crash_test import free_port
from daemon import Daemon
from page_harness import PageTest
from reader_job import recording, segments

KILLS = int(os.environ.get("SCRIBED_PAGE_KILLS", "100"))


@unittest.skipUnless("SCRIBED_PAGE_KILLS" in os.environ, "scripts/crash_test runs it")
class EditingUnderKillsTest(PageTest):
    """Somebody types one word after the other into a text. What the page has shown counts as typed."""

    def setUp(self):
        super().setUp()
        self.port = free_port()  # a page belongs to the address that it came from
        self.restart()
        self.addCleanup(lambda: self.daemon.end())
        self.job = recording(self.daemon, seconds=20)
        self.typed = []
        # All of these are what this test is about.
        self.expect_errors("ERR_", "Target crashed", "Page crashed", "chrome://crash", "503", "412")

    def restart(self):
        self.daemon = Daemon(self.scribed, self.environment, "--model", self.model,
                             "--state-folder", self.state, "--listen", f"127.0.0.1:{self.port}")
        self.daemon.port = self.port  # of the two that it listens on

    def text(self):
        return " ".join(one["text"] for one in segments(self.daemon, self.job)[0])

    def open_editor(self, context):
        page = context.new_page()
        page.goto(f"#/r/{self.job}")
        page.locator(".segment").nth(random.randrange(3)).hover()
        page.get_by_role("button", name="Edit", exact=True).first.click()
        field = page.get_by_role("textbox", name="Text from")
        field.evaluate("(field) => field.setSelectionRange(field.value.length, field.value.length)")
        return page

    def type_words(self, page, count):
        for _ in range(count):
            word = f"word{len(self.typed)}"
            page.keyboard.type(f" {word}", delay=random.uniform(0, 30))
            self.typed.append(word)
            time.sleep(random.choice([0, 0, 0.2, 0.6]))

    def kill_tab(self, page):
        """Kills the processes of the browser's tabs, as a system that runs out of memory does."""
        session = self.browser.new_browser_cdp_session()
        for process in session.send("SystemInfo.getProcessInfo")["processInfo"]:
            if process["type"] == "renderer":
                os.kill(process["id"], signal.SIGKILL)
        session.detach()
        page.close()

    def kill_daemon(self):
        self.daemon.kill()
        time.sleep(random.uniform(0, 0.5))
        self.restart()

    def test_no_word_is_lost(self):
        context = self.new_context(self.daemon)
        page = self.open_editor(context)
        for number in range(KILLS):
            self.type_words(page, random.randint(1, 4))
            if number % 2:
                self.kill_daemon()
            else:
                self.kill_tab(page)
                page = self.open_editor(context)
        page.get_by_text("Saved", exact=True).wait_for(timeout=60_000)
        there = set(self.text().split())
        lost = [word for word in self.typed if word not in there]
        self.assertEqual(lost, [])
        print(f"\n{self._testMethodName}: {KILLS} kills, {len(self.typed)} words, {len(lost)} lost")


if __name__ == "__main__":
    unittest.main()
