"""The shortest time of a piece of work, for engines that are measured from Python."""

import time


def best_seconds(work, budget):
    """Repeats it for `budget` seconds. The first run is for what is set up by it."""
    work()
    best, begin = None, time.monotonic()
    while best is None or time.monotonic() - begin < budget:
        start = time.monotonic()
        work()
        taken = time.monotonic() - start
        best = taken if best is None else min(best, taken)
    return best
