"""A `scribed serve` with real weights, and clients of its live sessions.

  SCRIBED_MODELS       folder with the models base, tiny.en and silero-vad (default: those of .deps/data)
  SCRIBED_RECORDINGS   see recordings.py

Sound is given as fast as it is taken, so no test depends on the clock.
"""

import base64
import json
import os
import pathlib
import re
import shutil
import subprocess
import tempfile
import unittest

from daemon import Daemon
from recordings import fast_program, recording
from scribed_command import ROOT, own_environment, processes
from websocket_client import WebSocket

MODELS = pathlib.Path(os.environ.get("SCRIBED_MODELS", ROOT / ".deps/data/models"))
RATE = 24000
SECOND = 2 * RATE  # bytes
PATH = "/v1/realtime?intent=transcription"
TEXT = "conversation.item.input_audio_transcription."
BUFFER = "input_audio_buffer."
TURNS = {"type": "server_vad", "silence_duration_ms": 300}


def sound(*names, silence_s=1.0):
    """Samples of recordings at the rate of the Realtime API, each with silence behind it."""
    pcm = b""
    for name in names:
        command = ["ffmpeg", "-nostdin", "-loglevel", "error", "-i", recording(f"{name}.wav"), "-f", "s16le"]
        pcm += subprocess.run([*command, "-ac", "1", "-ar", str(RATE), "-"], capture_output=True, check=True).stdout
        pcm += bytes(2 * int(silence_s * RATE))
    return pcm


class Realtime(WebSocket):
    """A transcription session of the Realtime API."""

    def __init__(self, daemon, turns=TURNS, headers=(), path=PATH, language="en", limit=300):
        super().__init__(daemon.port, path, headers, limit=limit)
        self.events = []
        self.created = self.take()
        transcription = {"model": "whisper-1", "language": language}
        self.update({"transcription": transcription, "turn_detection": turns})

    def say(self, kind, **more):
        self.send({"type": kind, **more})

    def take(self):
        self.events.append(self.receive_json())
        return self.events[-1]

    def until(self, kind, is_it=lambda event: True):
        """The next event of a kind; those before it are in `events`, too."""
        while True:
            event = self.take()
            if event["type"] == kind and is_it(event):
                return event

    def update(self, audio_input):
        self.say("session.update", session={"type": "transcription", "audio": {"input": audio_input}})
        return self.until("session.updated")

    def append(self, pcm):
        for begin in range(0, len(pcm), SECOND):
            self.say(BUFFER + "append", audio=base64.b64encode(pcm[begin:begin + SECOND]).decode())

    def until_heard(self, pcm):
        """Waits for the text of the last turn of sound that ends in a second of silence."""
        end_ms = len(pcm) * 1000 / SECOND - 1500
        last = self.until(BUFFER + "speech_stopped", lambda event: event["audio_end_ms"] > end_ms)
        return self.until(TEXT + "completed", lambda event: event["item_id"] == last["item_id"])

    def finish(self):
        """Ends the input, and returns all events when every turn has its text."""
        self.say(BUFFER + "commit", event_id="end")
        self.say(BUFFER + "clear")
        self.until(BUFFER + "cleared")
        while self.pending():
            self.take()
        return self.events

    def pending(self):
        ended = {event["item_id"] for event in self.of(TEXT + "completed") + self.of(TEXT + "failed")}
        return [event["item_id"] for event in self.of(BUFFER + "committed") if event["item_id"] not in ended]

    def of(self, kind):
        return [event for event in self.events if event["type"] == kind]

    def text(self):
        return " ".join(event["transcript"] for event in self.of(TEXT + "completed") if event["transcript"])


class LiveDaemonTest(unittest.TestCase):
    """One daemon for all tests of a class."""

    model = "tiny.en"
    variables = {}

    @classmethod
    def setUpClass(cls):
        for name in (cls.model, "silero-vad"):
            if not (MODELS / name).exists():
                raise unittest.SkipTest(f"no model {name}: see SCRIBED_MODELS")
        recording("en-nogo.wav")  # skips where there are none
        cls.scribed = fast_program()
        cls.folder = pathlib.Path(tempfile.mkdtemp(prefix="scribed-live-"))
        cls.addClassCleanup(shutil.rmtree, cls.folder, ignore_errors=True)
        cls.environment = {**own_environment(), "SCRIBED_DATA_DIR": str(MODELS.parent), "GPU_BACKEND": "cpu",
                           "HOME": str(cls.folder)}
        for variable in ("SCRIBED_API_KEY", "SCRIBED_CONFIG", "XDG_CONFIG_HOME"):
            cls.environment.pop(variable, None)
        cls.environment |= cls.variables
        cls.daemon = cls.start()

    @classmethod
    def start(cls, *options):
        daemon = Daemon(cls.scribed, cls.environment, "--model", cls.model, "--state-folder",
                        tempfile.mkdtemp(dir=cls.folder), "--set", "model.keep_alive=-1", *options)
        cls.addClassCleanup(daemon.end)
        return daemon

    def realtime(self, daemon=None, **more):
        session = Realtime(daemon or self.daemon, **more)
        self.addCleanup(session.end)
        return session

    def offline(self, name):
        """What the same model makes of the whole recording."""
        answer = self.daemon.post_form("/v1/audio/transcriptions",
                                       [("model", "whisper-1"), ("language", "en"), ("temperature", "0")],
                                       recording(f"{name}.wav").read_bytes())
        self.assertEqual(answer.status, 200, answer.text)
        return answer.json["text"]

    def worker(self, daemon=None):
        """The pid of the daemon's only worker."""
        daemon = daemon or self.daemon
        pid, = (pid for pid, (parent, name) in processes().items()
                if parent == daemon.process.pid and name == "scribed-worker")
        return pid

    def live_sessions(self, daemon=None):
        metrics = (daemon or self.daemon).get("/metrics").text
        return int(float(re.search(r"^scribed_live_sessions(?:\{.*\})? (\S+)$", metrics, re.M)[1]))


def error_of(answer_body):
    return json.loads(answer_body)["error"]
