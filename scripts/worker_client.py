"""Speaks the worker protocol (protocol/worker_messages.h) to a scribed-worker, without the daemon:
for checks of a runtime pack. Frames are a four-byte little-endian length and a JSON object; the pipe
with the PCM rides along as a descriptor."""

import array
import json
import os
import socket
import struct
import subprocess
import threading

VERSION = 13
# openai/whisper's defaults, at temperature 0 only: what is compared must not be drawn by lot.
OPTIONS = {
    "language": "", "languages": [], "language_detection_segments": 4,
    "language_detection_threshold": 0.5, "multilingual": False,
    "repetition_penalty": 1.0, "no_repeat_ngram_size": 0, "loop_detection": False,
    "language_detection_candidates": 1, "language_only": False, "fallback": "openai",
    "task": "transcribe", "temperatures": [0.0], "beam_size": 1, "best_of": 5,
    "patience": 1.0, "length_penalty": None, "suppress_tokens": "-1", "suppress_blank": True,
    "initial_prompt": "", "carry_initial_prompt": False, "hotwords": "", "prefix": "",
    "condition_on_previous_text": True, "compression_ratio_threshold": 2.4,
    "logprob_threshold": -1.0, "no_speech_threshold": 0.6, "clip_timestamps": [],
    "without_timestamps": False, "max_initial_timestamp": 1.0, "sample_len": None, "seed": 0,
    "word_timestamps": False, "token_logprobs": False, "prepend_punctuations": "",
    "append_punctuations": "",
    "hallucination_silence_threshold": None,
    "long_form": "sequential", "vad_filter": False, "live_chunk": None, "live_margin": None,
    "diarize": False, "num_speakers": None, "min_speakers": None, "max_speakers": None,
    "known_speakers": [], "subtitle_style": "default", "encoder_window": "auto"}


class Failed(Exception):
    """The worker's answer `failed`."""

    def __init__(self, error):
        super().__init__(f"{error['code']}: {error['message']}")
        self.error = error


class Worker:
    """A running scribed-worker; `with` ends it. What it prints is in the file `stderr`, if given."""

    def __init__(self, program, environment=None, stderr=None, limit_s=300):
        ours, theirs = socket.socketpair()
        ours.settimeout(limit_s)
        self.process = subprocess.Popen([str(program), "--socket-fd", str(theirs.fileno())],
                                        pass_fds=[theirs.fileno()], env=environment, stderr=stderr)
        theirs.close()
        self.socket = ours
        self.job = 0  # the number of the last job: its name may be taken for a moment after its end

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.socket.close()
        try:
            self.process.wait(10)
        except subprocess.TimeoutExpired:
            self.process.kill()
            self.process.wait()

    def send(self, kind, descriptor=None, **fields):
        payload = json.dumps({"type": kind, **fields}).encode()
        frame = struct.pack("<I", len(payload)) + payload
        if descriptor is None:
            self.socket.sendall(frame)
            return
        rights = [(socket.SOL_SOCKET, socket.SCM_RIGHTS, array.array("i", [descriptor]))]
        sent = self.socket.sendmsg([frame], rights)
        self.socket.sendall(frame[sent:])

    def receive(self):
        """The next message; ConnectionError when the worker has gone."""
        (length,) = struct.unpack("<I", self._read(4))
        return json.loads(self._read(length))

    def _read(self, wanted):
        data = b""
        while len(data) < wanted:
            part = self.socket.recv(wanted - len(data))
            if not part:
                raise ConnectionError("the worker closed the connection")
            data += part
        return data

    def expect(self, kind):
        message = self.receive()
        if message["type"] == "failed":
            raise Failed(message["error"])
        if message["type"] != kind:
            raise ValueError(f"the worker sent {message['type']} instead of {kind}")
        return message

    def load(self, model, device="cpu", compute_type="auto", threads=0, flash_attn=True,
             smoke_test=True, auxiliary=None):
        """After the greeting; gives `loaded`, raises Failed. `auxiliary`: role → file."""
        self.send("load", model_path=str(model), model_name="",
                  run_on={"device": device, "compute_type": compute_type, "threads": threads,
                          "flash_attn": flash_attn},
                  smoke_test=smoke_test, auxiliary=auxiliary or {}, require_sandbox=False, windows=0,
                  gpu_windows=0, rows=5, memory_part=0.9, version=VERSION)
        return self.expect("loaded")

    def transcribe(self, pcm, request_id=None, **options):
        """pcm: float32 samples, 16 kHz, mono, as bytes. Gives the segments' tokens and text."""
        tokens, text = [], ""
        for event in self.events(pcm, request_id, **options):
            if event["type"] == "segment":
                tokens += event["tokens"]
                text += event["text"]
        return tokens, text.strip()

    def wish(self, sample, wish, settings=None):
        """What a client wants of the live job behind so many samples: commit, clear, configure."""
        self.send("live", job=str(self.job), sample=sample, wish=wish, settings=settings)

    def events(self, pcm, request_id=None, live=None, **options):
        """The events of a transcription, as they come. `live`: the options of a live session."""
        reading, writing = os.pipe()
        self.job += 1
        self.send("transcribe", reading, job=str(self.job), options={**OPTIONS, **options},
                  work_class="interactive", owner="", request_id=request_id, live=live)
        os.close(reading)
        writer = threading.Thread(target=_write_all, args=(writing, pcm))
        writer.start()
        try:
            while (message := self.receive())["type"] != "done":
                if message["type"] == "failed":
                    raise Failed(message["error"])
                if message["type"] == "event":
                    yield message["event"]
        finally:
            writer.join()

    def memory_kib(self, field="VmRSS"):
        with open(f"/proc/{self.process.pid}/status", encoding="ascii") as status:
            return next(int(line.split()[1]) for line in status if line.startswith(field + ":"))


def _write_all(descriptor, data):
    try:
        with open(descriptor, "wb") as pipe:
            pipe.write(data)
    except BrokenPipeError:
        pass  # the worker reports why
