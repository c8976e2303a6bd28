"""scribed behind each proxy of packaging/proxy that is installed, with its real server and TLS."""

import base64
import http.client
import json
import os
import re
import time

import proxies
from daemon import FORM_TYPE, DaemonTest, form
from mcp_host import MODERN, text_of
from proxies import HEADERS, ProxyTest
from scribed_command import TIME_LIMIT, wait_for
from websocket_client import Refused

LOUD = b"\x00\x20"  # a sample that the fake worker takes for speech
LIE = {"X-Forwarded-For": "6.6.6.6", "Forwarded": "for=6.6.6.6", "X-Real-IP": "6.6.6.6",
       "X-Forwarded-Proto": "gopher", "X-Forwarded-Prefix": "/of-a-liar"}


def data_of(line):
    return json.loads(line.removeprefix(b"data: "))


class Live(ProxyTest):
    def test_sockets(self):
        self.behind_proxy()
        for session in (self.realtime, self.deepgram, self.jigasi):
            with self.subTest(session.__name__):
                session()

    def realtime(self):
        socket = self.web_socket("/v1/realtime?intent=transcription")
        socket.receive_json()
        settings = {"transcription": {"model": "whisper-1", "language": "en"}, "turn_detection": None}
        socket.send({"type": "session.update", "session": {"type": "transcription", "audio": {"input": settings}}})
        sound = base64.b64encode(LOUD * 24000 * 2).decode()
        socket.send({"type": "input_audio_buffer.append", "audio": sound})
        delta = "conversation.item.input_audio_transcription.delta"
        socket.receive_until(lambda event: event["type"] == delta)  # before the end of what is said
        socket.send({"type": "input_audio_buffer.commit"})
        ended = socket.receive_until(lambda event: event["type"].endswith("transcription.completed"))[-1]
        self.assertIn("w2", ended["transcript"].lower())

    def deepgram(self):
        socket = self.web_socket("/v1/listen?encoding=linear16&sample_rate=16000&language=en&interim_results=true")
        socket.send(LOUD * 16000 * 2)
        socket.receive_until(lambda event: event["type"] == "Results")
        socket.send({"type": "CloseStream"})
        events, end = socket.receive_all()
        self.assertEqual((events[-1]["type"], end.code), ("Metadata", 1000))
        with self.assertRaises(Refused) as refused:
            self.web_socket("/v1/listen?encoding=speex")
        self.assertEqual(refused.exception.status, 400)
        self.assertEqual(json.loads(refused.exception.body)["err_code"], "INVALID_QUERY_PARAMETER")

    def jigasi(self):
        socket = self.web_socket("/streaming-whisper/ws/a-meeting")
        socket.send(b"room/ada|en-US".ljust(60, b"\0") + LOUD * 16000 * 2)
        self.assertEqual(socket.receive_json()["participant_id"], "room/ada")
        socket.send(b"\0")
        events, end = socket.receive_all()
        self.assertEqual((events[-1]["type"], end.code), ("final", 1000))


