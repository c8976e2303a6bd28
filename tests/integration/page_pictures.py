#!/usr/bin/env python3
"""Makes the pictures of docs/images: the page of a real daemon with the model base, in Chromium.

  page_pictures.py FOLDER      ./scripts/web pictures does it for docs/images

They are looked at after changes of styles; no test compares them."""

import os
import pathlib
import shutil
import sys
import tempfile

from daemon import Daemon
from page_harness import ARGUMENTS, BROWSER, need_browser, sync_playwright
from recordings import recording
from scribed_command import ROOT, bin_folder, wait_for

MODELS = pathlib.Path(os.environ.get("SCRIBED_MODELS", ROOT / ".deps/data/models"))
RECORDINGS = (("Demonstration.wav", "en-congrats.wav", {"word_timestamps": "true"}),
              ("Instructions, long.wav", "en-instruct.wav", {"word_timestamps": "true"}),
              ("Instructions en francais.wav", "fr-instruct.wav", {"word_timestamps": "true"}))
FAKE_MICROPHONE = ["--use-fake-device-for-media-stream", "--use-fake-ui-for-media-stream"]
MOST_BYTES = 150_000

PHONE = {"width": 390, "height": 800}
DESK = {"width": 1280, "height": 800}


class Studio:
    """A daemon with some recordings, and a browser that looks at it."""

    def __init__(self, browser, daemon, folder):
        self.browser, self.daemon, self.folder = browser, daemon, folder

    def take(self, name, address, *, size=DESK, dark=False, act=None):
        context = self.browser.new_context(viewport=size, color_scheme="dark" if dark else "light", locale="en-GB",
                                           reduced_motion="reduce", permissions=["microphone"])
        page = context.new_page()
        page.goto(f"http://localhost:{self.daemon.port}/{address}")
        page.get_by_role("heading", level=1).first.wait_for()
        page.wait_for_timeout(1500)
        if act is not None:
            act(page)
        file = self.folder / f"{name}.png"
        page.screenshot(path=file)
        context.close()
        assert file.stat().st_size <= MOST_BYTES, f"{file} has more than {MOST_BYTES} bytes"
        print(file, file.stat().st_size)


def listen(page):
    page.get_by_role("button", name="Play").first.click()
    page.wait_for_timeout(4500)
    page.get_by_role("button", name="Pause").first.click()


def take_all(studio, job):
    studio.take("page-recordings", "#/")
    studio.take("page-recordings-phone", "#/", size=PHONE)
    studio.take("page-transcript", f"#/r/{job}", act=listen)
    studio.take("page-transcript-dark", f"#/r/{job}", dark=True, act=listen)
    studio.take("page-transcript-phone", f"#/r/{job}", size=PHONE)
    studio.take("page-live", "#/live")
    studio.take("page-models", "#/models")
    studio.take("page-storage", "#/storage", act=lambda page: page.get_by_role("spinbutton").fill("0"))
    studio.take("page-system", "#/system", act=lambda page: page.get_by_text("Machine").first.wait_for())


def start_daemon(scribed, folder):
    (folder / "models").symlink_to(MODELS.resolve())
    environment = {**os.environ, "HOME": str(folder), "SCRIBED_DATA_DIR": str(folder), "GPU_BACKEND": "cpu"}
    return Daemon(scribed, environment, "--model", "base", "--state-folder", folder / "state")


def main(out):
    need_browser()
    out.mkdir(parents=True, exist_ok=True)
    folder = pathlib.Path(tempfile.mkdtemp(prefix="scribed-pictures-"))
    daemon = start_daemon(bin_folder() / "scribed", folder)
    try:
        jobs = [daemon.post_form("/v1/jobs", fields.items(), recording(file).read_bytes(), file_name=name).json["id"]
                for name, file, fields in RECORDINGS]
        for job in jobs:
            wait_for(lambda: daemon.job(job)["status"] == "done", "a text")
        with sync_playwright() as driver:
            browser = driver.chromium.launch(executable_path=BROWSER, args=[*ARGUMENTS, *FAKE_MICROPHONE])
            take_all(Studio(browser, daemon, out), jobs[0])
            browser.close()
    finally:
        daemon.terminate()
        daemon.end()
        shutil.rmtree(folder, ignore_errors=True)


if __name__ == "__main__":
    main(pathlib.Path(sys.argv[1]))
