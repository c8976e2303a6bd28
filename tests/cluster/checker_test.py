"""The rules of the checker, each with a history that keeps it and some that break it."""

import dataclasses
import functools
import json
import unittest

from cluster.checker import check
from cluster.final_state import FinalState
from cluster.job_plan import plan_job
from cluster.rules_of_jobs import CANCELLED, DONE, FAILED, RUNNING

LIMIT = 10
WALL = 1_000_000


def plan_where(wanted):
    return next(plan for number in range(1, 10_000)
                if wanted(plan := plan_job(0, number)))


PLAN = plan_where(lambda plan: len(plan.texts) == 3 and not plan.fails)


class Story:
    """A history and a final state of one job that all went well for; cases spoil it."""

    def __init__(self):
        self.history = []
        self.add("run", "begin", {"wall": WALL, "monotonic": 0}, at=0)
        self.submit = self.add("client", "submit", {"job": "j"}, at=10, number=PLAN.number,
                               tag=str(PLAN.number), key="key", owner=PLAN.owner)
        self.job = {"id": "j", "tag": str(PLAN.number), "state": DONE, "segments": 3, "epoch": 2,
                    "finished": WALL + 20, "webhook": True, "delivered": True, "error": None,
                    "attempts": 1, "input": "object:o", "owner": PLAN.owner, "key": "key"}
        self.state = FinalState(jobs=[self.job], segments=[
            self.row(0, PLAN.texts[:1]), self.row(1, PLAN.texts[1:])], objects={})
        self.hook = self.add("receiver", "webhook", 200, at=21, job="j", webhook_id="j",
                             status="done", type="job.done")
        self.follow = self.add("client", "follow", {
            "segments": [[place, text] for place, text in enumerate(PLAN.texts)],
            "ended": "done"}, at=22, job="j")

    @staticmethod
    def row(first, texts, job="j"):
        return {"id": job, "first": first, "count": len(texts),
                "body": [{"text": text} for text in texts]}

    def add(self, process, operation, value, at, result="ok", took=0.5, **arguments):
        entry = {"line": len(self.history) + 1, "process": process, "operation": operation,
                 "arguments": arguments, "result": result, "value": value, "invoked": at,
                 "returned": at + took}
        self.history.append(entry)
        return entry

    def read(self, status, segments, at, **more):
        return self.add("reader", "read", {"status": status, "segments": segments}, at, job="j",
                        **more)

    def cancel(self, segments, at):
        return self.add("client", "cancel", {"status": "cancelled", "segments": segments}, at,
                        job="j")

    def fault(self, number, kind, target, begin, end, name=None):
        about = {"number": number, "kind": kind, "target": target, "seconds": 0, "name": name}
        self.add("faults", "begin", None, begin, took=0, **about)
        self.add("faults", "end", None, end, took=0, **about)

    def samples(self, begin, end, node, name):
        for at in range(begin, end):
            self.add("watcher", "sample", [["j", node, name, 1, 0]], at, took=0.1)

    def end_as(self, state, segments):
        """In the end the job has another state, and nobody was told of one."""
        self.job.update(state=state, segments=segments, webhook=False)
        self.state = dataclasses.replace(self.state, segments=self.state.segments[:segments])
        self.history.remove(self.hook)
        self.history.remove(self.follow)

    def breaches(self):
        found = check(self.history, self.state, functools.partial(plan_job, 0), ("w", "v"), LIMIT)
        return sorted({breach.rule for breach in found})


def gone(story):
    story.state.jobs.clear()


def still_running(story):
    story.end_as(RUNNING, 1)


def failed(story):
    story.end_as(FAILED, 1)
    story.job["error"] = json.dumps({"code": "worker_died"})


def cancelled_by_nobody(story):
    story.end_as(CANCELLED, 1)


def two_ids_for_a_key(story):
    story.add("client", "submit", {"job": "k"}, 12, number=PLAN.number, tag=str(PLAN.number),
              key="key", owner=PLAN.owner)
    story.state.jobs.append({**story.job, "id": "k", "webhook": False})
    story.state.segments.append(story.row(0, PLAN.texts, "k"))


def two_rows_for_a_request(story):
    story.state.jobs.append({**story.job, "id": "k", "webhook": False})
    story.state.segments.append(story.row(0, PLAN.texts, "k"))


def refused_and_there(story):
    other = plan_where(lambda plan: plan.number != PLAN.number and len(plan.texts) == 1)
    story.add("client", "submit", {"answer": "queue_full"}, 12, result="fail",
              number=other.number, tag=f"{other.number}.1", key="", owner=other.owner)
    story.state.jobs.append({**story.job, "id": "k", "tag": f"{other.number}.1", "segments": 1,
                             "webhook": False})
    story.state.segments.append(story.row(0, other.texts, "k"))


def gap(story):
    story.state.segments[1]["first"] = 2
    story.history.remove(story.follow)


def repetition(story):
    story.state.segments.append(story.row(1, PLAN.texts[1:2]))


