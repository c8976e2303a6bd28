"""What is there when all faults have ended: rows of jobs and of their texts, and objects."""

import dataclasses
import json
import time

QUIET_S = 0.5
JOBS = ("SELECT id, owner, key, state, epoch, segments, finished, webhook, delivered, error, "
        "attempts, request::json->>'input' AS input, request::json->'metadata'->>'tag' AS tag "
        "FROM scribed.jobs ORDER BY number")
SEGMENTS = ("SELECT jobs.id, first, count, body FROM scribed.segments JOIN scribed.jobs "
            "ON number = job ORDER BY job, first")


@dataclasses.dataclass
class FinalState:
    jobs: list  # rows as objects
    segments: list  # rows: id, first, count, and body, a list of segments
    objects: dict  # name → when it came, in seconds since 1970


def wait_until_settled(cluster, limit):
    """Waits until no job is open, and no webhook is still to be delivered. Returns whether that was
    so in time; what is missing then is for the checker to say."""
    until = time.monotonic() + limit
    to_deliver = ("SELECT count(*) AS n FROM scribed.jobs WHERE webhook AND NOT delivered "
                  "AND finished > 0")
    while time.monotonic() < until:
        left = cluster.rows(to_deliver)
        if cluster.open_jobs() == 0 and left and left[0]["n"] == 0:
            return True
        time.sleep(QUIET_S)
    return False


def recordings(names):
    """Of the objects' names, those of recordings of jobs; kept sound and uploads stay for longer."""
    return [name for name in names if name.count("/") == 1]


def wait_until_empty(cluster, limit):
    """Recordings are removed a moment after their jobs have ended."""
    until = time.monotonic() + limit
    while recordings(cluster.bucket.names()) and time.monotonic() < until:
        time.sleep(QUIET_S)


def read_final_state(cluster):
    segments = cluster.rows(SEGMENTS)
    for row in segments:
        if isinstance(row["body"], str):
            row["body"] = json.loads(row["body"])
    root = cluster.bucket.bucket
    objects = {name: (root / name).stat().st_mtime for name in recordings(cluster.bucket.names())}
    return FinalState(jobs=cluster.rows(JOBS), segments=segments, objects=objects)
