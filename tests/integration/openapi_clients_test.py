"""/openapi.json: generators make clients of it, which work; and answers are as it describes them."""

import json
import shutil
import unittest

import clients
from daemon import DaemonTest
from scribed_command import write_silence


class OpenApiClientsTest(DaemonTest):
    def setUp(self):
        clients.need_generators()
        super().setUp()
        self.daemon = self.start()
        self.url = f"http://127.0.0.1:{self.daemon.port}"
        self.file = self.folder / "talk.wav"
        write_silence(self.file, 12)
        self.document = self.folder / "openapi.json"
        self.document.write_bytes(self.daemon.get("/openapi.json").body)

    def test_a_generated_python_client(self):
        settings = self.folder / "generator.json"
        settings.write_text(json.dumps({"post_hooks": []}))
        package = self.folder / "scribed_client"
        said = clients.run(["/usr/bin/python3", "-m", "openapi_python_client", "generate",
                            "--path", self.document, "--config", settings, "--meta", "none",
                            "--output-path", package], clients.python_path())
        self.assertNotIn("WARNING", said)
        said = clients.run(["/usr/bin/python3", clients.SCRIPTS / "openapi_client.py", self.url, self.file],
                           clients.python_path(self.folder))
        self.assertEqual(said, "ok\n")

    def test_a_generated_typescript_client(self):
        (self.folder / "node_modules").symlink_to(clients.FOLDER / "node_modules")
        (self.folder / "package.json").write_text('{"type": "module"}')
        shutil.copy(clients.SCRIPTS / "openapi_client.ts", self.folder)
        program = lambda path: [clients.NODE, clients.FOLDER / "node_modules" / path]
        clients.run([*program("openapi-typescript/bin/cli.js"), self.document,
                     "--output", self.folder / "scribed.d.ts"])
        # Node strips the types and does not check them.
        clients.run([*program("typescript/bin/tsc"), "--noEmit", "--strict", "--target", "es2022",
                     "--module", "nodenext", "--lib", "es2022,dom,dom.iterable",
                     "--allowImportingTsExtensions", self.folder / "openapi_client.ts"])
        self.assertEqual(clients.run([clients.NODE, "--preserve-symlinks", "--preserve-symlinks-main",
                                      self.folder / "openapi_client.ts", self.url]), "ok\n")

    def test_answers_are_as_they_are_described(self):
        upload = self.daemon.post_form("/v1/uploads", [], self.file.read_bytes()).json["id"]
        job = self.daemon.submit(self.file.read_bytes())
        self.daemon.wait_for_job(job)
        self.daemon.request("POST", "/v1/models/whisper-1/load")
        asked = [("get", path, path.replace("{id}", job)) for path in
                 ("/v1/jobs", "/v1/jobs/{id}", "/v1/uploads", "/v1/models", "/v1/ps", "/v1/status",
                  "/health")]
        answers = [(method, path, self.daemon.request(method.upper(), address).json)
                   for method, path, address in asked]
        verbose = [("model", "whisper-1"), ("response_format", "verbose_json"), ("include[]", "logprobs"),
                   ("timestamp_granularities[]", "word"), ("timestamp_granularities[]", "segment")]
        answers += [
            ("post", "/v1/audio/transcriptions", self.daemon.post_form(
                "/v1/audio/transcriptions", verbose, self.file.read_bytes()).json),
            ("delete", "/v1/uploads/{id}", self.daemon.request("DELETE", f"/v1/uploads/{upload}").json),
            ("get", "/v1/jobs/{id}", self.daemon.get("/v1/jobs/none").json)]
        self.document.with_name("answers.json").write_text(json.dumps(answers))
        said = clients.run_python("openapi_answers.py", self.document,
                                  self.document.with_name("answers.json"))
        self.assertEqual(said, f"{len(answers)} answers\n")


if __name__ == "__main__":
    unittest.main()
