"""A session over the OpenAI Realtime API, with server_vad or semantic_vad."""

import base64
import dataclasses
import json
import time

from websockets.exceptions import InvalidHandshake

from .realtime_reader import RealtimeReader
from .recordings import DETECT
from .sockets import Session, open_socket
from .trace import Trace

RATE = 24000


@dataclasses.dataclass(frozen=True)
class Settings:
    silence_ms: int
    piece_s: float
    eagerness: str = ""  # of semantic_vad, which has silences of its own; empty: server_vad


def update(settings, language):
    transcription = {"model": "whisper-1"}  # the daemon's default
    if language != DETECT:
        transcription["language"] = language
    turns = {"type": "server_vad", "silence_duration_ms": settings.silence_ms}
    if settings.eagerness:
        turns = {"type": "semantic_vad", "eagerness": settings.eagerness}
    audio = {"format": {"type": "audio/pcm", "rate": RATE}, "transcription": transcription, "turn_detection": turns}
    return {"type": "session.update", "session": {"type": "transcription", "audio": {"input": audio}}}


def run(port, pcm, language, settings, delay_s=0.0):
    """The Trace of `pcm` (24 kHz, 16-bit), whose first sample is spoken `delay_s` after the session is ready."""
    try:
        socket = open_socket(f"ws://127.0.0.1:{port}/v1/realtime?intent=transcription")
    except InvalidHandshake as reason:
        return Trace([], failed=str(reason))
    reader = RealtimeReader()

    def say(event):
        socket.send(json.dumps(event))

    def append(piece):
        say({"type": "input_audio_buffer.append", "audio": base64.b64encode(piece).decode()})

    def end():
        reader.ask_to_end()
        say({"type": "input_audio_buffer.commit", "event_id": "end"})
        say({"type": "input_audio_buffer.clear"})

    say(update(settings, language))
    while not (reader.configured or reader.failed):
        reader.take(0.0, json.loads(socket.recv(timeout=60)))
    return Session(socket, reader, append, end).run(pcm, 2 * RATE, settings.piece_s, time.monotonic() + delay_s)
