"""The text of a job is edited in versions: what was answered is on the disk, whatever is killed."""

import concurrent.futures
import json
import random
import threading
import unittest

from daemon import DaemonTest

ROUNDS = 5  # kills of the daemon


class EditsTest(DaemonTest):
    def edit(self, daemon, job, *ops, version="*"):
        match = version if version == "*" else f'"{version}"'
        return daemon.request("PATCH", f"/v1/jobs/{job}/transcript", json.dumps({"ops": ops}),
                              {"If-Match": match, "Content-Type": "application/json"})

    def done_job(self, daemon, seconds=20):
        job = daemon.submit(self.sound(seconds), word_timestamps="true")
        self.assertEqual(daemon.wait_for_job(job)["status"], "done")
        return job

    def segments(self, daemon, job, version=None):
        """All segments, in pages of three."""
        path = f"/v1/jobs/{job}/segments?limit=3"
        if version is not None:
            path += f"&version={version}"
        page = daemon.get(path).json
        found = page["data"]
        while page["has_more"]:
            page = daemon.get(f"{path}&after={found[-1]['id']}").json
            found += page["data"]
        return found

    def texts(self, daemon, job, version=None):
        return [segment["text"] for segment in self.segments(daemon, job, version)]

    def test_every_way_to_read_a_job_gives_the_newest_version(self):
        daemon = self.start()
        job = self.done_job(daemon)
        said = self.texts(daemon, job)
        first = self.segments(daemon, job)[0]
        changed = self.edit(daemon, job, {"op": "text", "segment": "0", "text": "The lighthouse."},
                            {"op": "split", "segment": "1", "word": 1},
                            {"op": "merge", "segment": "2"}, version=0)
        self.assertEqual(changed.status, 200, changed.text)
        self.assertEqual(changed.headers["etag"], '"1"')
        self.assertEqual(changed.json["removed"], ["3"])
        now = self.segments(daemon, job)
        self.assertEqual([s["id"] for s in now], ["0", "1", "4", "2"])
        self.assertEqual(now[0]["text"], " The lighthouse.")
        self.assertEqual(now[0]["start"], first["start"])
        text = "".join(f"{s['text'].strip()}\n" for s in now)
        self.assertEqual(daemon.get(f"/v1/jobs/{job}/transcript").text, text)
        self.assertEqual(daemon.get(f"/v1/jobs/{job}/transcript?version=0").text,
                         "".join(f"{line.strip()}\n" for line in said))
        for form in ("srt", "vtt", "tsv", "lrc", "json", "text", "verbose_json", "docx"):
            answer = daemon.get(f"/v1/jobs/{job}/transcript?format={form}")
            self.assertEqual(answer.status, 200, form)
            if form != "docx":
                self.assertIn("The lighthouse.", answer.text, form)
        self.assertEqual(daemon.job(job)["segments"], 4)
        self.assertEqual(daemon.job(job)["version"], 1)
        answer = daemon.request("POST", "/mcp", json.dumps({
            "jsonrpc": "2.0", "id": 1, "method": "tools/call",
            "params": {"name": "search_transcripts", "arguments": {"query": "LIGHTHOUSE"}}}),
            {"Content-Type": "application/json", "MCP-Protocol-Version": "2025-06-18",
             "Accept": "application/json, text/event-stream"})
        self.assertIn("The lighthouse.", answer.text)

    def test_two_clients_that_edit_the_same_version_are_told(self):
        daemon = self.start()
        job = self.done_job(daemon)

        def client(number):
            """Edits until it has won ten times, and returns the versions that it made."""
            made, version = [], 0
            while len(made) < 10:
                op = {"op": "text", "segment": str(number), "text": f"{number} {len(made)}"}
                answer = self.edit(daemon, job, op, version=version)
                self.assertIn(answer.status, (200, 412), answer.text)
                version = answer.json["version"]
                if answer.status == 200:
                    made.append(version)
            return made

        with concurrent.futures.ThreadPoolExecutor(4) as pool:
            made = [version for versions in pool.map(client, range(4)) for version in versions]
        self.assertEqual(sorted(made), list(range(1, 41)))
        self.assertEqual(self.texts(daemon, job), [f" {n} 9" for n in range(4)])
        versions = daemon.get(f"/v1/jobs/{job}/versions?limit=1000").json["data"]
        self.assertEqual([v["version"] for v in versions], list(range(40, -1, -1)))

    def test_a_search_follows_edits_titles_and_removals(self):
        daemon = self.start()
        job, other = self.done_job(daemon), self.done_job(daemon)

        def found(text):
            query = text.replace(" ", "%20")
            return {one["id"]: one["matches"] for one in daemon.get(f"/v1/jobs?q={query}").json["data"]}
        self.assertEqual(set(found("segment 1")), {job, other})
        self.edit(daemon, job, {"op": "replace", "find": "Segment 1", "with": "The last lamp out"})
        self.assertEqual(set(found("segment 1")), {other})
        match, = found("LAMP")[job]
        self.assertEqual((match["segment"], match["start"], match["spans"]), ("1", 5.0, [[9, 13]]))
        answer = daemon.request("PATCH", f"/v1/jobs/{other}", json.dumps({"title": "Lamps of May"}))
        self.assertEqual(answer.json["title"], "Lamps of May")
        self.assertEqual(found("lamps of"), {other: []})
        daemon.request("DELETE", f"/v1/jobs/{job}")
        self.assertEqual(set(found("lamp")), {other})

    def test_a_pinned_job_outlives_its_time(self):
        daemon = self.start("--set", "jobs.keep_results_s=1")
        job = self.done_job(daemon)
        pinned = daemon.request("PATCH", f"/v1/jobs/{job}", json.dumps({"pinned": True})).json
        self.assertEqual((pinned["pinned"], pinned["expires_at"]), (True, None))

    def test_no_answered_edit_is_lost_when_the_daemon_is_killed(self):
        daemon = self.start()
        job = self.done_job(daemon, 40)
        ids = [segment["id"] for segment in self.segments(daemon, job)]
        known = dict(zip(ids, self.texts(daemon, job)))  # the last text that was answered
        tried = {}  # texts that were sent and not answered
        number = 0
        for _ in range(ROUNDS):
            end = threading.Timer(random.uniform(0.1, 0.5), daemon.process.kill)
            end.start()
            try:
                while True:
                    number += 1
                    one, two = random.sample(ids, 2)
                    texts = {one: f" edit {number}", two: f" beside {number}"}
                    tried = texts
                    answer = self.edit(daemon, job, *({"op": "text", "segment": name, "text": text}
                                                      for name, text in texts.items()))
                    self.assertEqual(answer.status, 200, answer.text)
                    known |= texts
                    tried = {}
            except OSError:
                pass
            except Exception as broken:  # a half answer, as http.client tells it
                self.assertEqual(type(broken).__module__, "http.client")
            end.join()
            daemon.kill()
            daemon = self.start()
            now = {s["id"]: s["text"] for s in self.segments(daemon, job)}
            self.assertIn(now, (known, known | tried), "all of an edit or nothing")
            known = now
            versions = daemon.get(f"/v1/jobs/{job}/versions").json["version"]
            self.assertEqual(daemon.job(job)["version"], versions)
            for text in known.values():
                query = text.strip().replace(" ", "%20")
                self.assertEqual(len(daemon.get(f"/v1/jobs?q={query}").json["data"]), 1, text)
        self.assertGreater(number, ROUNDS)
        back = daemon.request("POST", f"/v1/jobs/{job}/versions/0/restore")
        self.assertEqual(back.status, 200, back.text)
        self.assertEqual(self.texts(daemon, job), self.texts(daemon, job, 0))


if __name__ == "__main__":
    unittest.main()
