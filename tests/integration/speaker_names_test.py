"""Names that speakers of a job are given when it has ended: in every format, on the command line, for good."""

import json
import unittest

from client_commands import ClientTest


class SpeakerNamesTest(ClientTest):
    """The fake worker gives A and B a segment each."""

    def conversation(self, daemon, **fields):
        job = daemon.submit(self.sound(10), diarize="true", **fields)
        self.assertEqual(daemon.wait_for_job(job)["speaker_names"], {"A": "A", "B": "B"})
        return job

    def rename(self, daemon, job, names):
        return daemon.request("PATCH", f"/v1/jobs/{job}", json.dumps({"speaker_names": names}),
                              {"Content-Type": "application/json"})

    def text(self, daemon, job, form):
        answer = daemon.get(f"/v1/jobs/{job}/transcript?format={form}")
        self.assertEqual(answer.status, 200, answer.text)
        return answer.text

    def test_a_name_is_in_every_format_and_outlives_the_daemon(self):
        daemon = self.start()
        job = self.conversation(daemon)
        renamed = self.rename(daemon, job, {"A": "Anna Lee"})
        self.assertEqual(renamed.status, 200, renamed.text)
        self.assertEqual(renamed.json["speaker_names"], {"A": "Anna Lee", "B": "B"})
        daemon.kill()
        daemon = self.start()
        self.assertEqual(daemon.job(job)["speaker_names"], {"A": "Anna Lee", "B": "B"})
        self.assertEqual(self.text(daemon, job, "txt"), "Anna Lee: Segment 0.\nB: Segment 1.\n")
        self.assertIn("<v Anna Lee>Segment 0.", self.text(daemon, job, "vtt"))
        for form in ("srt", "tsv", "lrc"):
            self.assertIn("Anna Lee: Segment 0.", self.text(daemon, job, form), form)
        for form in ("json", "verbose_json", "diarized_json"):
            whole = json.loads(self.text(daemon, job, form))
            self.assertEqual([s["speaker"] for s in whole["segments"]], ["Anna Lee", "B"], form)
        rttm = [line.split(" ") for line in self.text(daemon, job, "rttm").splitlines()]
        self.assertEqual([len(row) for row in rttm], [10, 10])
        self.assertEqual([(row[1], row[7]) for row in rttm], [("talk", "Anna_Lee"), ("talk", "B")])
        self.assertEqual(daemon.get("/v1/jobs?q=anna").json["data"][0]["id"], job)
        self.assertEqual(self.rename(daemon, job, {"A": None}).json["speaker_names"], {"A": "A", "B": "B"})

    def test_what_cannot_be_named_is_told(self):
        daemon = self.start()
        job = self.conversation(daemon)
        unknown = self.rename(daemon, job, {"C": "Carl"})
        self.assertEqual(unknown.status, 400)
        self.assertIn("Its speakers are: A, B.", unknown.json["error"]["message"])
        self.assertEqual(self.rename(daemon, "none", {"A": "Anna"}).status, 404)
        plain = daemon.submit(self.sound(6))
        daemon.wait_for_job(plain)
        self.assertIn("no speakers", self.rename(daemon, plain, {"A": "Anna"}).json["error"]["message"])
        self.assertEqual(daemon.get(f"/v1/jobs/{plain}/transcript?format=rttm").status, 400)
        waiting = daemon.submit(self.sound(60), diarize="true", prompt="fake:slow")
        early = self.rename(daemon, waiting, {"A": "Anna"})
        self.assertEqual((early.status, early.json["error"]["code"]), (409, "job_not_ended"))

    def test_the_command_line_names_them(self):
        daemon = self.start()
        job = self.conversation(daemon)
        self.assertEqual(self.ask("jobs", "rename", job, "A=Anna", "B=Bob", daemon=daemon),
                         "A is Anna, B is Bob\n")
        self.assertIn("speakers   A is Anna, B is Bob\n", self.ask("jobs", "show", job, daemon=daemon))
        self.assertEqual(self.ask("jobs", "follow", job, daemon=daemon), "Anna: Segment 0.\nBob: Segment 1.\n")
        rttm = self.ask("jobs", "follow", "--format", "rttm", job, daemon=daemon)
        self.assertEqual(rttm, self.text(daemon, job, "rttm"))
        answer = json.loads(self.ask("jobs", "rename", "--json", job, "A=", daemon=daemon))
        self.assertEqual(answer["speaker_names"], {"A": "A", "B": "Bob"})
        self.ask("jobs", "rename", job, "Anna", daemon=daemon, code=2)
        self.assertIn("A=Anna", self.said)
        self.ask("jobs", "rename", job, "C=Carl", daemon=daemon, code=2)
        self.assertIn("Its speakers are: A, B.", self.said)


class RttmTest(ClientTest):
    def test_a_transcription_writes_its_turns(self):
        file = self.file(10, "two people.wav")
        here = self.ask("transcribe", "-q", "--model", self.model, "--diarize", "true", "--format", "rttm",
                        file)
        self.assertEqual(here.splitlines()[0],
                         "SPEAKER two_people 1 0.000 5.000 <NA> <NA> A <NA> <NA>")
        daemon = self.start()
        there = self.ask("transcribe", "-q", "--diarize", "true", "--format", "rttm", "--server",
                         f"127.0.0.1:{daemon.port}", file)
        self.assertEqual(there, here)

    def test_without_speakers_there_are_none(self):
        self.ask("transcribe", "--format", "rttm", self.file(6), code=2)
        self.assertIn("--diarize true", self.said)


if __name__ == "__main__":
    unittest.main()
