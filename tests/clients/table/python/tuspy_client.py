"""tuspy: uploads whole and in parts, with checksums, and one that stops and goes on."""

import json
import urllib.request

from rows import URL, WAV, heard, row, want
from tusclient import client

tus = client.TusClient(URL + "/v1/uploads")
PART = 65536


def transcribed(uploader):
    """What was uploaded is transcribed, so that its bytes are known to be in order."""
    body = (f'--b\r\nContent-Disposition: form-data; name="model"\r\n\r\nwhisper-1\r\n--b\r\nContent-Disposition: '
            f'form-data; name="upload"\r\n\r\n{uploader.url.rsplit("/", 1)[1]}\r\n--b--\r\n').encode()
    request = urllib.request.Request(URL + "/v1/audio/transcriptions", body, {"Content-Type": "multipart/form-data; boundary=b"})
    with urllib.request.urlopen(request) as answer:
        return heard(json.load(answer)["text"])


def upload(**more):
    uploader = tus.uploader(WAV, **more)
    uploader.upload()
    return transcribed(uploader)


def resumed():
    first = tus.uploader(WAV, chunk_size=PART)
    first.upload(stop_at=PART)
    second = tus.uploader(WAV, chunk_size=PART, url=first.url)
    want(second.offset == PART, second.offset)
    second.upload()
    return transcribed(second)


row("whole", upload)
row("in parts", lambda: upload(chunk_size=PART))
row("metadata with umlauts", lambda: upload(chunk_size=PART, metadata={"filename": "Gespräch – ü.wav", "filetype": "audio/wav"}))
row("with checksums", lambda: upload(chunk_size=PART, upload_checksum=True))
row("stop and resume", resumed)
