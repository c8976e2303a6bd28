"""Does a live session stay for hours as it was in its first minutes?

    tests/bench/live_hours.py [--hours 1] [--as-fast] [--model base] [--threads 2] [SOUND…]

It starts a daemon of its own and gives one session of the Realtime API the same recordings again and
again, as fast as they were spoken, or (`--as-fast`) as fast as they are taken. For each tenth of the
sound it prints memory, how far the text was behind, how late a turn's text came, words and seconds
of a core. It fails where the session ends early, a turn fails, or sound at the end is not heard.
"""

import argparse
import base64
import contextlib
import os
import pathlib
import socket
import statistics
import subprocess
import sys
import tempfile
import threading
import time

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "integration"))
from daemon import Daemon  # noqa: E402
from live_daemon import BUFFER, MODELS, PATH, RATE, SECOND, TEXT  # noqa: E402
from recordings import RECORDINGS, fast_program  # noqa: E402
from scribed_command import processes  # noqa: E402
from soak import look_at, slope  # noqa: E402
from websocket_client import Closed, WebSocket  # noqa: E402

PIECE_S = 0.1
LOOK_S = 0.5
GAP = bytes(SECOND)  # of silence, so that turns end
TICKS = os.sysconf("SC_CLK_TCK")


def sound_of(files):
    """Samples of recordings, a second of silence behind each."""
    command = ["ffmpeg", "-nostdin", "-loglevel", "error", "-i"]
    rest = ["-f", "s16le", "-ac", "1", "-ar", str(RATE), "-"]
    return b"".join(subprocess.run([*command, file, *rest], capture_output=True, check=True).stdout + GAP
                    for file in files)


def core_seconds(daemon):
    """Of the daemon and its workers, from their start."""
    pids = [pid for pid, (parent, _) in processes().items()
            if daemon.process.pid in (pid, parent)]
    fields = [pathlib.Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split() for pid in pids]
    return sum(int(one[11]) + int(one[12]) for one in fields) / TICKS


def lag(daemon):
    """Seconds by which the text is behind the sound that was taken."""
    line, = (line for line in daemon.get("/metrics").text.splitlines()
             if line.startswith("scribed_live_lag_seconds "))
    return float(line.split()[1])


class Session(WebSocket):
    """Sound goes in from one thread, while another reads: that one answers pings, so writes take turns."""

    def __init__(self, port):
        self.writing = threading.Lock()
        super().__init__(port, PATH, limit=600)
        turns = {"type": "server_vad", "silence_duration_ms": 200}
        audio = {"transcription": {"model": "whisper-1", "language": "en"}, "turn_detection": turns}
        self.send({"type": "session.update", "session": {"type": "transcription", "audio": {"input": audio}}})
        self.receive_until(lambda event: event["type"] == "session.updated")

    def send_frame(self, *frame, **more):
        with self.writing:
            super().send_frame(*frame, **more)

    def append(self, piece):
        self.send({"type": BUFFER + "append", "audio": base64.b64encode(piece).decode()})


class Listener(threading.Thread):
    """Reads the session to its end; what came since the last take() is counted."""

    def __init__(self, session, begun):
        super().__init__()
        self.session, self.begun = session, begun
        self.lock = threading.Lock()
        self.words, self.delays, self.ends = 0, [], {}  # ends: seconds, of turns without a text yet
        self.problems, self.heard_s, self.pending, self.is_cleared = [], 0.0, set(), False
        self.is_done = threading.Event()
        self.start()

    def run(self):
        try:
            while not self.is_done.is_set():
                self.note(self.session.receive_json())
        except (Closed, OSError, ValueError) as end:  # the last where the file was closed meanwhile
            self.problems.append(f"the session ended: {end}")
        self.is_done.set()

    def note(self, event):
        kind = event["type"]
        with self.lock:
            if kind == BUFFER + "speech_stopped":
                self.heard_s = event["audio_end_ms"] / 1000
                self.ends[event["item_id"]] = self.heard_s
            elif kind == BUFFER + "committed":
                self.pending.add(event["item_id"])
            elif kind == TEXT + "completed":
                self.pending.discard(event["item_id"])
                self.words += len(event["transcript"].split())
                end_s = self.ends.pop(event["item_id"], None)
                if end_s is not None:
                    self.delays.append(time.monotonic() - self.begun - end_s)
            elif kind == TEXT + "failed":
                self.pending.discard(event["item_id"])
                self.problems.append(f"a turn failed: {event['error']}")
            self.is_cleared |= kind == BUFFER + "cleared"
            if self.is_cleared and not self.pending:
                self.is_done.set()

    def take(self):
        with self.lock:
            words, delays, self.words, self.delays = self.words, self.delays, 0, []
        return words, delays


