"""What one daemon costs, beside one of another build: start, a clip, a job, a list, memory.

    tests/bench/two_builds.py FOLDER_OF_PROGRAMS OTHER_FOLDER SOUND [--model tiny.en] [--rounds 40]

Each takes its turn in every round, so that what else the machine does meets both alike. Programs are
`scribed`, `scribed-worker` and `scribed-decode`, as in build/dev/bin; the models are those of this
machine (SCRIBED_DATA_DIR, or its default).
"""

import argparse
import json
import pathlib
import sys
import tempfile
import time

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "integration"))
from daemon import Daemon  # noqa: E402
from first_answer import home_of_a_user, idle_mib, options, spread  # noqa: E402


def taken_ms(action):
    began = time.monotonic()
    action()
    return (time.monotonic() - began) * 1000


class Build:
    def __init__(self, programs, home, sound, model):
        home.mkdir()
        self.environment = home_of_a_user(home)
        self.scribed = programs / "scribed"
        self.sound = sound
        self.model = model
        self.daemon = None
        self.times = {"start_ms": [], "clip_ms": [], "submit_ms": [], "job_ms": [], "list_ms": []}

    def start(self):
        self.daemon = Daemon(self.scribed, self.environment, *options(self.model, self.environment))
        self.get("/livez")

    def get(self, path):
        answer = self.daemon.get(path)
        assert answer.status == 200, answer.text

    def clip(self):
        answer = self.daemon.post_form("/v1/audio/transcriptions", [("model", self.model)], self.sound)
        assert answer.status == 200, answer.text

    def measure_start(self):
        self.times["start_ms"].append(taken_ms(self.start))
        self.daemon.end()

    def measure_round(self):
        self.times["clip_ms"].append(taken_ms(self.clip))
        jobs = []
        submit = lambda: jobs.append(self.daemon.submit(self.sound, model=self.model))  # noqa: E731
        self.times["submit_ms"].append(taken_ms(submit))
        self.times["job_ms"].append(taken_ms(lambda: self.daemon.wait_for_job(jobs[0])))
        for _ in range(5):
            self.times["list_ms"].append(taken_ms(lambda: self.get("/v1/jobs?limit=20")))

    def told(self):
        return {name: spread(times) for name, times in self.times.items()} | {
            "idle_mib": idle_mib(self.daemon.process.pid)}


def measure(builds, rounds):
    for _ in range(rounds):
        for build in builds:
            build.measure_start()
    for build in builds:
        build.start()
        build.clip()  # the model is loaded now
    try:
        for _ in range(rounds):
            for build in builds:
                build.measure_round()
        return [build.told() for build in builds]
    finally:
        for build in builds:
            build.daemon.end()


def main():
    parser = argparse.ArgumentParser(description=__doc__,
                                     formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("programs", nargs=2, type=pathlib.Path)
    parser.add_argument("sound", type=pathlib.Path)
    parser.add_argument("--model", default="tiny.en")
    parser.add_argument("--rounds", type=int, default=40)
    arguments = parser.parse_args()
    sound = arguments.sound.read_bytes()
    with tempfile.TemporaryDirectory() as folder:
        builds = [Build(programs.resolve(), pathlib.Path(folder) / str(i), sound,
                        arguments.model) for i, programs in enumerate(arguments.programs)]
        told = measure(builds, arguments.rounds)
    print(json.dumps(dict(zip(map(str, arguments.programs), told)), indent=1))


if __name__ == "__main__":
    main()
