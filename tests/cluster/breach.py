"""What a rule says of a history in which it was broken."""

import dataclasses


@dataclasses.dataclass(frozen=True)
class Breach:
    rule: int
    job: str  # its id, or the tag of its submit where it has none
    what: str
    lines: tuple = ()  # of the history

    def __str__(self):
        lines = f" (lines {', '.join(map(str, self.lines))})" if self.lines else ""
        return f"rule {self.rule}, job {self.job}: {self.what}{lines}"


def lines_of(*entries):
    return tuple(sorted(entry["line"] for entry in entries))


def ops(history, operation, result=None):
    return [entry for entry in history if entry["operation"] == operation
            and (result is None or entry["result"] == result)]
