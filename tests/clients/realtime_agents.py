"""A transcription session as OpenAI's agents have it: realtime_agents.py URL SOUND. The sound is 16-bit,
24 kHz, mono. The client sets semantic_vad, and ends the session by a commit and a clear at once. The text
of all turns is printed."""

import asyncio
import sys

import numpy
import openai
from agents import set_tracing_disabled
from agents.voice import StreamedAudioInput, STTModelSettings
from agents.voice.models.openai_stt import OpenAISTTModel


async def transcribe(url, file):
    client = openai.AsyncOpenAI(base_url=url + "/v1", api_key="none")
    sound = StreamedAudioInput()
    model = OpenAISTTModel("gpt-4o-transcribe", client)
    session = await model.create_session(sound, STTModelSettings(language="en"), False, False)
    samples = numpy.fromfile(file, dtype=numpy.int16)
    for begin in range(0, len(samples), 2400):
        await sound.add_audio(samples[begin:begin + 2400])
    await sound.add_audio(None)
    return [text async for text in session.transcribe_turns()]


set_tracing_disabled(True)
print(" ".join(asyncio.run(transcribe(*sys.argv[1:]))))
