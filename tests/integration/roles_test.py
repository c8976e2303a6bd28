"""Gateways, which accept jobs and answer, and workers, which transcribe, on one database."""

import signal
import socket
import threading
import unittest

from cluster_daemons import ClusterDaemonsTest
from daemon import FORM_TYPE, Daemon, form
from scribed_command import wait_for

WAITS = "/v1/audio/transcriptions"
RUNNING, CANCELLED = "1", "4"


class RolesTest(ClusterDaemonsTest):
    def gateway(self, *options):
        return self.start_node("gateway", "--role", "gateway", *options)

    def worker(self, name="worker", *options, **more):
        return self.start_node(name, "--role", "worker", *options, **more)

    def states(self):
        return self.server.ask("SELECT state FROM scribed.jobs ORDER BY number").stdout.split()

    def begin_to_wait(self, gateway, seconds):
        """The connection of a client that waits for a text, and what it was sent in the end."""
        body = form([("model", "whisper-1")], self.sound(seconds))
        client = socket.create_connection(("127.0.0.1", gateway.port))
        self.addCleanup(client.close)
        client.sendall(f"POST {WAITS} HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Type: {FORM_TYPE}\r\n"
                       f"Content-Length: {len(body)}\r\n\r\n".encode() + body)
        return client

    def answer_later(self, gateway, seconds):
        answers = []
        sound = self.sound(seconds)
        waiting = threading.Thread(target=lambda: answers.append(
            gateway.post_form(WAITS, [("model", "whisper-1")], sound)))
        waiting.start()
        self.addCleanup(waiting.join)
        return waiting, answers

    def test_jobs_of_a_gateway_are_done_by_its_workers(self):
        gateway = self.gateway()
        job = gateway.submit(self.sound(10))
        self.assertEqual(gateway.job(job)["status"], "queued")
        worker = self.worker()
        self.assertEqual(gateway.wait_for_job(job)["status"], "done")
        self.assertEqual(self.begun_by(worker), {job})
        self.assertEqual(self.begun_by(gateway), set())
        self.assertTrue(self.texts(gateway, job))

    def test_a_client_that_waits_at_a_gateway_gets_the_text_of_a_worker(self):
        gateway, worker = self.gateway(), self.worker()
        answer = gateway.post_form(WAITS, [("model", "whisper-1")], self.sound(5))
        self.assertEqual(answer.status, 200, answer.text)
        self.assertTrue(answer.json["text"])
        self.assertEqual(len(self.begun_by(worker)), 1)
        self.assertNotIn("model loaded", gateway.log())

    def test_the_job_of_a_client_that_has_left_a_gateway_ends(self):
        self.behave("slow")
        gateway, worker = self.gateway(), self.worker()
        client = self.begin_to_wait(gateway, 600)
        wait_for(lambda: self.states() == [RUNNING], "its begin")
        client.close()
        wait_for(lambda: self.states() == [], "its end")
        wait_for(lambda: 'scribed_jobs{state="running"} 0' in worker.get("/metrics").text,
                 "the worker's end of it")

    def test_jobs_whose_clients_waited_at_a_dead_gateway_end(self):
        self.behave("slow")
        gateway, _ = self.gateway(), self.worker()
        self.begin_to_wait(gateway, 600)
        wait_for(lambda: self.states() == [RUNNING], "its begin")
        gateway.kill()
        wait_for(lambda: self.states() == [CANCELLED], "its end")

    def test_a_client_that_waits_gets_its_text_although_a_worker_dies(self):
        self.behave("slow")
        gateway, first = self.gateway(), self.worker()
        waiting, answers = self.answer_later(gateway, 30)
        wait_for(lambda: self.states() == [RUNNING], "its begin")
        second = self.worker("second")
        first.process.send_signal(signal.SIGKILL)
        waiting.join()
        self.assertEqual(answers[0].status, 200, answers[0].text)
        self.assertEqual(len(self.begun_by(second)), 1)

    def test_a_worker_that_ends_gives_back_what_clients_wait_for(self):
        self.behave("slow")
        gateway, first = self.gateway(), self.worker("first", "--set", "server.drain_s=0")
        waiting, answers = self.answer_later(gateway, 30)
        wait_for(lambda: self.states() == [RUNNING], "its begin")
        second = self.worker("second")
        self.assertEqual(first.terminate(), 0)
        waiting.join()
        self.assertEqual(answers[0].status, 200, answers[0].text)
        self.assertEqual(len(self.begun_by(second)), 1)

    def test_a_gateway_that_ends_lets_its_clients_have_their_texts(self):
        self.behave("slow")
        gateway, _ = self.gateway(), self.worker()
        waiting, answers = self.answer_later(gateway, 30)
        wait_for(lambda: self.states() == [RUNNING], "its begin")
        self.assertEqual(gateway.terminate(), 0)
        waiting.join()
        self.assertEqual(answers[0].status, 200, answers[0].text)

    def test_a_worker_serves_health_and_figures_alone(self):
        worker = self.worker()
        for path in ("/livez", "/readyz", "/metrics"):
            self.assertEqual(worker.get(path).status, 200, path)
        for method, path in (("GET", "/"), ("GET", "/v1/jobs"), ("POST", "/v1/jobs"),
                             ("POST", "/mcp"), ("GET", "/v1/realtime"), ("GET", "/nowhere")):
            refused = worker.request(method, path)
            self.assertEqual(refused.status, 404, path)
            self.assertIn("is a cluster worker", refused.json["error"]["message"])

    def test_a_gateway_needs_no_model_and_loads_none(self):
        gateway = self.gateway("--set", "model.default=base")
        self.assertEqual(gateway.get("/readyz").status, 200)
        accepted = gateway.post_form("/v1/jobs", [("model", "tiny.en")], self.sound(1))
        self.assertEqual(accepted.status, 202, accepted.text)
        unknown = gateway.post_form("/v1/jobs", [("model", "nobodys")], self.sound(1))
        self.assertEqual(unknown.status, 404, unknown.text)
        live = gateway.get("/v1/realtime")
        self.assertEqual(live.status, 503, live.text)
        self.assertIn("is a gateway", live.json["error"]["message"])

    def test_what_a_cluster_is_scaled_by_is_measured(self):
        gateway = self.gateway("--set", "model.default=base")
        gateway.submit(self.sound(5))
        wait_for(lambda: 'scribed_queue_audio_seconds{model="base"} 60' in
                 gateway.get("/metrics").text, "the sound that waits")
        worker = self.worker()
        other = self.start_node("other", "--role", "gateway")
        other.wait_for_job(other.submit(self.sound(5)))
        self.assertRegex(worker.get("/metrics").text, r'scribed_worker_speed\{device="\w+",model=".+"\} \d')
        self.assertNotIn("scribed_queue_audio_seconds{", worker.get("/metrics").text)

    def test_a_role_needs_a_database(self):
        del self.environment["SCRIBED_DATABASE"]
        with self.assertRaisesRegex(AssertionError, "no database is named"):
            Daemon(self.scribed, self.environment, "--state-folder", self.folder / "here",
                   "--role", "worker")


if __name__ == "__main__":
    unittest.main()
