"""Deepgram's library for Python: files, a live stream, errors."""

from deepgram import DeepgramClient
from deepgram.core.api_error import ApiError
from deepgram.environment import DeepgramClientEnvironment
from rows import PCM16, URL, WAV, heard, row, sound, want

SOCKET = URL.replace("http", "ws")
client = DeepgramClient(api_key="none", environment=DeepgramClientEnvironment(base=URL, production=SOCKET, agent=URL, agent_rest=URL))


def file(body=None, **more):
    return client.listen.v1.media.transcribe_file(request=sound(WAV) if body is None else body, **{"model": "nova-3", **more})


def text_of(answer):
    return heard(answer.results.channels[0].alternatives[0].transcript)


def whole():
    answer = file(language="en-US", smart_format=True, paragraphs=True, utterances=True, diarize=True)
    want(answer.results.utterances and answer.results.channels[0].alternatives[0].paragraphs, answer)
    return text_of(answer)


def live(piece, end, **more):
    text, kinds = [], set()
    with client.listen.v1.connect(**{"model": "nova-3", "encoding": "linear16", "sample_rate": 16000, **more}) as connection:
        pcm = sound(PCM16)
        for begin in range(0, len(pcm), piece):
            connection.send_media(pcm[begin:begin + piece])
        connection.send_finalize() if end == "Finalize" else connection.send_close_stream()
        for message in connection:
            kinds.add(message.type)
            if message.type == "Results" and message.is_final:
                text.append(message.channel.alternatives[0].transcript)
            if message.type == "Results" and message.from_finalize:
                connection.send_close_stream()
    want("Metadata" in kinds, kinds)
    return heard(" ".join(filter(None, text)))


def refused(status, *body, **more):
    try:
        file(*body, **more)
    except ApiError as error:
        want(error.status_code == status, error)
        return f"{error.status_code}: {error.body['err_msg']}"
    raise AssertionError("it was taken")


row("a file", lambda: text_of(file()))
row("a file with all of its options", whole)
row("empty body", lambda: refused(400, b""))
row("unknown model", lambda: refused(400, model="no-such"))
row("live to CloseStream", lambda: live(3200, "CloseStream", interim_results=True, language="en-US", endpointing=300))
row("live with Finalize", lambda: live(3200, "Finalize", vad_events=True, utterance_end_ms=1000, interim_results=True))
row("live in pieces of odd length", lambda: live(3199, "CloseStream", language="en"))
