"""OpenAI's audio API and the daemon's own, spoken by hand; openai_test.py has the real clients."""

import json
import os
import socket
import unittest

from daemon import BOUNDARY, FORM_TYPE, DaemonTest, form
from scribed_command import TIME_LIMIT, wait_for


class RestTest(DaemonTest):
    def transcribe(self, daemon, seconds=12, **fields):
        return daemon.post_form("/v1/audio/transcriptions",
                                {"model": "whisper-1", **fields}.items(), self.sound(seconds))

    def test_every_response_format(self):
        daemon = self.start()
        short = self.transcribe(daemon)
        self.assertEqual(short.json, {"text": "Segment 0. Segment 1. Segment 2.",
                                      "usage": {"type": "duration", "seconds": 12}})
        self.assertTrue(short.headers["x-request-id"])
        self.assertEqual(self.transcribe(daemon, response_format="text").text,
                         "Segment 0. Segment 1. Segment 2.\n")
        self.assertEqual(self.transcribe(daemon, 6, response_format="srt").text,
                         "1\n00:00:00,000 --> 00:00:06,000\nSegment 0. Segment 1.\n\n")
        self.assertTrue(self.transcribe(daemon, 6, response_format="vtt").text.startswith(
            "WEBVTT\n\n00:00.000 --> 00:06.000\nSegment 0. Segment 1.\n"))
        verbose = self.transcribe(daemon, response_format="verbose_json").json
        self.assertEqual((verbose["task"], verbose["language"], verbose["duration"]),
                         ("transcribe", "english", 12))
        self.assertEqual([s["text"] for s in verbose["segments"]],
                         [" Segment 0.", " Segment 1.", " Segment 2."])

    def test_a_translation_is_english(self):
        daemon = self.start()
        answer = daemon.post_form("/v1/audio/translations",
                                  [("model", "whisper-1"), ("response_format", "verbose_json")],
                                  self.sound(6))
        self.assertEqual((answer.json["task"], answer.json["language"]), ("translate", "english"))

    def test_a_stream_has_a_delta_for_each_segment_and_their_whole_at_the_end(self):
        self.behave("slow")
        daemon = self.start()
        answer = self.transcribe(daemon, stream="true")
        self.assertEqual(answer.headers["content-type"].split(";")[0], "text/event-stream")
        lines = [line for line in answer.text.splitlines() if line.startswith("data: ")]
        self.assertEqual(lines[-1], "data: [DONE]")
        events = [json.loads(line[6:]) for line in lines[:-1]]
        deltas = [e["delta"] for e in events if e["type"] == "transcript.text.delta"]
        self.assertEqual(deltas, ["Segment 0.", " Segment 1.", " Segment 2."])
        self.assertEqual(events[-1]["type"], "transcript.text.done")
        self.assertEqual(events[-1]["text"], "".join(deltas))

    def test_log_probabilities_of_tokens_are_in_bodies_and_in_streams(self):
        daemon = self.start()
        asked = {"include[]": "logprobs"}
        body = self.transcribe(daemon, 6, **asked).json
        self.assertEqual("".join(token["token"] for token in body["logprobs"]), " Segment 0. Segment 1.")
        self.assertEqual(body["logprobs"][1], {"token": "S", "logprob": -0.25, "bytes": [83]})
        answer = self.transcribe(daemon, 6, stream="true", **asked)
        events = [json.loads(line[6:]) for line in answer.text.splitlines()
                  if line.startswith("data: {")]
        told = [token for event in events[:-1] for token in event["logprobs"]]
        self.assertEqual(told, body["logprobs"])
        self.assertEqual(events[-1]["logprobs"], body["logprobs"])
        self.assertNotIn("logprobs", self.transcribe(daemon, 6).json)

    def test_an_unknown_field_is_ignored_and_told_to_its_client_and_in_the_log(self):
        daemon = self.start()
        answer = self.transcribe(daemon, 1, colour="red")
        self.assertEqual(answer.status, 200, answer.text)
        self.assertRegex(answer.headers["warning"], r'^299 scribed ".*: colour"$')
        self.assertIsNone(self.transcribe(daemon, 1).headers["warning"])
        line = wait_for(lambda: [one for one in daemon.log().splitlines() if "colour" in one], "a line")
        self.assertIn(f"request_id={answer.headers['x-request-id']}", line[0])
        mistyped = self.transcribe(daemon, 1, langauge="de").json["error"]
        self.assertEqual((mistyped["param"], mistyped["code"]), ("langauge", "unknown_parameter"))
        self.assertIn("Did you mean language?", mistyped["message"])

    def test_errors_have_the_codes_of_openai_and_name_the_parameter(self):
        daemon = self.start()
        for fields, told in (
                ({"model": "gpt-9"}, (404, "model_not_found", "model")),
                ({"response_format": "xml"}, (400, "invalid_value", "response_format")),
                ({"temperature": "2"}, (400, "invalid_value", "temperature")),
                ({"webhook_url": "x"}, (400, "unknown_parameter", "webhook_url"))):
            answer = self.transcribe(daemon, 1, **fields)
            error = answer.json["error"]
            self.assertEqual((answer.status, error["code"], error["param"]), told)
        missing = daemon.post_form("/v1/audio/transcriptions", [], self.sound(1)).json["error"]
        self.assertEqual((missing["code"], missing["param"]), ("missing_required_parameter", "model"))

    def test_an_alias_is_another_name_of_a_model(self):
        daemon = self.start("--set", f"model.aliases=quick={self.model}")
        answer = self.transcribe(daemon, 6, model="quick")
        self.assertEqual(answer.json["text"], "Segment 0. Segment 1.")
        job = daemon.post_form("/v1/jobs", [("model", "quick")], self.sound(1)).json
        self.assertEqual(job["model"], str(self.model))
        self.assertEqual(len(daemon.get("/v1/jobs?model=quick").json["data"]), 1)
        self.assertEqual(daemon.get("/v1/jobs?model=other").json["data"], [])

    def test_what_cannot_be_decoded_is_an_error_and_not_a_stream(self):
        daemon = self.start()
        for fields in ([], [("stream", "true")]):
            answer = daemon.post_form("/v1/audio/transcriptions",
                                      [("model", "whisper-1"), *fields], b"no sound at all")
            self.assertEqual(answer.status, 400, answer.text)
            self.assertEqual(answer.json["error"]["type"], "invalid_request_error")
            self.assertEqual(set(answer.json["error"]), {"message", "type", "param", "code"})

    def test_a_client_that_leaves_ends_its_transcription(self):
        self.behave("slow")
        daemon = self.start()
        body = form([("model", "whisper-1")], self.sound(300))
        client = socket.create_connection(("127.0.0.1", daemon.port))
        client.sendall(b"POST /v1/audio/transcriptions HTTP/1.1\r\nHost: localhost\r\n"
                       b"Content-Type: " + FORM_TYPE.encode() + b"\r\n"
                       b"Content-Length: %d\r\n\r\n" % len(body) + body)
        queue = lambda: daemon.get("/v1/status").json["queue"]
        wait_for(lambda: queue()["running"] == 1, "its start")
        client.close()
        wait_for(lambda: queue() == {"waiting": 0, "running": 0}, "its end")
        daemon.wait_for_log("state=cancelled")

    def test_names_that_are_no_utf8_are_answered_with_replacement_characters(self):
        model = self.folder / os.fsdecode(b"mod\xe8le")
        model.mkdir()
        daemon = self.start(model=model)
        name = os.fsdecode(b"caf\xe9.wav")
        upload = daemon.post_form("/v1/uploads", [], self.sound(1), file_name=name)
        self.assertEqual((upload.status, upload.json["filename"]), (201, "caf\ufffd.wav"))
        loaded = daemon.request("POST", "/v1/models/whisper-1/load")
        self.assertEqual((loaded.status, loaded.json["name"]), (200, f"{self.folder}/mod\ufffdle"))
        self.assertEqual(daemon.get("/v1/ps").json["models"][0]["name"], loaded.json["name"])
        self.assertEqual(daemon.get("/v1/status").json["default_model"], loaded.json["name"])
        unloaded = daemon.request("POST", "/v1/models/whisper-1/unload")
        self.assertEqual(unloaded.json, {"name": loaded.json["name"], "unloaded": True})
        job = daemon.post_form("/v1/jobs", [], self.sound(1), file_name=name)
        self.assertEqual((job.status, job.json["title"]), (202, "caf\ufffd.wav"))

    def test_what_was_answered_is_kept_nowhere(self):
        daemon = self.start()
        self.transcribe(daemon)
        wait_for(lambda: daemon.get("/v1/jobs").json["data"] == [], "that it is forgotten")

    def test_models_are_listed_loaded_and_unloaded(self):
        daemon = self.start()
        self.assertEqual(daemon.get("/v1/models").json["object"], "list")
        loaded = daemon.request("POST", "/v1/models/whisper-1/load", '{"keep_alive": "10m"}',
                                {"Content-Type": "application/json"})
        self.assertEqual(loaded.status, 200, loaded.text)
        self.assertEqual(loaded.json["device"], "cpu")
        models = daemon.get("/v1/ps").json["models"]
        self.assertEqual(len(models), 1)
        self.assertGreater(models[0]["expires_in_s"], 590)
        self.assertTrue(daemon.request("POST", "/v1/models/whisper-1/unload").json["unloaded"])
        self.assertEqual(daemon.get("/v1/ps").json["models"], [])

    def test_names_of_models_may_have_slashes(self):
        daemon = self.start("--set", "model.aliases=org/model=" + str(self.model))
        for name in ("org/model", "org%2Fmodel", "org%2fmodel"):
            with self.subTest(name):
                loaded = daemon.request("POST", f"/v1/models/{name}/load")
                self.assertEqual(loaded.status, 200, loaded.text)
                self.assertEqual(len(daemon.get("/v1/ps").json["models"]), 1)
                self.assertTrue(daemon.request("POST", f"/v1/models/{name}/unload").json["unloaded"])

        for method, path, code in (("GET", "/v1/models/org/other", "model_not_found"),
                                   ("DELETE", "/v1/models/org%2Fother", "model_not_found"),
                                   ("POST", "/v1/models/org/other/pull", "model_not_found"),
                                   ("DELETE", "/v1/models/org/other/pull", "no_pull")):
            answer = daemon.request(method, path)
            self.assertEqual((answer.status, answer.json["error"]["code"]), (404, code), path)

    def test_a_list_of_models_is_whole_whatever_its_address_asks(self):
        answer = self.start().get("/v1/models?limit=1")
        self.assertEqual((answer.status, answer.json["object"]), (200, "list"))
        self.assertIn("limit", answer.headers["warning"])

    def test_requests_by_old_clients_and_proxies(self):
        self.environment["SCRIBED_API_KEY"] = "a-key-of-this-test"
        daemon = self.start()
        key = "Authorization: Bearer a-key-of-this-test\r\n"
        for head in (f"GET http://elsewhere/v1/models HTTP/1.1\r\nHost: localhost\r\n{key}",
                     f"GET /v1/models HTTP/1.1\r\nHost:\r\n{key}",
                     f"GET /v1/models HTTP/1.0\r\n{key}"):
            with self.subTest(head.split("\r\n")[0]):
                with socket.create_connection(("127.0.0.1", daemon.port), TIME_LIMIT) as line:
                    line.sendall(head.encode() + b"Connection: close\r\n\r\n")
                    self.assertIn(b" 200 ", line.makefile("rb").readline())

    def test_a_model_is_unloaded_after_its_keep_alive(self):
        daemon = self.start()
        self.transcribe(daemon, 1, keep_alive="0")
        wait_for(lambda: daemon.get("/v1/ps").json["models"] == [], "that it is unloaded")

    def test_tells_how_it_is(self):
        daemon = self.start()
        self.assertEqual(daemon.get("/livez").text, "ok\n")
        self.assertEqual(daemon.get("/readyz").text, "ok\n")
        self.assertEqual(daemon.get("/health").json["status"], "ok")
        self.transcribe(daemon, 6)
        status = daemon.get("/v1/status").json
        self.assertEqual((status["ready"], status["models"][0]["device"]), (True, "cpu"))
        # A request is counted when its answer has been sent.
        metrics = wait_for(lambda: 'route="/v1/audio/transcriptions"' in (said := daemon.get("/metrics").text) and said,
                           "the count of the request")
        self.assertIn('scribed_jobs_ended_total{state="done"} 1', metrics)
        self.assertIn("scribed_audio_seconds_total 6", metrics)

    def test_without_a_model_it_is_not_ready_and_tells_only_some_what_to_do(self):
        daemon = self.start(model="no-such-model")
        for path in ("/readyz", "/health"):
            answer = daemon.get(path)
            self.assertEqual(answer.status, 503)
            self.assertIn("not ready: the default model is not installed", answer.text)
            self.assertNotIn("no-such-model", answer.text)
        self.assertIn("no-such-model", daemon.get("/v1/status").json["problem"])

    def test_describes_itself(self):
        daemon = self.start()
        document = daemon.get("/openapi.json").json
        self.assertEqual(document["openapi"], "3.1.0")
        for path, methods in document["paths"].items():
            for method in methods:
                if path == "/v1/events":  # it has no end
                    continue
                status = daemon.request(method.upper(), path.replace("{id}", "x"), b"").status
                self.assertNotIn(status, (405 if path != "/mcp" else 0, 500), f"{method} {path}")
        self.assertIn("/v1/audio/transcriptions", daemon.get("/docs").text)

    def test_with_a_key_nothing_else_gets_in(self):
        self.environment["SCRIBED_API_KEY"] = "secret-key-of-this-test"
        daemon = self.start()
        document = daemon.get("/openapi.json").json
        for path, methods in document["paths"].items():
            for method, about in methods.items():
                for headers in ({}, {"Authorization": "Bearer wrong"}, {"Authorization": "Bearer "},
                                {"Authorization": "Basic secret-key-of-this-test"}):
                    status = daemon.request(method.upper(), path.replace("{id}", "x"), b"",
                                            headers).status
                    self.assertEqual(status == 401, bool(about["security"]), f"{method} {path}")
        good = {"Authorization": "Bearer secret-key-of-this-test"}
        self.assertEqual(daemon.request("GET", "/v1/models", headers=good).status, 200)
        self.assertEqual(daemon.get("/v1/models?api_key=secret-key-of-this-test").status, 401)
        self.assertNotIn("secret-key", daemon.log())

    def test_one_client_does_not_see_the_jobs_of_another(self):
        keys = self.folder / "keys"
        keys.write_text("ada key-of-ada-0123456789\nbob key-of-bob-0123456789\n")
        keys.chmod(0o600)
        daemon = self.start("--key-file", keys)
        ada = {"Authorization": "Bearer key-of-ada-0123456789"}
        bob = {"Authorization": "Bearer key-of-bob-0123456789"}
        job = daemon.post_form("/v1/jobs", [], self.sound(1), ada).json["id"]
        upload = daemon.post_form("/v1/uploads", [], self.sound(1), ada).json["id"]
        for method, path in (("GET", ""), ("DELETE", ""), ("GET", "/events"),
                             ("GET", "/transcript")):
            path = f"/v1/jobs/{job}{path}"
            self.assertEqual(daemon.request(method, path, headers=bob).status, 404, path)
        self.assertEqual(daemon.request("GET", "/v1/jobs", headers=bob).json["data"], [])
        self.assertEqual(daemon.post_form("/v1/jobs", [("upload", upload)], headers=bob).status, 404)
        self.assertEqual(daemon.request("DELETE", f"/v1/uploads/{upload}", headers=bob).status, 404)
        self.assertEqual(daemon.request("POST", "/v1/models/base/unload", b"", bob).status, 403)
        self.assertEqual(daemon.request("GET", f"/v1/jobs/{job}", headers=ada).status, 200)

    def test_web_pages_of_others_are_kept_out_of_every_route(self):
        daemon = self.start()
        for path in daemon.get("/openapi.json").json["paths"]:
            path = path.replace("{id}", "x")
            self.assertEqual(daemon.get(path, Host="evil.example").status, 403, path)
            self.assertEqual(daemon.get(path, Origin="https://evil.example").status, 403, path)
        self.assertEqual(daemon.get("/livez", Origin="http://localhost:3000").status, 200)

    def test_pages_of_this_machine_use_a_server_without_keys_and_others_are_told_why_not(self):
        daemon = self.start("--set", "server.allowed_hosts=scribed.lan")
        question = {"Access-Control-Request-Method": "POST", "Access-Control-Request-Headers": "content-type"}
        own = daemon.request("OPTIONS", "/v1/jobs", headers={"Origin": "http://localhost:3000", **question})
        self.assertEqual((own.status, own.headers["access-control-allow-origin"]), (204, "http://localhost:3000"))
        same_name = {"Host": "scribed.lan:8080", "Origin": "http://scribed.lan:3000", **question}
        other = daemon.request("OPTIONS", "/v1/jobs", headers=same_name)
        self.assertEqual((other.status, other.json["error"]["code"]), (403, "forbidden"))
        self.assertIn('add "http://scribed.lan:3000" to server.allowed_origins', other.json["error"]["message"])

    def test_a_body_that_is_too_large_is_refused_and_leaves_nothing(self):
        daemon = self.start("--set", "server.max_body_bytes_sync=100000")
        answer = self.transcribe(daemon, 60)
        self.assertEqual((answer.status, answer.json["error"]["code"]), (413, "too_large"))
        self.assertEqual(list((self.state / "inputs").iterdir()), [])

    def test_spoken_text_and_file_names_do_not_come_into_the_log(self):
        daemon = self.start("--log-level", "debug")
        self.transcribe(daemon)
        daemon.terminate()
        self.assertNotIn("Segment", daemon.log())
        self.assertNotIn("talk.wav", daemon.log())


if __name__ == "__main__":
    unittest.main()
