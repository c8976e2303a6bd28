"""The sound that is kept of jobs: what is played, what is drawn, and how long it is there."""

import io
import math
import os
import struct
import time
import unittest
import wave

from daemon import DaemonTest
from scribed_command import processes, wait_for

ADA, BOB = "ada-has-this-key-of-hers", "bob-has-this-key-of-his"


def tone(seconds, rate=16000, channels=1, loudness=0.5):
    """WAV bytes and the samples of its first channel; other channels are silent."""
    samples = [round(32767 * loudness * math.sin(i / 20)) for i in range(round(seconds * rate))]
    file = io.BytesIO()
    with wave.open(file, "wb") as sound:
        sound.setnchannels(channels)
        sound.setsampwidth(2)
        sound.setframerate(rate)
        rest = [0] * (channels - 1)
        sound.writeframes(b"".join(struct.pack(f"<{channels}h", sample, *rest)
                                   for sample in samples))
    return file.getvalue(), samples


def samples_of(wav):
    with wave.open(io.BytesIO(wav)) as sound:
        assert (sound.getnchannels(), sound.getsampwidth(), sound.getframerate()) == (1, 2, 16000)
        frames = sound.readframes(sound.getnframes())
    return list(struct.unpack(f"<{len(frames) // 2}h", frames))


class SoundTest(DaemonTest):
    def sounds(self):
        return sorted(file.name for file in (self.state / "sounds").iterdir())

    def done(self, daemon, wav, **fields):
        job = daemon.submit(wav, **fields)
        ended = daemon.wait_for_job(job)
        self.assertEqual(ended["status"], "done", ended)
        return job

    def audio(self, daemon, job, **headers):
        return daemon.get(f"/v1/jobs/{job}/audio", **headers)


class AudioTest(SoundTest):
    def test_is_what_the_recording_was(self):
        daemon = self.start()
        wav, samples = tone(3)
        job = self.done(daemon, wav)
        answer = self.audio(daemon, job)
        self.assertEqual((answer.status, answer.headers["content-type"]), (200, "audio/wav"))
        self.assertEqual(samples_of(answer.body), samples)
        body = daemon.job(job)
        self.assertTrue(body["has_audio"])
        self.assertEqual(body["audio"], {"bytes": 96000, "seconds": 3, "whole": True})

    def test_parts_of_it_are_parts_of_the_whole(self):
        daemon = self.start()
        job = self.done(daemon, tone(2)[0])
        whole = self.audio(daemon, job)
        size = len(whole.body)
        for asked, begin, end in (("0-9", 0, 10), ("40-50", 40, 51), ("64000-", 64000, size),
                                  ("-100", size - 100, size), ("0-", 0, size)):
            part = self.audio(daemon, job, Range=f"bytes={asked}")
            self.assertEqual(part.status, 206, asked)
            self.assertEqual(part.body, whole.body[begin:end], asked)
            self.assertEqual(part.headers["content-range"], f"bytes {begin}-{end - 1}/{size}")
            self.assertEqual(int(part.headers["content-length"]), end - begin)
        beyond = self.audio(daemon, job, Range=f"bytes={size}-")
        self.assertEqual((beyond.status, beyond.headers["content-range"]),
                         (416, f"bytes */{size}"))
        etag = whole.headers["etag"]
        self.assertEqual(self.audio(daemon, job, Range="bytes=0-9", **{"If-Range": etag}).status, 206)
        self.assertEqual(self.audio(daemon, job, Range="bytes=0-9",
                                    **{"If-Range": '"another"'}).status, 200)
        known = self.audio(daemon, job, **{"If-None-Match": etag})
        self.assertEqual((known.status, known.body), (304, b""))
        head = daemon.request("HEAD", f"/v1/jobs/{job}/audio")
        self.assertEqual((head.status, int(head.headers["content-length"]), head.body),
                         (200, size, b""))
        self.assertEqual(head.headers["accept-ranges"], "bytes")

    def test_a_recording_of_two_channels_is_heard_as_one_however_it_is_transcribed(self):
        daemon = self.start()
        wav, samples = tone(3, channels=2)
        for fields in ({}, {"channels": "split"}):
            heard = samples_of(self.audio(daemon, self.done(daemon, wav, **fields)).body)
            self.assertEqual(len(heard), len(samples), fields)
            self.assertAlmostEqual(max(heard), max(samples) / 2, delta=2)

    def test_of_another_rate_is_as_long(self):
        daemon = self.start()
        job = self.done(daemon, tone(2, rate=44100)[0])
        self.assertAlmostEqual(len(samples_of(self.audio(daemon, job).body)), 32000, delta=20)

    def test_peaks_say_how_loud_each_tenth_of_a_second_is(self):
        daemon = self.start()
        job = self.done(daemon, tone(2.05)[0])
        answer = daemon.get(f"/v1/jobs/{job}/peaks")
        self.assertEqual((answer.status, answer.headers["x-peaks-per-second"]), (200, "10"))
        self.assertEqual(len(answer.body), 21)
        self.assertTrue(all(120 <= peak <= 128 for peak in answer.body[:20]), list(answer.body))
        rest = daemon.get(f"/v1/jobs/{job}/peaks?from=18")
        self.assertEqual(rest.body, answer.body[18:])
        self.assertEqual(daemon.get(f"/v1/jobs/{job}/peaks?from=x").status, 400)


