"""Deepgram's package for Python against a scribed: a live stream, with what voice agents ask of one, and a whole file.

  deepgram_client.py URL PCM WAV    PCM: 16-bit numbers at 16 kHz of one channel; prints what was heard as JSON
"""

import json
import pathlib
import sys

from deepgram import DeepgramClient
from deepgram.environment import DeepgramClientEnvironment

PIECE = 3200  # bytes: 100 ms


def text_of(result):
    return result.channel.alternatives[0].transcript


def stream(client, pcm):
    """All messages of a stream whose client asks for the text before it ends it."""
    messages = []
    with client.listen.v1.connect(model="nova-3", encoding="linear16", sample_rate=16000, language="en-US",
                                  interim_results=True, endpointing=300, utterance_end_ms=1000,
                                  vad_events=True, smart_format=True) as connection:
        connection.send_keep_alive()
        for begin in range(0, len(pcm), PIECE):
            connection.send_media(pcm[begin:begin + PIECE])
        connection.send_finalize()
        for message in connection:
            messages.append(message)
            if message.type == "Results" and message.from_finalize:
                connection.send_close_stream()
    return messages


def main():
    url, pcm, wav = sys.argv[1:]
    at = {"base": url, "production": url.replace("http", "ws"), "agent": url, "agent_rest": url}
    client = DeepgramClient(api_key="none", environment=DeepgramClientEnvironment(**at))
    messages = stream(client, pathlib.Path(pcm).read_bytes())
    results = [message for message in messages if message.type == "Results"]
    finals = [result for result in results if result.is_final]
    end = 0
    for result in finals:
        assert abs(result.start - end) < 0.002, (result.start, end)
        end = result.start + result.duration
    assert messages[-1].type == "Metadata", messages[-1]
    assert all(result.metadata.request_id == messages[-1].request_id for result in results)
    whole = client.listen.v1.media.transcribe_file(request=pathlib.Path(wav).read_bytes(), model="nova-3",
                                                   language="en", utterances=True)
    told = {
        "kinds": sorted({message.type for message in messages}),
        "text": " ".join(text_of(result) for result in finals if text_of(result)),
        "interims": sum(not result.is_final for result in results),
        "ends_of_speech": sum(bool(result.speech_final) for result in finals),
        "duration": messages[-1].duration,
        "file": whole.results.channels[0].alternatives[0].transcript,
        "utterances": len(whole.results.utterances),
    }
    print(json.dumps(told))


main()
