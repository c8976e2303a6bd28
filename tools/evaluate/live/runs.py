"""The ways in which a recording is fed, one after the other."""

import concurrent.futures
import dataclasses
import sys

from ..engines import EngineError
from . import realtime, scribed
from .lag import LagWatch
from .long_file import LongFile
from .measure import row, whole
from .usage import Usage

STAGGER_S = 1.7  # between the begins of sessions, so that they do not pause together
WARM_UP_S = 5  # of the recording, before anything is measured


def of(recording, program, arguments):
    """The rows of a recording, as they are measured. Who cannot take part is named with the reason."""
    of_whole = whole(scribed.offline(program, recording))
    yield from _of_daemon(recording, of_whole, program, arguments)
    for margin in [None, *arguments.margins] if arguments.command else arguments.margins:
        options = [] if margin is None else ["--live-margin", margin]
        trace, usage = scribed.live(program, recording, arguments.piece_ms / 1000, options)
        label = " ".join(map(str, ["transcribe --live", *options]))
        yield row(label, recording, of_whole, [trace], usage, **({} if margin is None else {"margin": margin}))
    if arguments.peer:
        yield from _of_peer(recording, of_whole, arguments)


def _of_daemon(recording, of_whole, program, arguments):
    if not (arguments.sessions or arguments.eagerness or arguments.beside_file):
        return
    daemon = scribed.Daemon(program, arguments.set)
    try:
        pcm = recording.at_rate(realtime.RATE)
        settings = realtime.Settings(arguments.silence_ms, arguments.piece_ms / 1000)
        realtime.run(daemon.port, pcm[: WARM_UP_S * 2 * realtime.RATE], recording.language, settings)
        for count in arguments.sessions:
            traces, usage = _sessions(daemon, pcm, recording.language, settings, count)
            yield row(f"Realtime, {count} at once", recording, of_whole, traces, usage)
        for eagerness in arguments.eagerness:
            semantic = dataclasses.replace(settings, eagerness=eagerness)
            traces, usage = _sessions(daemon, pcm, recording.language, semantic, 1)
            yield row(f"Realtime, semantic_vad {eagerness}", recording, of_whole, traces, usage)
        if arguments.beside_file:
            file = LongFile(program, daemon, recording)
            file.start()
            try:
                traces, usage = _sessions(daemon, pcm, recording.language, settings, 1)
            finally:
                file.stop()
            yield row("Realtime, beside a long file", recording, of_whole, traces, usage,
                      file_times_real_time=file.times_real_time)  # fmt: skip
    finally:
        daemon.close()


def _sessions(daemon, pcm, language, settings, count):
    usage, lag = Usage(daemon.pid), LagWatch(daemon.port)
    with concurrent.futures.ThreadPoolExecutor(count) as pool:
        usage.begin()
        lag.begin()
        running = [pool.submit(realtime.run, daemon.port, pcm, language, settings, number * STAGGER_S)
                   for number in range(count)]  # fmt: skip
        traces = [one.result() for one in running]
    usage.end()
    lag.end()
    for trace in traces:
        trace.heard_late_s = lag.worst_s
    return traces, usage


def _of_peer(recording, of_whole, arguments):
    from .peer import Peer

    try:
        peer = Peer(arguments.model, recording)
    except EngineError as reason:
        print(f"left out: WhisperLiveKit: {reason}", file=sys.stderr)
        return
    try:
        usage = Usage(peer.pid)
        usage.begin()
        trace = peer.run(recording, arguments.piece_ms / 1000)
        usage.end()
        yield row(peer.label, recording, of_whole, [trace], usage)
    finally:
        peer.close()