def text_of_another(story):
    story.state.segments[1]["body"][1]["text"] = " Segment 2 of 31999."
    story.history.remove(story.follow)


def text_is_short(story):
    story.state.segments[1] = story.row(1, PLAN.texts[1:2])
    story.job["segments"] = 2
    story.history.remove(story.follow)


def waiting_client_got_half(story):
    story.add("client", "wait", {"text": PLAN.texts[0]}, 12, number=PLAN.number)


def written_after_cancel(story):
    story.end_as(CANCELLED, 2)
    story.cancel(1, at=15)
    story.state.segments[1] = story.row(1, PLAN.texts[1:2])


def done_after_cancel(story):
    story.cancel(3, at=15)


def end_taken_back(story):
    story.read("done", 3, at=30)
    story.read("running", 3, at=31)


def segments_fall(story):
    story.read("running", 2, at=15)
    story.read("running", 1, at=16)


def missing_later(story):
    story.read("missing", 0, at=30)


def follower_sees_one_twice(story):
    story.follow["value"]["segments"].insert(1, [0, PLAN.texts[0]])


def follower_misses_one(story):
    story.follow["value"]["segments"].pop()


def follower_is_told_other_text(story):
    story.follow["value"]["segments"][1][1] = " Segment 1 of 7."


def no_webhook(story):
    story.history.remove(story.hook)


def webhook_with_two_ids(story):
    story.add("receiver", "webhook", 200, 25, job="j", webhook_id="another", status="done",
              type="job.done")


def input_lost(story):
    story.end_as(FAILED, 0)
    story.job["error"] = json.dumps({"code": "input_lost"})


def recording_left(story):
    story.state.objects["jobs/o"] = WALL + 10


def dead_node_keeps_job(story):
    story.samples(100, 105, node=1, name="n")
    story.fault(1, "kill", "w", 105, 130, "n")
    story.samples(106, 130, node=1, name="n")


BROKEN = [
    (gone, {1}), (still_running, {1}), (failed, {1}), (cancelled_by_nobody, {1}),
    (two_ids_for_a_key, {2}), (two_rows_for_a_request, {2}), (refused_and_there, {2}),
    (gap, {3}), (repetition, {3}), (text_of_another, {3}), (text_is_short, {3}),
    (waiting_client_got_half, {3}),
    (written_after_cancel, {4}), (done_after_cancel, {5}),
    (end_taken_back, {5}), (segments_fall, {5}), (missing_later, {5}),
    (follower_sees_one_twice, {6}), (follower_misses_one, {6}), (follower_is_told_other_text, {6}),
    (no_webhook, {7}), (webhook_with_two_ids, {7}),
    (input_lost, {1, 8}), (recording_left, {8}),
    (dead_node_keeps_job, {9}),
]


def nothing(_):
    pass


def cancelled_by_its_client(story):
    story.end_as(CANCELLED, 1)
    story.cancel(1, at=15)


def reads_that_overlap(story):
    story.read("done", 3, at=30, took=5)
    story.read("running", 1, at=31)


def unknown_submit_without_job(story):
    story.add("client", "submit", None, 12, result="unknown", number=9, tag="9.1", key="",
              owner="ada")


def recording_left_beside_a_fault(story):
    story.state.objects["jobs/o"] = WALL + 10
    story.fault(1, "stop_bucket", "bucket", 15, 22)


def dead_while_the_database_is_away(story):
    dead_node_keeps_job(story)
    story.fault(2, "restart_database", "database", 112, 128)


def dead_while_all_others_are_hindered(story):
    dead_node_keeps_job(story)
    story.fault(2, "silence", "v-database", 112, 128)


def started_again_and_has_jobs(story):
    story.samples(100, 105, node=1, name="n")
    story.fault(1, "kill", "w", 105, 107, "n")
    story.samples(108, 130, node=2, name="n")


KEPT = [nothing, cancelled_by_its_client, reads_that_overlap, unknown_submit_without_job,
        recording_left_beside_a_fault, dead_while_the_database_is_away,
        dead_while_all_others_are_hindered, started_again_and_has_jobs]


class CheckerTest(unittest.TestCase):
    def test_each_rule_finds_what_breaks_it_and_no_other_does(self):
        for spoil, rules in BROKEN:
            with self.subTest(spoil.__name__):
                story = Story()
                spoil(story)
                self.assertEqual(set(story.breaches()), rules)

    def test_every_rule_has_a_case(self):
        self.assertEqual({rule for _, rules in BROKEN for rule in rules}, set(range(1, 10)))

    def test_what_is_allowed_is_no_breach(self):
        for spoil in KEPT:
            with self.subTest(spoil.__name__):
                story = Story()
                spoil(story)
                self.assertEqual(story.breaches(), [])

    def test_a_breach_names_rule_job_and_lines(self):
        story = Story()
        still_running(story)
        found = check(story.history, story.state, functools.partial(plan_job, 0), (), LIMIT)
        self.assertEqual(str(found[0]), "rule 1, job j: has not ended (state 1) (lines 2)")


if __name__ == "__main__":
    unittest.main()
