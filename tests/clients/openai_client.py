"""Everything that OpenAI's Python package can ask of scribed: openai_client.py URL SOUND. The
worker is the fake one, which says "Segment N." of every five seconds. Twelve seconds are expected."""

import base64
import sys

import openai

client = openai.OpenAI(base_url=sys.argv[1] + "/v1", api_key="none", max_retries=0)
sound = sys.argv[2]
TEXT = "Segment 0. Segment 1. Segment 2."


def transcribe(**more):
    with open(sound, "rb") as file:
        return client.audio.transcriptions.create(model="whisper-1", file=file, **more)


assert transcribe().text == TEXT
assert transcribe(language="en", prompt="Names.", temperature=0).text == TEXT
assert transcribe(response_format="text") == TEXT + "\n"
assert transcribe(response_format="srt").startswith("1\n00:00:00,000 --> 00:00:04,920\nSegment 0.")
assert transcribe(response_format="vtt").startswith("WEBVTT")
verbose = transcribe(response_format="verbose_json", timestamp_granularities=["segment"])
assert verbose.text == TEXT and verbose.language == "english" and float(verbose.duration) == 12
assert [s.text for s in verbose.segments] == [" Segment 0.", " Segment 1.", " Segment 2."]
assert verbose.usage.type == "duration" and verbose.usage.seconds == 12
words = transcribe(response_format="verbose_json", timestamp_granularities=["word"]).words
assert [w.word for w in words] == TEXT.split() and words[-1].end == 12

tokens = transcribe(include=["logprobs"]).logprobs
assert tokens[0].token == " " and tokens[1].bytes == [83] and tokens[1].logprob == -0.25, tokens
last = list(transcribe(stream=True, include=["logprobs"]))[-1]
assert [token.token for token in last.logprobs] == [token.token for token in tokens], last

events = list(transcribe(stream=True))
assert "".join(e.delta for e in events if e.type == "transcript.text.delta") == TEXT
assert events[-1].type == "transcript.text.done" and events[-1].text == TEXT

with open(sound, "rb") as file:
    clip = "data:audio/wav;base64," + base64.b64encode(file.read()).decode()
told_apart = transcribe(response_format="diarized_json", known_speaker_names=["Ada"],
                        known_speaker_references=[clip])
assert [s.speaker for s in told_apart.segments] == ["Ada", "A", "Ada"], told_apart

with open(sound, "rb") as file:
    assert client.audio.translations.create(model="whisper-1", file=file).text == TEXT
with open(sound, "rb") as file:
    translated = client.audio.translations.create(model="whisper-1", file=file,
                                                  response_format="verbose_json")
    assert translated.language == "english"

# The same server by the addresses of Azure, whose client puts the model into the path.
azure = openai.AzureOpenAI(azure_endpoint=sys.argv[1], api_key="none", api_version="2024-06-01", max_retries=0)
with open(sound, "rb") as file:
    assert azure.audio.transcriptions.create(model="whisper-1", file=file).text == TEXT
with open(sound, "rb") as file:
    assert azure.audio.translations.create(model="whisper-1", file=file).text == TEXT
assert azure.models.list().object == "list"
deployed = openai.AzureOpenAI(azure_endpoint=sys.argv[1], azure_deployment="whisper-1", api_key="none",
                              api_version="2024-06-01", max_retries=0)
with open(sound, "rb") as file:
    assert deployed.audio.transcriptions.create(model="any", file=file).text == TEXT

assert client.models.list().object == "list"


def refused(kind, **request):
    try:
        transcribe(**request)
    except kind as error:
        assert error.body["message"] and error.body["type"] == "invalid_request_error", error.body
        return error
    raise AssertionError(f"{request} was not refused")


assert refused(openai.BadRequestError, response_format="xml").param == "response_format"
assert refused(openai.BadRequestError, temperature=2).param == "temperature"
assert transcribe(response_format="srt", include=["logprobs"]).startswith("1\n")
assert transcribe(chunking_strategy={"type": "server_vad"}).text
assert transcribe(timestamp_granularities=["word"]).text
assert refused(openai.BadRequestError, known_speaker_names=["Ada"],
               known_speaker_references=[]).param == "known_speaker_references"
try:
    client.audio.transcriptions.create(model="gpt-9", file=("a.wav", b"RIFF"))
    raise AssertionError("an unknown model was taken")
except openai.NotFoundError as error:
    assert error.status_code == 404
    assert (error.code, error.param) == ("model_not_found", "model"), error.body
try:
    client.audio.transcriptions.create(model="whisper-1", file=("a.wav", b"no sound"))
    raise AssertionError("no sound was taken")
except openai.BadRequestError as error:
    assert error.code == "unsupported_format", error.code
print("ok")
