"""Which faults come when: drawn from a seed, so a schedule can be repeated.

Faults come in phases, each with faults of some kinds alone: a rule about the death of a daemon says
nothing while the database is away, too. In the last phase kinds meet.
"""

import dataclasses
import random

NODES, NETWORK, DATABASE, BUCKET = "nodes", "network", "database", "bucket"
# Kind → what it is about, the shortest and the longest time in seconds, and how often it is drawn.
KINDS = {
    "kill": (NODES, 0.2, 16, 4),
    "terminate": (NODES, 0.2, 4, 1),
    "pause": (NODES, 4, 9, 4),
    "clock": (NODES, 3, 8, 1),
    "disk_full": (NODES, 2, 6, 1),
    "silence": (NETWORK, 1, 8, 3),
    "latency": (NETWORK, 2, 6, 2),
    "reset": (NETWORK, 0.2, 3, 3),
    "terminate_backends": (DATABASE, 0.5, 3, 4),
    "restart_database": (DATABASE, 0.2, 3, 2),
    "crash_database": (DATABASE, 0.2, 3, 2),
    "silence_database": (DATABASE, 1, 6, 1),
    "stop_bucket": (BUCKET, 1, 6, 2),
    "pause_bucket": (BUCKET, 1, 8, 2),
    "silence_bucket": (BUCKET, 1, 6, 1),
}
PHASES = ((NODES,), (NETWORK,), (DATABASE,), (BUCKET, NETWORK), (NODES, NETWORK, DATABASE, BUCKET))
NEED_PROXY = ("silence", "latency", "reset", "silence_database", "silence_bucket")
SERVICES = ("database", "bucket")


@dataclasses.dataclass(frozen=True)
class Fault:
    number: int
    at: float  # seconds since the faults began
    kind: str
    target: str  # a node, "node-service", "database" or "bucket"
    seconds: float
    size: float  # from 0 to 1: how large a latency or a jump of a clock is

    @property
    def ends(self):
        return self.at + self.seconds


@dataclasses.dataclass(frozen=True)
class Reach:
    """What faults there can be: `clocks` and `disks` name the nodes whose clock can jump and whose
    disk is small, `most_down` is how many nodes may be dead or paused at once."""

    nodes: tuple
    has_proxy: bool
    kinds: tuple = tuple(KINDS)
    clocks: tuple = ()
    disks: tuple = ()
    most_down: int = 2

    def targets(self, kind):
        about = KINDS[kind][0]
        if kind not in self.kinds:
            return ()
        if kind in NEED_PROXY and not self.has_proxy:
            return ()
        if kind == "clock":
            return self.clocks
        if kind == "disk_full":
            return self.disks
        if about == NODES:
            return self.nodes
        if about == NETWORK:
            return tuple(f"{node}-{service}" for node in self.nodes for service in SERVICES)
        return (about,)


def draw_schedule(seed, count, seconds, reach):
    """`count` faults, which begin within `seconds`. None is drawn for a target that has one then;
    where all of a phase have one, it is a fault of the network."""
    draw = random.Random(f"faults {seed}")
    times = sorted(draw.uniform(0, seconds) for _ in range(count))
    phases = [abouts for abouts in PHASES if any(KINDS[kind][0] in abouts for kind in reach.kinds)]
    phase_s = seconds / max(1, len(phases)) / max(1, round(seconds / 200))
    faults = []
    for at in times:
        abouts = phases[int(at / phase_s) % len(phases)]
        busy = [fault for fault in faults if fault.ends + 0.5 > at]
        fault = (_draw_one(draw, len(faults), at, abouts, busy, reach) or
                 _draw_one(draw, len(faults), at, (NETWORK,), busy, reach))
        if fault:
            faults.append(fault)
    return faults


def _draw_one(draw, number, at, abouts, busy, reach):
    is_crowded = sum(KINDS[fault.kind][0] == NODES for fault in busy) >= reach.most_down
    taken = {fault.target for fault in busy}
    choices = []
    for kind, (about, _, _, weight) in KINDS.items():
        if about not in abouts or about == NODES and is_crowded:
            continue
        free = [target for target in reach.targets(kind) if target not in taken]
        choices += [(kind, target, weight / len(free)) for target in free]
    seconds, size = draw.random(), draw.random()
    if not choices:
        return None
    kind, target, _ = draw.choices(choices, [weight for *_, weight in choices])[0]
    _, least, most, _ = KINDS[kind]
    return Fault(number, round(at, 2), kind, target,
                 round(least + seconds * (most - least), 2), round(size, 3))
