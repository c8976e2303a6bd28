"""A day after a run: jobs, uploads and kept sound expire, and daemons look for what was left in the
bucket, while parts of the cluster fail once more.

Before it, jobs are pinned, jobs wait that nobody does, and objects are put into the bucket that
belong to nothing. Then every object becomes a day older, and so does the database.
"""

import dataclasses
import os
import random
import threading
import time

from cluster.bucket_state import read_bucket_state
from cluster.client_calls import call, send_sound
from cluster.fault_runner import FaultRunner
from cluster.fault_schedule import Reach, draw_schedule
from cluster.final_state import wait_until_settled
from cluster.history import History
from cluster.job_plan import OWNERS
from cluster.passing_time import PassingTime
from cluster.rules_of_bucket import bucket_is_as_the_database_says
from daemon import FORM_TYPE, form

DAY_S = 25 * 3600
PINNED, WAITING, UPLOADS, LITTER, YOUNG = 20, 10, 5, 60, 5  # how many
KINDS = ("kill", "pause", "silence", "latency", "reset", "terminate_backends", "restart_database",
         "crash_database", "silence_database", "stop_bucket", "pause_bucket", "silence_bucket")
HOURS_PAUSE_S = 3  # until hours pass once more
QUIET_S = 150  # in which everything has to be as it should, after the last fault
LATER = ("CREATE OR REPLACE FUNCTION scribed.scribed_now() RETURNS float8 LANGUAGE sql STABLE AS "
         f"'SELECT extract(epoch FROM clock_timestamp())::float8 + {DAY_S}'")
ALPHABET = "0123456789abcdefghjkmnpqrstvwxyz"


class DayLater:
    def __init__(self, cluster, settings, plan):
        self.cluster, self.settings, self.plan = cluster, settings, plan
        # Its faults are none of those that the rules of the run speak of.
        self.history = History(settings.folder / "day_later.jsonl")
        self.draw = random.Random(f"day {settings.seed}")
        self.time = PassingTime(cluster.folder)
        self.accepting = cluster.those_that(lambda node: node.role == "gateway")
        self.others = cluster.those_that(lambda node: node.transcribes)
        for node in cluster.nodes.values():
            node.environment |= self.time.variables
        self.young, self.waiting, self.failures, self.figures = set(), [], [], {}

    def run(self):
        """Returns the breaches."""
        self._leave_things()
        before = read_bucket_state(self.cluster)
        self._pass_a_day()
        faults = self._sweep_under_faults()
        state = self._wait_until_swept()
        self.history.close()
        self.figures = {"faults": faults, "objects_before": len(before.objects),
                        "without_row_before": len(before.without_row),
                        "objects_after": len(state.objects), "kept_sounds": len(state.sounds),
                        "waited_over_the_day": len(self.waiting)}
        return bucket_is_as_the_database_says(state, self._waiting_rows())

    def _any_gateway(self):
        return self.draw.choice(self.accepting)

    def _leave_things(self):
        """What has to stay, and what nobody misses."""
        self._pin()
        self._upload()
        for node in self.others:
            node.terminate()
        for number in range(1, WAITING + 1):
            plan = dataclasses.replace(self.plan(number), fails=False)
            sent = send_sound(self._any_gateway(), plan, "/v1/jobs", [])
            self.waiting.append(sent.json["id"])
        for _ in range(LITTER):
            for name in self._names():
                self._put(name)

    def _pin(self):
        done = self.cluster.rows("SELECT id, owner FROM scribed.jobs WHERE sound_bytes > 0 "
                                 f"ORDER BY number LIMIT {PINNED}")
        for job in done:
            call(self._any_gateway(), job["owner"], "PATCH", f"/v1/jobs/{job['id']}",
                 '{"pinned": true}', {"Content-Type": "application/json"})

    def _upload(self):
        for number in range(1, UPLOADS + 1):
            call(self._any_gateway(), self.draw.choice(OWNERS), "POST", "/v1/uploads",
                 form([], self.plan(number).sound()), {"Content-Type": FORM_TYPE})

    def _names(self):
        one = "".join(self.draw.choices(ALPHABET, k=26))
        return one, f"sounds/{one}", f"sounds/{one}.peaks", f"uploads/{one}"

    def _put(self, name):
        file = self.cluster.bucket.bucket / "jobs" / name
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_bytes(b"nobody's")

    def _pass_a_day(self):
        then = time.time() - DAY_S
        for name in self.cluster.bucket.names():
            os.utime(self.cluster.bucket.bucket / name, (then, then))
        assert self.cluster.postgres.ask(LATER).returncode == 0
        self._upload()
        for _ in range(YOUNG):
            for name in self._names():
                self._put(name)
                self.young.add(name)

    def _sweep_under_faults(self):
        """First where nobody transcribes, so that what waits does so all the time; then with all
        daemons. Returns how many faults there were."""
        half, seconds = self.settings.day_faults // 2, self.settings.day_seconds / 2
        done = self._fail(half, seconds, self.accepting, "waiting")
        for node in self.others:
            node.start()
        done += self._fail(half, seconds, list(self.cluster.nodes.values()), "all")
        return done

    def _fail(self, count, seconds, nodes, name):
        reach = Reach(tuple(node.name for node in nodes), self.cluster.proxy is not None, KINDS,
                      most_down=max(1, len(nodes) // 2 - 1))
        runner = FaultRunner(self.cluster, self.history,
                             draw_schedule(f"{self.settings.seed} {name}", count, seconds, reach))
        running = threading.Thread(target=runner.run)
        running.start()
        while running.is_alive():
            self._let_hours_pass()
            running.join(HOURS_PAUSE_S)
        self.failures += runner.failures
        for node in nodes:
            node.wait_until_ready()
        return sum(runner.done.values())

    def _let_hours_pass(self):
        if self.settings.day_sweeps:
            self.time.pass_by()

    def _wait_until_swept(self):
        wait_until_settled(self.cluster, self.settings.settle_s)
        until = time.monotonic() + QUIET_S
        while True:
            state = read_bucket_state(self.cluster, self.young)
            is_right = not state.without_row and not state.without_object
            if is_right or time.monotonic() > until:
                return state
            self._let_hours_pass()
            time.sleep(HOURS_PAUSE_S)

    def _waiting_rows(self):
        """What became of the jobs that waited, by id; those that are gone are not among them."""
        names = ", ".join(f"'{job}'" for job in self.waiting)
        rows = self.cluster.rows(f"SELECT id, state, error FROM scribed.jobs WHERE id IN ({names})")
        found = {row["id"]: row for row in rows}
        return {job: found.get(job) for job in self.waiting}
