"""A transcription session as pipecat has it: realtime_pipecat.py URL SOUND. The sound is 16-bit, 24 kHz,
mono. It is sent as fast as it would be heard, twice: once the server detects turns (server_vad), once the
pipeline does, which commits at their end. The texts of both are printed, each on lines of its own."""

import asyncio
import sys

from loguru import logger
from pipecat.frames.frames import (EndFrame, ErrorFrame, InputAudioRawFrame, TranscriptionFrame,
                                   VADUserStartedSpeakingFrame, VADUserStoppedSpeakingFrame)
from pipecat.pipeline.pipeline import Pipeline
from pipecat.pipeline.worker import PipelineParams, PipelineWorker
from pipecat.processors.frame_processor import FrameProcessor
from pipecat.services.openai.stt import OpenAIRealtimeSTTService
from pipecat.workers.runner import WorkerRunner

RATE = 24000
PIECE_S = 0.1


class Texts(FrameProcessor):
    """The end of the pipeline."""

    def __init__(self):
        super().__init__()
        self.turns = []
        self.errors = []

    async def process_frame(self, frame, direction):
        await super().process_frame(frame, direction)
        if isinstance(frame, TranscriptionFrame):
            self.turns.append(frame.text)
        if isinstance(frame, ErrorFrame):
            self.errors.append(frame.error)
        await self.push_frame(frame, direction)


async def speak(worker, samples, committed):
    silence = bytes(RATE * 2)
    bytes_a_piece = int(RATE * PIECE_S) * 2
    if committed:
        await worker.queue_frame(VADUserStartedSpeakingFrame())
    for begin in range(0, len(samples), bytes_a_piece):
        await worker.queue_frame(InputAudioRawFrame(samples[begin:begin + bytes_a_piece], RATE, 1))
        await asyncio.sleep(PIECE_S)
    if committed:
        await worker.queue_frame(VADUserStoppedSpeakingFrame())
    else:
        await worker.queue_frame(InputAudioRawFrame(silence, RATE, 1))


async def transcribe(url, samples, turn_detection):
    texts = Texts()
    service = OpenAIRealtimeSTTService(
        api_key="none", base_url=url.replace("http", "ws", 1) + "/v1/realtime", turn_detection=turn_detection,
        settings=OpenAIRealtimeSTTService.Settings(model="gpt-4o-transcribe"))
    worker = PipelineWorker(Pipeline([service, texts]), params=PipelineParams(audio_in_sample_rate=RATE))
    runner = WorkerRunner(handle_sigint=False)
    await runner.add_workers(worker)
    running = asyncio.create_task(runner.run())
    await speak(worker, samples, committed=turn_detection is False)
    while not texts.turns and not texts.errors:
        await asyncio.sleep(0.05)
    await asyncio.sleep(2)  # further turns
    await worker.queue_frame(EndFrame())
    await running
    if texts.errors:
        sys.exit(f"errors: {texts.errors}")
    return " ".join(texts.turns)


async def main(url, file):
    with open(file, "rb") as opened:
        samples = opened.read()
    for turn_detection in ({"type": "server_vad", "silence_duration_ms": 500}, False):
        print(await asyncio.wait_for(transcribe(url, samples, turn_detection), 60), flush=True)


logger.remove()
asyncio.run(main(*sys.argv[1:]))
