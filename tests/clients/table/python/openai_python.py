"""OpenAI's official library for Python: transcriptions in every format, streams, translations, models, errors, Realtime."""

import base64

import openai
from rows import PCM24, URL, WAV, heard, row, sound, want

client = openai.OpenAI(base_url=URL + "/v1", api_key="none", max_retries=0,
                       websocket_base_url=URL.replace("http", "ws", 1) + "/v1")


def transcribe(model="whisper-1", **more):
    with open(WAV, "rb") as file:
        return client.audio.transcriptions.create(**{"file": file, "model": model, **more})


def plain(response_format):
    answer = transcribe(response_format=response_format)
    return heard(getattr(answer, "text", answer))


def verbose():
    answer = transcribe(response_format="verbose_json", timestamp_granularities=["word", "segment"])
    want(answer.words and answer.segments, answer)
    return f"{len(answer.words)} words, {len(answer.segments)} segments, {answer.language}"


def diarized():
    answer = transcribe("gpt-4o-transcribe-diarize", response_format="diarized_json", chunking_strategy="auto")
    return heard(f"{answer.segments[0].speaker}: {answer.segments[0].text}")


def languages():
    answer = transcribe("gpt-transcribe", keywords=["Asterisk"], languages=["en", "de"])
    want(answer.languages, f"no languages: {answer}")
    return f"languages {[one.code for one in answer.languages]}"


def stream(**more):
    events = list(transcribe(stream=True, **more))
    deltas = "".join(event.delta for event in events if event.type == "transcript.text.delta")
    last = events[-1]
    want(last.type == "transcript.text.done" and last.text == deltas, last)
    want(last.usage is None or last.usage.type == "tokens", f"usage {last.usage}")
    want("include" not in more or last.logprobs, "no logprobs")
    return heard(last.text)


def speakers():
    events = transcribe("gpt-4o-transcribe-diarize", response_format="diarized_json", chunking_strategy="auto", stream=True)
    return heard(" ".join(f"{event.speaker}: {event.text}" for event in events if event.type == "transcript.text.segment"))


def translation():
    with open(WAV, "rb") as file:
        return heard(client.audio.translations.create(model="whisper-1", file=file).text)


def translation_with_a_language():
    with open(WAV, "rb") as file:
        return heard(client.audio.translations.create(model="whisper-1", file=file, extra_body={"language": "en"}).text)


def refused(kind, code, **request):
    try:
        transcribe(**request)
    except kind as error:
        want(error.code == code, error)
        return f"{error.status_code}: {error.body['message']}"
    raise AssertionError("it was taken")


def models():
    want(client.models.list().data, "no models")
    return client.models.retrieve("Systran/faster-whisper-base").id


def realtime():
    pcm = sound(PCM24)
    with client.realtime.connect(extra_query={"intent": "transcription"}) as connection:
        connection.session.update(session={"type": "transcription", "audio": {"input": {
            "format": {"type": "audio/pcm", "rate": 24000}, "turn_detection": None,
            "transcription": {"model": "gpt-4o-transcribe", "language": "en-US"}}}})
        for begin in range(0, len(pcm), 4799):  # odd: programs cut pipes anywhere
            connection.input_audio_buffer.append(audio=base64.b64encode(pcm[begin:begin + 4799]).decode())
        connection.input_audio_buffer.commit()
        for event in connection:
            want(event.type != "error", event)
            if event.type.endswith("input_audio_transcription.completed"):
                return heard(event.transcript)
    raise AssertionError("no text")


for name in ("json", "text", "srt", "vtt"):
    row(name, lambda name=name: plain(name))
row("verbose_json with words", verbose)
row("diarized_json", diarized)
row("json with timestamp granularities", lambda: heard(transcribe(timestamp_granularities=["word"]).text))
row("chunking_strategy server_vad", lambda: heard(transcribe(chunking_strategy={"type": "server_vad"}).text))
row("text with logprobs", lambda: heard(transcribe(response_format="text", include=["logprobs"])))
row("language en-US", lambda: heard(transcribe(language="en-US").text))
row("keywords and languages", languages)
row("stream", lambda: stream(model="gpt-4o-transcribe"))
row("stream with logprobs", lambda: stream(include=["logprobs"]))
row("stream with verbose_json", lambda: stream(response_format="verbose_json"))
row("stream of speakers", speakers)
row("translation", translation)
row("translation with a language", translation_with_a_language)
row("unknown model", lambda: refused(openai.NotFoundError, "model_not_found", model="gpt-9"))
row("empty file", lambda: refused(openai.BadRequestError, "empty_input", file=("a.wav", b"")))
row("models, one with a slash", models)
row("Realtime, in pieces of odd length", realtime)
