"""One request id runs through the answer, the log of requests, the job, and the worker that does it."""

import re
import unittest

from daemon import FORM_TYPE, DaemonTest, form
from scribed_command import processes, wait_for

ADA = "ada-has-this-key-of-hers"
TRACE, SPAN = "4bf92f3577b34da6a3ce929d0e0e4736", "00f067aa0ba902b7"


class TraceTest(DaemonTest):
    def line(self, daemon, message, request_id):
        def find():
            return [line for line in daemon.lines
                    if f"msg={message} " in line and f"request_id={request_id} " in line]
        return wait_for(find, f"{message} of {request_id}")[0]

    def start_with_key(self):
        keys = self.folder / "keys"
        keys.write_text(f"ada {ADA}\n")
        keys.chmod(0o600)
        return self.start("--key-file", keys)

    def test_a_job_is_followed_from_its_request_to_its_worker(self):
        daemon = self.start_with_key()
        answer = daemon.request(
            "POST", "/v1/jobs", form([], self.sound(1)),
            {"Content-Type": FORM_TYPE, "Authorization": f"Bearer {ADA}", "X-Request-Id": "from-ada",
             "Traceparent": f"00-{TRACE}-{SPAN}-01"})
        self.assertEqual(answer.headers["x-request-id"], "from-ada")
        self.assertEqual(answer.json["request_id"], "from-ada")
        job = answer.json["id"]
        request = self.line(daemon, "request", "from-ada")
        for field in ("key=ada", f"trace_id={TRACE}", f"span_id={SPAN}"):
            self.assertIn(f" {field} ", request)
        begun = self.line(daemon, '"job begun"', "from-ada")
        for field in (f"job={job}", "key=ada", f"trace_id={TRACE}"):
            self.assertIn(f" {field} ", begun)
        worker = int(re.search(r"worker=(\d+)", begun)[1])
        self.assertIn(worker, processes())
        ended = self.line(daemon, '"job ended"', "from-ada")
        self.assertIn(f" job={job} ", ended)

    def test_a_worker_says_whose_request_has_failed(self):
        daemon = self.start_with_key()
        answer = daemon.request(
            "POST", "/v1/jobs", form([("prompt", "fake:fail")], self.sound(1)),
            {"Content-Type": FORM_TYPE, "Authorization": f"Bearer {ADA}", "X-Request-Id": "from-ada"})
        self.assertEqual(answer.status, 202, answer.text)
        wait_for(lambda: "scribed-worker: request from-ada failed: non_finite_logits" in daemon.log(),
                 "the worker's line")

    def test_no_client_is_followed_by_what_is_no_trace(self):
        daemon = self.start_with_key()
        daemon.get("/v1/jobs", **{"Traceparent": "00-nonsense", "X-Request-Id": "odd"})
        request = self.line(daemon, "request", "odd")
        self.assertIn(' key="" ', request)
        self.assertIn(' trace_id="" ', request)


if __name__ == "__main__":
    unittest.main()
