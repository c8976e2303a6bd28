"""The package wyoming, which Home Assistant uses, against a scribed: wyoming_client.py ADDRESS.

Loud sound is speech to the fake worker, and each second of it a word.
"""
import asyncio
import math
import struct
import sys

from wyoming.asr import Transcribe, Transcript
from wyoming.audio import AudioChunk, AudioStart, AudioStop
from wyoming.client import AsyncClient
from wyoming.info import Describe, Info
from wyoming.ping import Ping, Pong

RATE = 16000
FORMAT = {"rate": RATE, "width": 2, "channels": 1}


def loud(seconds):
    return b"".join(struct.pack("<h", int(20000 * math.sin(i / 8))) for i in range(int(RATE * seconds)))


async def say(client, seconds, transcribe=None):
    """Sends an utterance; the types of what comes back, and its text."""
    if transcribe:
        await client.write_event(transcribe.event())
    await client.write_event(AudioStart(**FORMAT).event())
    sound = loud(seconds)
    for begin in range(0, len(sound), 2048):
        await client.write_event(AudioChunk(**FORMAT, audio=sound[begin:begin + 2048]).event())
    await client.write_event(AudioStop().event())
    types, text = [], None
    while not types or types[-1] != "transcript-stop":
        event = await client.read_event()
        assert event is not None, f"the connection has ended behind {types}"
        types.append(event.type)
        if Transcript.is_type(event.type):
            text = Transcript.from_event(event).text
    return types, text


async def main(address):
    async with AsyncClient.from_uri(address) as client:
        await client.write_event(Describe().event())
        info = Info.from_event(await client.read_event())
        assert info.asr[0].name == "scribed" and info.asr[0].installed, info
        assert info.asr[0].supports_transcript_streaming, info
        assert all("en" in model.languages for model in info.asr[0].models), info
        await client.write_event(Ping(text="there?").event())
        assert Pong.from_event(await client.read_event()).text == "there?"
        for _ in range(2):
            types, text = await say(client, 3, Transcribe(language="en"))
            assert types[0] == "transcript-start" and types[-2] == "transcript", types
            assert "w1" in text.lower() and "w2" in text.lower(), text
        types, text = await say(client, 0)
        assert text == "", text
    print("ok")


asyncio.run(main(sys.argv[1]))
