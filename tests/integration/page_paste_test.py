"""What is pasted on the page's home screen, and addresses in place of files, on the real daemon, in Chromium. See
page_harness.py for what it needs."""

import unittest

from list_page import ListTest

PASTE = """({ files, text }) => {
  const data = new DataTransfer();
  for (const { name, bytes } of files) data.items.add(new File([new Uint8Array(bytes)], name));
  if (text) data.setData('text/plain', text);
  const target = document.activeElement ?? document.body;
  target.dispatchEvent(new ClipboardEvent('paste', { clipboardData: data, bubbles: true, cancelable: true }));
}"""
HOSTS = ("--set", "inputs.url_hosts=example.org", "--set", "inputs.url_hosts=*.example.net")
ADDRESS = "https://example.org/talk.mp3"


class PasteTest(ListTest):
    def paste(self, page, *, files=(), text=""):
        files = [{"name": path.name, "bytes": list(path.read_bytes())} for path in files]
        page.evaluate(PASTE, {"files": files, "text": text})

    def fetching(self, page, daemon):
        """The daemon as if it had downloaded the address: what the page sends is returned."""
        sent = []

        def answer(route):
            if route.request.method != "POST":
                return route.fallback()
            sent.append(route.request.post_data)
            made = daemon.post_form("/v1/jobs", [], self.sound(6), file_name="talk.mp3")
            return route.fulfill(status=202, body=made.body, content_type="application/json")

        page.route("**/v1/jobs", answer)
        return sent

    def test_files_are_pasted_on_any_screen(self):
        daemon = self.start()
        page = self.open(daemon, "#/models")
        page.get_by_role("heading", level=1, name="Models").wait_for()
        self.paste(page, files=[self.file("one.wav"), self.file("two.wav")])
        self.row(page, "two.wav").get_by_role("link", name="Save").wait_for()
        self.row(page, "one.wav").get_by_role("link", name="Save").wait_for()

    def test_what_is_pasted_into_a_field_is_its_text(self):
        daemon = self.start(*HOSTS)
        page = self.open(daemon)
        sent = self.fetching(page, daemon)
        page.get_by_role("button", name="From an address").wait_for()
        page.get_by_role("searchbox").focus()
        self.paste(page, files=[self.file("picture.wav")], text=ADDRESS)
        page.wait_for_timeout(300)
        self.assertEqual((sent, self.jobs(daemon)), ([], []))

    def test_an_address_is_pasted_and_becomes_a_job(self):
        daemon = self.start(*HOSTS)
        page = self.open(daemon)
        sent = self.fetching(page, daemon)
        page.get_by_role("button", name="From an address").wait_for()
        page.get_by_label("Translate to English").check()
        page.get_by_label("Translate to English").blur()
        self.paste(page, text=f"  {ADDRESS}\n")
        self.row(page, "talk.mp3").get_by_role("link", name="Save").wait_for()
        self.assertEqual(len(sent), 1)
        for part in (f'name="url"\r\n\r\n{ADDRESS}\r\n', 'name="task"\r\n\r\ntranslate\r\n'):
            self.assertIn(part, sent[0])

    def test_a_server_that_downloads_nothing_does_not_offer_it(self):
        daemon = self.start()
        page = self.open(daemon)
        sent = self.fetching(page, daemon)
        page.get_by_text("No recordings yet.").wait_for()
        self.assertEqual(daemon.get("/v1/options").json["url_hosts"], [])
        self.assertEqual(page.get_by_role("button", name="From an address").count(), 0)
        self.paste(page, text=ADDRESS)
        page.wait_for_timeout(300)
        self.assertEqual(sent, [])

    def test_an_address_is_typed_refused_and_removed_by_keyboard(self):
        self.expect_errors("400 (Bad Request)")
        daemon = self.start(*HOSTS)
        page = self.open(daemon)
        page.get_by_role("button", name="From an address").focus()
        page.keyboard.press("Enter")
        field = page.get_by_role("textbox", name="Address of a recording")
        field.wait_for()
        page.get_by_text("example.org, *.example.net").wait_for()
        page.locator("input[type=url]:focus").wait_for()
        page.keyboard.type("https://elsewhere.org/talk.mp3")
        page.keyboard.press("Enter")
        row = self.row(page, "https://elsewhere.org/talk.mp3")
        row.get_by_text("url_refused").wait_for()
        self.assertEqual(field.input_value(), "")
        row.get_by_role("button", name="Try again").focus()
        page.keyboard.press("Enter")
        row.get_by_text("url_refused").wait_for()
        row.get_by_role("button", name="Remove").focus()
        page.keyboard.press("Enter")
        row.wait_for(state="detached")
        field.focus()
        page.keyboard.press("Escape")
        field.wait_for(state="detached")
        self.assertEqual(page.evaluate("document.activeElement.textContent"), "From an address")
        self.assertEqual(self.jobs(daemon), [])

    def test_a_download_is_stopped(self):
        self.expect_errors("net::ERR_")
        daemon = self.start(*HOSTS)
        page = self.open(daemon)
        held = []
        page.route("**/v1/jobs", lambda route: held.append(route) if route.request.method == "POST" else route.fallback())
        page.get_by_role("button", name="From an address").click()
        page.get_by_role("textbox", name="Address of a recording").fill(ADDRESS)
        page.get_by_role("button", name="Add", exact=True).click()
        row = self.row(page, ADDRESS)
        row.get_by_text("The server downloads it.").wait_for()
        row.get_by_role("button", name="Stop").click()
        row.wait_for(state="detached")
        page.get_by_text("No recordings yet.").wait_for()
        self.assertEqual(len(held), 1)
        held[0].abort()


if __name__ == "__main__":
    unittest.main()
