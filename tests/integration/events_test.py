"""One stream with all that a page shows of its caller (GET /v1/events), of a real daemon. What a job does within a
moment is told as one event, so a test that wants to see more of it has a slow job."""

import unittest

from daemon import DaemonTest
from event_stream import EventStream
from scribed_command import wait_for

ADA, BOB = "ada-has-this-key-of-hers", "bob-has-this-key-of-his"
AS_ADA, AS_BOB = ({"Authorization": f"Bearer {key}"} for key in (ADA, BOB))


class EventsTest(DaemonTest):
    def follow(self, daemon, last_id=None, **headers):
        stream = EventStream(daemon, last_id, **headers)
        self.addCleanup(stream.close)
        return stream

    def test_the_life_of_a_job(self):
        daemon = self.start()
        stream = self.follow(daemon)
        first = wait_for(lambda: stream.events, "the first event")[0][1]
        self.assertEqual(first["type"], "status")
        self.assertEqual((first["ready"], first["waiting"], first["running"], first["loaded"]),
                         (True, 0, 0, []))
        job = daemon.submit(self.sound(20), prompt="fake:slow")
        created = stream.wait_for("job.created")
        self.assertEqual(created["job"]["id"], job)
        progress = stream.wait_for("job.progress", lambda event: event["job"]["segments"] > 0)
        self.assertEqual(progress["job"]["status"], "running")
        ended = stream.wait_for("job.ended")
        self.assertEqual(ended["job"], daemon.job(job))
        loaded = stream.wait_for("status", lambda event: event["loaded"])
        self.assertEqual(set(loaded["loaded"][0]), {"name", "device", "compute_type", "loading"})
        daemon.request("DELETE", f"/v1/jobs/{job}")
        self.assertEqual(stream.wait_for("job.deleted")["job"], {"id": job})
        ids = [event_id for event_id, _ in stream.events]
        self.assertEqual(len(ids), len(set(ids)), "each event has an id of its own")

    def test_a_reader_who_comes_back_is_told_what_was_missed(self):
        daemon = self.start()
        stream = self.follow(daemon)
        wait_for(lambda: stream.events, "the first event")
        last_id = stream.last_id()
        stream.close()
        job = daemon.submit(self.sound(2))
        daemon.wait_for_job(job)
        again = self.follow(daemon, last_id)
        self.assertEqual(again.wait_for("job.ended")["job"]["id"], job)
        self.assertEqual(again.of("reset"), [])

    def test_an_id_of_an_earlier_daemon_means_asking_anew(self):
        daemon = self.start()
        stream = self.follow(daemon)
        wait_for(lambda: stream.events, "the first event")
        last_id = stream.last_id()
        daemon.kill()
        again = self.follow(self.start(), last_id)
        again.wait_for("reset")
        self.assertEqual([event["type"] for _, event in again.events[:2]], ["status", "reset"])

    def test_each_owner_hears_of_own_jobs(self):
        keys = self.folder / "keys"
        keys.write_text(f"ada {ADA} [transcribe, read_status]\nbob {BOB} [transcribe]\n")
        keys.chmod(0o600)
        daemon = self.start("--key-file", keys)
        ada, bob = self.follow(daemon, **AS_ADA), self.follow(daemon, **AS_BOB)
        answer = daemon.post_form("/v1/jobs", [], self.sound(2), AS_ADA)
        job = answer.json["id"]
        ada.wait_for("job.ended")
        others = daemon.post_form("/v1/jobs", [], self.sound(2), AS_BOB).json["id"]
        bob.wait_for("job.ended")
        told = {event["job"]["id"] for _, event in ada.events if event["type"].startswith("job.")}
        self.assertEqual(told, {job})
        told = {event["job"]["id"] for _, event in bob.events if event["type"].startswith("job.")}
        self.assertEqual(told, {others})
        status = bob.of("status")[0]
        self.assertEqual((status["waiting"], status["running"], status["loaded"]), (None,) * 3)

    def test_a_stream_ends_with_its_key_and_its_session(self):
        keys = self.folder / "keys"
        keys.write_text(f"ada {ADA}\nbob {BOB}\n")
        keys.chmod(0o600)
        daemon = self.start("--key-file", keys)
        origin = {"Origin": f"http://127.0.0.1:{daemon.port}"}
        signed_in = daemon.request("POST", "/v1/session", '{"key": "%s"}' % BOB, origin)
        cookie = {"Cookie": signed_in.headers["set-cookie"].partition(";")[0]}
        by_key, by_cookie = self.follow(daemon, **AS_ADA), self.follow(daemon, **cookie)
        wait_for(lambda: by_key.events and by_cookie.events, "the first events")
        daemon.request("DELETE", "/v1/session", headers={**cookie, **origin})
        self.assertTrue(by_cookie.ended.wait(30))
        self.assertFalse(by_key.ended.is_set())
        keys.write_text(f"bob {BOB}\n")
        daemon.process.send_signal(1)
        self.assertTrue(by_key.ended.wait(30))

    def test_a_stream_does_not_hold_up_the_end_of_the_daemon(self):
        daemon = self.start()
        stream = self.follow(daemon)
        wait_for(lambda: stream.events, "the first event")
        self.assertEqual(daemon.terminate(), 0)
        self.assertTrue(stream.ended.wait(30))

    def test_of_many_jobs_at_once_none_is_forgotten(self):
        daemon = self.start()
        stream = self.follow(daemon)
        wait_for(lambda: stream.events, "the first event")
        jobs = [daemon.submit(self.sound(1)) for _ in range(30)]
        wait_for(lambda: {event["job"]["id"] for event in stream.of("job.ended")} >= set(jobs),
                 "the end of all")


if __name__ == "__main__":
    unittest.main()
