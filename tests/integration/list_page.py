"""The page's home screen, opened in Chromium on the real daemon."""

from page_harness import PageTest
from scribed_command import wait_for, write_silence

# What the browser itself writes into its console of requests that fail.
BROKEN_LINE = ("Failed to load resource", "net::ERR_")


class ListTest(PageTest):
    def setUp(self):
        super().setUp()
        self.recordings = self.folder / "recordings"
        self.recordings.mkdir()

    def file(self, name, seconds=5):
        path = self.recordings / name
        path.parent.mkdir(exist_ok=True)
        write_silence(path, seconds)
        return path

    def drop(self, page, *paths):
        """Drops files or folders as a person does who holds them over the page."""
        page.get_by_role("button", name="Choose files").wait_for()  # before that a browser opens what is dropped
        devtools = page.context.new_cdp_session(page)
        data = {"items": [], "files": [str(path) for path in paths], "dragOperationsMask": 1}
        for kind in ("dragEnter", "dragOver", "drop"):
            devtools.send("Input.dispatchDragEvent", {"type": kind, "x": 300, "y": 120, "data": data})

    def row(self, page, name):
        return page.get_by_role("listitem").filter(has_text=name)

    def group(self, page, name):
        heading = page.get_by_role("heading", name=name, exact=True)
        return page.locator("section").filter(has=heading)

    def names(self, page, group):
        """The names in a group, as they stand below each other."""
        return self.group(page, group).locator(".job-title").all_inner_texts()

    def jobs(self, daemon):
        return daemon.get("/v1/jobs?limit=100").json["data"]

    def wait_for_jobs(self, daemon, count, status="done"):
        return wait_for(lambda: len(found := [job for job in self.jobs(daemon) if job["status"] == status]) == count
                        and found, f"{count} jobs that are {status}")
