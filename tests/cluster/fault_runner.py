"""Carries out a schedule of faults, each at its time, and writes them into the history."""

import threading
import time

from cluster.fault_kinds import FaultKinds, node_name


class FaultRunner:
    def __init__(self, cluster, history, schedule, clocks=None):
        self.cluster, self.history, self.schedule = cluster, history, schedule
        self.kinds = FaultKinds(cluster, clocks)
        self.stopped = threading.Event()
        self.failures = []
        self.done = {}  # kind → how often
        self.lock = threading.Lock()

    def run(self):
        """Returns when every fault has been undone."""
        began = time.monotonic()
        threads = []
        for fault in self.schedule:
            if self.stopped.wait(max(0, began + fault.at - time.monotonic())):
                break
            thread = threading.Thread(target=self._carry_out, args=(fault,))
            thread.start()
            threads.append(thread)
        for thread in threads:
            thread.join()

    def stop(self):
        """No further fault begins, and those that last end now."""
        self.stopped.set()

    def _carry_out(self, fault):
        node = self.cluster.nodes.get(fault.target)
        arguments = {"number": fault.number, "kind": fault.kind, "target": fault.target,
                     "seconds": fault.seconds, "name": node_name(node) if node else None}
        began = time.monotonic()
        self.history.note("faults", "begin", arguments)
        try:
            undo = self.kinds.begin(fault)
            self.stopped.wait(max(0, began + fault.seconds - time.monotonic()))
            undo()
        except Exception as failure:  # a run whose faults fail proves nothing, and says so
            self.failures.append(f"{fault}: {failure!r}")
        self.history.note("faults", "end", arguments)
        with self.lock:
            self.done[fault.kind] = self.done.get(fault.kind, 0) + 1
