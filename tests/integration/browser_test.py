"""Web pages of other origins: what server.allowed_origins lets them do, asked by hand and in a real
browser (Debian: chromium)."""

import base64
import http.server
import json
import shutil
import subprocess
import tempfile
import threading
import unittest

from daemon import FORM_TYPE, DaemonTest, form
from mcp_host import MODERN
from scribed_command import TIME_LIMIT, wait_for

BROWSER = next(filter(None, map(shutil.which, ("chromium", "chromium-browser", "google-chrome"))), None)
KEY = "a-key-of-the-browser-test"
PAGE = "http://app.example:8000"
ROUTES = ["/v1/audio/transcriptions", "/v1/jobs", "/v1/jobs/x", "/v1/jobs/x/events", "/v1/uploads",
          "/v1/models", "/v1/models/x/load", "/v1/status", "/mcp", "/readyz", "/openapi.json"]
FIELDS = ("authorization,content-type,idempotency-key,last-event-id,mcp-method,mcp-name,"
          "mcp-protocol-version,mcp-session-id")


class OriginTest(DaemonTest):
    def start_for(self, *origins):
        self.environment["SCRIBED_API_KEY"] = KEY
        return self.start("--set", "server.allowed_origins=" + ",".join(origins))


class CorsTest(OriginTest):
    def ask(self, daemon, method, path, body=None, origin=PAGE, **headers):
        return daemon.request(method, path, body, {"Origin": origin, **headers})

    def test_every_route_answers_the_question_before_a_request(self):
        daemon = self.start_for(PAGE)
        for path in ROUTES:
            with self.subTest(path):
                answer = self.ask(daemon, "OPTIONS", path,
                                  **{"Access-Control-Request-Method": "POST",
                                     "Access-Control-Request-Headers": FIELDS})
                self.assertEqual((answer.status, answer.body), (204, b""))
                self.assertEqual(answer.headers["access-control-allow-origin"], PAGE)
                self.assertIn("POST", answer.headers["access-control-allow-methods"])
                self.assertIn("DELETE", answer.headers["access-control-allow-methods"])
                self.assertEqual(answer.headers["access-control-allow-headers"], FIELDS)
                self.assertIn("Origin", answer.headers["vary"])
                self.assertGreater(int(answer.headers["access-control-max-age"]), 0)
                self.assertNotIn("access-control-allow-credentials", answer.headers)

    def test_errors_and_streams_can_be_read_too(self):
        daemon = self.start_for(PAGE)
        key = {"Authorization": f"Bearer {KEY}"}
        job = self.ask(daemon, "POST", "/v1/jobs", form([], self.sound(6)),
                       **{**key, "Content-Type": FORM_TYPE}).json["id"]
        for path, headers, status in ((f"/v1/jobs/{job}", key, 200),
                                      (f"/v1/jobs/{job}/events", key, 200),
                                      ("/v1/jobs", {}, 401), ("/v1/jobs/none", key, 404),
                                      ("/none", key, 404), ("/v1/jobs?limit=0", key, 400)):
            with self.subTest(path):
                answer = self.ask(daemon, "GET", path, **headers)
                self.assertEqual(answer.status, status, answer.text)
                self.assertEqual(answer.headers["access-control-allow-origin"], PAGE)
                self.assertEqual(answer.headers["access-control-expose-headers"], "*")

    def test_a_page_that_is_not_listed_needs_the_key(self):
        daemon = self.start_for(PAGE)
        for origin in ("http://evil.example", "app://obsidian.md", "null"):
            for path, method in (("/v1/jobs", "POST"), ("/mcp", "POST")):
                answer = self.ask(daemon, method, path, form([], self.sound(1)), origin=origin,
                                  **{"Authorization": "Bearer another", "Content-Type": FORM_TYPE})
                self.assertEqual(answer.status, 401, answer.text)
        self.assertEqual(daemon.get("/v1/jobs", Authorization=f"Bearer {KEY}").json["data"], [])
        answer = self.ask(daemon, "POST", "/v1/jobs", form([], self.sound(1)), origin="app://x",
                          **{"Authorization": f"Bearer {KEY}", "Content-Type": FORM_TYPE})
        self.assertEqual((answer.status, answer.headers["access-control-allow-origin"]),
                         (202, "app://x"))

    def test_programs_that_are_web_views_are_listed_by_their_origins(self):
        # The plugin of Obsidian asks so before it sends a recording.
        question = {"Access-Control-Request-Method": "POST",
                    "Access-Control-Request-Headers": "authorization"}
        path = "/v1/audio/transcriptions"
        closed = self.start()
        for origin in ("app://obsidian.md", "null"):
            refused = self.ask(closed, "OPTIONS", path, origin=origin, **question)
            self.assertEqual(refused.status, 403)
            self.assertIn(f'add "{origin}" to server.allowed_origins', refused.text.replace('\\"', '"'))
        closed.terminate()
        config = self.folder / "origins.toml"
        config.write_text('[server]\nallowed_origins = ["app://obsidian.md", "capacitor://localhost", '
                          '"vscode-webview://*", "null"]\n')
        daemon = self.start("--config", config)
        for origin in ("app://obsidian.md", "capacitor://localhost", "vscode-webview://0af1", "null"):
            with self.subTest(origin):
                allowed = self.ask(daemon, "OPTIONS", path, origin=origin, **question)
                self.assertEqual((allowed.status, allowed.headers["access-control-allow-origin"]),
                                 (204, origin))
                answer = self.ask(daemon, "POST", path, form([("model", "whisper-1")], self.sound(1)),
                                  origin=origin, **{"Content-Type": FORM_TYPE})
                self.assertEqual((answer.status, answer.headers["access-control-allow-origin"]),
                                 (200, origin))
        self.assertEqual(self.ask(daemon, "OPTIONS", path, origin="tauri://localhost", **question).status, 403)
        self.assertEqual(daemon.log().count("level=warning"), 1)
        self.assertIn("sandboxed pages of every site", daemon.log())


