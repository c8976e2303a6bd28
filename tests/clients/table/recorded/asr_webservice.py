"""Clients of whisper-asr-webservice as recorded requests: Bazarr, which sends raw samples, and Speakr, which sends forms."""

import http.client
import json
import pathlib
import urllib.parse

from rows import PCM16, URL, WAV, heard, row, want


def ask(path, query, sound, name="audio_file", kind=None):
    address = urllib.parse.urlsplit(URL)
    connection = http.client.HTTPConnection(address.hostname, address.port, timeout=300)
    head = f'--b\r\nContent-Disposition: form-data; name="audio_file"; filename="{name}"\r\n' + (f"Content-Type: {kind}\r\n" if kind else "")
    connection.request("POST", f"{path}?{urllib.parse.urlencode(query)}", head.encode() + b"\r\n" + sound + b"\r\n--b--\r\n",
                       {"Content-Type": "multipart/form-data; boundary=b"})
    answer = connection.getresponse()
    body = answer.read().decode()
    want(answer.status == 200, f"{answer.status}: {body}")
    return body


def bazarr(path, **query):
    return ask(path, {"encode": "false", **query}, pathlib.Path(PCM16).read_bytes())


def speakr(**query):
    answer = json.loads(ask("/asr", {"encode": "true", "task": "transcribe", "output": "json", **query},
                            pathlib.Path(WAV).read_bytes(), "recording.webm", "audio/webm"))
    heard(answer["text"])
    return answer


def speakers():
    answer = speakr(diarize="true", enable_diarization="true", min_speakers=1, max_speakers=2)
    want(all("speaker" in one for one in answer["segments"]), answer)
    return answer["segments"][0]["speaker"]


row("Bazarr: the language of raw samples", lambda: json.loads(bazarr("/detect-language"))["language_code"])
row("Bazarr: subtitles of raw samples", lambda: heard(bazarr("/asr", task="transcribe", language="en", output="srt")))
row("Bazarr: translation, with the name of the video", lambda: heard(bazarr("/asr", task="translate", language="en", output="srt", video_file="/tv/Ä.mkv")))
row("Speakr: its default, with speakers", speakers)
row("Speakr: language en-US, prompt and hotwords", lambda: heard(speakr(language="en-US", initial_prompt="Asterisk", hotwords="PBX")["text"]))
row("Speakr: an empty language, vad_filter=on", lambda: heard(speakr(language="", vad_filter="on")["text"]))