class LifeTest(SoundTest):
    def test_is_heard_while_the_job_runs(self):
        self.behave("listens_first")
        daemon = self.start()
        wav, samples = tone(60)
        job = daemon.submit(wav)
        found = wait_for(lambda: ((told := daemon.job(job))["audio"] or {}).get("whole") and told, "the whole sound")
        self.assertEqual(found["status"], "running")
        self.assertEqual(samples_of(self.audio(daemon, job).body), samples)
        self.assertEqual(len(daemon.get(f"/v1/jobs/{job}/peaks").body), 600)

    def test_goes_with_its_job(self):
        daemon = self.start()
        wav, _ = tone(1)
        job = self.done(daemon, wav)
        self.assertEqual(daemon.get(f"/v1/jobs/{job}/peaks").status, 200)
        self.assertEqual(self.sounds(), [job, f"{job}.peaks"])
        daemon.request("DELETE", f"/v1/jobs/{job}")
        self.assertEqual(self.sounds(), [])
        self.assertEqual(self.audio(daemon, job).status, 404)

    def test_what_belongs_to_no_job_goes_at_the_start(self):
        self.start().terminate()
        (self.state / "sounds" / ("a" * 26)).write_bytes(bytes(100))
        self.start()
        self.assertEqual(self.sounds(), [])

    def test_is_of_its_owner_alone(self):
        keys = self.folder / "keys"
        keys.write_text(f"ada {ADA}\nbob {BOB}\n")
        keys.chmod(0o600)
        daemon = self.start("--key-file", keys)
        ada, bob = {"Authorization": f"Bearer {ADA}"}, {"Authorization": f"Bearer {BOB}"}
        answer = daemon.post_form("/v1/jobs", [], tone(1)[0], ada)
        job = answer.json["id"]
        wait_for(lambda: daemon.get(f"/v1/jobs/{job}", **ada).json["status"] == "done", "the job")
        self.assertEqual(daemon.get(f"/v1/jobs/{job}/audio", **ada).status, 200)
        for part in ("audio", "peaks"):
            self.assertEqual(daemon.get(f"/v1/jobs/{job}/{part}", **bob).status, 404)
            self.assertEqual(daemon.get(f"/v1/jobs/{job}/{part}").status, 401)
        for part in ("again", "cancel"):
            self.assertEqual(daemon.request("POST", f"/v1/jobs/{job}/{part}", b"{}",
                                            bob).status, 404)

    def test_is_not_kept_where_nobody_finds_it_or_nobody_wants_it(self):
        daemon = self.start()
        wav, _ = tone(1)
        self.assertEqual(daemon.post_form("/v1/audio/transcriptions", [("model", "whisper-1")],
                                          wav).status, 200)
        self.assertEqual(self.sounds(), [])
        daemon.terminate()
        daemon = self.start("--set", "jobs.keep_audio=false")
        job = self.done(daemon, wav)
        self.assertFalse(daemon.job(job)["has_audio"])
        answer = self.audio(daemon, job)
        self.assertEqual((answer.status, answer.json["error"]["code"]), (404, "no_sound"))

    def test_leaves_room_for_recordings(self):
        room = ("--set=inputs.max_disk_bytes_per_owner=400000",
                "--set=server.max_upload_bytes=400000",
                "--set=server.max_body_bytes_sync=400000")
        daemon = self.start(*room)
        wav, _ = tone(5)  # 160 kB, as its recording
        job = self.done(daemon, wav)
        self.assertFalse(daemon.job(job)["has_audio"])
        self.assertIn("The audio could not be stored: there is no room for it.",
                      daemon.job(job)["warnings"])
        self.assertEqual(self.sounds(), [])
        self.done(daemon, wav)
        short = self.done(daemon, tone(1)[0])
        self.assertTrue(daemon.job(short)["has_audio"])

    def test_survives_the_end_of_the_daemon_and_of_the_worker(self):
        self.behave("slow")
        daemon = self.start()
        wav, samples = tone(120)
        job = daemon.submit(wav)
        wait_for(lambda: daemon.job(job)["segments"] > 0, "a segment")
        daemon.kill()
        daemon = self.start()
        wait_for(lambda: daemon.job(job)["status"] == "running", "the job")
        for pid, (parent, name) in processes().items():
            if parent == daemon.process.pid and name == "scribed-worker":
                os.kill(pid, 9)
        self.assertEqual(daemon.wait_for_job(job)["status"], "done")
        self.assertEqual(samples_of(self.audio(daemon, job).body), samples)
        self.assertEqual(self.sounds(), [job])

    def test_kills_at_any_moment_leave_whole_sound_or_none(self):
        self.behave("slow")
        daemon = self.start("--set", "jobs.max_attempts=100")
        wav, samples = tone(20)
        job = daemon.submit(wav)
        for pause in (0, 0.02, 0.05, 0.1, 0.2):
            time.sleep(pause)
            daemon.kill()
            daemon = self.start("--set", "jobs.max_attempts=100")
        self.assertEqual(daemon.wait_for_job(job)["status"], "done")
        self.assertEqual(samples_of(self.audio(daemon, job).body), samples)


