"""Events of the OpenAI Realtime API as a Trace. Needs no packages."""

from .trace import Trace, Turn

TRANSCRIPTION = "conversation.item.input_audio_transcription."
EMPTY = "input_audio_buffer_commit_empty"


class RealtimeReader:
    """Takes the events of a transcription session in their order. The session has ended when the client's last commit
    and the clear behind it were answered, and every turn has its text."""

    def __init__(self):
        self._turns = {}  # by item_id, in the order in which they were first named
        self._sure = {}
        self._pending = set()
        self._asked_to_end = self._committed = self._cleared = False
        self.configured = False
        self.failed = ""

    def ask_to_end(self):
        """The client is about to send its commit and clear."""
        self._asked_to_end = True

    @property
    def ended(self):
        return bool(self.failed) or (self._cleared and self._committed and not self._pending)

    def trace(self):
        return Trace(list(self._turns.values()), failed=self.failed)

    def take(self, at, event):
        kind = event["type"]
        if kind in ("session.updated", "transcription_session.updated"):
            self.configured = True
        elif kind == "error":
            self._take_error(event["error"])
        elif kind == "input_audio_buffer.cleared":
            self._cleared = True
        elif kind == "input_audio_buffer.speech_started":
            self._turn(event)
        elif kind == "input_audio_buffer.speech_stopped":
            self._turn(event).stopped_at = at
        elif kind == "input_audio_buffer.committed":
            self._turn(event)
            self._pending.add(event["item_id"])
            self._committed |= self._asked_to_end
        elif kind.startswith(TRANSCRIPTION):
            self._take_text(at, kind.removeprefix(TRANSCRIPTION), event)

    def _turn(self, event):
        return self._turns.setdefault(event["item_id"], Turn())

    def _take_error(self, error):
        if error.get("code") == EMPTY and self._asked_to_end:
            self._committed = True  # turn detection has ended the last turn
        else:
            self.failed = f"{error.get('code')}: {error.get('message')}"

    def _take_text(self, at, kind, event):
        turn, item = self._turn(event), event["item_id"]
        if kind == "delta":
            self._sure[item] = self._sure.get(item, "") + event["delta"]
            turn.show(at, self._sure[item])
        elif kind == "completed":
            turn.end(at, event["transcript"])
        if kind in ("completed", "failed"):
            self._pending.discard(item)