class Uploads(ProxyTest):
    TUS = {"Tus-Resumable": "1.0.0", "Content-Type": "application/offset+octet-stream"}

    def offset(self, place):
        return int(self.ask("HEAD", place, **self.TUS).headers["upload-offset"])

    def test_tus_resumes_a_part_that_broke_off(self):
        self.behind_proxy()
        sound = self.sound(60)
        place = self.ask("POST", "/v1/uploads", Upload_Length=len(sound), Tus_Resumable="1.0.0").headers["location"]
        line = self.proxy.http()
        line.putrequest("PATCH", place)
        for name, value in {**HEADERS, **self.TUS, "Upload-Offset": 0, "Content-Length": len(sound)}.items():
            line.putheader(name, str(value))
        line.endheaders(sound[:700_000])
        # It arrives while the part is being sent, so the proxy does not collect it.
        wait_for(lambda: self.offset(place) == 700_000, "what was sent")
        line.close()
        rest = self.ask("PATCH", place, sound[700_000:], **self.TUS, Upload_Offset=700_000)
        self.assertEqual((rest.status, int(rest.headers["upload-offset"])), (204, len(sound)), rest.text)
        answer = self.ask("POST", "/v1/jobs", form([("upload", "upload://" + place.rsplit("/", 1)[1])]),
                          Content_Type=FORM_TYPE)
        self.assertEqual(answer.status, 202, answer.text)

    def test_a_large_upload_may_be_slow(self):
        self.behind_proxy()
        body = form([("model", "whisper-1")], self.sound(60))
        self.assertGreater(len(body), 1 << 20, "more than nginx takes by itself")
        piece = len(body) // 10 + 1
        connection = self.proxy.http()
        self.addCleanup(connection.close)
        connection.putrequest("POST", "/v1/audio/transcriptions")
        for name, value in {**HEADERS, "Content-Type": FORM_TYPE, "Content-Length": len(body)}.items():
            connection.putheader(name, str(value))
        connection.endheaders()
        for begin in range(0, len(body), piece):
            connection.send(body[begin:begin + piece])
            time.sleep(0.05)
        self.assertIn("Segment 11.", json.load(connection.getresponse())["text"])
        # The same without a length.
        pieces = (body[at:at + piece] for at in range(0, len(body), piece))
        connection.request("POST", "/v1/audio/transcriptions", pieces, {**HEADERS, "Content-Type": FORM_TYPE},
                           encode_chunked=True)
        self.assertIn("Segment 11.", json.load(connection.getresponse())["text"])

    def test_what_is_too_large_is_refused_by_scribed(self):
        self.behind_proxy("--set=server.max_upload_bytes=500000", "--set=server.max_body_bytes_sync=500000")
        answer = self.ask("POST", "/v1/jobs", form([], self.sound(20)), Content_Type=FORM_TYPE)
        self.assertEqual((answer.status, answer.json["error"]["code"]), (413, "too_large"))


class Streams(ProxyTest):
    def test_events_of_a_job_come_one_by_one(self):
        self.behave("slow")
        self.behind_proxy()
        job = self.submitted(self.sound(20)).headers["location"]
        self.assertTrue(job.startswith("/v1/jobs/"), "good behind any name")
        events = self.opened("GET", job + "/events")
        self.assertEqual(events.getheader("content-type").split(";")[0], "text/event-stream")
        first = data_of(events.readline())
        self.assertNotEqual(first["type"], "job.ended")
        self.assertEqual(self.ask("GET", job).json["status"], "running", "the event came before the end")
        self.assertIn(b'"job.ended"', events.read())

    def test_streamed_text_comes_as_it_is_found(self):
        self.behave("slow")
        self.behind_proxy()
        stream = self.opened("POST", "/v1/audio/transcriptions", {"Content-Type": FORM_TYPE},
                             form([("model", "whisper-1"), ("stream", "true")], self.sound(20)))
        line = next(line for line in stream if line.startswith(b"data: "))
        self.assertEqual(data_of(line)["type"], "transcript.text.delta")
        self.assertEqual(self.running_jobs(), 1, "the event came before the end")
        self.assertIn(b"transcript.text.done", stream.read())

    def test_mcp_tells_progress_as_it_is_made(self):
        self.behave("slow")
        self.behind_proxy()
        handle = self.ask("POST", "/v1/uploads", form([], self.sound(20)), Content_Type=FORM_TYPE).json["handle"]
        headers = {"Content-Type": "application/json", "Accept": "application/json, text/event-stream",
                   "MCP-Protocol-Version": "2026-07-28", "Mcp-Method": "tools/call", "Mcp-Name": "transcribe"}
        call = {"jsonrpc": "2.0", "id": 1, "method": "tools/call",
                "params": {"name": "transcribe", "arguments": {"upload": handle},
                           "_meta": {**MODERN, "progressToken": "p"}}}
        stream = self.opened("POST", "/mcp", headers, json.dumps(call))
        messages = (data_of(line) for line in stream if line.startswith(b"data: "))
        self.assertEqual(next(messages)["method"], "notifications/progress")
        job, = self.ask("GET", "/v1/jobs").json["data"]
        self.assertEqual(job["status"], "running", "the notification came before the end")
        self.assertIn("Segment 3.", text_of(list(messages)[-1]["result"]))

    def test_a_client_that_leaves_ends_its_transcription(self):
        self.behave("slow")
        self.behind_proxy()
        connection = self.proxy.http()
        connection.request("POST", "/v1/audio/transcriptions", form([("model", "whisper-1")], self.sound(30)),
                           {**HEADERS, "Content-Type": FORM_TYPE})
        wait_for(self.running_jobs, "the job")
        connection.close()
        state = "cancelled" if self.kind.tells_who_leaves else "done"
        self.daemon.wait_for_log(f" state={state} ")

    def running_jobs(self):
        metrics = self.daemon.get("/metrics", **HEADERS).text
        return int(re.search(r'^scribed_jobs\{state="running"\} (\d+)', metrics, re.M)[1])


