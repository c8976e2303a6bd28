"""What REST, events and MCP tell of a job's progress: true at every moment, and the same everywhere.

  SCRIBED_MODELS, SCRIBED_RECORDINGS   for the tests with real weights and real speech
"""

import http.client
import io
import json
import os
import pathlib
import re
import signal
import threading
import time
import unittest
import wave

from daemon import DaemonTest
from live_terminal_test import Terminal
from mcp_host import MODERN, text_of
from scribed_command import TIME_LIMIT, bin_folder, processes, wait_for

PHASES = ["queued", "fetching_model", "loading_model", "listening", "transcribing", "diarizing", "ended"]
FIGURES = ["phase", "queue_place", "listened", "position", "diarized", "duration", "percent", "speed", "left_s"]
ENDED = ("done", "failed", "cancelled")


def wave_file(frames, channels=1):
    file = io.BytesIO()
    with wave.open(file, "wb") as sound:
        sound.setnchannels(channels)
        sound.setsampwidth(2)
        sound.setframerate(16000)
        sound.writeframes(frames)
    return file.getvalue()


def figures(job):
    """What was told, of REST (null) and MCP (left out) in the same form."""
    return {name: job.get(name) for name in FIGURES}


class Watcher:
    """Asks for a job in every way at once, until it has ended."""

    def __init__(self, daemon, job):
        self.daemon, self.job = daemon, job
        self.told = {}  # the figures by the way they were asked for, in order
        self.notices = []   # MCP's progress notifications
        self.events = []    # REST's
        self.failures = []
        ways = [self.poll_rest, self.follow_events, self.wait_by_mcp, self.poll_mcp]
        self.threads = [threading.Thread(target=self.run, args=[way]) for way in ways]
        for thread in self.threads:
            thread.start()

    def run(self, way):
        try:
            way()
        except Exception as failure:
            self.failures.append((way.__name__, repr(failure)))

    def join(self):
        for thread in self.threads:
            thread.join(10 * TIME_LIMIT)

    def hear(self, way, job):
        self.told.setdefault(way, []).append(figures(job))

    def poll_rest(self):
        while True:
            job = self.daemon.job(self.job)
            self.hear("GET", job)
            listed = self.daemon.get("/v1/jobs").json["data"]
            self.hear("list", next(one for one in listed if one["id"] == self.job))
            if job["status"] in ENDED:
                return
            time.sleep(0.02)

    def follow_events(self):
        connection = http.client.HTTPConnection("127.0.0.1", self.daemon.port,
                                                timeout=10 * TIME_LIMIT)
        connection.request("GET", f"/v1/jobs/{self.job}/events")
        with connection.getresponse() as stream:
            for line in stream:
                if line.startswith(b"data: "):
                    event = json.loads(line[6:])
                    self.events.append(event)
                    if "job" in event:
                        self.hear("events", event["job"])
        connection.close()

    def ask_mcp(self, tool, meta=None, **arguments):
        """The tool's result; notifications that come before it are kept."""
        headers = {"Content-Type": "application/json", "Mcp-Method": "tools/call",
                   "Mcp-Name": tool, "Accept": "application/json, text/event-stream",
                   "MCP-Protocol-Version": "2026-07-28"}
        body = {"jsonrpc": "2.0", "id": 1, "method": "tools/call",
                "params": {"name": tool, "arguments": arguments, "_meta": {**MODERN, **(meta or {})}}}
        answer = self.daemon.request("POST", "/mcp", json.dumps(body), headers)
        if answer.headers["content-type"] == "application/json":
            return answer.json["result"]
        messages = [json.loads(line[6:]) for line in answer.text.splitlines()
                    if line.startswith("data: ")]
        self.notices += [[one["params"] for one in messages
                          if one.get("method") == "notifications/progress"]]
        return messages[-1]["result"]

    def wait_by_mcp(self):
        state = "running"
        while state not in ENDED:
            data = self.ask_mcp("get_job", {"progressToken": "p"}, job=self.job,
                                wait_s=45)["structuredContent"]
            self.hear("waiting get_job", data)
            state = data["state"]

    def poll_mcp(self):
        state = "running"
        while state not in ENDED:
            data = self.ask_mcp("get_job", job=self.job)["structuredContent"]
            self.hear("get_job", data)
            state = data["state"]
            for tool in ("list_jobs", "status"):
                for one in self.ask_mcp(tool)["structuredContent"]["jobs"]:
                    if one["job"] == self.job:
                        self.hear(tool, one)
            time.sleep(0.02)


