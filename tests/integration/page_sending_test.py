"""Uploads of the page's home screen that are broken off, on the real daemon, in Chromium. See page_harness.py for what it
needs."""

import socket
import threading
import unittest

from list_page import BROKEN_LINE, ListTest
from scribed_command import wait_for

PIECE_BYTES = 16 << 20


class Proxy:
    """Stands between browser and daemon, and breaks a connection that has sent too much."""

    def __init__(self, daemon):
        self.daemon = daemon
        self.cut_after = None  # bytes that a connection may send; one is broken
        self.server = socket.create_server(("127.0.0.1", 0))
        self.port = self.server.getsockname()[1]
        threading.Thread(target=self.serve, daemon=True).start()

    def close(self):
        self.server.close()

    def serve(self):
        while True:
            try:
                client, _ = self.server.accept()
            except OSError:
                return
            threading.Thread(target=self.join, args=[client], daemon=True).start()

    def join(self, client):
        try:
            daemon = socket.create_connection(("127.0.0.1", self.daemon.port))
        except OSError:
            client.close()
            return
        threading.Thread(target=self.pump, args=[daemon, client, False], daemon=True).start()
        self.pump(client, daemon, True)

    def pump(self, source, target, is_request):
        sent = 0
        try:
            while data := source.recv(65536):
                sent += len(data)
                if is_request and self.cut_after is not None and sent > self.cut_after:
                    self.cut_after = None
                    break
                target.sendall(data)
        except OSError:
            pass
        for one in (source, target):
            try:
                one.shutdown(socket.SHUT_RDWR)
            except OSError:
                pass
            one.close()


class SendingTest(ListTest):
    """40 MB are three pieces of an upload."""

    large_s = 40_000_000 // 32_000

    def setUp(self):
        super().setUp()
        self.large = self.file("large.wav", self.large_s)

    def open_behind_proxy(self):
        daemon = self.start()
        proxy = Proxy(daemon)
        self.addCleanup(proxy.close)
        self.expect_errors(*BROKEN_LINE)
        return daemon, proxy, self.open(proxy)

    def until(self, page, condition, what):
        """Playwright tells what the browser does only while it is called."""
        return wait_for(lambda: page.wait_for_timeout(20) or condition(), what)

    def sent(self, page, daemon):
        return self.until(page, lambda: [job for job in self.jobs(daemon) if job["status"] == "done"], "the job")

    def offsets(self, page):
        """From where each piece is sent that the page sends from now on."""
        found = []
        page.on("request", lambda request: request.method == "PATCH"
                and found.append(int(request.headers["upload-offset"])))
        return found

    def test_an_upload_that_is_cut_goes_on_from_where_it_was(self):
        daemon, proxy, page = self.open_behind_proxy()
        offsets = self.offsets(page)
        proxy.cut_after = 16_000_000
        self.drop(page, self.large)
        job, = self.sent(page, daemon)
        self.assertEqual(job["duration"], self.large_s)
        self.assertIsNone(proxy.cut_after)
        self.assertEqual(offsets[0], 0)
        self.assertTrue(1_000_000 < offsets[1] < 16_000_000, f"what had come is not sent again: {offsets}")

    def test_the_daemon_is_killed_and_started_again_in_mid_upload(self):
        daemon, proxy, page = self.open_behind_proxy()
        killed = threading.Event()

        def kill_at_second_piece(request):
            if request.method == "PATCH" and int(request.headers["upload-offset"]) > 0 and not killed.is_set():
                killed.set()
                daemon.kill()

        page.on("request", kill_at_second_piece)
        self.drop(page, self.large)
        page.get_by_text("scribed does not answer.").wait_for()
        self.assertTrue(killed.is_set())
        again = self.start()
        proxy.daemon = again
        job, = self.sent(page, again)
        self.assertEqual(job["duration"], self.large_s)
        page.get_by_text("scribed does not answer.").wait_for(state="hidden")
        self.row(page, "large.wav").get_by_role("link", name="Save").wait_for()

    def test_after_a_reload_the_file_is_chosen_again_and_goes_on(self):
        daemon = self.start()
        page = self.open(daemon)
        page.route("**/v1/uploads/*", self.hold_second_piece)
        self.drop(page, self.large)
        self.until(page, lambda: self.uploaded(daemon) >= PIECE_BYTES, "the first piece")
        page.unroute_all(behavior="ignoreErrors")
        page.reload()
        page.get_by_text("One file was not completely uploaded.").wait_for()
        self.row(page, "large.wav").get_by_text("Choose the file again to resume").wait_for()
        offsets = self.offsets(page)
        with page.expect_file_chooser() as chooser:
            page.get_by_role("button", name="Choose again").click()
        chooser.value.set_files(self.large)
        job, = self.sent(page, daemon)
        self.assertEqual(job["duration"], self.large_s)
        self.assertGreaterEqual(offsets[0], PIECE_BYTES)
        page.reload()
        self.row(page, "large.wav").get_by_role("link", name="Save").wait_for()
        self.assertEqual(page.get_by_text("was not completely uploaded").count(), 0)

    def uploaded(self, daemon):
        """How many bytes of the only upload are there."""
        uploads = daemon.get("/v1/uploads").json["data"]
        return uploads[0].get("received_bytes", uploads[0]["bytes"]) if uploads else 0

    @staticmethod
    def hold_second_piece(route):
        if route.request.method == "PATCH" and route.request.headers["upload-offset"] != "0":
            return  # nobody answers
        route.continue_()


if __name__ == "__main__":
    unittest.main()
