"""LangChain's loader of audio: OpenAIWhisperParser, which cuts a recording into pieces of mp3."""

from langchain_community.document_loaders.parsers.audio import OpenAIWhisperParser
from langchain_core.documents.base import Blob
from rows import URL, WAV, heard, row


def parse(**more):
    parser = OpenAIWhisperParser(api_key="none", base_url=URL + "/v1", model="whisper-1", **more)
    return heard(" ".join(document.page_content for document in parser.lazy_parse(Blob.from_path(WAV))))


row("default", parse)
for name in ("text", "srt", "verbose_json"):
    row(name, lambda name=name: parse(response_format=name))
row("language en", lambda: parse(language="en"))
