"""The frame of the page: how it is served, its screens, sign-in, models, system, without a network."""

import gzip
import re
import unittest

import fake_hub
import nano_model
from page_harness import PageTest

# A model of which only the hub knows the hashes, so that ours can stand in for it.
MODEL = "distil-small.en"
KEY = "the-key-of-the-page-test"
BROWSER_HEADERS = {"Accept": "text/html,application/xhtml+xml"}


class ServingTest(PageTest):
    def front(self, daemon, **more):
        return daemon.get("/", **BROWSER_HEADERS, **more)

    def test_browsers_get_the_page_and_programs_the_version(self):
        daemon = self.start()
        self.assertRegex(daemon.get("/").json["version"], r"^scribed \d")
        page = self.front(daemon)
        self.assertEqual((page.status, page.headers["content-type"]), (200, "text/html; charset=utf-8"))
        self.assertIn('<script type="module" src="app/', page.text)
        policy = page.headers["content-security-policy"]
        self.assertNotIn("unsafe", policy)
        for part in ("default-src 'none'", "frame-ancestors 'none'", "require-trusted-types-for 'script'"):
            self.assertIn(part, policy)

    def test_a_page_that_is_the_same_is_not_sent_again(self):
        daemon = self.start()
        for encoding in ({}, {"Accept-Encoding": "gzip"}):
            first = self.front(daemon, **encoding)
            self.assertNotIn("W/", first.headers["etag"])
            again = self.front(daemon, **encoding, **{"If-None-Match": first.headers["etag"]})
            self.assertEqual((again.status, again.body), (304, b""))

    def test_files_are_kept_for_ever_and_packed_for_whoever_takes_that(self):
        daemon = self.start()
        files = re.findall(r'"(app/[0-9a-f]+/[\w/.]+)"', self.front(daemon).text)
        self.assertEqual(len(files), 2, files)
        for file in files:
            plain = daemon.get(f"/{file}")
            packed = daemon.get(f"/{file}", **{"Accept-Encoding": "gzip"})
            self.assertEqual(packed.headers["content-encoding"], "gzip")
            self.assertEqual(gzip.decompress(packed.body), plain.body)
            for answer in (plain, packed):
                self.assertEqual(answer.headers["cache-control"], "public, max-age=31536000, immutable")
                self.assertEqual(answer.headers["vary"], "accept-encoding")
        self.assertEqual(daemon.get("/app/000000000000/style.css").status, 404)

    def test_it_is_made_of_four_files_until_the_list_is_there(self):
        page = self.open(self.start())
        page.get_by_text("No recordings yet.").wait_for()
        files = [url.rpartition("/")[2] for _, url in page.context.watched.requests if "/v1/" not in url]
        self.assertEqual(files[:4], ["", "style.css", "start.js", "main.js"])
        self.assertEqual([name for name in files[4:] if name != "reader.js"], [])


class FrameTest(PageTest):
    def test_every_screen_opens_by_the_navigation_and_by_its_address(self):
        daemon = self.start()
        page = self.open(daemon)
        for name in ("Live", "Models", "System", "Recordings"):
            link = page.get_by_role("navigation").get_by_role("link", name=name)
            link.click()
            page.get_by_role("heading", level=1, name=name).wait_for()
            self.assertEqual(link.get_attribute("aria-current"), "page")
            self.assertEqual(page.evaluate("document.activeElement.id"), "main")
        self.open(daemon, "#/system").get_by_role("heading", level=1, name="System").wait_for()
        self.open(daemon, "#/none").get_by_role("heading", name="no page at this address").wait_for()

    def test_it_speaks_german_to_who_wants_that_and_english_to_who_chose_it(self):
        daemon = self.start()
        page = self.open(daemon, "#/models", language="de-AT")
        page.get_by_role("heading", level=1, name="Modelle").wait_for()
        self.assertEqual(page.evaluate("document.documentElement.lang"), "de")
        page.get_by_role("button", name="Tastenkürzel und Darstellung").click()
        page.get_by_label("Sprache").select_option("en")
        page.get_by_role("heading", level=1, name="Models").wait_for()

    def test_keys_and_appearance_are_remembered(self):
        page = self.open(self.start())
        page.get_by_role("heading", level=1).wait_for()
        page.keyboard.press("?")
        dialog = page.get_by_role("dialog", name="Shortcuts and appearance")
        dialog.get_by_label("Theme").select_option("dark")
        dialog.get_by_label("Single-key shortcuts").uncheck()
        page.keyboard.press("Escape")
        dialog.wait_for(state="detached")
        page.reload()
        page.get_by_role("heading", level=1).wait_for()
        background = page.evaluate("getComputedStyle(document.body).backgroundColor")
        self.assertEqual(background, "rgb(22, 24, 26)")
        page.keyboard.press("?")
        self.assertEqual(page.get_by_role("dialog").count(), 0)

    def test_the_skip_link_leads_the_keyboard_to_the_content(self):
        page = self.open(self.start())
        page.get_by_role("heading", level=1).wait_for()
        page.keyboard.press("Tab")
        page.keyboard.press("Enter")
        self.assertEqual(page.evaluate("document.activeElement.id"), "main")

    def test_a_daemon_that_is_gone_is_told_of_and_found_again(self):
        self.expect_errors("net::ERR_")
        daemon = self.start()
        page = self.open(daemon)
        page.get_by_role("heading", level=1).wait_for()
        daemon.kill()
        page.get_by_role("link", name="Models").click()
        page.get_by_text("scribed does not answer.").first.wait_for()
        self.start("--set", f"server.listen=127.0.0.1:{daemon.port}")
        page.get_by_role("button", name="Try now").click()
        page.get_by_role("button", name="Try now").wait_for(state="detached")

    def test_it_works_below_the_path_of_a_proxy(self):
        # All addresses are relative: nothing begins with a slash.
        text = self.start().get("/", **BROWSER_HEADERS).text
        self.assertEqual(re.findall(r'(?:href|src)="/', text), [])


