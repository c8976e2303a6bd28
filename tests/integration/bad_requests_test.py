"""What a client may do wrong, and what it is told. With SCRIBED_PRINT=1 the table is printed."""

import json
import os
import re
import socket
import unittest

from daemon import BOUNDARY, FORM_TYPE, DaemonTest, form

TRANSCRIBE = "/v1/audio/transcriptions"


def raw(text, body=b""):
    return text.replace("\n", "\r\n").encode("latin-1") + body


def send(port, data):
    """The status and error code that come back for these bytes."""
    with socket.create_connection(("127.0.0.1", port), 10) as client:
        client.settimeout(10)
        client.sendall(data)
        answer = b""
        try:
            while chunk := client.recv(65536):
                answer += chunk
                head, _, body = answer.partition(b"\r\n\r\n")
                length = [line for line in head.lower().split(b"\r\n")
                          if line.startswith(b"content-length:")]
                if length and len(body) >= int(length[0].split(b":")[1]):
                    break
        except OSError:
            pass
    status = int(answer.split(b" ")[1]) if answer else 0
    code = re.search(rb'"code":"?([^",}]+)', answer)
    return status, code[1].decode() if code else ""


def get(path, extra=""):
    return raw(f"GET {path} HTTP/1.1\nHost: localhost\n{extra}\n")


def post(path, body, kind, extra=""):
    return raw(f"POST {path} HTTP/1.1\nHost: localhost\nContent-Type: {kind}\n"
               f"Content-Length: {len(body)}\n{extra}\n", body)


def transcribe(fields, file=b"RIFF", path=TRANSCRIBE, kind=FORM_TYPE):
    return post(path, form(fields, file), kind)


def ping(value):
    body = '{"jsonrpc":"2.0","id":1,"method":"ping","params":{"a":' + value + "}}"
    return post("/mcp", body.encode(), "application/json")


PARSE_ERROR = "-32700"  # code of JSON-RPC
MODEL = ("model", "whisper-1")
CLIP = "data:audio/wav;base64,bm8gc291bmQ="  # which is none

