"""Rules 5 to 7: what clients see. Pure functions over a history and a final state."""

import collections

from cluster.breach import Breach, lines_of, ops

TERMINAL = ("done", "failed", "cancelled")
NAMES = ("queued", "running", *TERMINAL)


def readers_see_no_past(history):
    """Rule 5: who asks after another was answered, at whatever daemon, sees nothing older: an end
    is for ever, and a job's segments never become fewer."""
    seen = collections.defaultdict(list)
    for entry in history:
        if entry["operation"] in ("read", "cancel") and entry["result"] == "ok":
            seen[entry["arguments"]["job"]].append(entry)
    for job, entries in seen.items():
        yield from _readings_in_order(job, entries)


def _readings_in_order(job, entries):
    """Compares each reading with the most that readings told that had been answered before it."""
    answered = sorted(entries, key=lambda entry: entry["returned"])
    waiting = iter(answered)
    following = next(waiting, None)
    most = ended = None
    for entry in sorted(entries, key=lambda entry: entry["invoked"]):
        while following and following["returned"] < entry["invoked"]:
            if most is None or following["value"]["segments"] > most["value"]["segments"]:
                most = following
            if ended is None and following["value"]["status"] in TERMINAL:
                ended = following
            following = next(waiting, None)
        status = entry["value"]["status"]
        if ended and status != ended["value"]["status"]:
            yield Breach(5, job, f"was {ended['value']['status']} and is {status}",
                         lines_of(ended, entry))
        elif status == "missing":
            yield Breach(5, job, "was accepted and is missing", lines_of(entry))
        elif most and entry["value"]["segments"] < most["value"]["segments"]:
            yield Breach(5, job, f"had {most['value']['segments']} segments and has "
                                 f"{entry['value']['segments']}", lines_of(most, entry))


def the_end_is_what_was_told(history, state):
    """Rule 5 for the end: whoever was told that a job had ended was told how it ended."""
    rows = {row["id"]: row for row in state.jobs}
    told = [(entry, entry["arguments"]["job"], entry["value"]["status"])
            for entry in history if entry["operation"] in ("read", "cancel")
            and entry["result"] == "ok"]
    told += [(entry, entry["arguments"]["job"], entry["value"]["ended"])
             for entry in ops(history, "follow", "ok")]
    told += [(entry, entry["arguments"]["job"], entry["arguments"]["status"])
             for entry in ops(history, "webhook")]
    for entry, job, status in told:
        row = rows.get(job)
        if status in TERMINAL and row and NAMES[row["state"]] != status:
            yield Breach(5, job, f"is {NAMES[row['state']]}, and somebody was told {status}",
                         lines_of(entry))


def followers_see_segments_in_order(history, state):
    """Rule 6: in one connection segments come from the first on, each once, as they are stored; and
    all of them before the end."""
    stored = collections.defaultdict(dict)
    for row in state.segments:
        for place, segment in enumerate(row["body"], row["first"]):
            stored[row["id"]][place] = segment["text"]
    for entry in ops(history, "follow"):
        value = entry["value"]
        if not value:
            continue
        job, ids = entry["arguments"]["job"], [one for one, _ in value["segments"]]
        texts = stored[job]
        if ids != list(range(len(ids))):
            yield Breach(6, job, f"its follower saw the segments {ids}", lines_of(entry))
        elif [text for _, text in value["segments"]] != [texts.get(one) for one in ids]:
            yield Breach(6, job, "its follower saw other texts than are stored", lines_of(entry))
        elif value["ended"] and len(ids) != len(texts):
            yield Breach(6, job, f"its follower saw {len(ids)} of {len(texts)} segments",
                         lines_of(entry))


def every_end_is_told(history, state):
    """Rule 7: the webhook of every job that has ended came, always with one id."""
    heard = collections.defaultdict(list)
    for entry in ops(history, "webhook"):
        heard[entry["arguments"]["job"]].append(entry)
    for row in state.jobs:
        calls = heard.get(row["id"], [])
        if row["webhook"] and row["state"] >= 2 and all(one["value"] != 200 for one in calls):
            yield Breach(7, row["id"], "its webhook never came", lines_of(*calls))
    for job, entries in heard.items():
        ids = {entry["arguments"]["webhook_id"] for entry in entries}
        if ids != {job}:
            yield Breach(7, job, f"its webhooks have the ids {sorted(map(str, ids))}",
                         lines_of(*entries))