class SignInTest(PageTest):
    def setUp(self):
        super().setUp()
        self.expect_errors("401 (Unauthorized)")

    def start_with_keys(self, rights="transcribe, read_status, manage"):
        keys = self.folder / "keys"
        keys.write_text(f"ada {KEY} [{rights}]\n")
        keys.chmod(0o600)
        return self.start("--key-file", keys)

    def sign_in(self, page, key=KEY):
        page.get_by_label("Key", exact=True).fill(key)
        page.get_by_role("button", name="Sign in").click()

    def test_a_key_is_asked_for_once_and_the_wrong_one_is_told(self):
        page = self.open(self.start_with_keys())
        self.sign_in(page, "another-key")
        page.get_by_text("This key is not valid here.").wait_for()
        self.sign_in(page)
        page.get_by_text("No recordings yet.").wait_for()
        page.reload()
        page.get_by_text("No recordings yet.").wait_for()
        self.assertEqual(page.evaluate("document.cookie"), "")
        self.assertNotIn(KEY, page.evaluate("JSON.stringify({...localStorage, ...sessionStorage})"))
        # The stream of events ends with the session.
        self.expect_errors("ERR_INCOMPLETE_CHUNKED_ENCODING")
        page.get_by_role("button", name="Sign out ada").click()
        page.get_by_role("heading", name="This server requires a key.").wait_for()

    def test_password_managers_know_the_field(self):
        field = self.open(self.start_with_keys()).get_by_label("Key", exact=True)
        self.assertEqual(field.get_attribute("type"), "password")
        self.assertEqual(field.get_attribute("autocomplete"), "current-password")

    def test_what_a_key_may_not_do_is_not_offered(self):
        self.expect_errors("403 (Forbidden)")
        daemon = self.start_with_keys("transcribe, read_status")
        page = self.open(daemon, "#/models")
        self.sign_in(page)
        page.get_by_role("heading", name="tiny", exact=True).wait_for()
        self.assertEqual(page.get_by_role("button", name="Download").count(), 0)


class ModelsTest(PageTest):
    def setUp(self):
        super().setUp()
        self.hub = fake_hub.FakeHub(nano_model.files())
        self.addCleanup(self.hub.close)
        self.environment |= {"HF_ENDPOINT": self.hub.endpoint, "NO_PROXY": "*", "PATH": "/nowhere"}

    def open_models(self):
        page = self.open(self.start("--set", "model.pull=false", model=MODEL), "#/models")
        return page, page.get_by_role("listitem").filter(
            has=page.get_by_role("heading", name=MODEL, exact=True))

    def test_a_model_is_fetched_and_deleted(self):
        page, row = self.open_models()
        row.get_by_role("button", name=re.compile(f"^Download .*{MODEL}")).click()
        more = row.get_by_role("button", name=f"More about {MODEL}")
        more.wait_for()
        here = page.locator("section").filter(has=page.get_by_role("heading", name="Installed"))
        here.get_by_role("heading", name=MODEL, exact=True).wait_for()
        here.get_by_text("Details", exact=True).click()
        here.get_by_text("1 layers, 1 heads, width 64, 80 mel bins").wait_for()
        here.get_by_text("f16 (", exact=False).wait_for()
        more.click()
        page.get_by_role("menuitem", name="Delete").click()
        dialog = page.get_by_role("dialog", name=f"Delete the model {MODEL}?")
        dialog.get_by_role("button", name="Keep").click()
        dialog.wait_for(state="detached")
        more.click()
        page.get_by_role("menuitem", name="Delete").click()
        dialog.get_by_role("button", name="Delete").click()
        page.get_by_text("No model is installed.").wait_for()

    def test_a_fetch_says_how_far_it_is_and_can_be_stopped(self):
        self.hub.stall_after = 1000
        page, row = self.open_models()
        row.get_by_role("button", name=re.compile(f"^Download .*{MODEL}")).click()
        row.get_by_role("progressbar", name=f"Downloading {MODEL}").wait_for()
        self.assertTrue(self.hub.stalled.wait(30))
        page.reload()  # the daemon goes on without the page
        row.get_by_role("progressbar", name=f"Downloading {MODEL}").wait_for()
        row.get_by_role("button", name=f"Stop downloading {MODEL}").click()
        row.get_by_role("button", name=re.compile(f"^Download .*{MODEL}")).wait_for()


