"""`scribed models pull` from a hub that means harm: whatever it answers, no model is installed that
is not what was announced, the disk holds no more than the model may have, and the pull ends with a
reason. A hub that then behaves gets its model installed."""

import gzip
import hashlib
import itertools
import unittest

import fake_hub
from model_store import MODEL_EXIT, NAME, ModelsTest

LARGE = "model.safetensors"
MIB = 1 << 20


def answer(handler, status, headers=None, pieces=()):
    """An answer with just these headers, and a body that may never end."""
    handler.send_response(status)
    for name, value in (headers or {}).items():
        handler.send_header(name, value)
    handler.end_headers()
    for piece in pieces:
        handler.wfile.write(piece)
    return True


def endless():
    return itertools.repeat(b"x" * 65536)


def git_hash(content):
    return hashlib.sha1(b"blob %d\0" % len(content) + content).hexdigest()


def is_for(handler, name=LARGE):
    return handler.path.endswith("/" + name)


class HostileHub(ModelsTest):
    def disk_use(self):
        return sum(file.stat().st_size for file in self.data.rglob("*") if file.is_file())

    def refuses(self, text, instead, most=2 * MIB, **more):
        """The pull fails with `text` and leaves next to nothing; without the harm it succeeds."""
        self.hub.instead = instead
        result = self.fail_with(MODEL_EXIT, text, "pull", NAME, **more)
        self.assertFalse((self.store / NAME).exists())
        self.assertLessEqual(self.disk_use(), most)
        self.assertNotIn(NAME, self.succeed("list").stdout.partition("Available")[0])
        self.hub.instead = None
        self.succeed("pull", NAME)
        self.installed()
        return result

    # Redirects --------------------------------------------------------------------------------

    def redirect(self, target):
        return lambda handler, body: is_for(handler) and "/cdn/" not in handler.path and answer(
            handler, 302, {"Location": target, "Content-Length": "0"})

    def test_leads_to_files_of_this_machine(self):
        self.refuses("cannot fetch file:///etc/passwd", self.redirect("file:///etc/passwd"))

    def test_leads_in_circles(self):
        self.refuses("too many redirects", lambda handler, body: is_for(handler) and answer(
            handler, 302, {"Location": handler.path, "Content-Length": "0"}))

    def test_sends_the_token_to_no_other_host(self):
        other = fake_hub.FakeHub(self.hub.files)
        self.addCleanup(other.close)
        self.hub.token = "hidden"
        self.hub.instead = lambda handler, body: is_for(handler) and answer(
            handler, 302, {"Location": other.endpoint + handler.path, "Content-Length": "0"})
        self.succeed("pull", NAME, HF_TOKEN="hidden")
        self.assertTrue(other.requests)
        self.assertFalse([headers for _, _, headers in other.requests if "Authorization" in headers])

    def test_sends_a_redirect_without_end(self):
        def instead(handler, body):
            return body and is_for(handler) and "/cdn/" not in handler.path and answer(
                handler, 302, {"Location": "/cdn/" + LARGE}, endless())

        self.hub.instead = instead
        self.scribed("pull", NAME)  # it may find its way past the body, or give up
        self.assertLessEqual(self.disk_use(), 10 * MIB)

    # Sizes ------------------------------------------------------------------------------------

    def announce(self, **headers):
        """What the hub says of the large file, before it is fetched."""
        def instead(handler, body):
            if not is_for(handler) or "/cdn/" in handler.path:
                return False
            return answer(handler, 302, {"Location": "/cdn/" + LARGE, "Content-Length": "0",
                                         "X-Linked-ETag": '"%s"' % ("1" * 64),
                                         **{k.replace("_", "-"): v for k, v in headers.items()}})
        return instead

    def test_announces_less_than_it_sends(self):
        self.refuses("expected 1000 bytes, more arrive", self.announce(X_Linked_Size="1000"))

    def test_announces_more_than_any_disk_has(self):
        self.refuses("which no file of a model has", self.announce(X_Linked_Size=str(10**15)))

    def test_announces_a_number_that_is_as_large_as_they_get(self):
        self.refuses("which no file of a model has", self.announce(X_Linked_Size=str(2**64 - 1)))

    def test_ends_before_it_has_sent_what_it_announced(self):
        size = str(len(self.hub.files[LARGE]) + 1000)
        self.refuses("Transferred a partial file", lambda handler, body: (
            body and "/cdn/" in handler.path and answer(
                handler, 200, {"Content-Length": size}, [b"x" * 1000])) or
            self.announce(X_Linked_Size=size)(handler, body))

    def test_sends_without_end_where_it_announced_no_size(self):
        def instead(handler, body):
            if "/cdn/" in handler.path and is_for(handler):
                return answer(handler, 200, pieces=endless() if body else ())
            return self.announce()(handler, body)
        self.refuses("at most 67108864 bytes, more arrive", instead, most=66 * MIB)

    def test_sends_an_error_without_end(self):
        self.refuses("the server answered 404", lambda handler, body: body and
                     "/cdn/" in handler.path and answer(handler, 404, pieces=endless()))

    def test_answers_a_question_for_headers_with_a_body_without_end(self):
        self.refuses("", lambda handler, body: not body and is_for(handler) and answer(
            handler, 404, pieces=endless()))

    def test_sends_headers_without_end(self):
        self.refuses("cannot fetch", lambda handler, body: is_for(handler) and answer(
            handler, 200, {f"X-Much-{i}": "x" * 1000 for i in range(1000)}))

    def test_sends_a_bomb(self):
        bomb = gzip.compress(bytes(100 * MIB))
        self.refuses("expected", lambda handler, body: "/cdn/" in handler.path and answer(
            handler, 200, {"Content-Encoding": "gzip", "Content-Length": str(len(bomb))},
            [bomb] if body else ()))

    def test_breaks_off_after_each_few_bytes(self):
        def instead(handler, body):
            if body and "/cdn/" in handler.path:
                self.hub.cut_after = 1000
            return False
        self.refuses("Transferred a partial file", instead)

    # What belongs together --------------------------------------------------------------------

    def test_swaps_the_file_while_it_is_fetched(self):
        whole = self.hub.files[LARGE]

        def instead(handler, body):
            if not body or "/cdn/" not in handler.path:
                return False
            start = int((handler.headers.get("Range") or "bytes=0-")[6:-1])
            other = bytes(len(whole))  # never the file itself
            return answer(handler, 206 if start else 200, {
                "Content-Range": f"bytes {start}-{len(whole) - 1}/{len(whole)}",
                "ETag": '"same"', "Content-Length": str(len(whole) - start)},
                [other[start:start + 300_000]])
        self.refuses("expected sha256", instead)

    def test_sends_another_part_than_was_asked_for(self):
        whole = self.hub.files[LARGE]
        self.refuses("another part than was asked for", lambda handler, body: body and
                     "/cdn/" in handler.path and answer(handler, 206, {
                         "Content-Range": f"bytes 5-{len(whole) - 1}/{len(whole)}",
                         "Content-Length": str(len(whole) - 5)}, [whole[5:]]))

    def test_names_a_commit_that_is_a_path(self):
        def instead(handler, body):
            if not is_for(handler, "config.json"):
                return False
            content = self.hub.files["config.json"]
            return answer(handler, 200, {"X-Repo-Commit": "../../../../evil",
                                         "Content-Length": str(len(content)),
                                         "ETag": '"%s"' % git_hash(content)},
                          [content] if body else ())
        self.hub.instead = instead
        self.succeed("pull", NAME)
        self.assertFalse([path for _, path, _ in self.hub.requests if ".." in path])


if __name__ == "__main__":
    unittest.main()
