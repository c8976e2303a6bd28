"""A transcription session with OpenAI's Python package: realtime_client.py URL SOUND released|beta. The
sound is 16-bit, 24 kHz, mono. The text of all turns is printed."""

import base64
import sys

import openai

url, file, revision = sys.argv[1:]
client = openai.OpenAI(base_url=url + "/v1", api_key="none",
                       websocket_base_url=url.replace("http", "ws", 1) + "/v1")
with open(file, "rb") as stream:
    sound = stream.read()
texts, pending, committed, deltas = [], set(), False, {}


def take(event):
    """Returns whether the last commit was answered and all turns have their texts."""
    global committed
    kind = event.type.removeprefix("conversation.item.input_audio_transcription.")
    if kind == "input_audio_buffer.committed":
        pending.add(event.item_id)
    elif kind == "delta":
        deltas[event.item_id] = deltas.get(event.item_id, "") + event.delta
    elif kind == "completed":
        # The text of a whole turn may differ in some words from those told one by one.
        words = deltas.get(event.item_id, "").lower().split()
        same = set(event.transcript.lower().split())
        assert sum(word in same for word in words) >= 0.7 * len(words), (event, deltas)
        pending.discard(event.item_id)
        texts.append(event.transcript)
    elif kind == "input_audio_buffer.cleared":
        committed = True
    elif kind == "error":
        assert event.error.code == "input_audio_buffer_commit_empty", event
    return committed and not pending


def feed(connection):
    for begin in range(0, len(sound), 4800):
        connection.input_audio_buffer.append(audio=base64.b64encode(sound[begin:begin + 4800]).decode())
    connection.input_audio_buffer.commit()
    connection.input_audio_buffer.clear()


turns = {"type": "server_vad", "silence_duration_ms": 300}
transcription = {"model": "gpt-4o-transcribe", "language": "en"}
if revision == "released":
    connected = client.realtime.connect(extra_query={"intent": "transcription"})
else:
    connected = client.beta.realtime.connect(model="gpt-4o-transcribe", extra_query={"intent": "transcription"})
with connected as connection:
    created = connection.recv()
    if revision == "released":
        assert created.type == "session.created", created
        connection.session.update(session={"type": "transcription", "audio": {"input": {
            "format": {"type": "audio/pcm", "rate": 24000}, "transcription": transcription,
            "turn_detection": turns}}})
    else:
        assert created.type in ("session.created", "transcription_session.created"), created
        connection.transcription_session.update(session={
            "input_audio_format": "pcm16", "input_audio_transcription": transcription, "turn_detection": turns})
    updated = connection.recv()
    assert updated.type == created.type.replace("created", "updated"), updated
    feed(connection)
    while not take(connection.recv()):
        pass
assert deltas, "no words came before their turn's text"
print(" ".join(filter(None, texts)))