class Page(http.server.ThreadingHTTPServer):
    """Serves one page, which sends what it found out back to where it came from."""

    def __init__(self, script):
        super().__init__(("127.0.0.1", 0), PageHandler)
        self.script, self.found = script, None
        self.thread = threading.Thread(target=self.serve_forever)
        self.thread.start()

    def end(self):
        self.shutdown()
        self.thread.join()
        self.server_close()


class PageHandler(http.server.BaseHTTPRequestHandler):
    def answer(self, content):
        self.send_response(200)
        self.send_header("content-type", "text/html")
        self.send_header("content-length", str(len(content)))
        self.end_headers()
        self.wfile.write(content)

    def do_GET(self):
        self.answer(f"<!doctype html><script type=module>{self.server.script}</script>".encode()
                    if self.path == "/" else b"")

    def do_POST(self):
        self.server.found = json.loads(self.rfile.read(int(self.headers["content-length"])))
        self.answer(b"")

    def log_message(self, *_):
        pass


SCRIPT = """
const found = {};
async function note(name, work) {
  try { found[name] = await work(); } catch (error) { found[name] = "blocked: " + error.name; }
}
const authorization = "Bearer " + KEY;
const mcp = {authorization, "content-type": "application/json", accept: "application/json, text/event-stream"};
const ask = (path, more) => fetch(API + path, more);

await note("models", async () => (await ask("/v1/models", {headers: {authorization}})).status);
await note("no key", async () => (await (await ask("/v1/models")).json()).error.code);
await note("no such path", async () => (await ask("/none", {headers: {authorization}})).status);
let place = "/none";
await note("job", async () => {
  const body = new FormData();
  body.append("file", new Blob([await (await fetch("data:audio/wav;base64," + SOUND)).arrayBuffer()]), "talk.wav");
  const answer = await ask("/v1/jobs", {method: "POST", body, headers: {authorization, "idempotency-key": "one"}});
  place = answer.headers.get("location") ?? "location cannot be read";
  return [answer.status, answer.headers.get("x-request-id") !== null];
});
await note("events", async () => {
  const answer = await ask(place + "/events", {headers: {authorization, "last-event-id": "0"}});
  return (await answer.text()).includes('"job.ended"');
});
await note("text", async () => (await ask(place + "/transcript", {headers: {authorization}})).text());
await note("MCP 2025", async () => {
  const body = JSON.stringify({jsonrpc: "2.0", id: 1, method: "initialize", params: {protocolVersion: "2025-06-18",
                               capabilities: {}, clientInfo: {name: "page", version: "1"}}});
  return (await (await ask("/mcp", {method: "POST", body, headers: mcp})).json()).result.serverInfo.name;
});
await note("MCP 2026", async () => {
  const params = {name: "status", arguments: {}, _meta: META};
  const headers = {...mcp, "mcp-method": "tools/call", "mcp-name": "status", "mcp-protocol-version": "2026-07-28"};
  const body = JSON.stringify({jsonrpc: "2.0", id: 1, method: "tools/call", params});
  return Object.keys(await (await ask("/mcp", {method: "POST", body, headers})).json()).includes("result");
});
await note("delete", async () => (await ask(place, {method: "DELETE", headers: {authorization}})).status);
await note("with cookies", async () => (await ask("/v1/models", {headers: {authorization}, credentials: "include"})).status);
await note("sent blindly", async () =>
  (await ask("/v1/uploads", {method: "POST", mode: "no-cors", body: new FormData()})).type);
await fetch("/found", {method: "POST", body: JSON.stringify(found)});
"""