class Looks(threading.Thread):
    """Memory and lag, all the while."""

    def __init__(self, daemon):
        super().__init__()
        self.daemon_under_test = daemon
        self.lags, self.memory = [], []  # since the last take(); (hours, MiB) of all
        self.begun, self.stopped = time.monotonic(), threading.Event()
        self.start()

    def run(self):
        while not self.stopped.wait(LOOK_S):
            self.lags.append(lag(self.daemon_under_test))
            found = look_at(self.daemon_under_test)
            self.memory.append((time.monotonic() - self.begun, found["daemon"] + found["workers"]))

    def take(self):
        lags, self.lags = self.lags, []
        return lags

    def stop(self):
        self.stopped.set()
        self.join()


def in_seconds(values, of=statistics.median):
    return f"{of(values):.2f} s" if values else "-"


def give(session, pcm, seconds, is_paced, begun, listener, each_tenth):
    """Feeds the recordings in a circle, and calls each_tenth(seconds given) ten times."""
    step, given, place, tenths = int(PIECE_S * SECOND), 0.0, 0, 0
    while given < seconds and not listener.is_done.is_set():
        piece = pcm[place:place + step]
        place = (place + step) % len(pcm) if len(piece) == step else 0
        given += len(piece) / SECOND
        if is_paced:
            time.sleep(max(0.0, begun + given - time.monotonic()))
        session.append(piece)
        if given >= (tenths + 1) * seconds / 10:
            tenths += 1
            each_tenth(given)
    return given


def live_hours(daemon, pcm, arguments):
    session, begun = Session(daemon.port), time.monotonic()
    listener, looks = Listener(session, begun), Looks(daemon)
    last = {"core_s": core_seconds(daemon), "given": 0.0}
    print(f"{'sound, min':>10}{'wall, min':>11}{'daemon, MiB':>13}{'worker, MiB':>13}{'lag, median':>13}{'at most':>9}"
          f"{'turn late, median':>19}{'words':>8}{'cores':>7}")

    def each_tenth(given):
        (words, delays), lags, found = listener.take(), looks.take(), look_at(daemon)
        used, seconds = core_seconds(daemon), given - last["given"]
        late = in_seconds([] if arguments.as_fast else delays)
        print(f"{given / 60:10.1f}{(time.monotonic() - begun) / 60:11.1f}{found['daemon']:13.1f}{found['workers']:13.1f}"
              f"{in_seconds(lags):>13}{in_seconds(lags, max):>9}{late:>19}{words:8}"
              f"{(used - last['core_s']) / seconds:7.2f}", flush=True)
        last.update(core_s=used, given=given)

    try:
        given = give(session, pcm, 3600 * arguments.hours, not arguments.as_fast, begun, listener, each_tenth)
        session.send({"type": BUFFER + "commit"})  # an error where a silence has just ended the last turn
        session.send({"type": BUFFER + "clear"})
        if not listener.is_done.wait(600):
            listener.problems.append("the rest of the text did not come")
    except OSError as end:
        listener.problems.append(f"sound was not taken: {end}")
        given = last["given"]
    finally:
        looks.stop()
        with contextlib.suppress(OSError):
            session.socket.shutdown(socket.SHUT_RDWR)  # or the listener would keep the file
        session.end()
        listener.join()
    late = looks.memory[len(looks.memory) // 2:]
    print(f"memory in the second half: {slope(late):+.1f} MiB/h of wall time; "
          f"{given:.0f} s given, the last speech ended at {listener.heard_s:.0f} s")
    if listener.heard_s < given - 30:
        listener.problems.append("sound at the end was not heard")
    return listener.problems


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--hours", type=float, default=1, help="of sound")
    parser.add_argument("--as-fast", action="store_true", help="as fast as it is taken")
    parser.add_argument("--model", default="base")
    parser.add_argument("--threads", default="2")
    parser.add_argument("sounds", nargs="*", metavar="SOUND", help="recordings in English (default: the tests' own)")
    arguments = parser.parse_args()
    pcm = sound_of(arguments.sounds or sorted(RECORDINGS.glob("en-*.wav")))
    environment = {**os.environ, "SCRIBED_DATA_DIR": str(MODELS.parent), "GPU_BACKEND": "cpu"}
    for variable in ("SCRIBED_API_KEY", "SCRIBED_CONFIG"):
        environment.pop(variable, None)
    with tempfile.TemporaryDirectory(prefix="scribed-live-hours-") as folder:
        daemon = Daemon(fast_program(), environment, "--model", arguments.model, "--threads", arguments.threads,
                        "--state-folder", folder, "--set", "model.keep_alive=-1",
                        "--set", "live.max_session_hours=24")
        try:
            problems = live_hours(daemon, pcm, arguments)
        finally:
            daemon.end()
    for problem in problems:
        print(f"problem: {problem}")
    return 1 if problems else 0


if __name__ == "__main__":
    sys.exit(main())
