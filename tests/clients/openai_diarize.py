"""A conversation of two people through OpenAI's Python package: openai_diarize.py URL SOUND NAME CLIP.

NAME is whose voice CLIP has. Prints the segments of the whole answer, those of the stream, and the text of
the stream as its deltas told it."""

import base64
import json
import pathlib
import sys

import openai

url, sound, name, clip = sys.argv[1:]
client = openai.OpenAI(base_url=url + "/v1", api_key="none", max_retries=0)
voice = "data:audio/wav;base64," + base64.b64encode(pathlib.Path(clip).read_bytes()).decode()


def transcribe(**more):
    with open(sound, "rb") as file:
        return client.audio.transcriptions.create(model="gpt-4o-transcribe-diarize", file=file,
                                                  response_format="diarized_json", chunking_strategy="auto", **more)


def fields(segment):
    return {"id": segment.id, "start": segment.start, "end": segment.end, "text": segment.text,
            "speaker": segment.speaker}


def of_stream(events, kind):
    return [event for event in events if event.type == "transcript.text." + kind]


whole = transcribe()
known = transcribe(known_speaker_names=[name], known_speaker_references=[voice])
events = list(transcribe(stream=True))
print(json.dumps({
    "text": whole.text,
    "segments": [fields(segment) for segment in whole.segments],
    "known": [fields(segment) for segment in known.segments],
    "streamed": [fields(segment) for segment in of_stream(events, "segment")],
    "deltas": "".join(event.delta for event in of_stream(events, "delta")),
    "done": of_stream(events, "done")[-1].text,
}))
