"""Texts that an attacker chooses, on the real daemon in Chromium: titles, names of files and of speakers, transcripts,
and addresses. The page shows each of them as text, nothing of them runs, and the page stays as wide as its window. See
page_harness.py for what the tests need; it also fails a test if the page's policy reports a violation."""

import json
import unittest
import urllib.parse

from list_page import ListTest
from reader_job import edit, recording, segments
from reader_page import ReaderTest

RUNS = "window.__ran = 1"
# Elements, handlers, ends of elements that the page has, addresses, entities and templates.
HOSTILE = (f"<script>{RUNS}</script>", f'<img src=x onerror="{RUNS}">', f'"><svg onload="{RUNS}">', f"'-({RUNS})-'",
           f"</title></textarea></style><script>{RUNS}</script>", f'<a href="javascript:{RUNS}">play</a>',
           f"&lt;img src=x onerror={RUNS}&gt;", f"${{{RUNS}}} {{{{constructor.constructor('{RUNS}')()}}}}",
           "<iframe srcdoc='<script>parent.__ran = 1</script>'></iframe>", "a\u0301\u0300" * 12 + " " + "W" * 150)
LONG = "W" * 9000  # no line can end in it
# Turns the direction of what follows it, up to the end of its paragraph.
TURNED = "\u202egpj.exe\u2066 of \u202eada"

ELEMENTS = """() => [...document.querySelectorAll('*')].filter((one) =>
  one.getAttributeNames().some((name) => name.startsWith('on')) || one.matches('iframe, object, embed, img[src="x"]')
  || /^javascript:/i.test(one.getAttribute('href') ?? '')).map((one) => one.outerHTML)"""
TOO_WIDE = "document.documentElement.scrollWidth - document.documentElement.clientWidth"
# The names that reach out of the row of the list that they belong to.
OUT_OF_ROW = """() => [...document.querySelectorAll('li.job')].filter((row) => {
  const outer = row.getBoundingClientRect(), inner = row.querySelector('.job-title').getBoundingClientRect();
  return inner.left < outer.left - 1 || inner.right > outer.right + 1 || inner.bottom > outer.bottom + 1;
}).map((row) => row.textContent)"""


def check_harmless(test, page):
    test.assertIsNone(page.evaluate("window.__ran ?? null"))
    test.assertEqual(page.evaluate(ELEMENTS), [])
    test.assertLessEqual(page.evaluate(TOO_WIDE), 0)
    test.assertEqual(page.evaluate(OUT_OF_ROW), [])


class HostileListTest(ListTest):
    def title(self, daemon, job, title):
        return daemon.request("PATCH", f"/v1/jobs/{job}", json.dumps({"title": title}))

    def test_titles_and_search_results_are_text(self):
        daemon = self.start()
        for number, hostile in enumerate(HOSTILE):
            job = recording(daemon, seconds=5, words=0)
            edit(daemon, job, 0, [{"op": "text", "segment": segments(daemon, job)[0][0]["id"],
                                   "text": f"needle {number} {hostile}"}])
            answer = self.title(daemon, job, hostile)
            self.assertEqual((answer.status, answer.json.get("title")), (200, hostile), answer.text)
        page = self.open(daemon)
        page.locator("a.job-title").nth(len(HOSTILE) - 1).wait_for()
        self.assertEqual(set(page.locator("a.job-title").all_text_contents()), set(HOSTILE))
        check_harmless(self, page)
        page.get_by_role("searchbox").fill("needle")
        page.get_by_text("needle 0").wait_for()
        found = " ".join(page.locator("li.job").all_text_contents())
        for number, hostile in enumerate(HOSTILE):
            self.assertIn(f"needle {number} {hostile}"[:40], found)
        check_harmless(self, page)

    def test_a_title_that_turns_the_direction_of_text_is_refused(self):
        daemon = self.start()
        job = recording(daemon, seconds=5, words=0)
        self.assertEqual(self.title(daemon, job, TURNED).status, 400)

    def test_right_to_left_names_turn_nothing_but_themselves(self):
        daemon = self.start()
        job = recording(daemon, seconds=5, words=0)
        self.title(daemon, job, "\u05d0\u05d1\u05d2 1 2")
        page = self.open(daemon)
        page.locator(".job-title bdi").wait_for()
        self.assertEqual(page.evaluate("getComputedStyle(document.querySelector('.job-title bdi')).unicodeBidi"),
                         "isolate")

    def test_names_of_files_are_text(self):
        daemon = self.start()
        page = self.open(daemon)
        given = [f"{hostile.replace('/', '∕')}.wav" for hostile in (*HOSTILE[:4], TURNED)]
        self.drop(page, *(self.file(name) for name in given))
        jobs = self.wait_for_jobs(daemon, len(given))
        # The server removes the characters that turn the direction of text.
        kept = {name.replace("\u202e", "").replace("\u2066", "") for name in given}
        self.assertEqual({job["title"] for job in jobs}, kept)
        page.locator("a.job-title").nth(len(given) - 1).wait_for()
        self.assertEqual(set(page.locator("a.job-title").all_text_contents()), kept)
        check_harmless(self, page)

    def test_long_names_stay_in_their_row_on_a_narrow_screen(self):
        daemon = self.start()
        for title in ("W" * 250, HOSTILE[-1]):
            self.assertEqual(self.title(daemon, recording(daemon, seconds=5, words=0), title).status, 200)
        page = self.open(daemon, width=320)
        page.locator("a.job-title").nth(1).wait_for()
        check_harmless(self, page)


