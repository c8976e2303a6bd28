#!/usr/bin/env python3
"""Runs the integration tests of this folder: each module in a process of its own, several at a time.

  run.py [--jobs N] [--report FILE] [TEXT]

With TEXT only tests whose names contain it, as with unittest's -k. The report is a JSON list, an
object for each module: "module", "seconds", "tests", "passed", and "skipped", where each test that
was skipped has a reason.
"""

import argparse
import collections
import concurrent.futures
import json
import os
import pathlib
import signal
import subprocess
import sys
import tempfile
import time
import unittest

HERE = pathlib.Path(__file__).resolve().parent
# The modules that take longest begin first, so that none of them is left over in the end.
LONG = ("crash_test", "live_failures_test", "weights_test", "token_identity_test", "realtime_test", "jobs_test",
        "openai_test", "sound_across_test", "cluster_faults_test", "mcp_clients_test")


def tests_in(suite):
    for one in suite:
        if isinstance(one, unittest.TestSuite):
            yield from tests_in(one)
        else:
            yield one


def reasons(result, by_class):
    """Each skipped test's reason; a class that was skipped as a whole is all of its tests."""
    for test, reason in result.skipped:
        whole = getattr(test, "description", "")
        name = whole.removeprefix("setUpClass (").rstrip(")") if whole else ""
        yield from [reason] * (by_class[name] if name in by_class else 1)


def run_module(module, text, report):
    """In a process of its own: the module's tests, and what came of them into `report`."""
    loader = unittest.defaultTestLoader
    loader.testNamePatterns = [f"*{text}*"] if text else None
    suite = loader.loadTestsFromName(module)
    names = [f"{type(test).__module__}.{type(test).__qualname__}" for test in tests_in(suite)]
    began = time.monotonic()
    result = unittest.TextTestRunner().run(suite) if names else unittest.TestResult()
    report.write_text(json.dumps({
        "module": module, "seconds": round(time.monotonic() - began, 1), "tests": len(names),
        "passed": result.wasSuccessful(),
        "skipped": list(reasons(result, collections.Counter(names)))}))


def start_module(module, text):
    with tempfile.NamedTemporaryFile(suffix=".json") as report:
        command = [sys.executable, __file__, "--module", module, "--report", report.name, text]
        ended = subprocess.run(command, cwd=HERE, stdout=subprocess.PIPE,
                               stderr=subprocess.STDOUT, text=True, errors="replace")
        said = pathlib.Path(report.name).read_text()
    outcome = json.loads(said) if said else {"module": module, "seconds": 0, "tests": 0,
                                             "passed": False, "skipped": []}
    return outcome, ended.stdout


def order(module):
    return (LONG.index(module) if module in LONG else len(LONG), module)


def run_modules(modules, text, jobs):
    """Yields each module's outcome, as it ends."""
    with concurrent.futures.ThreadPoolExecutor(jobs) as pool:
        running = [pool.submit(start_module, module, text) for module in modules]
        for done in concurrent.futures.as_completed(running):
            outcome, output = done.result()
            yield outcome
            if not outcome["passed"]:
                print(output)
            if outcome["tests"] or not outcome["passed"]:
                print("{:7.1f} s  {:28} {:3} tests{}".format(
                    outcome["seconds"], outcome["module"], outcome["tests"],
                    "" if outcome["passed"] else "  FAILED"), flush=True)


def run_all(text, jobs, report):
    # page_crash_test kills a hundred times: scripts/crash_test runs it.
    modules = sorted((file.stem for file in HERE.glob("*_test.py") if file.stem != "page_crash_test"), key=order)
    # A browser plays sound and follows jobs in real time, so nothing else runs beside one.
    pages = [module for module in modules if module.startswith("page_")]
    others = [module for module in modules if module not in pages]
    outcomes = [*run_modules(others, text, jobs), *run_modules(pages, text, 1)]
    if report:
        report.write_text(json.dumps(outcomes, indent=1))
    failed = sorted(outcome["module"] for outcome in outcomes if not outcome["passed"])
    if failed:
        raise SystemExit(f"failed: {', '.join(failed)}")


def main():
    parser = argparse.ArgumentParser(description=__doc__,
                                     formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("text", nargs="?", default="")
    parser.add_argument("--jobs", type=int, default=min(2, os.cpu_count() or 1))
    parser.add_argument("--report", type=pathlib.Path)
    parser.add_argument("--module", help=argparse.SUPPRESS)
    arguments = parser.parse_args()
    # A shell's background job ignores Ctrl-C, and so would each program that is started here.
    signal.signal(signal.SIGINT, signal.default_int_handler)
    if arguments.module:
        run_module(arguments.module, arguments.text, arguments.report)
    else:
        run_all(arguments.text, arguments.jobs, arguments.report)


if __name__ == "__main__":
    main()
