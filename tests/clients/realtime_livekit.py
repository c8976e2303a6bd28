"""A transcription session as LiveKit's agents have it: realtime_livekit.py URL SOUND. The sound is 16-bit,
24 kHz, mono. The plugin asks for server_vad with 350 ms of silence, which a second behind the sound ends. The
texts of all turns are printed."""

import asyncio
import sys

import aiohttp
from livekit import rtc
from livekit.agents import stt
from livekit.plugins import openai

RATE = 24000
PIECE = RATE // 10 * 2  # bytes of 100 ms


async def transcribe(url, file):
    with open(file, "rb") as opened:
        samples = opened.read() + bytes(RATE * 2)
    async with aiohttp.ClientSession() as connections:
        speech = openai.STT(base_url=url + "/v1", api_key="none", model="gpt-4o-transcribe",
                            use_realtime=True)
        speech._session = connections  # an agent's process has one; this is none
        async with speech.stream() as stream:
            for begin in range(0, len(samples), PIECE):
                piece = samples[begin:begin + PIECE]
                stream.push_frame(rtc.AudioFrame(piece, RATE, 1, len(piece) // 2))
            speaking = None
            async for event in stream:
                if event.type == stt.SpeechEventType.START_OF_SPEECH:
                    speaking = True
                elif event.type == stt.SpeechEventType.END_OF_SPEECH:
                    speaking = False
                elif event.type == stt.SpeechEventType.FINAL_TRANSCRIPT:
                    print(event.alternatives[0].text, flush=True)
                    if not speaking:
                        break
        await speech.aclose()


asyncio.run(asyncio.wait_for(transcribe(*sys.argv[1:]), 60))
