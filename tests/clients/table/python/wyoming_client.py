"""The package wyoming, which Home Assistant speaks with: commands, languages by locale, pieces of odd length."""

import asyncio

from rows import PCM16, WYOMING, heard, row_async, sound, want
from wyoming.asr import Transcribe, Transcript
from wyoming.audio import AudioChunk, AudioStart, AudioStop
from wyoming.client import AsyncClient
from wyoming.info import Describe, Info

FORMAT = {"rate": 16000, "width": 2, "channels": 1}


async def info():
    async with AsyncClient.from_uri(WYOMING) as client:
        await client.write_event(Describe().event())
        model = Info.from_event(await client.read_event()).asr[0]
        want(model.installed and model.models, model)
        return f"{model.name}, {len(model.models)} models"


async def command(piece=2048, **transcribe):
    pcm = sound(PCM16)
    async with AsyncClient.from_uri(WYOMING) as client:
        await client.write_event(Transcribe(**transcribe).event())
        await client.write_event(AudioStart(**FORMAT).event())
        for begin in range(0, len(pcm), piece):
            await client.write_event(AudioChunk(**FORMAT, audio=pcm[begin:begin + piece]).event())
        await client.write_event(AudioStop().event())
        while event := await asyncio.wait_for(client.read_event(), 60):
            if Transcript.is_type(event.type):
                return heard(Transcript.from_event(event).text)
            want(event.type != "error", event)
    raise AssertionError("the connection has ended")


async def main():
    await row_async("describe", info)
    await row_async("a command", lambda: command(language="en"))
    await row_async("language en-US", lambda: command(language="en-US"))
    await row_async("a model by its name", lambda: command(name="base", language="en"))
    await row_async("pieces of odd length", lambda: command(1023, language="en"))


asyncio.run(main())