class ProgressTest(DaemonTest):
    def watch(self, daemon, job):
        watcher = Watcher(daemon, job)
        watcher.join()
        self.assertEqual(watcher.failures, [])
        return watcher

    def assert_true(self, watcher, phases_repeat=False):
        """Nothing goes back or passes what is decided, and equal news have equal figures."""
        known = {}
        for way, told in watcher.told.items():
            # Another attempt takes the sound in again.
            for name in ("position", "duration", "percent", "listened")[:3 if phases_repeat else 4]:
                values = [one[name] for one in told if one[name] is not None]
                self.assertEqual(values, sorted(values), f"{way}: {name}")
            if not phases_repeat:
                ranks = [PHASES.index(one["phase"]) for one in told]
                self.assertEqual(ranks, sorted(ranks), way)
            for one in told:
                self.assertLessEqual(one["position"], one["listened"] + 1e-9, way)
                self.assertLessEqual(one["position"], one["duration"] or 1e9, way)
                if one["duration"]:
                    part = one["position"] / one["duration"] * 100
                    self.assertAlmostEqual(one["percent"], part, delta=0.11, msg=way)
                if one["phase"] == "transcribing":
                    key = (one["position"], one["listened"], one["duration"])
                    same = known.setdefault(key, one)
                    if not phases_repeat:
                        self.assertEqual(one, same, way)
        self.assert_notices(watcher)

    def assert_notices(self, watcher):
        for call in watcher.notices:
            values = [one["progress"] for one in call]
            self.assertEqual(values, sorted(set(values)), "progress must rise")
            totals = {one["total"] for one in call if "total" in one}
            self.assertLessEqual(len(totals), 1)
            for one in call:
                self.assertLessEqual(one["progress"], one.get("total", 1e9))
                found = re.search(r"\((\S+)%\)", one["message"])
                if found:
                    part = int(one["progress"] / one["total"] * 1000) / 10
                    self.assertAlmostEqual(float(found[1]), part, delta=0.001)

    def assert_decided(self, watcher):
        """Of silence nothing is said here: what is decided ends with the last segment."""
        decided = 0
        for event in watcher.events:
            if event["type"] == "job.segment":
                decided = event["segment"]["end"]
            elif event["type"] == "job.progress":
                self.assertLessEqual(event["job"]["position"], decided)

    def phases(self, told):
        return [phase for phase in PHASES if phase in [one["phase"] for one in told]]


class FiguresTest(ProgressTest):
    def test_everybody_is_told_the_same_and_nothing_that_is_not_so(self):
        self.behave("listens_first")
        daemon = self.start()
        watcher = self.watch(daemon, daemon.submit(self.sound(120)))
        self.assert_true(watcher)
        self.assert_decided(watcher)
        events = watcher.told["events"]
        self.assertEqual(self.phases(events)[-3:], ["listening", "transcribing", "ended"])
        listening = [one for one in events if one["phase"] == "listening"]
        self.assertTrue(any(one["listened"] > 0 for one in listening), listening)
        for one in listening:
            self.assertEqual((one["position"], one["duration"], one["percent"]), (0, None, None))
        steady = [one for one in events if one["phase"] == "transcribing" and one["speed"]]
        self.assertTrue(steady, events)
        for one in steady:
            self.assertLess(one["speed"], 21)  # the worker's fifty milliseconds a second
            self.assertGreaterEqual(one["left_s"], 0)
        last = events[-1]
        self.assertEqual((last["position"], last["duration"], last["percent"]), (120, 120, 100))
        self.assertTrue(watcher.notices[0])

    def test_without_a_known_duration_there_is_no_percentage(self):
        self.behave("slow")
        daemon = self.start()
        watcher = self.watch(daemon, daemon.submit(self.sound(30)))
        running = [one for told in watcher.told.values() for one in told
                   if one["phase"] != "ended"]
        for name in ("duration", "percent", "left_s"):
            self.assertEqual({one[name] for one in running}, {None})
        self.assertEqual(watcher.told["events"][-1]["percent"], 100)

    def test_after_a_workers_death_the_figures_go_on(self):
        self.behave("listens_first")
        daemon = self.start()
        job = daemon.submit(self.sound(120))
        watcher = Watcher(daemon, job)
        wait_for(lambda: daemon.job(job)["position"] >= 20, "some text")
        worker = [pid for pid, (parent, name) in processes().items()
                  if parent == daemon.process.pid and name == "scribed-worker"]
        os.kill(worker[0], signal.SIGKILL)
        watcher.join()
        self.assertEqual(watcher.failures, [])
        self.assert_true(watcher, phases_repeat=True)
        self.assertEqual(daemon.job(job)["attempts"], 2)
        again = [event["job"] for event in watcher.events
                 if "job" in event and event["job"]["attempts"] == 2]
        self.assertIn("listening", [one["phase"] for one in again])
        self.assertGreaterEqual(min(one["position"] for one in again), 20)

    def test_two_channels_are_told_of_as_one(self):
        self.behave("listens_first")
        daemon = self.start()
        sound = wave_file(bytes(4 * 16000 * 120), channels=2)
        watcher = self.watch(daemon, daemon.submit(sound, channels="split"))
        self.assert_true(watcher)
        events = watcher.told["events"]
        self.assertEqual(self.phases(events)[-3:], ["listening", "transcribing", "ended"])
        last = events[-1]
        self.assertEqual((last["position"], last["duration"], last["percent"]), (120, 120, 100))

    def test_a_cancelled_job_stays_where_it_was(self):
        self.behave("listens_first")
        daemon = self.start()
        job = daemon.submit(self.sound(300))
        watcher = Watcher(daemon, job)
        wait_for(lambda: daemon.job(job)["position"] >= 10, "some text")
        watcher.ask_mcp("cancel_job", job=job)
        watcher.join()
        last = daemon.job(job)
        self.assertEqual((last["status"], last["phase"], last["duration"]),
                         ("cancelled", "ended", 300))
        self.assertLess(last["percent"], 100)


