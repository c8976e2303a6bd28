"""What clients did and what came of it: one JSON line for each operation, which threads add.

An entry has `process`, `operation`, `arguments`, `result` ("ok", "fail": it certainly had no
effect, or "unknown"), `value`, and `invoked` and `returned`, both by one monotonic clock. Its `line` is the
number of its line in the file, from 1 on, by which breaches name it.
"""

import contextlib
import json
import threading
import time

OK, FAIL, UNKNOWN = "ok", "fail", "unknown"


class Operation:
    """An operation under way. Whoever does it sets `result` and `value`."""

    def __init__(self, process, operation, arguments):
        self.process, self.operation, self.arguments = process, operation, arguments
        self.result, self.value = UNKNOWN, None
        self.invoked = time.monotonic()

    def ok(self, value=None):
        self.result, self.value = OK, value

    def fail(self, value=None):
        self.result, self.value = FAIL, value

    def unknown(self, value=None):
        self.result, self.value = UNKNOWN, value


class History:
    def __init__(self, path):
        self.path = path
        self.file = open(path, "w", encoding="utf-8")
        self.lock = threading.Lock()
        # By these two a time of the database is one of the monotonic clock.
        self.note("run", "begin", {}, {"wall": time.time(), "monotonic": time.monotonic()})

    @contextlib.contextmanager
    def record(self, process, operation, **arguments):
        """An operation that is written when the block ends, also by an exception."""
        one = Operation(process, operation, arguments)
        try:
            yield one
        finally:
            self._write(one, time.monotonic())

    def note(self, process, operation, arguments, value=None):
        """Writes what happened at this moment, such as a fault or a webhook."""
        one = Operation(process, operation, arguments)
        one.ok(value)
        self._write(one, one.invoked)

    def _write(self, one, returned):
        text = json.dumps({"process": one.process, "operation": one.operation,
                           "arguments": one.arguments, "result": one.result, "value": one.value,
                           "invoked": one.invoked, "returned": returned})
        with self.lock:
            if not self.file.closed:
                self.file.write(text + "\n")

    def close(self):
        with self.lock:
            self.file.close()


def read_history(path):
    with open(path, encoding="utf-8") as file:
        return [{"line": number, **json.loads(text)} for number, text in enumerate(file, 1)]
