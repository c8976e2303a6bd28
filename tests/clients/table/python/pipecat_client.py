"""pipecat: whole turns by OpenAI's service, and live streams by its Realtime service and by Deepgram's."""

import asyncio
import sys

from loguru import logger
from pipecat.frames.frames import (EndFrame, ErrorFrame, InputAudioRawFrame, TranscriptionFrame,
                                   VADUserStartedSpeakingFrame, VADUserStoppedSpeakingFrame)
from pipecat.pipeline.pipeline import Pipeline
from pipecat.pipeline.worker import PipelineParams, PipelineWorker
from pipecat.processors.frame_processor import FrameProcessor
from pipecat.services.deepgram.stt import DeepgramSTTService
from pipecat.services.openai.stt import OpenAIRealtimeSTTService, OpenAISTTService
from pipecat.workers.runner import WorkerRunner
from rows import PCM16, PCM24, URL, heard, row_async, sound

SOCKET = URL.replace("http", "ws")


class Texts(FrameProcessor):
    """Collects what a service found, and the errors that it told."""

    def __init__(self):
        super().__init__()
        self.texts, self.errors, self.done = [], [], asyncio.Event()

    async def process_frame(self, frame, direction):
        await super().process_frame(frame, direction)
        if isinstance(frame, TranscriptionFrame):
            self.texts.append(frame.text)
            self.done.set()
        elif isinstance(frame, ErrorFrame):
            self.errors.append(frame.error)
            self.done.set()
        await self.push_frame(frame, direction)


async def speak(service, path, rate):
    texts = Texts()
    worker = PipelineWorker(Pipeline([service, texts]), params=PipelineParams(audio_in_sample_rate=rate))
    runner = WorkerRunner(handle_sigint=False)
    await runner.add_workers(worker)
    running = asyncio.create_task(runner.run())
    pcm, piece = sound(path, 1, rate), rate // 5
    await worker.queue_frame(VADUserStartedSpeakingFrame())
    for begin in range(0, len(pcm), piece):
        await worker.queue_frame(InputAudioRawFrame(pcm[begin:begin + piece], rate, 1))
        await asyncio.sleep(0.05)
    await worker.queue_frame(VADUserStoppedSpeakingFrame())
    await asyncio.wait_for(texts.done.wait(), 60)
    await asyncio.sleep(1)  # a turn may have several texts
    await worker.queue_frame(EndFrame())
    await running
    if texts.errors:
        raise AssertionError(texts.errors)
    return heard(" ".join(texts.texts))


async def main():
    for did, service, path, rate in (
            ("OpenAI service, a turn", lambda: OpenAISTTService(api_key="none", base_url=URL + "/v1"), PCM24, 24000),
            ("OpenAI service, Realtime", lambda: OpenAIRealtimeSTTService(api_key="none", base_url=SOCKET + "/v1/realtime"), PCM24, 24000),
            ("Deepgram service, live", lambda: DeepgramSTTService(api_key="none", base_url=SOCKET), PCM16, 16000)):
        await row_async(did, lambda service=service, path=path, rate=rate: speak(service(), path, rate))


logger.remove()
logger.add(sys.stderr, level="ERROR")
asyncio.run(main())
