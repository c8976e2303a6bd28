"""What the Realtime door has beside OpenAI's events: text that may still change, sessions that are kept as jobs, and
sound at the rates of microphones. See live_daemon.py for what it needs."""

import functools
import io
import json
import subprocess
import tempfile
import unittest
import wave

from daemon import Daemon
from live_daemon import PATH, RATE, TEXT, LiveDaemonTest, error_of, sound
from live_test import word_errors, words_of
from scribed_command import wait_for

TAIL = "scribed.tail"


class KeepTest(LiveDaemonTest):
    model = "base"

    @classmethod
    def setUpClass(cls):
        super().setUpClass()
        cls.sound = sound("en-nogo", "en-thanks")

    @functools.cached_property
    def expected(self):
        return words_of(self.offline("en-nogo") + " " + self.offline("en-thanks"))

    def kept(self, daemon=None, title="Talk", **more):
        session = self.realtime(daemon, **more)
        session.say("scribed.keep", title=title)
        return session, session.until("scribed.kept")["job_id"]

    def start_anew(self, state):
        daemon = Daemon(self.scribed, self.environment, "--model", self.model, "--state-folder", state,
                        "--set", "model.keep_alive=-1")
        self.addCleanup(daemon.end)
        return daemon

    def text_of(self, job, daemon=None):
        return (daemon or self.daemon).get(f"/v1/jobs/{job}/transcript?format=txt").text

    def seconds_of_sound(self, job, daemon=None):
        answer = (daemon or self.daemon).get(f"/v1/jobs/{job}/audio")
        self.assertEqual(answer.status, 200, answer.body[:200])
        with wave.open(io.BytesIO(answer.body)) as opened:
            return opened.getnframes() / opened.getframerate()

    def assert_heard(self, text):
        self.assertLess(word_errors(self.expected, words_of(text)), 0.2, text)

    def test_a_session_is_a_job_with_text_words_and_sound(self):
        session, job = self.kept()
        body = self.daemon.job(job)
        self.assertEqual((body["status"], body["live"], body["title"], body["model"]),
                         ("running", True, "Talk", "base"))
        session.append(self.sound)
        session.finish()
        session.end()
        body = self.daemon.wait_for_job(job)
        self.assertEqual((body["status"], body["language"]), ("done", "en"))
        self.assert_heard(self.text_of(job))
        seconds = len(self.sound) / 2 / RATE
        self.assertAlmostEqual(body["duration"], seconds, delta=0.1)
        self.assertAlmostEqual(self.seconds_of_sound(job), seconds, delta=0.1)
        segments = self.daemon.get(f"/v1/jobs/{job}/segments").json["data"]
        for segment in segments:
            self.assertEqual("".join(word[0] for word in segment["words"]), segment["text"])
            self.assertLessEqual(segment["end"], seconds)

    def test_a_socket_that_breaks_leaves_all_that_was_heard(self):
        session, job = self.kept()
        pcm = sound("en-nogo", "en-thanks", silence_s=0.2)  # so nothing ends the last turn
        session.append(pcm)
        wait_for(lambda: self.seconds_of_sound(job) > len(pcm) / 2 / RATE - 0.1, "that all has come")
        session.end()  # without a word
        self.assertEqual(self.daemon.wait_for_job(job)["status"], "done")
        self.assert_heard(self.text_of(job))
        wait_for(lambda: self.live_sessions() == 0, "the session's end")

    def test_a_daemon_that_is_killed_has_what_was_kept(self):
        state = tempfile.mkdtemp(dir=self.folder)
        daemon = self.start_anew(state)
        session, job = self.kept(daemon)
        session.append(self.sound)
        session.until_heard(self.sound)
        wait_for(lambda: daemon.job(job)["segments"] > 1, "segments")
        text = self.text_of(job, daemon)
        daemon.kill()
        again = self.start_anew(state)
        body = again.job(job)
        self.assertEqual((body["status"], body["error"]), ("done", None))
        self.assertEqual(self.text_of(job, again), text)
        self.assertAlmostEqual(self.seconds_of_sound(job, again), len(self.sound) / 2 / RATE, delta=0.1)
        repeated = again.request("POST", f"/v1/jobs/{job}/again", json.dumps({"model": "base"}),
                                 {"Content-Type": "application/json"})
        self.assertEqual(repeated.status, 202, repeated.text)
        self.assertEqual(again.wait_for_job(repeated.json["id"])["status"], "done")

    def test_a_daemon_that_ends_finishes_what_was_said(self):
        state = tempfile.mkdtemp(dir=self.folder)
        daemon = self.start_anew(state)
        session, job = self.kept(daemon)
        session.append(self.sound)
        session.until(TEXT + "delta")
        self.assertEqual(daemon.terminate(), 0)
        again = self.start_anew(state)
        self.assertEqual(again.job(job)["status"], "done")
        self.assert_heard(self.text_of(job, again))

    def test_only_what_follows_the_wish_is_kept(self):
        session = self.realtime()
        session.append(sound("en-thanks"))
        session.until(TEXT + "completed")
        session.say("scribed.keep")
        job = session.until("scribed.kept")["job_id"]
        session.append(sound("en-allbusy"))
        session.finish()
        session.end()
        body = self.daemon.wait_for_job(job)
        self.assertIsNone(body["title"])
        self.assertLess(word_errors(words_of(self.offline("en-allbusy")), words_of(self.text_of(job))), 0.3)

    def test_a_deleted_job_is_kept_no_more(self):
        session, job = self.kept()
        session.append(sound("en-thanks"))
        session.until(TEXT + "completed")
        self.assertEqual(self.daemon.request("DELETE", f"/v1/jobs/{job}").status, 200)
        self.assertEqual(session.until("error")["error"]["code"], "cancelled")
        session.append(sound("en-allbusy"))
        session.finish()
        self.assertEqual(self.daemon.get(f"/v1/jobs/{job}").status, 404)

    def test_without_sound_there_is_no_job(self):
        session, job = self.kept()
        session.end()
        wait_for(lambda: self.daemon.get(f"/v1/jobs/{job}").status == 404, "that the empty job goes")

    def test_the_tail_follows_what_is_sure(self):
        session = self.realtime()
        session.say("session.update", session={"type": "transcription", "include": [TAIL]})
        session.append(self.sound)
        session.until_heard(self.sound)
        tails = session.of(TAIL)
        self.assertTrue(any(tail["text"] for tail in tails))
        heard = [tail["heard_s"] for tail in tails]
        self.assertEqual(heard, sorted(heard))
        ended = set()
        for event in session.events:
            if event["type"] == TEXT + "completed":
                ended.add(event["item_id"])
            self.assertFalse(event["type"] == TAIL and event["item_id"] in ended)

    def test_rates_of_microphones(self):
        for rate in (8000, 44100, 48000):
            with self.subTest(rate):
                session, job = self.kept()
                session.update({"format": {"type": "audio/pcm", "rate": rate}})
                session.append(resampled(self.sound, rate))
                session.finish()
                session.end()
                self.assert_heard(session.text())
                self.daemon.wait_for_job(job)
                self.assertAlmostEqual(self.seconds_of_sound(job), len(self.sound) / 2 / RATE, delta=0.1)

    def test_a_plain_request_tells_why_a_socket_would_be_refused(self):
        self.assertEqual(self.daemon.get(PATH).status, 426)
        daemon = self.start("--set", "live.max_sessions=1")
        session = self.realtime(daemon)
        answer = daemon.get(PATH)
        self.assertEqual((answer.status, error_of(answer.body)["code"]), (503, "overloaded"))
        session.end()


def resampled(pcm, rate):
    command = ["ffmpeg", "-nostdin", "-loglevel", "error", "-f", "s16le", "-ar", str(RATE), "-ac", "1", "-i", "-",
               "-f", "s16le", "-ar", str(rate), "-"]
    return subprocess.run(command, input=pcm, capture_output=True, check=True).stdout


if __name__ == "__main__":
    unittest.main()
