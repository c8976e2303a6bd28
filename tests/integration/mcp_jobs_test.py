"""Transcriptions that outlive the call that began them: `scribed mcp` on durable jobs."""

import json
import signal
import unittest

from mcp_host import MODERN, TASKS, McpTest, modern, text_of
from scribed_command import wait_for

LONG = 600  # seconds of sound; the slow worker takes a minute for it


def size_of(result):
    """Bytes, as scribed writes JSON."""
    return len(json.dumps(result, separators=(",", ":"), ensure_ascii=False).encode())


def said(count, first=0):
    return [f"Segment {i}." for i in range(first, count)]


class JobsTest(McpTest):
    most_bytes = 40_000  # of a result

    def setUp(self):
        super().setUp()
        self.behave("slow")

    def pages(self, host, job, **more):
        """The segments of all pages, each asked for as the one before told."""
        segments, offset = [], 0
        while True:
            result = host.use("get_job", job=job, offset=offset, segments=True, **more)
            self.assertLess(size_of(result), self.most_bytes)
            page = result["structuredContent"]
            segments += [segment["text"] for segment in page["segments"]]
            if "next_offset" not in page:
                return segments
            offset = page["next_offset"]

    def wait_for_state(self, host, job, state):
        return wait_for(lambda: (found := host.use("get_job", job=job)) and
                        found["structuredContent"]["state"] == state and found, state)

    def begin(self, host, seconds):
        path = str(self.sound(seconds))
        return host.use("transcribe", path=path, wait_s=0)["structuredContent"]["job"]


class BudgetTest(JobsTest):
    def test_a_call_that_waited_long_enough_names_the_job_that_goes_on(self):
        self.sound(30)
        host = self.ready_host("--set", "mcp.wait_budget_s=1")
        result = host.use("transcribe", path="talk.wav")
        data = result["structuredContent"]
        self.assertEqual(data["state"], "running")
        self.assertIn(f'get_job with job="{data["job"]}"', text_of(result))
        self.assertIn("wait_s=1", text_of(result))
        self.assertEqual(self.pages(host, data["job"], wait_s=1), said(6))
        done = host.use("get_job", job=data["job"])
        self.assertEqual(done["structuredContent"]["state"], "done")
        self.assert_text(done, 6)

    def test_the_tools_tell_how_long_a_call_may_wait(self):
        host = self.ready_host("--set", "mcp.wait_budget_s=7")
        for tool in host.ask("tools/list")["result"]["tools"]:
            if "wait_s" in tool["inputSchema"]["properties"]:
                self.assertEqual(tool["inputSchema"]["properties"]["wait_s"]["maximum"], 7)
        self.assert_refused(host.use("get_job", job="none", wait_s=8), "from 0 to 7")

    def test_a_model_that_loads_long_is_told_of(self):
        self.behave("silent_start")
        host = self.ready_host("--set", "mcp.wait_budget_s=1")
        result = host.use("load_model", model="whisper-1")
        self.assertTrue(result["structuredContent"]["is_loading"])
        self.assertIn("continues in the background", text_of(result))
        self.assertIn("is being loaded", text_of(host.use("status")))


