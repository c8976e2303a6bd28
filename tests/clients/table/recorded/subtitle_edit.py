"""Subtitle Edit as recorded requests: its form for servers that are compatible with OpenAI, and its readers of JSON and of
streams, which skip events without an "event:" line and look for times in "segments"."""

import json
import pathlib

import dotnet
from rows import URL, WAV, heard, row, want

PATH = "/v1/audio/transcriptions"


def ask(*more):
    parts = [dotnet.file(pathlib.Path(WAV).read_bytes(), "329c7fae-ea34-4faf-803f-9a1450e7fd60.wav", "audio/wav"),
             dotnet.field("model", "whisper-1"), dotnet.field("language", "en"), dotnet.field("response_format", "json"),
             dotnet.listed("timestamp_granularities", "segment"), dotnet.listed("timestamp_granularities", "word")]
    return dotnet.post(URL, PATH, parts + [dotnet.field(name, value) for name, value in more])


def events_of(body):
    """(type, data) of each event that Subtitle Edit takes."""
    kind, data = "", []
    for line in [*body.decode().splitlines(), ""]:
        if not line.strip():
            if kind and data:
                yield kind, json.loads("\n".join(data))
            kind, data = "", []
        elif line.startswith("event:"):
            kind = line[6:].strip()
        elif line.startswith("data:"):
            data.append(line[5:].strip())


def streamed():
    status, headers, body = ask(("stream", "true"))
    want(status == 200 and "text/event-stream" in headers["content-type"], body)
    text, segments = "", []
    for kind, data in events_of(body):
        if kind == "transcript.text.delta":
            text += data["delta"]
        elif kind in ("transcript.segment", "transcript.text.segment") and data.get("segment"):
            segments.append(data["segment"])
        elif kind == "transcript.text.done" and not segments:
            segments = data.get("segments") or []
    return text, segments


def times(segments):
    want(segments and all(one["end"] > one["start"] for one in segments), f"no times: {segments}")
    return f"{len(segments)} segments, the last to {segments[-1]['end']:.1f} s"


row("json with granularities: text", lambda: heard(dotnet.json_of(*ask())["text"]))
row("json with granularities: times", lambda: times(dotnet.json_of(*ask()).get("segments")))
row("temperature and prompt", lambda: heard(dotnet.json_of(*ask(("temperature", "0.20"), ("prompt", "Asterisk")))["text"]))
row("stream: text", lambda: heard(streamed()[0]))
row("stream: times", lambda: times(streamed()[1]))
