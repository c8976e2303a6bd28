"""LiteLLM: transcription() by its routes for OpenAI and for Deepgram."""

import litellm
import openai
from rows import URL, WAV, heard, row, want

litellm.suppress_debug_info = True


def transcribe(model="openai/whisper-1", **more):
    with open(WAV, "rb") as file:
        return litellm.transcription(model=model, file=file, api_base=URL + "/v1", api_key="none", max_retries=0, **more)


def words():
    answer = transcribe(response_format="verbose_json", timestamp_granularities=["word", "segment"])
    want(answer.words and answer.segments, answer)
    return f"{len(answer.words)} words, {len(answer.segments)} segments"


def refused():
    try:
        transcribe("openai/gpt-9")
    except openai.NotFoundError as error:  # LiteLLM passes it on
        return f"404: {error}"
    raise AssertionError("it was taken")


row("default", lambda: heard(transcribe().text))
for name in ("json", "text", "srt", "vtt", "verbose_json", "diarized_json"):
    row(name, lambda name=name: heard(transcribe(response_format=name).text))
row("verbose_json with words", words)
row("gpt-4o-transcribe with word timestamps", lambda: heard(transcribe("openai/gpt-4o-transcribe", timestamp_granularities=["word"]).text))
row("gpt-4o-transcribe with logprobs", lambda: heard(transcribe("openai/gpt-4o-transcribe", include=["logprobs"], response_format="json").text))
row("language en-US", lambda: heard(transcribe(language="en-US").text))
row("an installed model by its name", lambda: heard(transcribe("openai/base").text))
row("unknown model", refused)
row("deepgram route", lambda: heard(transcribe("deepgram/nova-3").text))
row("deepgram route with speakers", lambda: heard(transcribe("deepgram/nova-3", diarize=True, punctuate=True, paragraphs=True).text))
