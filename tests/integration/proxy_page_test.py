"""The page behind each proxy of packaging/proxy that is installed, in Chromium: signed in over https, a
recording is sent, the list follows it, and the live screen's socket hears its microphone."""

import math
import pathlib
import struct
import tempfile
import wave

import proxies
from page_harness import PageTest
from proxies import KEY, NAME, ProxyTest


def write_voice(path, seconds=30, rate=48000):
    """Loud sound in syllables, so that no filter of a browser takes it for noise."""
    with wave.open(str(path), "wb") as file:
        file.setnchannels(1)
        file.setsampwidth(2)
        file.setframerate(rate)
        second = [20000 * math.sin(math.tau * 4 * n / rate) ** 2 * math.sin(math.tau * 200 * n / rate)
                  for n in range(rate)]
        file.writeframes(struct.pack(f"<{rate}h", *map(int, second)) * seconds)


class Page(ProxyTest):
    @classmethod
    def setUpClass(cls):
        cls.kind.need()
        folder = tempfile.TemporaryDirectory()
        cls.addClassCleanup(folder.cleanup)
        voice = pathlib.Path(folder.name) / "voice.wav"
        write_voice(voice)
        cls.arguments = ("--use-fake-device-for-media-stream", "--use-fake-ui-for-media-stream",
                         f"--use-file-for-fake-audio-capture={voice}",
                         f"--host-resolver-rules=MAP {NAME} 127.0.0.1")
        super().setUpClass()

    def open_page(self, address):
        self.behind_proxy()
        self.expect_errors("401")  # before a key is given
        page = self.new_context(self.proxy, scheme="https", host=NAME, ignore_https_errors=True).new_page()
        page.goto(address)
        page.get_by_label("Key", exact=True).fill(KEY)
        page.get_by_role("button", name="Sign in").click()
        return page

    def test_a_recording_is_sent_and_followed(self):
        page = self.open_page("/")
        page.locator("input[type=file]").first.set_input_files(
            {"name": "talk.wav", "mimeType": "audio/wav", "buffer": self.sound(60)})
        page.get_by_role("link", name="talk.wav").click()
        page.get_by_text("Segment 0.").first.wait_for()

    def test_live_captions_below_a_path(self):
        page = self.open_page("/speech/#/live")
        page.get_by_role("button", name="Start", exact=True).click()
        page.locator(".captions p:not(.meta)").first.wait_for()
        page.get_by_role("button", name="Stop", exact=True).click()
        page.get_by_role("link", name="Open the recording").wait_for()


globals().update({f"{kind.__name__}PageTest": type(f"{kind.__name__}PageTest", (Page, PageTest),
                                                   {"kind": kind, "__module__": __name__}) for kind in proxies.ALL})