@unittest.skipUnless(BROWSER, "no Chromium is installed (Debian: chromium)")
class BrowserTest(OriginTest):
    def script(self, daemon, key=KEY):
        values = {"API": f"http://127.0.0.1:{daemon.port}", "KEY": key, "META": MODERN,
                  "SOUND": base64.b64encode(self.sound(6)).decode()}
        return "".join(f"const {name} = {json.dumps(value)};\n" for name, value in values.items()) + SCRIPT

    def open(self, page, name):
        """What the page found out, in a browser for which `name` is this machine."""
        folder = tempfile.mkdtemp(prefix="scribed-browser-")
        self.addCleanup(shutil.rmtree, folder, ignore_errors=True)
        browser = subprocess.Popen(
            [BROWSER, "--headless", "--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run",
             "--disable-background-networking", "--disable-component-update", "--disable-sync",
             "--disable-dev-shm-usage", f"--user-data-dir={folder}", "--remote-debugging-port=0",
             f"--host-resolver-rules=MAP {name} 127.0.0.1, EXCLUDE 127.0.0.1, MAP * ~NOTFOUND",
             f"http://{name}:{page.server_port}/"],
            stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        try:
            return wait_for(lambda: page.found, "the page's report")
        finally:
            browser.terminate()
            browser.wait(TIME_LIMIT)

    def serve(self, name):
        page = Page("")
        self.addCleanup(page.end)
        return page, f"http://{name}:{page.server_port}"

    def test_a_page_with_the_key_does_all_that_a_program_can(self):
        for listed in (True, False):
            with self.subTest(listed=listed):
                page, origin = self.serve("app.example")
                daemon = self.start_for(origin if listed else PAGE)
                page.script = self.script(daemon)
                found = self.open(page, "app.example")
                self.assertEqual(found, {
                    "models": 200, "no key": "unauthorized", "no such path": 404,
                    "job": [202, True], "events": True, "text": "Segment 0.\nSegment 1.\n",
                    "MCP 2025": "scribed", "MCP 2026": True, "delete": 200,
                    "with cookies": "blocked: TypeError", "sent blindly": "opaque"})
                daemon.terminate()

    def test_a_page_without_the_key_does_nothing(self):
        page, _ = self.serve("evil.example")
        daemon = self.start_for(PAGE)
        page.script = self.script(daemon, "another-key")
        found = self.open(page, "evil.example")
        self.assertEqual((found["models"], found["job"]), (401, [401, True]))
        self.assertEqual(found["with cookies"], "blocked: TypeError")
        wait_for(lambda: "path=/v1/uploads status=401" in daemon.log(), "that it was refused")
        self.assertEqual(daemon.get("/v1/jobs", Authorization=f"Bearer {KEY}").json["data"], [])

    def test_without_keys_another_page_reads_and_does_nothing(self):
        page, _ = self.serve("evil.example")
        daemon = self.start()
        page.script = self.script(daemon)
        found = self.open(page, "evil.example")
        self.assertEqual(found.pop("sent blindly"), "opaque")
        self.assertEqual(set(found.values()), {"blocked: TypeError"})
        wait_for(lambda: "path=/v1/uploads status=403" in daemon.log(), "that it was refused")
        self.assertEqual(daemon.get("/v1/jobs").json["data"], [])


if __name__ == "__main__":
    unittest.main()
