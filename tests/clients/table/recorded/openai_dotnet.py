"""OpenAI's library for .NET as recorded requests: the forms that AudioClient sends, and what it reads of the answers."""

import pathlib

import dotnet
from rows import URL, WAV, heard, row, want

PATH = "/v1/audio/transcriptions"


def ask(model="whisper-1", path=PATH, sound=None, **fields):
    body = pathlib.Path(WAV).read_bytes() if sound is None else sound
    parts = [dotnet.file(body, "talk.wav"), dotnet.field("model", model)]
    for name, value in fields.items():
        parts += [dotnet.listed(name, one) for one in value] if isinstance(value, list) else [dotnet.field(name, value)]
    return dotnet.post(URL, path, parts)


def simple(**fields):
    return heard(dotnet.json_of(*ask(**fields))["text"])


def verbose():
    answer = dotnet.json_of(*ask(response_format="verbose_json", timestamp_granularities=["word", "segment"]))
    for word in answer["words"]:
        want({"word", "start", "end"} <= word.keys(), word)
    for segment in answer["segments"]:
        want({"id", "seek", "start", "end", "text", "tokens", "temperature", "avg_logprob", "compression_ratio", "no_speech_prob"}
             <= segment.keys(), segment)
    return f"{len(answer['words'])} words, {len(answer['segments'])} segments, {answer['language']}"


def subtitles(name):
    status, _, body = ask(response_format=name)
    want(status == 200, body)
    return heard(body.decode())


def refused():
    status, _, body = ask("gpt-9")
    want(status == 404 and b"model_not_found" in body, body)
    return f"{status}: model_not_found"


row("SimpleJson", lambda: simple(response_format="json"))
row("Verbose with words and segments", verbose)
row("Srt", lambda: subtitles("srt"))
row("Vtt", lambda: subtitles("vtt"))
row("Text", lambda: subtitles("text"))
row("json with timestamp granularities", lambda: simple(model="gpt-4o-transcribe", timestamp_granularities=["word"]))
row("language en-US, prompt, temperature", lambda: simple(language="en-US", prompt="Asterisk", temperature="0.2"))
row("translation", lambda: simple(path="/v1/audio/translations"))
row("unknown model", refused)
