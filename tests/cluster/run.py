#!/usr/bin/env python3
"""Runs several daemons under clients and faults, and checks what they promise.

  run.py [--seed N] [--seconds S] [--jobs J] [--faults F] [--small] [--kinds KIND…]
         [--a-day-later FAULTS] [--mutate NAME] [--clients N] [--parallel N] [--recordings FILE…]
         [--keep FOLDER] [--report FILE]

Ends with 1 where a rule was broken, and with 2 where the run itself failed.
"""

import argparse
import json
import pathlib
import random
import sys
import tempfile

sys.path[0] = str(pathlib.Path(__file__).resolve().parents[1])

# pylint: disable=wrong-import-position
from cluster.checker import RULES
from cluster.fault_schedule import KINDS
from cluster.mutations import MUTATIONS
from cluster.run_settings import LARGE, SMALL, RunSettings
from cluster.whole_run import run_with_faults

MOST_SHOWN = 10  # breaches of one rule; the report has all


def arguments():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--seed", type=int, default=random.randrange(1_000_000))
    parser.add_argument("--seconds", type=float, default=90, help="in which the faults come")
    parser.add_argument("--jobs", type=int, default=1000)
    parser.add_argument("--faults", type=int, default=45)
    parser.add_argument("--clients", type=int, default=12)
    parser.add_argument("--parallel", type=int, default=3, help="jobs that a daemon runs at once")
    parser.add_argument("--kinds", nargs="+", choices=KINDS, help="faults of these alone")
    parser.add_argument("--a-day-later", type=int, default=0, metavar="FAULTS", dest="day_faults",
                        help="then a day passes, and so many come while the bucket is swept")
    parser.add_argument("--no-day-sweep", action="store_true",
                        help="nobody sweeps it, to see that noticed")
    parser.add_argument("--mutate", choices=MUTATIONS, help="break the cluster, to see it noticed")
    parser.add_argument("--recordings", type=pathlib.Path, nargs="+", default=(),
                        help="sound for a real model, in place of the fake worker's")
    parser.add_argument("--model", default="tiny.en", help="of the recordings")
    parser.add_argument("--data", type=pathlib.Path, help="the folder of models of the recordings",
                        default=pathlib.Path(__file__).resolve().parents[2] / ".deps/data")
    parser.add_argument("--small", action="store_true", help="three daemons instead of six")
    parser.add_argument("--keep", type=pathlib.Path, help="folder for the history and the logs")
    parser.add_argument("--report", type=pathlib.Path, help="file for figures and breaches (JSON)")
    return parser.parse_args()


def main():
    given = arguments()
    mutation = MUTATIONS.get(given.mutate)
    print(f"seed {given.seed}", flush=True)
    with tempfile.TemporaryDirectory(prefix="scribed-history-") as temporary:
        folder = given.keep or pathlib.Path(temporary)
        folder.mkdir(parents=True, exist_ok=True)
        outcome = run_with_faults(RunSettings(
            seed=given.seed, seconds=given.seconds, jobs=given.jobs, faults=given.faults,
            folder=folder, roles=SMALL if given.small else LARGE, clients=given.clients,
            parallel=given.parallel, most_open=4 * given.clients,
            recordings=tuple(given.recordings), data=given.data,
            model=given.model if given.recordings else None,
            day_faults=given.day_faults, day_sweeps=not given.no_day_sweep,
            kinds=tuple(given.kinds or (mutation.kinds if mutation else KINDS)),
            change_cluster=mutation.apply if mutation else None))
    print(json.dumps(outcome.figures, indent=1))
    for rule, title in RULES.items():
        found = [breach for breach in outcome.breaches if breach.rule == rule]
        if found:
            print(f"rule {rule} ({title}): {len(found)} breaches")
        for breach in found[:MOST_SHOWN]:
            print(f"  {breach}")
    print(f"{len(outcome.breaches)} breaches")
    for failure in outcome.failures:
        print(f"the run failed: {failure}")
    if given.report:
        given.report.write_text(json.dumps({**outcome.figures, "breaches": [
            str(breach) for breach in outcome.breaches], "failures": outcome.failures}, indent=1))
    return 2 if outcome.failures else 1 if outcome.breaches else 0


if __name__ == "__main__":
    sys.exit(main())
