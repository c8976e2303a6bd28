"""A run from its start to its verdict: cluster, clients and faults side by side, then quiet, then the
checker."""

import dataclasses
import functools
import json
import pathlib
import time

from cluster.checker import check
from cluster.clocks import Clocks
from cluster.cluster_clients import Client, KnownJobs, Reader
from cluster.cluster_under_test import LEASE_S, Cluster
from cluster.fault_runner import FaultRunner
from cluster.fault_schedule import KINDS, Reach, draw_schedule
from cluster.final_state import read_final_state, wait_until_empty, wait_until_settled
from cluster.history import History, read_history
from cluster.job_plan import plan_job
from cluster.rules_of_nodes import times_until_left
from cluster.watcher import Plans, Watcher
from cluster.webhook_receiver import WebhookReceiver

SMALL = {"gateway": "gateway", "worker": "worker", "both": "both"}
LARGE = {"gateway-1": "gateway", "gateway-2": "gateway", "worker-1": "worker",
         "worker-2": "worker", "both-1": "both", "both-2": "both"}
# A lease, a sweep of somebody who renews three times in a lease, and a slow machine.
DEAD_LIMIT_S = 2 * LEASE_S + 5


@dataclasses.dataclass(frozen=True)
class RunSettings:
    seed: int
    seconds: float  # in which the faults come
    jobs: int
    faults: int
    folder: pathlib.Path  # of the history
    roles: dict
    clients: int = 12
    most_open: int = 150
    parallel: int = 3
    settle_s: float = 120
    kinds: tuple = tuple(KINDS)  # of faults
    change_cluster: object = None  # is called with the cluster before the clients begin


@dataclasses.dataclass
class Outcome:
    breaches: list
    figures: dict
    failures: list  # of the run itself, which proves nothing then


def run_with_faults(settings):
    history = History(settings.folder / "history.jsonl")
    receiver = WebhookReceiver(history, settings.seed)
    cluster = None
    try:
        cluster = Cluster(settings.roles, settings.parallel)
        return _run(settings, cluster, history, receiver)
    finally:
        history.close()
        receiver.end()
        if cluster:
            cluster.end()


def _run(settings, cluster, history, receiver):
    reach, clocks = _reach(cluster, settings.kinds)
    cluster.start()
    if settings.change_cluster:
        settings.change_cluster(cluster)
    schedule = draw_schedule(settings.seed, settings.faults, settings.seconds, reach)
    faults = FaultRunner(cluster, history, schedule, clocks)
    watcher = Watcher(cluster, history)
    plans = Plans(functools.partial(plan_job, settings.seed), settings.jobs, watcher,
                  settings.most_open)
    clients, readers = _clients(settings, cluster, history, plans, receiver.url)
    began = time.monotonic()
    for thread in (watcher, *clients, *readers):
        thread.start()
    faults.run()
    worked_s = time.monotonic() - began
    for node in cluster.nodes.values():
        node.wait_until_ready()
    for client in clients:
        client.join(settings.settle_s + 8 * 60)
    is_settled = wait_until_settled(cluster, True, settings.settle_s)
    for reader in readers:
        reader.stopped.set()
        reader.join()
    wait_until_empty(cluster, 15)
    watcher.stop()
    state = read_final_state(cluster)
    keep_logs(cluster, settings.folder)
    history.close()
    figures = {"seed": settings.seed, "jobs": plans.given, "faults": faults.done,
               "faults_s": round(worked_s, 1), "whole_s": round(time.monotonic() - began, 1),
               "settled": is_settled, "left_recordings": len(state.objects),
               "without": what_is_missing(reach)}
    transcribing = [node.name for node in cluster.those_that(lambda node: node.transcribes)]
    return judge(settings, state, transcribing, figures, faults.failures)


def _reach(cluster, kinds):
    """What faults this machine can have, for nodes that have not started. Those that do all get a
    small disk, and a clock that can jump."""
    both = cluster.those_that(lambda node: node.accepts and node.transcribes)
    disks = [node.name for node in both[-1:] if cluster.give_small_disk(node)]
    clocks, jumping = Clocks(cluster.folder), both[:1] if Clocks.are_there() else []
    for node in jumping:
        node.environment |= clocks.variables(node.name)
    return Reach(tuple(cluster.nodes), cluster.proxy is not None, kinds, disks=tuple(disks),
                 clocks=tuple(node.name for node in jumping),
                 most_down=max(1, len(cluster.nodes) // 2 - 1)), clocks


def _clients(settings, cluster, history, plans, hook):
    accepting = cluster.those_that(lambda node: node.accepts)
    known = KnownJobs()
    common = (settings.seed, accepting, history, plans, known, hook)
    clients = [Client(f"client-{n}", *common) for n in range(settings.clients)]
    readers = [Reader(f"reader-{n}", *common, pause=0.05) for n in range(2)]
    return clients, readers


def what_is_missing(reach):
    """The kinds of faults that this machine could not have, for the report."""
    missing = [] if reach.has_proxy else ["network: toxiproxy is not installed"]
    missing += [] if reach.disks else ["disk_full: this user cannot mount a small disk"]
    missing += [] if reach.clocks else ["clock: libfaketime is not installed"]
    return missing


def judge(settings, state, transcribing, figures, failures):
    history = read_history(settings.folder / "history.jsonl")
    with open(settings.folder / "state.json", "w", encoding="utf-8") as file:
        json.dump(dataclasses.asdict(state), file)
    breaches = check(history, state, functools.partial(plan_job, settings.seed), transcribing,
                     DEAD_LIMIT_S)
    times = times_until_left(history)
    results = {}
    for entry in history:
        name = f"{entry['operation']} {entry['result']}"
        results[name] = results.get(name, 0) + 1
    states = {}
    for row in state.jobs:
        states[row["state"]] = states.get(row["state"], 0) + 1
    figures |= {"operations": results, "rows_by_state": states,
                "attempts": sum(row["attempts"] for row in state.jobs),
                "dead_node_kept_s": {"count": len(times), "p50": times[len(times) // 2],
                                     "most": times[-1]} if times else None}
    return Outcome(breaches, figures, failures)


def keep_logs(cluster, folder):
    for node in cluster.nodes.values():
        (folder / node.log_path.name).write_text(node.log(), encoding="utf-8")
