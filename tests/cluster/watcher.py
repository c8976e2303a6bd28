"""Looks at the database twice a second, by a way that no fault is on, and writes into the history
who has which job. It also holds clients back while many jobs wait."""

import threading

INTERVAL_S = 0.5
SAMPLE = ("SELECT jobs.id, jobs.node, nodes.name, jobs.epoch, jobs.segments FROM scribed.jobs "
          "LEFT JOIN scribed.nodes ON nodes.node = jobs.node WHERE jobs.state = 1")


class Watcher(threading.Thread):
    def __init__(self, cluster, history):
        super().__init__(name="watcher", daemon=True)
        self.cluster, self.history = cluster, history
        self.stopped = threading.Event()
        self.open_jobs = 0

    def run(self):
        while not self.stopped.wait(INTERVAL_S):
            with self.history.record("watcher", "sample") as one:
                running = self.cluster.rows(SAMPLE)
                if running is not None:
                    one.ok([[row["id"], row["node"], row["name"], row["epoch"], row["segments"]]
                            for row in running])
            count = self.cluster.open_jobs()
            if count is not None:
                self.open_jobs = count

    def stop(self):
        self.stopped.set()
        self.join()


class Plans:
    """Gives the plans of jobs to clients, one after another, and pauses where more than `most_open`
    jobs are waiting or running."""

    def __init__(self, make, count, watcher, most_open):
        self.make, self.count = make, count
        self.watcher, self.most_open = watcher, most_open
        self.next, self.lock = 1, threading.Lock()
        self.stopped = threading.Event()

    def __call__(self):
        while self.watcher.open_jobs > self.most_open and not self.stopped.wait(0.2):
            pass
        with self.lock:
            if self.next > self.count or self.stopped.is_set():
                return None
            self.next += 1
            return self.make(self.next - 1)

    @property
    def given(self):
        return self.next - 1
