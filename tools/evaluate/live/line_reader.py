"""Lines of `scribed transcribe --live --format jsonl` as a Trace. Needs no packages."""

from .trace import Trace, Turn


class LineReader:
    """All of it is one turn: text that is sure, and a tail that is not."""

    def __init__(self):
        self._turn = Turn()
        self._decided = ""  # of segments that are complete
        self._late = 0.0

    def take(self, at, event):
        if event["type"] == "segment":
            self._decided += event["text"]
            self._turn.show(at, self._decided)
        elif event["type"] == "partial":
            self._turn.show(at, self._decided + event["text"], event["tail"])
            self._late = max(self._late, at - event["heard_s"])
        elif event["type"] == "done":
            self._turn.end(at, event["text"])

    def trace(self):
        return Trace([self._turn], heard_late_s=self._late)
