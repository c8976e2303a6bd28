"""Jobs of the daemon: what was accepted is kept, whatever dies meanwhile."""

import http.client
import json
import os
import re
import signal
import threading
import time
import unittest

from daemon import Answer, Daemon, DaemonTest
from scribed_command import TIME_LIMIT, processes, wait_for


def whole_text(seconds):
    return "".join(f"Segment {i}.\n" for i in range(seconds // 5))


class JobsTest(DaemonTest):
    def worker_of(self, daemon):
        return wait_for(lambda: [pid for pid, (parent, name) in processes().items()
                                 if parent == daemon.process.pid and name == "scribed-worker"],
                        "a worker")[0]

    def text(self, daemon, job):
        return daemon.get(f"/v1/jobs/{job}/transcript").text

    def events(self, daemon, job):
        return [json.loads(line[6:]) for line in
                daemon.get(f"/v1/jobs/{job}/events").text.splitlines()
                if line.startswith("data: ")]

    def test_a_job_is_accepted_before_it_is_done_and_its_text_is_read_in_any_format(self):
        daemon = self.start()
        answer = daemon.post_form("/v1/jobs", [("language", "en")], self.sound(12),
                                  file_name="talk.wav")
        self.assertEqual(answer.status, 202, answer.text)
        self.assertEqual(answer.headers["location"], f"/v1/jobs/{answer.json['id']}")
        self.assertEqual(answer.json["title"], "talk.wav")
        job = daemon.wait_for_job(answer.json["id"])
        self.assertEqual((job["status"], job["segments"], job["attempts"]), ("done", 3, 1))
        self.assertEqual(job["device"], "cpu")
        self.assertEqual(self.text(daemon, job["id"]), "Segment 0.\nSegment 1.\nSegment 2.\n")
        for wanted, start in (("srt", "1\n00:00:00"), ("vtt", "WEBVTT"), ("tsv", "start\tend")):
            text = daemon.get(f"/v1/jobs/{job['id']}/transcript?format={wanted}").text
            self.assertTrue(text.startswith(start), text)
        segments = daemon.get(f"/v1/jobs/{job['id']}/transcript?format=json").json["segments"]
        self.assertEqual([s["id"] for s in segments], [0, 1, 2])
        self.assertEqual(daemon.get(f"/v1/jobs/{job['id']}/transcript?format=doc").status, 400)

    def test_a_client_that_waits_for_the_text_costs_the_jobs_on_the_disk_no_byte(self):
        daemon = self.start()

        def stored():
            return {file.name: file.read_bytes() for file in self.state.glob("jobs.sqlite*")}

        daemon.wait_for_job(daemon.submit(self.sound(1)))
        before = stored()
        answer = daemon.post_form("/v1/audio/transcriptions", [("model", "whisper-1")], self.sound(12))
        self.assertEqual(answer.status, 200, answer.text)
        self.assertEqual(stored(), before)

    def test_lists_in_pages_the_newest_first(self):
        daemon = self.start()
        jobs = [daemon.submit(self.sound(1)) for _ in range(3)]
        first = daemon.get("/v1/jobs?limit=2").json
        self.assertEqual([job["id"] for job in first["data"]], [jobs[2], jobs[1]])
        self.assertTrue(first["has_more"])
        rest = daemon.get(f"/v1/jobs?limit=2&after={jobs[1]}").json
        self.assertEqual([job["id"] for job in rest["data"]], [jobs[0]])
        self.assertFalse(rest["has_more"])
        daemon.request("DELETE", f"/v1/jobs/{jobs[1]}")
        gone = daemon.get(f"/v1/jobs?limit=2&after={jobs[1]}")
        self.assertEqual((gone.status, gone.json["error"]["param"]), (400, "after"))

    def test_a_list_has_what_passes_its_filters(self):
        self.behave("slow")
        daemon = self.start("--set", "jobs.parallel=1")
        done = daemon.submit(self.sound(12))
        daemon.wait_for_job(done)
        running, queued = daemon.submit(self.sound(300)), daemon.submit(self.sound(1))
        wait_for(lambda: daemon.job(running)["status"] == "running", "its start")
        found = lambda query: [job["id"] for job in daemon.get(f"/v1/jobs?{query}").json["data"]]
        self.assertEqual(found("status=done"), [done])
        self.assertEqual(found("status=running"), [running])
        self.assertEqual(found("status=queued&model=whisper-1"), [queued])
        self.assertEqual(found("q=segment+2.&status=done"), [done])
        self.assertEqual(found("q=no+such+text"), [])
        self.assertEqual(found("q=TALK.WAV&limit=2"), [queued, running])
        self.assertEqual(found(f"q=talk.wav&limit=2&after={running}"), [done])

    def test_a_job_has_metadata_and_a_time_to_live_of_its_own(self):
        daemon = self.start()
        answer = daemon.post_form("/v1/jobs", [("metadata[call]", "17"), ("keep_results_s", "2")],
                                  self.sound(1))
        self.assertEqual((answer.status, answer.json["metadata"]), (202, {"call": "17"}))
        job = daemon.wait_for_job(answer.json["id"])
        self.assertAlmostEqual(job["expires_at"] - job["finished_at"], 2, places=2)
        daemon.kill()
        again = self.start("--set", "jobs.max_keep_results_s=60")
        self.assertEqual(again.job(job["id"])["metadata"], {"call": "17"})
        refused = again.post_form("/v1/jobs", [("keep_results_s", "61")], self.sound(1))
        self.assertEqual((refused.status, refused.json["error"]["param"]), (400, "keep_results_s"))

    def test_jobs_of_bulk_are_begun_behind_the_others(self):
        self.behave("slow")
        daemon = self.start("--set", "jobs.parallel=1")
        running = daemon.submit(self.sound(100))
        wait_for(lambda: daemon.job(running)["status"] == "running", "its begin")
        bulk = daemon.post_form("/v1/jobs", [("priority", "bulk")], self.sound(5)).json
        normal = daemon.job(daemon.submit(self.sound(5)))
        self.assertEqual((bulk["priority"], normal["priority"]), ("bulk", "normal"))
        self.assertEqual((daemon.job(bulk["id"])["queue_place"], normal["queue_place"]), (2, 1))

    def test_a_transcript_comes_in_the_formats_of_openai(self):
        daemon = self.start()
        answer = daemon.post_form("/v1/jobs", [("channels", "split"), ("channel_labels[]", "Agent"),
                                               ("channel_labels[]", "Caller"), ("include[]", "logprobs"),
                                               ("timestamp_granularities[]", "word")],
                                  self.sound(6, channels=2))
        job = daemon.wait_for_job(answer.json["id"])
        self.assertEqual(job["status"], "done", job)
        verbose = daemon.get(f"/v1/jobs/{job['id']}/transcript?format=verbose_json").json
        self.assertEqual((verbose["task"], verbose["language"], verbose["duration"]),
                         ("transcribe", "english", 6))
        self.assertEqual({segment["speaker"] for segment in verbose["segments"]}, {"Agent", "Caller"})
        self.assertEqual(verbose["words"][0]["word"], "Segment")
        self.assertEqual(verbose["logprobs"][0]["logprob"], -0.25)
        text = daemon.get(f"/v1/jobs/{job['id']}/transcript?format=text")
        self.assertTrue(text.headers["content-type"].startswith("text/plain"))
        self.assertIn("Agent: Segment 0.\n", text.text)
        plain = daemon.submit(self.sound(6))
        daemon.wait_for_job(plain)
        self.assertEqual(daemon.get(f"/v1/jobs/{plain}/transcript?format=text").text,
                         "Segment 0. Segment 1.\n")

    def test_a_deleted_job_is_gone_and_its_worker_is_free(self):
        self.behave("slow")
        daemon = self.start("--set", "jobs.parallel=1")
        long, short = daemon.submit(self.sound(300)), daemon.submit(self.sound(1))
        wait_for(lambda: daemon.job(long)["status"] == "running", "its start")
        self.assertEqual(daemon.request("DELETE", f"/v1/jobs/{long}").status, 200)
        self.assertEqual(daemon.get(f"/v1/jobs/{long}").status, 404)
        self.assertEqual(daemon.wait_for_job(short)["status"], "done")
        self.assertEqual(list((self.state / "inputs").iterdir()), [])

    def test_the_same_key_is_the_same_job(self):
        daemon = self.start()
        sound = self.sound(1)
        send = lambda data: daemon.post_form("/v1/jobs", [], data, {"Idempotency-Key": "k1"})
        first = send(sound)
        self.assertEqual(send(sound).json["id"], first.json["id"])
        other = send(self.sound(2))
        self.assertEqual((other.status, other.json["error"]["code"]),
                         (422, "idempotency_key_reused"))
        self.assertEqual(len(daemon.get("/v1/jobs").json["data"]), 1)

    def test_events_tell_of_progress_and_segments_to_the_end(self):
        self.behave("slow")
        daemon = self.start()
        job = daemon.submit(self.sound(12))
        events = self.events(daemon, job)
        kinds = [event["type"] for event in events]
        self.assertEqual(kinds.count("job.segment"), 3)
        self.assertEqual(kinds[-1], "job.ended")
        self.assertGreater(kinds.count("job.progress"), 1)
        self.assertEqual(events[-1]["job"]["status"], "done")
        positions = [e["job"]["position"] for e in events if e["type"] != "job.segment"]
        self.assertEqual(positions, sorted(positions))

    def test_events_tell_that_a_job_has_begun(self):
        self.behave("slow")
        daemon = self.start("--set", "jobs.parallel=1")
        daemon.submit(self.sound(30))
        events = self.events(daemon, daemon.submit(self.sound(5)))
        told = [(event["job"]["status"], event["job"]["position"]) for event in events
                if event["type"] == "job.progress"]
        self.assertEqual(told[:2], [("queued", 0), ("running", 0)])

    def test_the_head_of_events_ends_at_once(self):
        self.behave("slow")
        daemon = self.start()
        job = daemon.submit(self.sound(300))
        connection = http.client.HTTPConnection("127.0.0.1", daemon.port, timeout=TIME_LIMIT)
        self.addCleanup(connection.close)
        connection.request("HEAD", f"/v1/jobs/{job}/events")
        head = Answer(connection.getresponse())
        self.assertEqual((head.status, head.headers["content-type"], head.body),
                         (200, "text/event-stream", b""))
        connection.request("GET", f"/v1/jobs/{job}")
        self.assertIn(Answer(connection.getresponse()).json["status"], ("queued", "running"))

    def test_after_a_kill_a_job_goes_on_behind_its_last_segment(self):
        self.behave("slow")
        daemon = self.start()
        job = daemon.submit(self.sound(60))
        wait_for(lambda: daemon.job(job)["segments"] >= 4, "some segments")
        daemon.kill()
        again = self.start()
        found = again.job(job)
        self.assertGreaterEqual(found["segments"], 4)
        done = again.wait_for_job(job)
        self.assertEqual((done["status"], done["attempts"]), ("done", 2))
        self.assertEqual(self.text(again, job), whole_text(60))
        segments = again.get(f"/v1/jobs/{job}/transcript?format=json").json["segments"]
        self.assertEqual([s["id"] for s in segments], list(range(12)))
        self.assertEqual([s["start"] for s in segments], [5.0 * i for i in range(12)])

    def test_kills_of_the_daemon_alone_give_up_no_job(self):
        daemon = self.start()
        job = daemon.submit(self.sound(20), keywords="fake:hang")
        for _ in range(5):
            wait_for(lambda: daemon.job(job)["status"] == "running", "its begin")
            daemon.kill()
            daemon = self.start()
        found = daemon.job(job)
        self.assertIn(found["status"], ("queued", "running"), found)
        self.assertGreaterEqual(found["attempts"], 5)

    def test_a_worker_that_dies_is_replaced_and_its_jobs_go_on(self):
        self.behave("slow")
        daemon = self.start()
        jobs = [daemon.submit(self.sound(40)) for _ in range(3)]
        wait_for(lambda: all(daemon.job(job)["segments"] >= 2 for job in jobs), "some segments")
        os.kill(self.worker_of(daemon), signal.SIGKILL)
        for job in jobs:
            done = daemon.wait_for_job(job)
            self.assertEqual((done["status"], done["attempts"]), ("done", 2))
            self.assertEqual(self.text(daemon, job), whole_text(40))

    def test_a_job_that_kills_its_worker_fails_in_the_end_and_harms_no_other(self):
        daemon = self.start("--set", "jobs.parallel=1")
        poison = daemon.submit(self.sound(6), keywords="fake:die")
        good = daemon.submit(self.sound(6))
        failed = daemon.wait_for_job(poison)
        self.assertEqual((failed["status"], failed["attempts"]), ("failed", 3))
        self.assertEqual(failed["error"]["code"], "worker_died")
        self.assertEqual(daemon.wait_for_job(good)["status"], "done")

    def test_a_job_that_gets_further_each_time_is_not_given_up(self):
        daemon = self.start()
        job = daemon.submit(self.sound(30), keywords="fake:die_after:1")
        done = daemon.wait_for_job(job)
        self.assertEqual((done["status"], done["attempts"]), ("done", 7))
        self.assertEqual(self.text(daemon, job), whole_text(30))

    def test_sigterm_finishes_what_is_short_and_keeps_what_is_long(self):
        self.behave("slow")
        daemon = self.start("--set", "server.drain_s=2")
        short, long = daemon.submit(self.sound(5)), daemon.submit(self.sound(100))
        wait_for(lambda: daemon.job(long)["segments"] >= 1, "its start")
        self.assertEqual(daemon.terminate(), 0)
        again = self.start()
        self.assertEqual(again.wait_for_job(short)["status"], "done")
        done = again.wait_for_job(long)
        self.assertEqual((done["status"], done["attempts"]), ("done", 1))
        self.assertEqual(self.text(again, long), whole_text(100))

    def test_while_it_ends_it_is_not_ready_and_takes_nothing(self):
        self.behave("slow")
        daemon = self.start("--set", "server.drain_s=3")
        long = daemon.submit(self.sound(100))
        wait_for(lambda: daemon.job(long)["status"] == "running", "its start")
        daemon.process.send_signal(signal.SIGTERM)
        wait_for(lambda: daemon.get("/readyz").status == 503, "that it is not ready")
        refused = daemon.post_form("/v1/jobs", [], self.sound(1))
        self.assertEqual((refused.status, refused.json["error"]["code"]), (503, "draining"))
        self.assertTrue(refused.headers["retry-after"])
        self.assertEqual(daemon.process.wait(TIME_LIMIT), 0)

    def test_a_full_queue_is_told_at_once(self):
        self.behave("slow")
        daemon = self.start("--set", "jobs.parallel=1", "--set", "jobs.max_waiting=2",
                            "--set", "jobs.max_waiting_per_owner=2")
        running = daemon.submit(self.sound(100))
        wait_for(lambda: daemon.job(running)["status"] == "running", "its start")
        for _ in range(2):
            daemon.submit(self.sound(1))
        refused = daemon.post_form("/v1/jobs", [], self.sound(1))
        self.assertIn(refused.status, (429, 503))
        self.assertTrue(refused.headers["retry-after"])
        # Two wait and one runs; the refused ones have left nothing behind.
        self.assertEqual(len(list((self.state / "inputs").iterdir())), 3)

    def test_a_second_daemon_does_not_touch_the_jobs_of_the_first(self):
        self.start()
        with self.assertRaises(AssertionError) as refused:
            Daemon(self.scribed, self.environment, "--state-folder", self.state)
        self.assertIn("in use by another scribed", str(refused.exception))

    def test_uploads_are_transcribed_by_their_handle(self):
        daemon = self.start()
        upload = daemon.post_form("/v1/uploads", [], self.sound(6)).json
        self.assertEqual(upload["expires_at"], round(upload["expires_at"], 3))
        for handle in (upload["id"], upload["handle"]):
            answer = daemon.post_form("/v1/jobs", [("upload", handle)])
            self.assertEqual(answer.status, 202, answer.text)
            job = daemon.wait_for_job(answer.json["id"])
            self.assertEqual((job["status"], job["title"]), ("done", "talk.wav"))
        more = daemon.post_form("/v1/uploads", [], self.sound(1), file_name="call.wav").json
        listed = daemon.get("/v1/uploads?limit=1").json
        self.assertEqual(([one["id"] for one in listed["data"]], listed["has_more"]), ([more["id"]], True))
        self.assertEqual(daemon.get(f"/v1/uploads?after={more['id']}").json["data"], [upload])
        self.assertEqual(daemon.get("/v1/uploads?q=TALK").json["data"], [upload])
        self.assertEqual(daemon.request("DELETE", f"/v1/uploads/{upload['id']}").status, 200)
        gone = daemon.post_form("/v1/jobs", [("upload", upload["id"])])
        self.assertEqual((gone.status, gone.json["error"]["code"]), (404, "upload_not_found"))


if __name__ == "__main__":
    unittest.main()