class HostileReaderTest(ReaderTest):
    def setUp(self):
        super().setUp()
        self.job = recording(self.daemon, seconds=5 * (len(HOSTILE) + 1), words=0)
        found, version = segments(self.daemon, self.job)
        self.texts = [*HOSTILE, LONG]
        ops = [{"op": "text", "segment": one["id"], "text": text}
               for one, text in zip(found, self.texts, strict=True)]
        for number, hostile in enumerate(HOSTILE):
            ops += [{"op": "speaker", "segment": found[number]["id"], "speaker": f"S{number}"},
                    {"op": "name", "speaker": f"S{number}", "name": hostile}]
        edit(self.daemon, self.job, version, ops)
        answer = self.daemon.request("PATCH", f"/v1/jobs/{self.job}", json.dumps({"title": HOSTILE[4]}))
        self.assertEqual(answer.status, 200, answer.text)

    def check_all_is_text(self, page):
        shown = page.locator("main").text_content()
        for text in self.texts:
            self.assertIn(text, shown)
        self.assertEqual(page.get_by_role("heading", level=1).text_content(), HOSTILE[4])
        check_harmless(self, page)

    def test_segments_and_names_of_speakers_are_text(self):
        page = self.read(self.job)
        self.check_all_is_text(page)
        self.assertIn(HOSTILE[4], page.title())

    def test_they_are_text_in_a_share_link(self):
        answer = self.daemon.request("POST", f"/v1/jobs/{self.job}/shares", json.dumps({}))
        self.assertIn(answer.status, (200, 201), answer.text)
        page = self.open(self.daemon, f"#/s/{answer.json['token']}")
        page.locator(".segment").first.wait_for()
        self.check_all_is_text(page)

    def test_they_fit_on_a_narrow_screen(self):
        page = self.open(self.daemon, f"#/r/{self.job}", width=320)
        page.locator(".segment").first.wait_for()
        check_harmless(self, page)

    def test_addresses_are_text(self):
        self.expect_errors("404")
        page = self.open(self.daemon)
        for hostile in (HOSTILE[1], HOSTILE[4], HOSTILE[-1]):
            quoted = urllib.parse.quote(hostile, safe="")
            for address in (f"#/r/{quoted}", f"#/s/{quoted}", f"#/{quoted}", f"#/?q={quoted}", f"#/r/{hostile}",
                            f"#/r/{self.job}?q={quoted}&t={quoted}"):
                with self.subTest(address):
                    page.goto("about:blank")
                    page.goto(f"http://127.0.0.1:{self.daemon.port}/{address}")
                    page.get_by_role("main").locator("*").first.wait_for()
                    check_harmless(self, page)


if __name__ == "__main__":
    unittest.main()