class Addresses(ProxyTest):
    def test_the_client_is_named_and_nobody_can_pretend(self):
        self.behind_proxy()
        self.assertEqual(self.proxy.request("GET", "/v1/models").status, 401)
        self.assertEqual(self.ask("GET", "/v1/models", **{**LIE, "X-Request-Id": "by-proxy"}).status, 200)
        self.assertEqual(self.peer("by-proxy"), proxies.CLIENT)
        connection = http.client.HTTPConnection("127.0.0.1", self.daemon.port, TIME_LIMIT,
                                                source_address=(proxies.CLIENT, 0))
        connection.request("GET", "/v1/models", headers={**LIE, "X-Request-Id": "direct"})
        connection.getresponse().read()
        connection.close()
        self.assertEqual(self.peer("direct"), f"local:{os.getuid()}", "that is no trusted proxy")

    def test_links_lead_back_through_the_proxy(self):
        self.behind_proxy()
        for prefix in ("", "/speech"):
            with self.subTest(prefix):
                submitted = self.submitted(self.sound(1), f"{prefix}/v1/jobs", **LIE)
                self.assertTrue(submitted.headers["location"].startswith(f"{prefix}/v1/jobs/"))
                self.assertEqual(self.ask("GET", submitted.headers["location"]).status, 200)
                servers = self.ask("GET", f"{prefix}/openapi.json", **LIE).json.get("servers")
                self.assertEqual(servers, [{"url": prefix}] if prefix else None)
                login = self.proxy.request("POST", f"{prefix}/mcp", "{}", {"Content-Type": "application/json"})
                self.assertIn(f'resource_metadata="https://{proxies.NAME}:{self.proxy.port}',
                              login.headers["WWW-Authenticate"])
        moved = self.ask("GET", "/speech")
        self.assertIn(moved.status, (301, 302, 308))
        self.assertTrue(moved.headers["location"].endswith("/speech/"))

    def test_a_daemon_that_is_down_is_a_gateway_error(self):
        self.behind_proxy()
        self.daemon.kill()
        self.assertIn(self.ask("GET", "/v1/models").status, (502, 503))


class Defaults(ProxyTest):
    """What scribed does without settings: of one proxy alone."""

    def test_by_itself_no_proxy_is_trusted(self):
        self.behind_proxy(trusted=False)
        self.ask("GET", "/v1/models", X_Request_Id="by-proxy")
        self.assertRegex(self.peer("by-proxy"), r"^local:\d+$", "whoever the proxy runs as")

    def test_another_name_is_refused_without_keys_and_told_how_to_be_allowed(self):
        self.behind_proxy(with_key=False)
        refused = self.proxy.request("GET", "/v1/models")
        self.assertEqual(refused.status, 403)
        self.assertIn(f'add "{proxies.NAME}" to server.allowed_hosts', refused.json["error"]["message"])


def tests_of_all():
    """A class of tests for each proxy and each of the groups above, as NginxLiveTest."""
    for kind in proxies.ALL:
        for group in (Live, Uploads, Streams, Addresses, *([Defaults] if kind is proxies.Nginx else [])):
            name = f"{kind.__name__}{group.__name__}Test"
            yield name, type(name, (group, DaemonTest), {"kind": kind, "__module__": __name__})


globals().update(tests_of_all())