class SizesTest(PageTest):
    def row(self, page, model):
        return page.get_by_role("listitem").filter(has=page.get_by_role("heading", name=model, exact=True))

    def test_every_model_says_how_much_is_downloaded(self):
        page = self.open(self.start("--set", "model.pull=false", model="base"), "#/models")
        row = self.row(page, "tiny")
        row.get_by_role("button", name="Download 154 MB: tiny").wait_for()
        row.get_by_text("With speaker labels: 235 MB to download").wait_for()
        row = self.row(page, "tiny.en")
        row.get_by_role("button", name="Download about 151 MB: tiny.en").wait_for()
        row.get_by_text("With speaker labels: about 232 MB to download").wait_for()
        self.row(page, "large-v3").get_by_role("button", name="Download about 3.1 GB: large-v3").wait_for()
        self.row(page, "speakers").get_by_role("button", name="Download 81 MB: speakers").wait_for()
        self.row(page, MODEL).get_by_text("size known when the download begins").wait_for()

    def test_what_a_choice_needs_is_added_up(self):
        page = self.open(self.start("--set", "model.pull=false", model="base"))
        page.get_by_text("The model base is not installed.").wait_for()
        page.get_by_role("combobox", name="Speakers").select_option("auto")
        page.get_by_text("Both models together: 374 MB to download.").wait_for()

    def test_speed_is_measured_and_suggests_a_model(self):
        daemon = self.start()
        catalog = daemon.get("/v1/catalog").json
        for model in catalog["data"]:
            model["installed"] |= model["id"] in ("tiny", "small", "medium")
        took = {"tiny": 6, "small": 30, "medium": 120}  # seconds for a recording of a minute
        job = daemon.wait_for_job(daemon.submit(self.sound(6)))
        jobs = [job | {"model": model, "duration": 60, "started_at": 100, "finished_at": 100 + seconds}
                for model, seconds in took.items()]
        page = self.new_context(daemon).new_page()
        page.route("**/v1/catalog", lambda route: route.fulfill(json=catalog))
        page.route("**/v1/jobs?status=done*", lambda route: route.fulfill(json={"data": jobs, "has_more": False}))
        page.goto("#/models")
        page.get_by_text("Suggested for this machine: small.").wait_for()
        self.row(page, "small").get_by_text("suggested", exact=True).wait_for()
        self.row(page, "tiny").get_by_text("Measured here: 10× real time, with 1 recording").wait_for()
        self.row(page, "medium").get_by_text("Measured here: 0.5× real time").wait_for()
        self.assertEqual(page.get_by_text("suggested", exact=True).count(), 1)


class SystemTest(PageTest):
    def test_it_says_what_works_what_is_done_and_how_programs_get_there(self):
        daemon = self.start()
        daemon.wait_for_job(daemon.submit(self.sound(31)))
        page = self.open(daemon, "#/system")
        page.get_by_text("This machine can transcribe.").wait_for()
        page.get_by_text("0 processing, 0 queued").wait_for()
        page.get_by_role("img", name=re.compile("^The last recording: .* real time")).wait_for()
        sample = page.locator("pre").first.inner_text()
        self.assertIn(f"http://127.0.0.1:{daemon.port}/v1/audio/transcriptions", sample)

    def test_examples_are_copied(self):
        daemon = self.start()
        page = self.open(daemon, "#/system", permissions=["clipboard-read", "clipboard-write"])
        page.get_by_role("button", name="Copy: Settings of an MCP host").click()
        page.get_by_role("status").get_by_text("Copied").wait_for()
        self.assertIn(f"http://127.0.0.1:{daemon.port}/mcp", page.evaluate("navigator.clipboard.readText()"))


if __name__ == "__main__":
    unittest.main()
