"""MCP by HTTP to `scribed serve`: what two programs with keys of their own see of each other."""

import json
import re
import unittest

from daemon import DaemonTest
from mcp_host import MODERN, text_of

KEYS = {"ada": "ada-has-this-key-of-hers", "bob": "bob-has-this-key-of-his",
        "eve": "eve-has-this-key-of-hers"}
RIGHTS = {"ada": "transcribe, read_status", "bob": "transcribe, read_status", "eve": "transcribe"}


class PrincipalsTest(DaemonTest):
    def setUp(self):
        super().setUp()
        file = self.folder / "keys"
        file.write_text("".join(f"{name} {key} [{RIGHTS[name]}]\n"
                                for name, key in KEYS.items()))
        file.chmod(0o600)
        self.daemon = self.start("--key-file", file)

    def ask(self, who, method, **params):
        headers = {"Content-Type": "application/json", "Mcp-Method": method,
                   "Accept": "application/json", "MCP-Protocol-Version": "2026-07-28",
                   "Authorization": f"Bearer {KEYS[who]}"}
        name = params.get("name") or params.get("uri")
        if name:
            headers["Mcp-Name"] = name
        body = {"jsonrpc": "2.0", "id": 1, "method": method, "params": {**params, "_meta": MODERN}}
        return self.daemon.request("POST", "/mcp", json.dumps(body), headers).json

    def use(self, who, tool, **arguments):
        return self.ask(who, "tools/call", name=tool, arguments=arguments)["result"]

    def upload(self, who):
        answer = self.daemon.post_form("/v1/uploads", [], self.sound(8),
                                       {"Authorization": f"Bearer {KEYS[who]}"})
        return answer.json["handle"]

    def test_an_upload_is_its_owners(self):
        handle = self.upload("ada")
        refused = self.use("bob", "transcribe", upload=handle)
        self.assertTrue(refused["isError"])
        self.assertIn("no such upload", text_of(refused))
        for _ in range(2):  # it stays
            result = self.use("ada", "transcribe", upload=handle)
            self.assertIn("Segment 0. Segment 1.", text_of(result))

    def test_a_job_is_its_owners(self):
        result = self.use("ada", "transcribe", upload=self.upload("ada"))
        job = result["structuredContent"]["job"]
        uri = f"transcript://{job}"
        self.assertFalse(self.use("ada", "get_job", job=job).get("isError"))
        for tool in ("get_job", "cancel_job"):
            self.assertIn(f"no job {job}", text_of(self.use("bob", tool, job=job)))
        self.assertEqual(self.use("bob", "list_jobs")["structuredContent"]["jobs"], [])
        self.assertEqual(self.use("bob", "status")["structuredContent"]["speeds"], [])
        self.assertEqual(self.ask("bob", "resources/list")["result"]["resources"], [])
        self.assertIn("error", self.ask("bob", "resources/read", uri=uri))
        self.assertIn("result", self.ask("ada", "resources/read", uri=uri))
        argument = {"name": "job", "value": ""}
        reference = {"type": "ref/prompt", "name": "meeting_minutes"}
        completed = self.ask("bob", "completion/complete", ref=reference, argument=argument)
        self.assertEqual(completed["result"]["completion"]["values"], [])

    def test_tools_need_the_right_that_their_routes_need(self):
        for who, tool, arguments, right in (
                ("ada", "load_model", {"model": "whisper-1"}, "manage"),
                ("ada", "unload_model", {"model": "whisper-1"}, "manage"),
                ("eve", "status", {}, "read_status")):
            with self.subTest(tool):
                refused = self.use(who, tool, **arguments)
                self.assertTrue(refused.get("isError"), refused)
                self.assertIn(f"This key lacks the right {right}.", text_of(refused))
        self.assertFalse(self.use("ada", "status").get("isError"))

    def test_nothing_is_told_of_that_is_not_allowed(self):
        listed = self.ask("ada", "tools/list")["result"]["tools"]
        inputs = json.dumps([(tool["description"], tool["inputSchema"]) for tool in listed])
        told = inputs + self.ask("ada", "server/discover")["result"]["instructions"]
        for part in ('"path"', '"url"', "output_file"):
            self.assertNotIn(part, told)
        self.assertIn("/v1/uploads", told)
        prompts = self.ask("ada", "prompts/list")["result"]["prompts"]
        self.assertNotIn("make_subtitles", [prompt["name"] for prompt in prompts])

    def test_a_transcript_is_found_by_its_owner_alone(self):
        job = self.use("ada", "transcribe", upload=self.upload("ada"))["structuredContent"]["job"]
        for who, found in (("ada", [job]), ("bob", [])):
            result = self.use(who, "search_transcripts", query="SEGMENT 1")["structuredContent"]
            self.assertEqual([one["job"] for one in result["found"]], found)

    def test_a_client_without_a_key_learns_what_to_ask_for(self):
        answer = self.daemon.request("POST", "/mcp", "{}", {"Content-Type": "application/json"})
        self.assertEqual(answer.status, 401)
        field = answer.headers["WWW-Authenticate"]
        url = re.search('resource_metadata="http://127.0.0.1:[0-9]+(/[^"]*)"', field)[1]
        self.assertIn('scope="transcribe"', field)
        metadata = self.daemon.get(url).json
        self.assertEqual(metadata["resource"], f"http://127.0.0.1:{self.daemon.port}/mcp")
        self.assertEqual(metadata["bearer_methods_supported"], ["header"])
        self.assertNotIn("authorization_servers", metadata)

    def test_no_file_of_the_machine_is_named_unless_that_is_allowed(self):
        path = self.folder / "talk.wav"
        path.write_bytes(self.sound(8))
        refused = self.use("ada", "transcribe", path=str(path))
        self.assertIn("There is no argument path", text_of(refused))
        written = self.use("ada", "transcribe", upload=self.upload("ada"),
                           output_file=str(self.folder / "a.txt"))
        self.assertIn("There is no argument output_file", text_of(written))
        self.assertFalse((self.folder / "a.txt").exists())


if __name__ == "__main__":
    unittest.main()
