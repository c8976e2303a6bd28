"""Messages of WhisperLiveKit's socket /asr as a Trace. Needs no packages."""

from .trace import Trace, Turn

SILENCE = -2  # as speaker of a line


class PeerReader:
    """Each message has all lines, which are final, and a buffer, which is not."""

    def __init__(self):
        self._turn = Turn()
        self._at = 0.0
        self.ended = False
        self.failed = ""

    def take(self, at, message):
        if message.get("error"):
            self.failed = str(message["error"])
        if message.get("type") == "ready_to_stop":
            self.ended = True
            return
        if "lines" not in message:
            return
        said = [line["text"].strip() for line in message["lines"] if line["speaker"] != SILENCE and line.get("text")]
        buffered = message.get("buffer_transcription", "").strip()
        self._turn.show(at, " ".join(said), f" {buffered}" if buffered else "")
        self._at = at

    def trace(self):
        """The last message's text is what is kept, its buffer too."""
        turn = self._turn
        if turn.shown:
            turn.end(self._at, turn.shown[-1][1])
        return Trace([turn], failed=self.failed)
