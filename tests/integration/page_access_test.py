"""The page for everybody: axe finds nothing on any screen, light or dark, at any width; nothing has to be
scrolled sideways; what is pressed is large enough. Screen readers themselves are not run."""

import unittest

import fake_hub
import nano_model
from page_harness import PageTest

try:
    from axe_playwright_python.sync_playwright import Axe
except ImportError:
    Axe = None

# Colours are the same at every width, so the dark ones are looked at in one.
LOOKS = (("light", 1280), ("dark", 1280), ("light", 320))
TAGS = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"]
SMALLEST = 24  # pixels (WCAG 2.5.8)

# What is pressed and too small, but for links in a line of text.
SMALL_TARGETS = """least => [...document.querySelectorAll("button, input, select, [role=slider], nav a")]
    .filter((one) => one.checkVisibility({ checkOpacity: true, checkVisibilityCSS: true }))
    .filter((one) => !one.closest("label")?.matches(":has(input)") && !one.closest(".unseen"))
    .map((one) => [one.getBoundingClientRect(), one.outerHTML.slice(0, 120)])
    .filter(([box]) => box.width > 0 && (box.width < least || box.height < least))
    .map(([box, html]) => `${box.width} x ${box.height}: ${html}`)"""


class AccessTest(PageTest):
    @classmethod
    def setUpClass(cls):
        super().setUpClass()
        if Axe is None:
            raise unittest.SkipTest("no Playwright: run scripts/setup --tests")
        cls.axe = Axe()

    def check(self, page, what):
        """Everything in light and dark, wide and narrow."""
        for scheme, width in LOOKS:
            page.emulate_media(color_scheme=scheme)
            page.set_viewport_size({"width": width, "height": 800})
            with self.subTest(what, scheme=scheme, width=width):
                self.check_as_it_is(page)

    def check_as_it_is(self, page):
        results = self.axe.run(page, options={"runOnly": {"type": "tag", "values": TAGS}})
        found = [(one["id"], [node["html"][:200] for node in one["nodes"]])
                 for one in results.response["violations"]]
        self.assertEqual(found, [])
        wide = page.evaluate("document.documentElement.scrollWidth - document.documentElement.clientWidth")
        self.assertLessEqual(wide, 0, "the page has to be scrolled sideways")
        self.assertEqual(page.evaluate(SMALL_TARGETS, SMALLEST), [])

    def with_jobs(self):
        daemon = self.start()
        self.job = daemon.submit(self.sound(31))
        broken = daemon.submit(b"no sound at all")
        for job in (self.job, broken):
            daemon.wait_for_job(job)
        return daemon

    def see(self, daemon, address, heading, act):
        """Checks a screen after `act` with it."""
        page = self.open(daemon, address)
        page.get_by_role("heading", level=1, name=heading).wait_for()
        act(page)
        self.check(page, address)

    def test_an_empty_list(self):
        daemon = self.start()
        self.see(daemon, "", "", act=lambda page: page.get_by_text("No recordings yet").wait_for())

    def test_a_list_with_recordings_and_a_failure(self):
        daemon = self.with_jobs()
        self.see(daemon, "", "", act=lambda page: page.get_by_text("talk.wav").first.wait_for())

    def test_a_list_with_a_selection(self):
        daemon = self.with_jobs()

        def selected(page):
            page.get_by_role("checkbox", name="Select talk.wav").first.check()
            page.get_by_role("region", name="Selected recordings").wait_for()

        self.see(daemon, "", "", act=selected)

    def test_a_field_for_an_address(self):
        daemon = self.start("--set", "inputs.url_hosts=example.org")

        def opened(page):
            page.get_by_role("button", name="From an address").click()
            page.get_by_role("textbox", name="Address of a recording").wait_for()

        self.see(daemon, "", "", act=opened)

    def test_a_transcript(self):
        daemon = self.with_jobs()
        self.see(daemon, f"#/r/{self.job}", "talk.wav",
                 act=lambda page: page.get_by_text("Segment 3").first.wait_for())

    def test_a_transcript_that_is_not_there(self):
        self.expect_errors("404")
        self.see(self.start(), "#/r/none", "", act=lambda page: page.get_by_text("job_not_found").wait_for())

    def test_live(self):
        self.see(self.start(), "#/live", "Live", act=lambda page: page.get_by_role("button").nth(1).wait_for())

    def test_models(self):
        self.see(self.start(), "#/models", "Models",
                 act=lambda page: page.get_by_role("heading", level=2).first.wait_for())

    def test_storage(self):
        daemon = self.with_jobs()

        def filled(page):
            page.get_by_role("spinbutton").fill("0")
            page.get_by_text("2 recordings, ").click()

        self.see(daemon, "#/storage", "Storage", act=filled)

    def test_the_system(self):
        daemon = self.with_jobs()

        def examined(page):
            page.get_by_role("heading", level=2, name="Machine").wait_for()
            page.get_by_role("img").wait_for()

        self.see(daemon, "#/system", "System", act=examined)

    def test_an_address_of_nothing(self):
        self.see(self.start(), "#/none", "There is no page", act=lambda page: None)

    def test_signing_in_with_a_wrong_key(self):
        self.expect_errors("401")
        self.environment["SCRIBED_API_KEY"] = "the-right-key-of-this-test"

        def wrong(page):
            page.get_by_label("Key", exact=True).fill("wrong")
            page.get_by_role("button", name="Sign in").click()
            page.get_by_text("This key is not valid here.").wait_for()

        self.see(self.start(), "", "requires a key", act=wrong)

    def test_the_panel_of_keys(self):
        daemon = self.with_jobs()

        def opened(page):
            page.get_by_text("Segment 3").first.wait_for()
            page.keyboard.press("?")
            page.get_by_role("dialog").wait_for()

        self.see(daemon, f"#/r/{self.job}", "talk.wav", act=opened)

    def test_a_menu_and_a_question(self):
        hub = fake_hub.FakeHub(nano_model.files())
        self.addCleanup(hub.close)
        self.environment |= {"HF_ENDPOINT": hub.endpoint, "NO_PROXY": "*", "PATH": "/nowhere"}
        model = "distil-small.en"
        daemon = self.start("--set", "model.pull=true", model=model)

        def opened(page):
            page.get_by_role("button", name=f"More about {model}").click()
            page.get_by_role("menu").wait_for()
            self.check(page, "menu")
            page.get_by_role("menuitem", name="Delete").click()
            page.get_by_role("dialog").wait_for()

        self.see(daemon, "#/models", "Models", act=opened)

    def test_a_daemon_that_is_gone(self):
        self.expect_errors("ERR_CONNECTION_REFUSED", "ERR_INCOMPLETE_CHUNKED_ENCODING", "ERR_CONNECTION_RESET")
        daemon = self.start()
        page = self.open(daemon, "#/models")
        page.get_by_role("heading", level=1).wait_for()
        daemon.kill()
        page.get_by_role("alert").filter(has_text="scribed does not answer").wait_for()
        self.check(page, "gone")

    def test_focus_is_always_seen(self):
        page = self.open(self.start(), "#/models")
        page.get_by_role("heading", level=2).first.wait_for()
        for _ in range(12):
            page.keyboard.press("Tab")
            outline = page.evaluate("getComputedStyle(document.activeElement).outlineStyle")
            self.assertNotEqual(outline, "none", page.evaluate("document.activeElement.outerHTML"))


if __name__ == "__main__":
    unittest.main()
