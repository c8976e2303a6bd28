"""Rules 1 to 4: which jobs there are in the end, how they ended, and what their texts are. Pure
functions over a history and a final state."""

import collections

from cluster.breach import Breach, lines_of, ops

QUEUED, RUNNING, DONE, FAILED, CANCELLED = range(5)
TERMINAL = ("done", "failed", "cancelled")


def every_accepted_job_ends(history, state, plans):
    """Rule 1: every submit that was answered with an id is there and has ended; and as it was to
    end, which is done, unless its client cancelled it or it was to fail."""
    rows = {row["id"]: row for row in state.jobs}
    cancels = {entry["arguments"]["job"] for entry in ops(history, "cancel")}
    for entry in ops(history, "submit", "ok"):
        job = entry["value"]["job"]
        row = rows.get(job)
        if row is None:
            yield Breach(1, job, "was accepted and is gone", lines_of(entry))
        elif row["state"] <= RUNNING:
            yield Breach(1, job, f"has not ended (state {row['state']})", lines_of(entry))
        elif row["state"] == CANCELLED and job not in cancels:
            yield Breach(1, job, f"was cancelled by nobody: {row['error']}", lines_of(entry))
        elif row["state"] == FAILED and not plans(entry["arguments"]["number"]).fails:
            yield Breach(1, job, f"failed: {row['error']}", lines_of(entry))


def one_job_for_each_request(history, state):
    """Rule 2: equal owners and keys are one job, and a request without a key makes one job if it
    was accepted, none if it was refused, and at most one otherwise."""
    made = collections.Counter(row["tag"] for row in state.jobs)
    by_tag = collections.defaultdict(list)
    for entry in ops(history, "submit"):
        by_tag[entry["arguments"]["tag"]].append(entry)
    for tag, entries in by_tag.items():
        ids = {entry["value"]["job"] for entry in entries if entry["result"] == "ok"}
        if len(ids) > 1 or made[tag] > 1:
            yield Breach(2, tag, f"became {max(len(ids), made[tag])} jobs: {sorted(ids)}",
                         lines_of(*entries))
        if made[tag] > 0 and all(entry["result"] == "fail" for entry in entries):
            yield Breach(2, tag, "was refused, and is there all the same", lines_of(*entries))


def texts_are_whole(history, state, plans):
    """Rule 3: the segments of a done job are 0 to n - 1, each once, with the texts of its sound. Of
    others they are the first ones. What a waiting client was sent is the whole text, too."""
    numbers = {entry["arguments"]["tag"]: entry for entry in ops(history, "submit")}
    stored = collections.defaultdict(list)
    for row in state.segments:
        stored[row["id"]].append(row)
    for row in state.jobs:
        entry = numbers.get(row["tag"])
        if entry is None:
            continue
        problem = _problem_of_text(row, stored[row["id"]], plans(entry["arguments"]["number"]))
        if problem:
            yield Breach(3, row["id"], problem, lines_of(entry))
    for entry in ops(history, "wait", "ok"):
        plan = plans(entry["arguments"]["number"])
        if problem := plan.problem_of([entry["value"]["text"]], True):
            yield Breach(3, str(plan.number), f"what its client was sent {problem}",
                         lines_of(entry))


def _problem_of_text(job, rows, plan):
    place = 0
    for row in sorted(rows, key=lambda row: row["first"]):
        if row["first"] != place or row["count"] != len(row["body"]):
            return f"segment {place} is followed by {row['first']}"
        place += row["count"]
    texts = [segment["text"] for row in sorted(rows, key=lambda row: row["first"])
             for segment in row["body"]]
    if place != job["segments"]:
        return f"has {place} segments, and says {job['segments']}"
    return plan.problem_of(texts, job["state"] == DONE)


def nothing_is_written_after_a_cancel(history, state):
    """Rule 4: what a job has when its cancel was answered is what it has for ever."""
    rows = {row["id"]: row for row in state.jobs}
    for entry in ops(history, "cancel", "ok"):
        job = entry["arguments"]["job"]
        row = rows.get(job)
        if row is None or entry["value"]["status"] not in TERMINAL:
            yield Breach(4, job, f"is {entry['value']['status']} after its cancel", lines_of(entry))
        elif row["segments"] != entry["value"]["segments"]:
            yield Breach(4, job, f"had {entry['value']['segments']} segments when it was "
                                 f"{entry['value']['status']}, and {row['segments']} in the end",
                         lines_of(entry))
