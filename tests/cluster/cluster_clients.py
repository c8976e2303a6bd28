"""Clients of a run: threads that submit, cancel, follow and wait as their plans say, each at any
daemon that accepts, and write what they saw into the history."""

import random
import threading
import time

from cluster.event_reader import follow_once
from cluster.history import FAIL, OK
from cluster.client_calls import call, send_sound

PATIENCE_S = 90  # how long an operation is repeated that has not been answered
PAUSE_S = 0.3
REPEATS = 0.1  # of submits with a key that were answered, and are sent once more all the same


class KnownJobs:
    """Jobs that were accepted lately, for those who read."""

    def __init__(self, most=200):
        self.most, self.lock, self.jobs = most, threading.Lock(), []

    def add(self, job, owner):
        with self.lock:
            self.jobs = [*self.jobs[1 - self.most:], (job, owner)]

    def any(self, draw):
        with self.lock:
            return draw.choice(self.jobs) if self.jobs else None


class Client(threading.Thread):
    """`plans` gives the next plan, or None when there are no more. `hook` is the address of
    webhooks."""

    def __init__(self, name, seed, nodes, history, plans, known, hook):
        super().__init__(name=name, daemon=True)
        self.draw = random.Random(f"client {seed} {name}")
        self.nodes, self.history, self.plans = nodes, history, plans
        self.known, self.hook = known, hook

    def any_node(self):
        return self.draw.choice(self.nodes)

    def run(self):
        while (plan := self.plans()) is not None:
            if plan.action == "wait":
                self.wait(plan)
                continue
            job = self.submit(plan)
            if job is None:
                continue
            self.known.add(job, plan.owner)
            if plan.action == "follow":
                self.follow(plan, job)
            elif plan.action == "cancel":
                time.sleep(plan.pause)
                self.cancel(plan, job)

    def submit(self, plan):
        """Returns the job's id, or None where no daemon accepted it in time."""
        until = time.monotonic() + PATIENCE_S
        attempt = 0
        while time.monotonic() < until:
            attempt += 1
            job = self.submit_once(plan, attempt)
            if job is not None:
                if plan.key and self.draw.random() < REPEATS:
                    self.submit_once(plan, attempt + 1)
                return job
            time.sleep(PAUSE_S)
        return None

    def submit_once(self, plan, attempt):
        """A tag finds what an attempt made. With a key all attempts are one request."""
        tag = str(plan.number) if plan.key else f"{plan.number}.{attempt}"
        fields = [("metadata", f'{{"tag": "{tag}"}}')]
        if plan.webhook:
            fields.append(("webhook_url", self.hook))
        node = self.any_node()
        headers = {"Idempotency-Key": plan.key} if plan.key else {}
        with self.history.record(self.name, "submit", number=plan.number, owner=plan.owner,
                                 key=plan.key, tag=tag, webhook=plan.webhook, fails=plan.fails,
                                 node=node.name) as one:
            answer = send_sound(node, plan, "/v1/jobs", fields, headers)
            if answer and answer.status == 202:
                one.ok({"job": answer.json["id"]})
            elif answer:
                one.value = {"answer": answer.code}
                one.result = FAIL if answer.had_no_effect else one.result
        return one.value["job"] if one.result == OK else None

    def wait(self, plan):
        """The text comes with the answer, and nothing is kept."""
        node = self.any_node()
        with self.history.record(self.name, "wait", number=plan.number, owner=plan.owner,
                                 node=node.name) as one:
            answer = send_sound(node, plan, "/v1/audio/transcriptions", [("model", "whisper-1")],
                                limit=4 * PATIENCE_S)
            if answer and answer.status == 200 and answer.json:
                one.ok({"text": answer.json["text"]})
            elif answer:
                one.value = {"answer": answer.code}

    def cancel(self, plan, job):
        """After an answer another daemon is asked at once what the job has."""
        until = time.monotonic() + PATIENCE_S
        while time.monotonic() < until:
            node = self.any_node()
            with self.history.record(self.name, "cancel", job=job, node=node.name) as one:
                answer = call(node, plan.owner, "POST", f"/v1/jobs/{job}/cancel")
                if answer and answer.status == 200:
                    one.ok({"status": answer.json["status"], "segments": answer.json["segments"]})
                elif answer:
                    one.value = {"answer": answer.code}
            if one.result == OK:
                self.read(job, plan.owner)
                return
            time.sleep(PAUSE_S)

    def follow(self, plan, job):
        until = time.monotonic() + 2 * PATIENCE_S
        while time.monotonic() < until:
            node = self.any_node()
            with self.history.record(self.name, "follow", job=job, node=node.name) as one:
                seen = follow_once(node, plan.owner, job)
                if seen["ended"]:
                    one.ok(seen)
                else:
                    one.value = seen
            if one.result == OK:
                return
            time.sleep(PAUSE_S)

    def read(self, job, owner):
        node = self.any_node()
        with self.history.record(self.name, "read", job=job, node=node.name) as one:
            answer = call(node, owner, "GET", f"/v1/jobs/{job}")
            if answer and answer.status == 200:
                one.ok({"status": answer.json["status"], "segments": answer.json["segments"]})
            elif answer and answer.status == 404:
                one.ok({"status": "missing", "segments": 0})


class Reader(Client):
    """Reads one job after another until it is stopped."""

    def __init__(self, *settings, pause):
        super().__init__(*settings)
        self.pause, self.stopped = pause, threading.Event()

    def run(self):
        while not self.stopped.wait(self.pause):
            if found := self.known.any(self.draw):
                self.read(*found)
