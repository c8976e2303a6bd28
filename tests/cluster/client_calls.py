"""One call of a client to a daemon, and what is known of its effect."""

import dataclasses
import http.client
import json

from cluster.cluster_under_test import key_of
from daemon import FORM_TYPE, form

LIMIT_S = 15
# Answers after which the job certainly does not exist. Of `answer_lost` nobody knows.
WITHOUT_EFFECT = ("database_unavailable", "recordings_unavailable", "draining", "queue_full", "overloaded", "out_of_disk",
                  "too_many_jobs", "too_many_connections", "no_model", "busy")


@dataclasses.dataclass
class Answer:
    status: int
    json: dict | None

    @property
    def code(self):
        return ((self.json or {}).get("error") or {}).get("code") or str(self.status)

    @property
    def had_no_effect(self):
        is_refusal = 400 <= self.status < 500 and self.status not in (408, 499)
        return is_refusal or self.code in WITHOUT_EFFECT


def call(node, owner, method, path, body=None, headers=None, limit=LIMIT_S):
    """None where no answer came, or not all of it."""
    connection = node.connect(limit)
    try:
        connection.request(method, path, body,
                           {"Authorization": f"Bearer {key_of(owner)}", **(headers or {})})
        answer = connection.getresponse()
        text = answer.read()
        try:
            return Answer(answer.status, json.loads(text) if text else None)
        except ValueError:
            return Answer(answer.status, None)
    except (OSError, http.client.HTTPException):
        return None
    finally:
        connection.close()


def send_sound(node, plan, path, fields, headers=None, limit=LIMIT_S):
    body = form([*fields, *plan.fields], plan.sound(), file_name=f"{plan.number}.wav")
    return call(node, plan.owner, "POST", path, body,
                {"Content-Type": FORM_TYPE, **(headers or {})}, limit)
