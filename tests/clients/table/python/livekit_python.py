"""LiveKit's agents for Python, with its plugins for OpenAI and Deepgram: whole clips and live streams."""

import asyncio
import logging

import aiohttp
from livekit import rtc
from livekit.agents import stt
from livekit.plugins import deepgram, openai
from rows import PCM16, PCM24, URL, heard, row_async, sound

logging.disable(logging.CRITICAL)
TAIL_S = 2  # of silence, which ends the last turn


def frame(pcm, rate):
    return rtc.AudioFrame(pcm, rate, 1, len(pcm) // 2)


async def clip(service, path, rate):
    answer = await service.recognize(frame(sound(path), rate))
    return heard(answer.alternatives[0].text)


async def live(service, path, rate):
    pcm, text = sound(path, TAIL_S, rate), []
    stream = service.stream()

    async def speak():
        for begin in range(0, len(pcm), rate // 5):  # 100 ms
            stream.push_frame(frame(pcm[begin:begin + rate // 5], rate))
            await asyncio.sleep(0.02)
        stream.end_input()

    speaking = asyncio.create_task(speak())
    async for event in stream:
        if event.type == stt.SpeechEventType.FINAL_TRANSCRIPT:
            text.append(event.alternatives[0].text)
            if "openai" in type(service).__module__:
                break  # its stream ends with its session, not with its input
    await speaking
    return heard(" ".join(text))


async def main():
    async with aiohttp.ClientSession() as session:
        def dg(**more):
            return deepgram.STT(base_url=URL + "/v1/listen", api_key="none", http_session=session, **more)

        async def limited(work):
            return await asyncio.wait_for(work, 120)

        written = openai.STT(base_url=URL + "/v1", api_key="none", model="whisper-1", language="en")
        await row_async("openai plugin, a clip", lambda: limited(clip(written, PCM24, 24000)))
        await row_async("deepgram plugin, a clip", lambda: limited(clip(dg(), PCM16, 16000)))
        await row_async("deepgram plugin, live", lambda: limited(live(dg(), PCM16, 16000)))
        await row_async("deepgram plugin, live with speakers", lambda: limited(live(dg(enable_diarization=True), PCM16, 16000)))
        await row_async("deepgram plugin, live, language multi", lambda: limited(live(dg(language="multi"), PCM16, 16000)))


asyncio.run(main())
