"""Rules 8 and 9: recordings and their jobs, and jobs of dead nodes. Pure functions over a history
and a final state."""

import collections
import json

from cluster.breach import Breach, lines_of, ops
from cluster.fault_times import database_time, fault_spans, touches

# A call to a bucket that says nothing lasts so long, and a removal waits behind others.
BEHIND_FAULT_S = 45


def recordings_have_jobs(history, state):
    """Rule 8: no job ends because its recording is not there, and recordings are removed when their
    jobs have ended. One may be left, for the sweep of the next day, only where a fault was near."""
    for row in state.jobs:
        code = json.loads(row["error"]).get("code") if row["error"] else None
        if code == "input_lost":
            yield Breach(8, row["id"], "its recording was not there")
    spans, to_monotonic = fault_spans(history), database_time(history)
    ended = {row["input"].removeprefix("object:"): row for row in state.jobs}
    for name, came in state.objects.items():
        row = ended.get(name.rpartition("/")[2])
        at = to_monotonic + (row["finished"] if row and row["finished"] else came)
        if not any(touches(span, at - BEHIND_FAULT_S, at + 1) for span in spans):
            yield Breach(8, row["id"] if row else name,
                         "its recording is left although nothing was wrong")


def dead_nodes_keep_no_jobs(history, nodes, limit):
    """Rule 9: `limit` seconds after a node was killed nobody takes its jobs for running there, if
    another one that transcribes was unhindered all that time. `nodes` are those that transcribe.

    A start of a node is a number of its own in the database, so what it has begun since a new start
    is another number's."""
    spans = fault_spans(history)
    samples = ops(history, "sample", "ok")
    for span in (one for one in spans if one.kind == "kill"):
        starts = {node for sample in samples if sample["returned"] < span.begin
                  for _, node, name, *_ in sample["value"] if name == span.name}
        for sample in samples:
            kept = [row for row in sample["value"] if row[1] in starts]
            begin, end = sample["invoked"] - limit, sample["invoked"]
            if begin < span.begin or not kept or not _has_free_node(spans, nodes, begin, end):
                continue
            yield Breach(9, kept[0][0], f"still belongs to {span.target}, which was killed "
                         f"{end - span.begin:.0f} s before", lines_of(sample))
            break


def _has_free_node(spans, nodes, begin, end):
    near = [span for span in spans if touches(span, begin, end)]
    if any(span.target == "database" for span in near):
        return False
    hindered = {span.node for span in near}
    return any(node not in hindered for node in nodes)


def times_until_left(history):
    """For the report: after each kill, the seconds until no job was the dead node's any more."""
    samples = ops(history, "sample", "ok")
    found = collections.defaultdict(list)
    for span in (one for one in fault_spans(history) if one.kind == "kill"):
        starts = {node for sample in samples if sample["returned"] < span.begin
                  for _, node, name, *_ in sample["value"] if name == span.name}
        last = None
        for sample in samples:
            is_after = sample["invoked"] > span.begin
            if is_after and any(row[1] in starts for row in sample["value"]):
                last = sample["invoked"]
        if last:
            found[span.target].append(last - span.begin)
    return sorted(time for times in found.values() for time in times)
