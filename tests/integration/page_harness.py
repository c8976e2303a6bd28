"""A browser on the page of a real daemon: Debian's Chromium, driven by Playwright (scripts/setup --tests).

Every page is in a context of its own, and its test fails on an error of the console, an exception, a
report of the policy, or a request to another origin. `self.expect_errors("…")` says which are wanted.
Tests find things by their roles and names, as people and screen readers do."""

import os
import pathlib
import shutil
import sys
import unittest
import urllib.parse

from daemon import DaemonTest
from scribed_command import ROOT

PACKAGES = pathlib.Path(os.environ.get("SCRIBED_PAGE_TESTS", ROOT / ".deps/page_tests"))
BROWSER = shutil.which("chromium")
ARGUMENTS = ["--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run", "--disable-sync",
             "--disable-background-networking", "--disable-component-update", "--disable-dev-shm-usage"]
WAIT_MS = 60_000  # far more than any machine needs: what comes is not waited for

# A browser with much to do draws late. Here it draws when `draw()` is called, and not before.
HOLD_FRAMES = """() => {
  const held = [];
  window.requestAnimationFrame = (run) => held.push(run);
  window.draw = () => held.splice(0).forEach((run) => run(performance.now()));
}"""

sys.path.append(str(PACKAGES))
try:
    from playwright.sync_api import sync_playwright
except ImportError:
    sync_playwright = None


def need_browser():
    if BROWSER is None:
        raise unittest.SkipTest("no Chromium is installed (Debian: chromium)")
    if sync_playwright is None:
        raise unittest.SkipTest("no Playwright: run scripts/setup --tests")


class Watched:
    """What goes wrong in a context's pages."""

    def __init__(self, context, origin):
        self.origin = origin
        self.problems = []
        self.requests = []  # (method, address) of all that the pages asked for
        context.on("request", self._on_request)
        context.on("console", self._on_console)
        context.on("weberror", lambda error: self.problems.append(f"exception: {error.error}"))

    def _on_request(self, request):
        self.requests.append((request.method, request.url))
        parts = urllib.parse.urlsplit(request.url)
        if parts.scheme not in ("data", "blob") and f"{parts.scheme}://{parts.netloc}" != self.origin:
            self.problems.append(f"a request to another origin: {request.url}")

    def _on_console(self, message):
        # Violations of the policy are errors of the console, too.
        if message.type in ("error", "warning"):
            self.problems.append(f"{message.type}: {message.text} ({message.location.get('url', '')})")


class PageTest(DaemonTest):
    """One browser for a class of tests. The daemon is real, its worker is the fake one, unless a test
    starts another."""

    arguments = ()  # more of them for Chromium, as --use-fake-device-for-media-stream

    @classmethod
    def setUpClass(cls):
        super().setUpClass()
        need_browser()
        driver = sync_playwright().start()
        cls.addClassCleanup(driver.stop)
        cls.driver = driver
        cls.browser = cls.launch(*cls.arguments)
        cls.addClassCleanup(cls.browser.close)

    @classmethod
    def launch(cls, *arguments):
        """A browser of its own, for a test that needs other arguments; whoever calls it closes it."""
        return cls.driver.chromium.launch(executable_path=BROWSER, args=[*ARGUMENTS, *arguments])

    def setUp(self):
        super().setUp()
        self.expected = []

    def expect_errors(self, *texts):
        """Errors with one of these texts are no faults of this test."""
        self.expected += texts

    def new_context(self, daemon, *, scheme="http", host="127.0.0.1", width=1280, height=800, dark=False,
                    language="en-GB", browser=None, **more):
        """A fresh browser profile; its `watched` has what went wrong so far, and every request."""
        origin = f"{scheme}://{host}:{daemon.port}"
        context = (browser or self.browser).new_context(
            base_url=f"{origin}/", viewport={"width": width, "height": height}, locale=language,
            color_scheme="dark" if dark else "light", reduced_motion="reduce", **more)
        context.set_default_timeout(WAIT_MS)
        context.watched = Watched(context, origin)
        self.addCleanup(self._end, context)
        return context

    def open(self, daemon, address="", **more):
        """The page at `address`, as "#/models", in a fresh context."""
        page = self.new_context(daemon, **more).new_page()
        page.goto(address)
        return page

    def _end(self, context):
        context.close()
        problems = [text for text in context.watched.problems
                    if not any(expected in text for expected in self.expected)]
        self.assertEqual(problems, [])