class ListTest(JobsTest):
    def test_jobs_are_listed_the_newest_first_and_cancelled(self):
        host = self.ready_host()
        jobs = [self.begin(host, LONG)]
        jobs += [host.use("transcribe", path="talk.wav", wait_s=0)["structuredContent"]["job"]
                 for _ in range(2)]
        listed = host.use("list_jobs")["structuredContent"]["jobs"]
        self.assertEqual([job["job"] for job in listed], jobs[::-1])
        page = host.use("list_jobs", limit=1, before=jobs[1])["structuredContent"]["jobs"]
        self.assertEqual([job["job"] for job in page], [jobs[0]])
        for job, cancelled in ((jobs[1], True), (jobs[1], False)):
            answer = host.use("cancel_job", job=job)["structuredContent"]
            self.assertEqual(answer["cancelled"], cancelled)
        self.assert_refused(host.use("get_job", job=jobs[1]), "was cancelled")
        states = lambda: [job["state"] for job in host.use("list_jobs")["structuredContent"]["jobs"]]
        wait_for(lambda: states() == ["running", "cancelled", "running"], "the begin of both others")
        wait_for(lambda: len(self.decoders(host)) == 2, "the end of one decoder")

    def test_a_text_comes_in_pages_by_offset(self):
        self.sound(32)
        host = self.ready_host()
        job = host.use("transcribe", path="talk.wav")["structuredContent"]["job"]
        self.assertEqual(self.pages(host, job, limit=3), said(7))
        page = host.use("get_job", job=job, offset=3, limit=2, timestamps="segment")
        self.assertIn("[0:15 - 0:20] Segment 3.\n[0:20 - 0:25] Segment 4.", text_of(page))
        self.assertIn("offset=5", text_of(page))
        self.assertEqual(page["structuredContent"]["total_segments"], 7)
        self.assertIn("nothing behind", text_of(host.use("get_job", job=job, offset=7)))
        plain = host.use("get_job", job=job)
        self.assertNotIn("segments", plain["structuredContent"])

    def test_a_result_has_a_budget_which_is_a_setting(self):
        self.behave("")
        self.sound(LONG)
        self.most_bytes = 20_000
        host = self.ready_host("--set", f"mcp.result_bytes={self.most_bytes}")
        result = host.use("transcribe", path="talk.wav", segments=True)
        self.assertLess(size_of(result), self.most_bytes)
        data = result["structuredContent"]
        self.assertIn(f"offset={data['next_offset']}", data["next_step"])
        self.assertIn(data["next_step"], text_of(result))
        self.assertGreater(data["next_offset"], 50)
        self.assertEqual(self.pages(host, data["job"]), said(LONG // 5))
        self.assertIn("Nothing is left", host.use("get_job", job=data["job"], offset=119)
                      ["structuredContent"]["next_step"])
        text, pages, offset = "", 0, 0
        while offset is not None:
            page = host.use("get_job", job=data["job"], format="srt", offset=offset, limit=50)
            self.assertLess(size_of(page), self.most_bytes)
            text += page["structuredContent"]["text"]
            offset, pages = page["structuredContent"].get("next_offset"), pages + 1
        self.assertEqual(pages, -(-LONG // 5 // 50))
        resource = host.ask("resources/read", uri=f"transcript://{data['job']}.srt")
        self.assertEqual(text, resource["result"]["contents"][0]["text"])


class RestartTest(JobsTest):
    def test_a_job_goes_on_after_a_kill_wherever_scribed_is_started_next(self):
        elsewhere = self.folder / "elsewhere"
        elsewhere.mkdir()
        self.sound(5, "elsewhere/talk.wav")
        self.sound(60)
        host = self.ready_host()
        # The path is relative, and means another file in the other folder.
        job = host.use("transcribe", path="talk.wav", wait_s=0)["structuredContent"]["job"]
        wait_for(lambda: host.use("get_job", job=job)["structuredContent"]["total_segments"] >= 3,
                 "some segments")
        host.process.kill()
        host.process.wait()
        again = self.ready_host(folder=elsewhere)
        self.assertIn(job, text_of(again.use("list_jobs")))
        self.assertGreaterEqual(
            again.use("get_job", job=job)["structuredContent"]["total_segments"], 3)
        self.assert_text(self.wait_for_state(again, job, "done"), 12)

    def test_a_job_goes_on_after_an_orderly_end(self):
        host = self.ready_host()
        job = self.begin(host, 40)
        wait_for(lambda: self.decoders(host), "its begin")
        self.assertEqual(host.end(), 0)
        self.assert_text(self.wait_for_state(self.ready_host(), job, "done"), 8)

    def test_what_a_call_waited_for_ends_with_it(self):
        for end in (signal.SIGKILL, signal.SIGTERM):
            with self.subTest(end):
                self.sound(LONG)
                host = self.ready_host()
                host.call("transcribe", path="talk.wav")
                wait_for(lambda: self.decoders(host), "its begin")
                host.process.send_signal(end)
                host.process.wait()
                again = self.ready_host()
                self.assertEqual(again.use("list_jobs")["structuredContent"]["jobs"], [])
                again.process.kill()
                again.process.wait()

    def test_two_at_once_are_strangers(self):
        self.sound(8)
        hosts = [self.ready_host() for _ in range(2)]
        calls = [host.call("transcribe", path="talk.wav") for host in hosts]
        jobs = []
        for host, call in zip(hosts, calls):
            result = host.answer_to(call)[0]["result"]
            self.assert_text(result, 2)
            jobs.append(result["structuredContent"]["job"])
        for host, job in zip(hosts, jobs):
            listed = host.use("list_jobs")["structuredContent"]["jobs"]
            self.assertEqual([one["job"] for one in listed], [job])
        self.assertEqual([host.end() for host in hosts], [0, 0])


class TasksTest(JobsTest):
    meta = modern(TASKS)

    def start_task(self, host, seconds):
        task = host.use("transcribe", self.meta, path=str(self.sound(seconds)), wait_s=0)
        self.assertEqual((task["resultType"], task["status"]), ("task", "working"))
        return task["taskId"]

    def task(self, host, task):
        return host.ask("tasks/get", _meta=self.meta, taskId=task)["result"]

    def test_a_client_with_tasks_gets_one_and_its_result(self):
        host = self.host()
        offered = host.ask("server/discover", _meta=MODERN)["result"]["capabilities"]
        self.assertIn("io.modelcontextprotocol/tasks", offered["extensions"])
        task = self.start_task(host, 20)
        wait_for(lambda: "transcri" in self.task(host, task)["statusMessage"], "its begin")
        done = wait_for(lambda: (found := self.task(host, task))["status"] == "completed" and found,
                        "its end")
        self.assert_text(done["result"], 4)
        # The task is a job as well, for clients that know only jobs.
        self.assert_text(host.use("get_job", MODERN, job=task), 4)

    def test_what_is_ready_in_time_is_no_task(self):
        self.sound(8)
        result = self.host().use("transcribe", self.meta, path="talk.wav")
        self.assertEqual(result["resultType"], "complete")
        self.assert_text(result, 2)

    def test_a_task_is_cancelled_as_often_as_one_likes(self):
        host = self.host()
        task = self.start_task(host, LONG)
        wait_for(lambda: self.decoders(host), "its begin")
        for _ in range(2):
            answer = host.ask("tasks/cancel", _meta=self.meta, taskId=task)
            self.assertEqual(answer["result"]["resultType"], "complete")
        self.assertEqual(self.task(host, task)["status"], "cancelled")
        wait_for(lambda: not self.decoders(host), "the end of its decoder")

    def test_a_transcription_that_fails_is_a_completed_task(self):
        host = self.host()
        path = str(self.sound(LONG))
        task = host.use("transcribe", self.meta, path=path, hotwords="fake:fail",
                        wait_s=0)["taskId"]
        done = wait_for(lambda: (found := self.task(host, task))["status"] == "completed" and found,
                        "its end")
        self.assert_refused(done["result"], "No numbers")

    def test_tasks_are_for_those_that_have_them(self):
        host = self.host()
        task = self.start_task(host, LONG)
        for method in ("tasks/get", "tasks/cancel"):
            self.assertEqual(host.ask(method, _meta=MODERN, taskId=task)["error"]["code"], -32021)
            unknown = host.ask(method, _meta=self.meta, taskId="none")
            self.assertEqual(unknown["error"]["code"], -32602)
        self.assertEqual(host.ask("tasks/list", _meta=self.meta)["error"]["code"], -32601)
        self.assertEqual(self.task(host, task)["status"], "working")


if __name__ == "__main__":
    unittest.main()
