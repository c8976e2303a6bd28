"""When faults were, as the history tells: for rules that speak of calm times, and of dead nodes."""

import dataclasses

from cluster.breach import ops
from cluster.fault_schedule import BUCKET, DATABASE, KINDS, NODES


@dataclasses.dataclass(frozen=True)
class Span:
    kind: str
    target: str
    name: str | None  # what the node calls itself in the database
    begin: float
    end: float

    @property
    def about(self):
        return KINDS[self.kind][0]

    @property
    def node(self):
        """The node that alone is hindered, if it is one."""
        if self.about == NODES:
            return self.target
        return None if self.about in (DATABASE, BUCKET) else self.target.rpartition("-")[0]


def fault_spans(history):
    """A fault whose end was not written lasted for ever."""
    ends = {entry["arguments"]["number"]: entry["returned"] for entry in ops(history, "end")
            if entry["process"] == "faults"}
    return [Span(entry["arguments"]["kind"], entry["arguments"]["target"],
                 entry["arguments"]["name"], entry["invoked"],
                 ends.get(entry["arguments"]["number"], float("inf")))
            for entry in ops(history, "begin") if entry["process"] == "faults"]


def touches(span, begin, end):
    return span.begin < end and begin < span.end


def database_time(history):
    """What has to be added to a time of the database for the monotonic one."""
    clocks = next(entry for entry in history if entry["process"] == "run")["value"]
    return clocks["monotonic"] - clocks["wall"]
