"""Uses scribed by a client that openapi-python-client has made of its /openapi.json, as the package
scribed_client: openapi_client.py URL SOUND. The worker is the fake one, which says "Segment N." of
every five seconds. Twelve are expected."""

import pathlib
import sys
import time

from scribed_client import Client
from scribed_client.api.audio import create_transcription
from scribed_client.api.jobs import create_job, delete_job, get_job, get_transcript, list_jobs
from scribed_client.api.models import list_models, retrieve_model
from scribed_client.api.server import get_health, get_status
from scribed_client.api.uploads import create_upload, delete_upload, list_uploads
from scribed_client.models import (CreateJobBody, CreateJobBodyMetadata, CreateTranscriptionBody,
                                   CreateTranscriptionBodyIncludeItem,
                                   CreateTranscriptionBodyResponseFormat, CreateUploadBody, Error,
                                   Transcription, VerboseTranscription)
from scribed_client.types import File

url, sound = sys.argv[1], pathlib.Path(sys.argv[2])
client = Client(base_url=url)
TEXT = "Segment 0. Segment 1. Segment 2."


def file():
    return File(payload=sound.open("rb"), file_name="talk.wav", mime_type="audio/wav")


def form(**fields):
    return CreateTranscriptionBody(file=file(), model="whisper-1", **fields)


spoken = create_transcription.sync(
    client=client, body=form(include=[CreateTranscriptionBodyIncludeItem.LOGPROBS]))
assert isinstance(spoken, Transcription) and spoken.text == TEXT, spoken
assert spoken.logprobs[0].token == " ", spoken.logprobs
verbose = create_transcription.sync(client=client, body=form(
    response_format=CreateTranscriptionBodyResponseFormat.VERBOSE_JSON))
assert isinstance(verbose, VerboseTranscription) and len(verbose.segments) == 3, verbose

metadata = CreateJobBodyMetadata()
metadata["call"] = "17"
job = create_job.sync(client=client, body=CreateJobBody(
    file=file(), metadata=metadata, keep_results_s=600.0))
while job.status in ("queued", "running"):
    time.sleep(0.05)
    job = get_job.sync(job.id, client=client)
assert job.status == "done" and job.metadata["call"] == "17" and job.error is None, job
listed = list_jobs.sync(client=client, status="done", q="segment 2")
assert [one.id for one in listed.data] == [job.id] and not listed.has_more, listed
written = get_transcript.sync(job.id, client=client, format_="text")
assert written == TEXT + "\n", written
assert delete_job.sync(job.id, client=client).deleted

upload = create_upload.sync(client=client, body=CreateUploadBody(file=file()))
assert upload.filename == "talk.wav", upload
assert [one.id for one in list_uploads.sync(client=client).data] == [upload.id]
assert delete_upload.sync(upload.id, client=client).deleted

status = get_status.sync(client=client)
assert status.ready and len(status.models) == 1, status
assert get_health.sync(client=client).status == "ok"
assert list_models.sync(client=client).object_ == "list"
missing = retrieve_model.sync("none", client=client)
assert isinstance(missing, Error) and missing.error.code == "model_not_found", missing
print("ok")
