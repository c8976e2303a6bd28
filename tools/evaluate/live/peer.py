"""WhisperLiveKit beside scribed: its server with the same weights, in an environment of its own.

Its policy is AlignAtt with the settings that it has by default; the encoder is faster-whisper's, the decoder torch's.
"""

import base64
import gzip
import json
import pathlib
import socket as sockets_of_system
import subprocess
import tempfile
import time
import urllib.error
import urllib.request

import numpy

from .. import manifest, models
from ..engines import EngineError
from .peer_reader import PeerReader
from .recordings import DETECT, RATE
from .sockets import Session, open_socket

HOME = pathlib.Path(__file__).resolve().parents[3] / ".deps" / "evaluate" / "whisperlivekit"
START_S = 300  # torch is loaded, and the model warmed up
WARM_UP_S = 10
LAYERS_AND_HEADS = {"tiny": (4, 6), "base": (6, 8), "small": (12, 12), "medium": (24, 16)}


def alignment_heads(folder, shape):
    """Those of a CTranslate2 folder in the text that openai/whisper has for them: a packed mask of all heads."""
    mask = numpy.zeros(shape, dtype=bool)
    for layer, head in json.loads((folder / "config.json").read_text(encoding="utf-8"))["alignment_heads"]:
        mask[layer, head] = True
    return base64.b85encode(gzip.compress(mask.tobytes())).decode()


class Peer:
    label = "WhisperLiveKit"

    def __init__(self, model, recording):
        program = HOME / "bin" / "whisperlivekit-server"
        if not program.is_file():
            raise EngineError("WhisperLiveKit is not installed; `scripts/evaluate live --peer` does it")
        folder = models.for_engine("faster-whisper", "", model)
        shape = LAYERS_AND_HEADS.get(folder.name.removesuffix(".en"))
        if shape is None:
            raise EngineError(f"the heads of {folder.name} are not known; there are {', '.join(LAYERS_AND_HEADS)}")
        with sockets_of_system.socket() as probe:
            probe.bind(("127.0.0.1", 0))
            self.port = probe.getsockname()[1]
        self._folder = tempfile.TemporaryDirectory(prefix="peer-")
        warm_up = pathlib.Path(self._folder.name) / "warm-up.wav"
        manifest.write_wav(warm_up, recording.pcm[: WARM_UP_S * 2 * RATE])
        self._process = subprocess.Popen(
            [program, "--host", "127.0.0.1", "--port", str(self.port), "--pcm-input", "--backend", "faster-whisper",
             "--decoder-model-path", models.for_engine("openai", "", model), "--encoder-model-path", folder,
             "--custom-alignment-heads", alignment_heads(folder, shape), "--warmup-file", warm_up,
             "--language", "auto" if recording.language == DETECT else recording.language],
            stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
        )  # fmt: skip
        self.pid = self._process.pid
        self._wait()

    def _wait(self):
        until = time.monotonic() + START_S
        while time.monotonic() < until and self._process.poll() is None:
            try:
                with urllib.request.urlopen(f"http://127.0.0.1:{self.port}/health", timeout=5) as answer:
                    if json.load(answer)["ready"]:
                        return
            except (urllib.error.URLError, ConnectionError, TimeoutError):
                time.sleep(0.5)
        self.close()
        raise EngineError("WhisperLiveKit did not start; run its server by hand to see why")

    def run(self, recording, piece_s, delay_s=0.0):
        socket = open_socket(f"ws://127.0.0.1:{self.port}/asr")
        session = Session(socket, PeerReader(), socket.send, lambda: socket.send(b""))
        return session.run(recording.pcm, 2 * RATE, piece_s, time.monotonic() + delay_s)

    def close(self):
        if self._process.poll() is None:
            self._process.terminate()
        try:
            self._process.wait(30)
        except subprocess.TimeoutExpired:
            self._process.kill()
            self._process.wait()
        self._folder.cleanup()
