"""What a run is asked for, and what comes of it."""

import dataclasses
import functools
import pathlib

from cluster.fault_schedule import KINDS
from cluster.job_plan import plan_job
from cluster.recorded_jobs import RecordedJobs

# The daemons of a run, and their roles.
SMALL = {"gateway": "gateway", "worker": "worker", "both": "both"}
LARGE = {"gateway-1": "gateway", "gateway-2": "gateway", "worker-1": "worker",
         "worker-2": "worker", "both-1": "both", "both-2": "both"}


@dataclasses.dataclass(frozen=True)
class RunSettings:
    seed: int
    seconds: float  # in which the faults come
    jobs: int
    faults: int
    folder: pathlib.Path  # of the history, the final state and the logs
    roles: dict
    clients: int = 12
    most_open: int = 100  # jobs that wait or run; clients wait while there are more
    parallel: int = 3
    settle_s: float = 120
    day_faults: int = 0  # that come while the bucket is swept a day later; 0: no day passes
    day_seconds: float = 60
    day_sweeps: bool = True  # daemons look at the bucket then
    kinds: tuple = tuple(KINDS)  # of faults
    schedule: tuple = ()  # faults, in place of drawn ones
    make_plan: object = None  # from a job's number, in place of plan_job()
    change_cluster: object = None  # is called with the cluster before the clients begin
    recordings: tuple = ()  # files that real models transcribe; none: the fake worker and its sound
    model: str | None = None
    data: pathlib.Path | None = None  # the folder of the models

    def plans(self):
        if self.recordings:
            return RecordedJobs(self.seed, self.recordings)
        return self.make_plan or functools.partial(plan_job, self.seed)


@dataclasses.dataclass
class Outcome:
    breaches: list
    figures: dict
    failures: list  # of the run itself, which proves nothing then
