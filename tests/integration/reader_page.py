"""The page's transcript screen, opened in Chromium on the real daemon."""

from page_harness import PageTest
from reader_job import segments
from scribed_command import wait_for

TEXT_NODE = """(id) => {
  const row = document.getElementById('s' + id);
  const holder = row.querySelector('.field-copy') ?? row;
  return [...holder.childNodes].find((node) => node instanceof Text);
}"""

# Where the n-th word of a segment stands in the window.
WORD_BOX = f"""([id, n]) => {{
  const node = ({TEXT_NODE})(id);
  const word = [...node.data.matchAll(/\\S+/g)][n];
  const range = document.createRange();
  range.setStart(node, word.index);
  range.setEnd(node, word.index + word[0].length);
  const box = range.getBoundingClientRect();
  return [box.x + box.width / 2, box.y + box.height / 2];
}}"""

SEEK = """(seconds) => new Promise((done) => {
  const audio = document.querySelector('audio');
  audio.addEventListener('seeked', () => requestAnimationFrame(() => requestAnimationFrame(done)), { once: true });
  audio.currentTime = seconds;
})"""

SPOKEN = "[...(CSS.highlights.get('spoken') ?? [])].map(String).join('')"
AUDIO = "document.querySelector('audio')"


def until(page, condition):
    """The page's policy forbids what Playwright's own waiting needs."""
    return wait_for(lambda: page.evaluate(condition), condition)


class ReaderTest(PageTest):
    def setUp(self):
        super().setUp()
        self.daemon = self.start()

    def read(self, job, query=""):
        page = self.open(self.daemon, f"#/r/{job}{query}")
        page.locator(".segment").first.wait_for()
        until(page, f"{AUDIO}?.duration > 0")
        return page

    def row(self, page, segment):
        return page.locator(f'.segment[data-key="{segment["id"]}"]')

    def click_word(self, page, segment, number, **more):
        self.row(page, segment).scroll_into_view_if_needed()
        page.mouse.click(*page.evaluate(WORD_BOX, [segment["id"], number]), **more)

    def now(self, page):
        return page.evaluate(f"{AUDIO}.currentTime")

    def texts(self, job):
        return [one["text"].strip() for one in segments(self.daemon, job)[0]]

    def saved(self, page, version):
        """Waits until the page has saved, and the daemon has that version."""
        page.get_by_text("Saved", exact=True).wait_for()
        wait_for(lambda: self.daemon.job(self.job)["version"] == version, f"version {version}")
