"""The kept sound of jobs, where several daemons have the same jobs: any of them gives it."""

import unittest
import wave

from cluster_bucket import ClusterBucketTest
from cluster_daemons import ClusterDaemonsTest
from scribed_command import wait_for


class SoundAcrossCases:
    """The cases for both places; `kept` tells what lies there."""

    def two(self):
        return (self.start_node("gateway", "--role", "gateway"),
                self.start_node("worker", "--role", "worker"))

    def loud_sound(self, seconds):
        """A recording that rises from silence to its loudest."""
        path = self.folder / "loud.wav"
        with wave.open(str(path), "wb") as out:
            out.setnchannels(1)
            out.setsampwidth(2)
            out.setframerate(16000)
            count = seconds * 16000
            out.writeframes(b"".join(
                (i * 32000 // count * (1 if i % 2 else -1)).to_bytes(2, "little", signed=True)
                for i in range(count)))
        return path.read_bytes()

    def heard(self, daemon, job):
        return wait_for(lambda: (found := daemon.get(f"/v1/jobs/{job}/audio")).status == 200 and found,
                        "the sound")

    def done(self, gateway, sound):
        job = gateway.submit(sound)
        self.assertEqual(gateway.wait_for_job(job)["status"], "done")
        return job

    def test_a_gateway_plays_and_draws_what_a_worker_has_heard(self):
        gateway, _ = self.two()
        sound = self.loud_sound(4)
        job = self.done(gateway, sound)
        heard = self.heard(gateway, job)
        self.assertEqual(heard.body[44:], sound[44:])
        self.assertEqual(gateway.job(job)["audio"], {"bytes": 128000, "seconds": 4, "whole": True})
        part = gateway.get(f"/v1/jobs/{job}/audio", Range="bytes=60000-60999")
        self.assertEqual((part.status, part.body), (206, sound[60000:61000]))
        end = gateway.get(f"/v1/jobs/{job}/audio", Range="bytes=-10")
        self.assertEqual((end.status, end.body), (206, sound[-10:]))
        peaks = gateway.get(f"/v1/jobs/{job}/peaks")
        self.assertEqual(peaks.status, 200)
        self.assertEqual(len(peaks.body), 40)
        self.assertEqual(list(peaks.body), sorted(peaks.body))
        self.assertGreater(peaks.body[-1], 240)

    def test_a_job_is_transcribed_again_by_what_another_has_heard(self):
        gateway, _ = self.two()
        job = self.done(gateway, self.loud_sound(10))
        self.heard(gateway, job)
        again = gateway.request("POST", f"/v1/jobs/{job}/again", "{}")
        self.assertEqual(again.status, 202, again.text)
        second = again.json["id"]
        self.assertEqual(gateway.wait_for_job(second)["status"], "done")
        self.assertEqual(self.texts(gateway, second), self.texts(gateway, job))
        self.assertEqual(self.heard(gateway, second).body, self.heard(gateway, job).body)

    def test_the_sound_goes_with_its_job(self):
        gateway, _ = self.two()
        job = self.done(gateway, self.loud_sound(3))
        self.heard(gateway, job)
        wait_for(lambda: self.kept(), "the sound at its place")
        self.assertEqual(gateway.request("DELETE", f"/v1/jobs/{job}").status, 200)
        self.assertEqual(gateway.get(f"/v1/jobs/{job}/audio").status, 404)
        wait_for(lambda: not self.kept(), "that nothing is kept any more")

    def test_a_daemon_of_both_roles_gives_it_too(self):
        here, there = self.start_node("here"), self.start_node("there", "--role", "gateway")
        job = self.done(here, self.loud_sound(3))
        self.assertEqual(self.heard(here, job).body, self.heard(there, job).body)


class SoundInAFolderTest(SoundAcrossCases, ClusterDaemonsTest):
    def kept(self):
        return [file.name for file in (self.shared / "sounds").iterdir()]


class SoundInABucketTest(SoundAcrossCases, ClusterBucketTest):
    def kept(self):
        return self.names("sounds")

    def test_nothing_stays_on_the_disk_of_who_has_heard_it(self):
        gateway, _ = self.two()
        job = self.done(gateway, self.loud_sound(3))
        self.heard(gateway, job)
        self.assertEqual(set(self.kept()), {f"{self.prefix}/sounds/{job}", f"{self.prefix}/sounds/{job}.peaks"})
        wait_for(lambda: not list((self.folder / "worker" / "sounds").iterdir()), "an empty folder")

    def test_what_was_not_sent_before_the_end_is_sent_after_the_next_start(self):
        gateway, worker = self.two()
        sound = self.loud_sound(3)
        job = self.done(gateway, sound)
        self.heard(gateway, job)
        worker.terminate()
        for name in self.kept():
            (self.s3.bucket / name).unlink()
        self.server.ask("UPDATE scribed.jobs SET sound_bytes = 0")
        self.assertEqual(gateway.get(f"/v1/jobs/{job}/audio").status, 404)
        (self.folder / "worker" / "sounds" / job).write_bytes(sound[44:])
        self.start_node("worker", "--role", "worker")
        self.assertEqual(self.heard(gateway, job).body[44:], sound[44:])


if __name__ == "__main__":
    unittest.main()
