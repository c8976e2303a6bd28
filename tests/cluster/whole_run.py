"""A run from its start to its verdict: cluster, clients and faults side by side, then quiet, then
the checker."""

import collections
import dataclasses
import json
import time

from cluster.checker import check
from cluster.clocks import Clocks
from cluster.cluster_clients import Client, KnownJobs, Reader
from cluster.cluster_under_test import LEASE_S, Cluster
from cluster.day_later import DayLater
from cluster.fault_runner import FaultRunner
from cluster.fault_schedule import Reach, draw_schedule
from cluster.final_state import read_final_state, wait_until_empty, wait_until_settled
from cluster.history import History, read_history
from cluster.rules_of_nodes import times_until_left
from cluster.run_settings import Outcome
from cluster.watcher import Plans, Watcher
from cluster.webhook_receiver import WebhookReceiver

# A lease, a sweep of somebody who renews three times in a lease, and a slow machine.
DEAD_LIMIT_S = 2 * LEASE_S + 5
LAST_JOBS_S = 600  # for clients, after the last fault
EMPTY_S = 15  # until the recordings of ended jobs are removed


def run_with_faults(settings):
    history = History(settings.folder / "history.jsonl")
    receiver = WebhookReceiver(history, settings.seed)
    cluster = None
    try:
        cluster = Cluster(settings.roles, settings.parallel, settings.model, settings.data,
                          keeps_sound=settings.day_faults > 0)
        run = WholeRun(settings, cluster, history, receiver)
        run.work()
        run.settle()
        return run.judge()
    finally:
        history.close()
        receiver.end()
        if cluster:
            cluster.end()


class WholeRun:
    def __init__(self, settings, cluster, history, receiver):
        self.settings, self.cluster, self.history = settings, cluster, history
        self.reach, clocks = self._reach()
        self.plan = settings.plans()
        self.day = None
        if settings.day_faults:
            self.day = DayLater(cluster, settings, self.plan)
        cluster.start()
        if settings.recordings:
            self.plan.listen(cluster.those_that(lambda node: node.accepts)[0])
        if settings.change_cluster:
            settings.change_cluster(cluster)
        schedule = settings.schedule or draw_schedule(settings.seed, settings.faults,
                                                      settings.seconds, self.reach)
        self.faults = FaultRunner(cluster, history, schedule, clocks)
        self.watcher = Watcher(cluster, history)
        self.plans = Plans(self.plan, settings.jobs, self.watcher, settings.most_open)
        accepting = cluster.those_that(lambda node: node.accepts)
        common = (settings.seed, accepting, history, self.plans, KnownJobs(), receiver.url)
        self.clients = [Client(f"client-{n}", *common) for n in range(settings.clients)]
        self.readers = [Reader(f"reader-{n}", *common, pause=0.05) for n in range(2)]
        self.figures = {"seed": settings.seed}

    def _reach(self):
        """What faults this machine can have, for nodes that have not started. Those that do all get
        a small disk, and a clock that can jump."""
        cluster = self.cluster
        both = cluster.those_that(lambda node: node.accepts and node.transcribes)
        disks = [node.name for node in both[-1:] if cluster.give_small_disk(node)]
        # A day that passes has a library of its own for clocks.
        jump = Clocks.are_there() and not self.settings.day_faults
        clocks, jumping = Clocks(cluster.folder), both[:1] if jump else []
        for node in jumping:
            node.environment |= clocks.variables(node.name)
        reach = Reach(tuple(cluster.nodes), cluster.proxy is not None, self.settings.kinds,
                      disks=tuple(disks), clocks=tuple(node.name for node in jumping),
                      most_down=max(1, len(cluster.nodes) // 2 - 1))
        return reach, clocks

    def work(self):
        """Ends when the last fault is undone and the last client has done its jobs."""
        began = time.monotonic()
        for thread in (self.watcher, *self.clients, *self.readers):
            thread.start()
        self.faults.run()
        self.figures["faults_s"] = round(time.monotonic() - began, 1)
        for node in self.cluster.nodes.values():
            node.wait_until_ready()
        until = time.monotonic() + LAST_JOBS_S
        for client in self.clients:
            client.join(max(0, until - time.monotonic()))
        self.figures["clients_s"] = round(time.monotonic() - began, 1)

    def settle(self):
        self.figures["settled"] = wait_until_settled(self.cluster, self.settings.settle_s)
        for reader in self.readers:
            reader.stopped.set()
            reader.join()
        wait_until_empty(self.cluster, EMPTY_S)
        self.watcher.stop()

    def judge(self):
        folder = self.settings.folder
        state = read_final_state(self.cluster)
        later = list(self.day.run()) if self.day else []
        for node in self.cluster.nodes.values():
            (folder / node.log_path.name).write_text(node.log(), encoding="utf-8")
        (folder / "state.json").write_text(json.dumps(dataclasses.asdict(state)))
        self.history.close()
        history = read_history(self.history.path)
        transcribing = self.cluster.those_that(lambda node: node.transcribes)
        names = [node.name for node in transcribing]
        breaches = check(history, state, self.plan, names, DEAD_LIMIT_S)
        self._count(history, state)
        failures = self.faults.failures
        if self.day:
            self.figures["a_day_later"] = self.day.figures
            failures = failures + self.day.failures
        return Outcome(breaches + later, self.figures, failures)

    def _count(self, history, state):
        times = times_until_left(history)
        self.figures |= {
            "jobs": self.plans.given, "faults": sum(self.faults.done.values()),
            "faults_by_kind": self.faults.done, "without": what_is_missing(self.reach, self.day),
            "operations": collections.Counter(f"{entry['operation']} {entry['result']}"
                                              for entry in history),
            "rows_by_state": collections.Counter(row["state"] for row in state.jobs),
            "attempts": sum(row["attempts"] for row in state.jobs),
            "left_recordings": len(state.objects),
            "dead_node_had_jobs_s": {"count": len(times), "p50": round(times[len(times) // 2], 1),
                                     "most": round(times[-1], 1)} if times else None}


def what_is_missing(reach, day):
    """The kinds of faults that this machine could not have, for the report."""
    missing = [] if reach.has_proxy else ["network: toxiproxy is not installed"]
    missing += [] if reach.disks else ["disk_full: this user cannot mount a small disk"]
    if not reach.clocks:
        missing.append("clock: a day has a clock of its own" if day else
                       "clock: libfaketime is not installed")
    return missing