class AgainTest(SoundTest):
    def again(self, daemon, job, body=b"{}", **headers):
        return daemon.request("POST", f"/v1/jobs/{job}/again", body, headers)

    def test_a_job_is_done_again_with_other_options(self):
        daemon = self.start()
        wav, samples = tone(7)
        first = self.done(daemon, wav)
        answer = self.again(daemon, first, b'{"task": "translate", "metadata": {"try": "2"}}')
        self.assertEqual(answer.status, 202, answer.text)
        second = answer.json["id"]
        self.assertEqual(answer.headers["location"], f"/v1/jobs/{second}")
        self.assertEqual((answer.json["task"], answer.json["metadata"]),
                         ("translate", {"try": "2"}))
        self.assertEqual(answer.json["title"], "talk.wav")
        ended = daemon.wait_for_job(second)
        self.assertEqual((ended["status"], ended["segments"]), ("done", 2))
        self.assertAlmostEqual(ended["duration"], 7, delta=0.01)
        daemon.request("DELETE", f"/v1/jobs/{first}")
        self.assertEqual(samples_of(self.audio(daemon, second).body), samples)
        self.assertEqual(list((self.state / "inputs").iterdir()), [])

    def test_the_same_key_is_the_same_job(self):
        daemon = self.start()
        job = self.done(daemon, tone(1)[0])
        one = self.again(daemon, job, b"", **{"Idempotency-Key": "once"})
        same = self.again(daemon, job, b"", **{"Idempotency-Key": "once"})
        self.assertEqual(one.json["id"], same.json["id"])
        other = self.again(daemon, job, b'{"language": "de"}', **{"Idempotency-Key": "once"})
        self.assertEqual(other.status, 422)

    def test_says_what_cannot_be(self):
        daemon = self.start()
        job = self.done(daemon, tone(1)[0])
        for body, parameter in ((b'{"channels": "split"}', "channels"),
                                (b'{"url": "https://example.org/a.mp3"}', "url"),
                                (b'{"languge": "de"}', "languge"), (b"[]", None)):
            answer = self.again(daemon, job, body)
            self.assertEqual((answer.status, answer.json["error"]["param"]), (400, parameter), body)
        daemon.terminate()
        daemon = self.start("--set", "jobs.keep_audio=false")
        mute = self.done(daemon, tone(1)[0])
        answer = self.again(daemon, mute)
        self.assertEqual((answer.status, answer.json["error"]["code"]), (404, "no_sound"))


class CancelTest(SoundTest):
    def test_a_cancelled_job_keeps_its_text(self):
        self.behave("slow")
        daemon = self.start()
        job = daemon.submit(tone(120)[0])
        wait_for(lambda: daemon.job(job)["segments"] > 0, "a segment")
        answer = daemon.request("POST", f"/v1/jobs/{job}/cancel")
        self.assertEqual((answer.status, answer.json["status"]), (200, "cancelled"))
        text = daemon.get(f"/v1/jobs/{job}/transcript").text
        self.assertIn("Segment 0.", text)
        again = daemon.request("POST", f"/v1/jobs/{job}/cancel")
        self.assertEqual((again.status, again.json["status"]), (200, "cancelled"))
        self.assertEqual(daemon.request("POST", f"/v1/jobs/{'x' * 26}/cancel").status, 404)


if __name__ == "__main__":
    unittest.main()