class WaitingTest(ProgressTest):
    def test_a_job_that_waits_says_its_place(self):
        self.behave("slow")
        daemon = self.start("--set", "jobs.parallel=1")
        first, *others = [daemon.submit(self.sound(40)) for _ in range(3)]
        wait_for(lambda: daemon.job(first)["phase"] == "transcribing", "the first one's turn")
        for place, job in enumerate(others, 1):
            told = daemon.job(job)
            self.assertEqual((told["status"], told["phase"], told["queue_place"]),
                             ("queued", "queued", place))
        watcher = Watcher(daemon, first)
        self.assertIn("position 2", text_of(watcher.ask_mcp("get_job", job=others[1])))
        watcher.join()
        wait_for(lambda: daemon.job(others[1])["queue_place"] in (1, None), "its moving up")

    def test_a_job_whose_model_loads_says_so(self):
        self.behave("slow_load")
        daemon = self.start()
        watcher = self.watch(daemon, daemon.submit(self.sound(10)))
        self.assertIn("loading_model", self.phases(watcher.told["events"]))
        self.assertIn("loading the model",
                      [one["message"] for call in watcher.notices for one in call])


class SpeechTest(ProgressTest):
    """The real worker."""

    MODEL = "base"

    def setUp(self):
        super().setUp()
        from recordings import recording, samples
        models = pathlib.Path(os.environ.get("SCRIBED_MODELS", "/nowhere"))
        if not (models / self.MODEL).exists():
            raise unittest.SkipTest(f"no {self.MODEL} in {models}")
        libexec = self.folder / "libexec"
        (libexec / "scribed-worker").unlink()
        (libexec / "scribed-worker").symlink_to(bin_folder() / "scribed-worker")
        self.environment["SCRIBED_DATA_DIR"] = str(models.parent)
        self.speech = samples(recording("en-instruct.wav"))

    def test_a_long_recording_is_told_of_truly(self):
        daemon = self.start(model=self.MODEL)
        job = daemon.submit(wave_file(self.speech), language="en")
        watcher = self.watch(daemon, job)
        self.assert_true(watcher)
        events = watcher.told["events"]
        self.assertEqual(self.phases(events)[-2:], ["transcribing", "ended"])
        last = events[-1]
        self.assertEqual(last["percent"], 100)
        self.assertAlmostEqual(last["duration"], len(self.speech) / 32000, places=2)
        self.assertEqual(daemon.job(job)["status"], "done")

    def test_a_recording_that_ends_within_a_frame_is_told_of_whole(self):
        sound = self.folder / "talk.wav"
        sound.write_bytes(wave_file(self.speech[:32000 * 40 + 250]))
        terminal = Terminal([self.scribed, "transcribe", "--model", self.MODEL, "--language", "en",
                             sound], self.environment, 80)
        self.addCleanup(terminal.end)
        self.assertEqual(terminal.process.wait(TIME_LIMIT), 0)
        terminal.reader.join()
        drawn = [row for row in terminal.screen(80).seen if "%" in row]
        self.assertRegex(drawn[-1], r"100\.0% 0:40 of 0:40")


if __name__ == "__main__":
    unittest.main()
