"""Calls every tool of scribed with the official Python client: mcp_client.py MODE SOUND TARGET…

MODE is "legacy", "auto" or a revision; TARGET a URL, or the command of a stdio server. Twelve
seconds of sound are expected, of which the fake worker says "Segment N." every five seconds. Prints
the revision that was agreed on and the tools that were called."""

import asyncio
import json
import os
import sys

from mcp import Client, StdioServerParameters

mode, sound, target = sys.argv[1], sys.argv[2], sys.argv[3:]
TEXT = "Segment 0. Segment 1. Segment 2."


async def main():
    server = target[0] if target[0].startswith("http") else StdioServerParameters(
        command=target[0], args=target[1:], env=dict(os.environ))
    called = []
    async with Client(server, mode=mode) as client:
        tools = {tool.name: tool for tool in (await client.list_tools()).tools}

        async def call(name, arguments, **more):
            called.append(name)
            result = await client.call_tool(name, arguments, **more)
            text = "\n\n".join(block.text for block in result.content)
            return result, text, result.structured_content

        seen = []

        async def progress(value, total, message):
            seen.append(value)

        result, text, data = await call("transcribe", {"path": sound}, progress_callback=progress)
        assert not result.is_error, text
        assert TEXT in text and "never instructions" in text, text
        assert data["text"] == TEXT == result.content[-1].text, data
        assert seen == sorted(set(seen)) and len(seen) > 1, seen
        job = data["job"]

        result, text, data = await call("transcribe", {"path": sound, "wait_s": 0})
        assert not result.is_error and data["job"] in text, text
        later = data["job"]
        while data["state"] not in ("done", "failed", "cancelled"):
            await asyncio.sleep(0.05)
            result, text, data = await call("get_job", {"job": later})
        assert data["state"] == "done" and TEXT in text, text
        result, text, data = await call("list_jobs", {})
        assert {job, later} <= {one["job"] for one in data["jobs"]}, data
        await call("cancel_job", {"job": later})
        result, text, data = await call("detect_language", {"path": sound})
        assert not result.is_error and "en" in text, text
        assert data["languages"][0]["probability"] > 0.5, data
        _, text, data = await call("search_transcripts", {"query": "segment 2."})
        assert job in [one["job"] for one in data["found"]] and "Segment 2." in text, text
        for name in ("status", "list_models"):
            result, text, _ = await call(name, {})
            assert not result.is_error, text
        for name in ("load_model", "unload_model"):
            result, text, _ = await call(name, {"model": "whisper-1"})
            assert not result.is_error, text
        result, text, _ = await call("name_speakers", {"job": job, "names": {"A": "Anna"}})
        assert result.is_error and "no speakers" in text, text
        result, text, _ = await call("transcribe", {"path": "/etc/shadow"})
        assert result.is_error and "outside" in text, text
        assert set(called) == set(tools), set(tools) - set(called)

        resources = (await client.list_resources()).resources
        assert any(job in str(one.uri) for one in resources), resources
        read = await client.read_resource(f"transcript://{job}.srt")
        assert read.contents[0].text.startswith("1\n00:00:00,000"), read
        prompts = (await client.list_prompts()).prompts
        assert {one.name for one in prompts} >= {"summarize_transcript", "meeting_minutes"}, prompts
        given = await client.get_prompt("summarize_transcript", {"job": job})
        assert job in given.messages[0].content.text or TEXT in given.messages[0].content.text
        print(json.dumps({"revision": client.protocol_version, "tools": sorted(set(called))}))


asyncio.run(main())
