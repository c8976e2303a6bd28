"""The events of a job in one connection, as a follower sees them."""

import http.client
import json

from cluster.cluster_under_test import key_of

SILENCE_S = 40  # heartbeats come more often


def follow_once(node, owner, job):
    """Returns `segments`, pairs of id and text in the order in which they came, and `ended`: the
    status that the last event told, or None where the connection broke off before."""
    seen = {"segments": [], "ended": None}
    connection = node.connect(SILENCE_S)
    try:
        connection.request("GET", f"/v1/jobs/{job}/events",
                           headers={"Authorization": f"Bearer {key_of(owner)}"})
        response = connection.getresponse()
        if response.status != 200:
            seen["answer"] = response.status
            return seen
        for line in response:
            if line.startswith(b"data: "):
                _take(json.loads(line[6:]), seen)
    except (OSError, http.client.HTTPException, ValueError):
        pass  # what had come until then counts
    finally:
        connection.close()
    return seen


def _take(event, seen):
    if event["type"] == "job.segment":
        segment = event["segment"]
        seen["segments"].append([segment["id"], segment["text"]])
    elif event["type"] == "job.ended":
        seen["ended"] = event["job"]["status"]
