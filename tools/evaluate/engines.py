"""Engines as the evaluation sees them: files in, transcripts, seconds and peak memory out."""

import dataclasses
import json
import os
import pathlib
import subprocess
import sys
import tempfile
import time

from .memory import MemoryWatch

TOOLS = pathlib.Path(__file__).resolve().parents[1]


@dataclasses.dataclass(frozen=True)
class Settings:
    """What all engines of one run have in common."""

    beam_size: int = 5  # 0 or 1: greedy
    temperatures: tuple = (0.0,)
    language: str | None = None  # None: each engine detects it
    threads: int = 2
    word_timestamps: bool = False


@dataclasses.dataclass
class Transcription:
    text: str
    language: str
    seconds: float  # wall time from file to text, without loading the model
    error: str = ""


class EngineError(Exception):
    """Why an engine cannot take part."""


class PythonEngine:
    """An engine with a Python interface, kept loaded in a child process."""

    def __init__(self, label, engine, model, compute_type, mode, settings):
        self.label = label
        self.memory = MemoryWatch()
        wanted = dataclasses.asdict(settings) | {
            "engine": engine,
            "model": os.fspath(model),
            "compute_type": compute_type,
            "mode": mode,
        }
        self._child = subprocess.Popen(
            [sys.executable, "-m", "evaluate.child", json.dumps(wanted)],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
            env=os.environ
            | {"PYTHONPATH": os.fspath(TOOLS), "OMP_NUM_THREADS": str(settings.threads)},
        )
        with self.memory.watch(self._child.pid):
            self.load_seconds = self._answer()["load_s"]

    def _answer(self):
        line = self._child.stdout.readline()
        if not line:
            raise EngineError(f"{self.label} ended with exit code {self._child.wait()}")
        return json.loads(line)

    def transcribe(self, files):
        results = []
        with self.memory.watch(self._child.pid):
            for file in files:
                self._child.stdin.write(f"{file}\n")
                self._child.stdin.flush()
                answer = self._answer()
                if "error" in answer:
                    results.append(Transcription("", "?", 0.0, answer["error"]))
                else:
                    results.append(Transcription(**answer))
        return results

    def close(self):
        self._child.stdin.close()
        self._child.wait()


class ScribedEngine:
    """The real command, started once for every block of files; it loads its model each time."""

    def __init__(self, label, program, model, compute_type, mode, settings):
        self.label = label
        self.memory = MemoryWatch()
        self.load_seconds = 0.0  # of the latest start: everything but the files themselves
        self._model_seconds = 0.0
        if not os.access(program, os.X_OK):
            raise EngineError(f"no scribed at {program}; build it or name one with --scribed FILE")
        rest = settings.temperatures[1:]
        step = round(rest[0] - settings.temperatures[0], 6) if rest else "none"
        self._command = [
            os.fspath(program), "transcribe", "--quiet", "--format", "json",
            "--model", os.fspath(model), "--compute-type", compute_type or "auto",
            "--language", settings.language or "auto", "--threads", str(settings.threads),
            "--beam-size", str(max(1, settings.beam_size)),
            "--temperature", str(settings.temperatures[0]),
            "--temperature-increment-on-fallback", str(step),
            "--long-form", mode or "auto", "--word-timestamps", str(settings.word_timestamps).lower(),
        ]  # fmt: skip

    def transcribe(self, files):
        with tempfile.TemporaryDirectory() as out:
            began = time.monotonic()
            command = [*self._command, "--output", out, "--", *map(os.fspath, files)]
            child = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE)
            with self.memory.watch(child.pid):
                _, complaint = child.communicate()
            took = time.monotonic() - began
            results = [self._read(pathlib.Path(out), file, complaint) for file in files]
        # The first file's time contains the loading of the model, and says how long that took.
        results[0].seconds = max(0.0, results[0].seconds - self._model_seconds)
        self.load_seconds = took - sum(r.seconds for r in results)
        return results

    def _read(self, folder, file, complaint):
        written = folder / (pathlib.Path(file).stem + ".json")
        if not written.is_file():
            return Transcription("", "?", 0.0, complaint.decode(errors="replace").strip())
        found = json.loads(written.read_text(encoding="utf-8"))
        self._model_seconds = found["timings"]["load_s"]
        return Transcription(found["text"], found["language"], found["timings"]["total_s"])

    def close(self):
        pass