REQUESTS = [
    # HTTP itself
    ("no HTTP at all", b"\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03\r\n\r\n", 400, "bad_request"),
    ("a line without a version", raw("GET /\n\n"), 400, "bad_request"),
    ("HTTP/2's preface", raw("PRI * HTTP/2.0\n\nSM\n\n"), 400, "bad_request"),
    ("no host", raw("GET /livez HTTP/1.1\n\n"), 400, "bad_request"),
    ("two hosts", raw("GET /livez HTTP/1.1\nHost: localhost\nHost: localhost\n\n"), 400, "bad_request"),
    ("a bare line feed", b"GET /livez HTTP/1.1\nHost: localhost\n\n", 400, "bad_request"),
    ("a folded field", raw("GET /livez HTTP/1.1\nHost: localhost\nX-A: a\n b\n\n"), 400, "bad_request"),
    ("a null byte in a field", raw("GET /livez HTTP/1.1\nHost: localhost\nX-A: a\0b\n\n"), 400, "bad_request"),
    ("a space before the colon", raw("GET /livez HTTP/1.1\nHost : localhost\n\n"), 400, "bad_request"),
    ("101 fields", get("/livez", "".join(f"X-{i}: a\n" for i in range(101))), 431, "header_too_large"),
    ("a field of 20 KiB", get("/livez", f"X-A: {'a' * 20480}\n"), 431, "header_too_large"),
    ("two lengths", get("/livez", "Content-Length: 1\nContent-Length: 2\n"), 400, "bad_request"),
    ("a negative length", get("/livez", "Content-Length: -1\n"), 400, "bad_request"),
    ("a length of letters", get("/livez", "Content-Length: abc\n"), 400, "bad_request"),
    ("length and chunks", get("/livez", "Content-Length: 3\nTransfer-Encoding: chunked\n"), 400, "bad_request"),
    ("gzip as transfer coding", get("/livez", "Transfer-Encoding: gzip\n"), 400, "bad_request"),
    ("a compressed body", post(TRANSCRIBE, b"x", FORM_TYPE, "Content-Encoding: gzip\n"), 415, "unsupported_media_type"),
    ("a path with ..", get("/v1/../etc/passwd"), 400, "bad_request"),
    ("a path with encoded ..", get("/v1/%2e%2e/etc"), 400, "bad_request"),
    ("a half escape", get("/v1/jobs/%2"), 400, "bad_request"),
    ("a path that is not UTF-8", get("/v1/jobs/%ff"), 404, "job_not_found"),
    ("an address of another scheme", raw("GET ftp://localhost/livez HTTP/1.1\nHost: localhost\n\n"), 400, "bad_request"),
    ("a whole address of another host", raw("GET http://evil.example/livez HTTP/1.1\nHost: localhost\n\n"), 403, "forbidden"),
    ("an empty host", raw("GET /livez HTTP/1.1\nHost:\n\n"), 403, "forbidden"),
    ("an unknown method", raw("BREW /livez HTTP/1.1\nHost: localhost\n\n"), 405, "usage"),
    ("a method that is not there", raw("PUT /v1/jobs HTTP/1.1\nHost: localhost\nContent-Length: 0\n\n"), 405, "usage"),
    ("a path that is not there", get("/v2/jobs"), 404, "not_found_here"),
    ("another host", raw("GET /livez HTTP/1.1\nHost: evil.example\n\n"), 403, "forbidden"),
    ("another origin", get("/livez", "Origin: https://evil.example\n"), 403, "forbidden"),
    ("the origin null", get("/livez", "Origin: null\n"), 403, "forbidden"),
    ("a broken chunk", raw(f"POST {TRANSCRIBE} HTTP/1.1\nHost: localhost\nContent-Type: {FORM_TYPE}\n"
                           "Transfer-Encoding: chunked\n\nzz\n"), 400, "bad_request"),
    ("a length of a tebibyte", raw(f"POST {TRANSCRIBE} HTTP/1.1\nHost: localhost\n"
                                   f"Content-Type: {FORM_TYPE}\nContent-Length: {1 << 40}\n\n"), 413, "too_large"),
    # forms
    ("no form", post(TRANSCRIBE, b"{}", "application/json"), 415, "unsupported_media_type"),
    ("a form without a boundary", post(TRANSCRIBE, b"x", "multipart/form-data"), 400, "bad_request"),
    ("an empty boundary", post(TRANSCRIBE, b"x", 'multipart/form-data; boundary=""'), 400, "bad_request"),
    ("a form that is cut off", post(TRANSCRIBE, form([MODEL], b"RIFF")[:-20], FORM_TYPE), 400, "bad_request"),
    ("no part at all", post(TRANSCRIBE, f"--{BOUNDARY}--\r\n".encode(), FORM_TYPE), 400, "missing_required_parameter"),
    ("a part without a name", post(TRANSCRIBE, f"--{BOUNDARY}\r\nX-A: b\r\n\r\nx\r\n--{BOUNDARY}--\r\n".encode(),
                                   FORM_TYPE), 400, "bad_request"),
    ("65 parts", transcribe([("keywords[]", "a")] * 64 + [MODEL]), 400, "bad_request"),
    ("two files", post(TRANSCRIBE, form([], b"a")[:-len(BOUNDARY) - 6] + form([MODEL], b"b"), FORM_TYPE), 400, "usage"),
    ("no file", transcribe([MODEL], None), 400, "missing_required_parameter"),
    ("no model", transcribe([]), 400, "missing_required_parameter"),
    ("an unknown model", transcribe([("model", "gpt-9")]), 404, "model_not_found"),
    ("a path as model", transcribe([("model", "/etc/passwd")]), 404, "model_not_found"),
    ("a mistyped parameter", transcribe([MODEL, ("langauge", "de")]), 400, "unknown_parameter"),
    ("a parameter of the address", post(TRANSCRIBE + "?language=de", form([MODEL], b"RIFF"), FORM_TYPE), 400, "unknown_parameter"),
    ("a parameter of 70 KiB", transcribe([MODEL, ("prompt", "a" * 70000)]), 413, "too_large"),
    ("an unknown format", transcribe([MODEL, ("response_format", "xml")]), 400, "invalid_value"),
    ("times of letters", transcribe([MODEL, ("response_format", "verbose_json"),
                                     ("timestamp_granularities[]", "letter")]), 400, "invalid_value"),
    ("a temperature below 0", transcribe([MODEL, ("temperature", "-1")]), 400, "invalid_value"),
    ("a temperature above 1", transcribe([MODEL, ("temperature", "1.01")]), 400, "invalid_value"),
    ("a temperature that is no number", transcribe([MODEL, ("temperature", "nan")]), 400, "invalid_value"),
    ("an unknown language", transcribe([MODEL, ("language", "klingon")]), 400, "invalid_value"),
    ("languages that are none", transcribe([MODEL, ("languages[]", "de"), ("languages[]", "klingon")]), 400, "invalid_value"),
    ("something else to include", transcribe([MODEL, ("include[]", "usage")]), 400, "invalid_value"),
    ("an unknown chunking strategy", transcribe([MODEL, ("chunking_strategy[type]", "server")]), 400, "invalid_value"),
    ("a VAD filter of perhaps", transcribe([MODEL, ("vad_filter", "perhaps")]), 400, "invalid_value"),
    ("a fallback that is none", transcribe([MODEL, ("fallback", "last")]), 400, "invalid_value"),
    ("a loop detection that may be", transcribe([MODEL, ("loop_detection", "perhaps")]), 400, "invalid_value"),
    ("a repetition penalty of 0", transcribe([MODEL, ("repetition_penalty", "0")]), 400, "invalid_value"),
    ("n-grams of half a token", transcribe([MODEL, ("no_repeat_ngram_size", "0.5")]), 400, "invalid_value"),
    ("a silence of minus one", transcribe([MODEL, ("hallucination_silence_threshold", "-1")]), 400, "invalid_value"),
    ("tokens of letters", transcribe([MODEL, ("suppress_tokens", "all")]), 400, "invalid_value"),
    ("channels apart", transcribe([MODEL, ("channels", "apart")]), 400, "invalid_value"),
    ("labels of mixed channels", transcribe([MODEL, ("channel_labels[]", "A"), ("channel_labels[]", "B")]), 400, "invalid_value"),
    ("one label for two channels", transcribe([MODEL, ("channels", "split"), ("channel_labels[]", "A")]), 400, "invalid_value"),
    ("a known speaker without a clip", transcribe([MODEL, ("known_speaker_names[]", "Ada")]), 400, "invalid_value"),
    ("a clip without a name", transcribe([MODEL, ("known_speaker_references[]", CLIP)]), 400, "invalid_value"),
    ("a clip that is no data URL", transcribe([MODEL, ("known_speaker_names[]", "Ada"), ("known_speaker_references[]", "ada.wav")]),
     400, "invalid_value"),
    ("a clip that is no sound", transcribe([MODEL, ("known_speaker_names[]", "Ada"), ("known_speaker_references[]", CLIP)]),
     400, "unusable_clip"),
    ("a speaker's name of two lines", transcribe([MODEL, ("known_speaker_names[]", "A\nB"), ("known_speaker_references[]", CLIP)]),
     400, "bad_speaker_name"),
    ("two known speakers of one name", transcribe([MODEL, *2 * [("known_speaker_names[]", "Ada"), ("known_speaker_references[]", CLIP)]]),
     400, "bad_speaker_name"),
    ("17 known speakers", transcribe([MODEL, *[(f"known_speaker_{field}[]", value + (str(i) if field == "names" else ""))
                                               for i in range(17) for field, value in (("names", "Ada"), ("references", CLIP))]]),
     400, "bad_speaker_name"),
    ("two known speakers of one", transcribe([MODEL, ("num_speakers", "1"), ("known_speaker_names", '["Ada", "Grace"]'),
                                              ("known_speaker_references", json.dumps([CLIP, CLIP]))]), 400, "bad_speaker_name"),
    ("a clip of five megabytes", transcribe([MODEL, ("known_speaker_names[]", "Ada"),
                                             ("known_speaker_references[]", "data:;base64," + "A" * 5_000_000)]), 413, "too_large"),
    ("a stream of maybe", transcribe([MODEL, ("stream", "maybe")]), 400, "invalid_value"),
    ("a keep-alive of words", transcribe([MODEL, ("keep_alive", "long")]), 400, "invalid_value"),
    ("a keep-alive of 400 digits", transcribe([MODEL, ("keep_alive", "9" * 400 + "h")]), 400, "invalid_value"),
    ("a prompt of 9,000 bytes", transcribe([MODEL, ("prompt", "a" * 9000)]), 400, "invalid_value"),
    ("keywords of 9,000 bytes", transcribe([MODEL, ("keywords[]", "a" * 5000), ("keywords[]", "b" * 4000)]), 400, "invalid_value"),
    ("101 languages", transcribe([MODEL, ("languages", json.dumps(["de"] * 101))]), 400, "invalid_value"),
    ("an upload that is not there", transcribe([MODEL, ("upload", "upload://x")], None), 404, "upload_not_found"),
    ("a file and an upload", transcribe([MODEL, ("upload", "x")]), 400, "invalid_value"),
    # sound
    ("an empty file", transcribe([MODEL], b""), 400, "empty_input"),
    ("text as sound", transcribe([MODEL], b"hello " * 100), 400, "unsupported_format"),
    ("a playlist as sound", transcribe([MODEL], b"#EXTM3U\n#EXT-X-TARGETDURATION:10\n#EXTINF:10,\nhttp://127.0.0.1:9/a.ts\n"),
     400, "refers_to_other_files"),
    ("a WAV header alone", transcribe([MODEL], b"RIFF$\0\0\0WAVEfmt \x10\0\0\0\x01\0\x01\0\x80>\0\0\0}\0\0\x02\0\x10\0data\0\0\0\0"),
     400, "empty_audio"),
    # jobs
    ("a job that is not there", get("/v1/jobs/abc"), 404, "job_not_found"),
    ("a page of 0", get("/v1/jobs?limit=0"), 400, "invalid_value"),
    ("a page of 1e9", get("/v1/jobs?limit=1000000000"), 400, "invalid_value"),
    ("a page of letters", get("/v1/jobs?limit=ten"), 400, "invalid_value"),
    ("a query parameter that is none", get("/v1/jobs?state=done"), 400, "unknown_parameter"),
    ("a query parameter twice", get("/v1/jobs?limit=1&limit=2"), 400, "invalid_value"),
    ("a status that is none", get("/v1/jobs?status=ready"), 400, "invalid_value"),
    ("a language that is none", get("/v1/jobs?language=klingon"), 400, "invalid_value"),
    ("an address to fetch", transcribe([MODEL, ("url", "https://example.org/a.mp3")], None), 400, "url_refused"),
    ("a time to be kept of a century", transcribe([("keep_results_s", "3e9")], path="/v1/jobs"), 400, "invalid_value"),
    ("metadata that is no object", transcribe([("metadata", "[]")], path="/v1/jobs"), 400, "invalid_value"),
    ("a webhook on this machine", transcribe([("webhook_url", "http://127.0.0.1:1/")], path="/v1/jobs"), 400, "url_refused"),
    ("a webhook of another scheme", transcribe([("webhook_url", "file:///etc/passwd")], path="/v1/jobs"), 400, "url_refused"),
    ("parameters for an upload", transcribe([MODEL], path="/v1/uploads"), 400, "invalid_value"),
    # MCP
    ("300,000 objects in an array", ping("[" + ",".join(["{}"] * 300_000) + "]"), 400, PARSE_ERROR),
    ("300,000 objects in an object", ping(json.dumps({str(i): {} for i in range(300_000)})), 400, PARSE_ERROR),
    ("10,000 brackets", ping("[" * 10_000 + "]" * 10_000), 400, PARSE_ERROR),
    # models
    ("a load without an object", post("/v1/models/base/load", b"[]", "application/json"), 400, "invalid_value"),
    ("a load with more", post("/v1/models/base/load", b'{"a": 1}', "application/json"), 400, "invalid_value"),
    ("a load of 5000 bytes", post("/v1/models/base/load", b" " * 5000, "application/json"), 413, "too_large"),
    ("loading what is not there", post("/v1/models/gpt-9/load", b"", "application/json"), 404, "model_not_found"),
]


class BadRequestsTest(DaemonTest):
    def test_every_bad_request_is_told_what_is_wrong_and_the_daemon_lives_on(self):
        daemon = self.start()
        for name, data, status, code in REQUESTS:
            with self.subTest(name):
                answer = send(daemon.port, data)
                if os.environ.get("SCRIBED_PRINT"):
                    print(f"| {name} | {answer[0]} | {answer[1]} |")
                self.assertEqual(answer, (status, code))
        self.assertEqual(daemon.get("/readyz").status, 200)
        self.assertEqual(daemon.get("/v1/status").json["queue"], {"waiting": 0, "running": 0})
        self.assertEqual(list((self.state / "inputs").iterdir()), [])


if __name__ == "__main__":
    unittest.main()
