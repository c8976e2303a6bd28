"""The official library of MCP for Python over HTTP: tools, progress, resources, prompts."""

import asyncio

from mcp import Client
from rows import URL, WAV, heard, row_async, want


async def main():
    async with Client(URL + "/mcp") as client:
        job, steps = None, []

        async def tools():
            return f"{len((await client.list_tools()).tools)} tools"

        async def progress(done, total, message):
            steps.append(done)

        async def transcribe():
            nonlocal job
            answer = await client.call_tool("transcribe", {"path": WAV}, progress_callback=progress)
            want(steps, "no progress")
            job = answer.structured_content["job"]
            return heard(answer.structured_content["text"])

        async def resource():
            return heard((await client.read_resource(f"transcript://{job}.srt")).contents[0].text)

        async def prompts():
            return f"{len((await client.list_prompts()).prompts)} prompts"

        async def refused():
            want((await client.call_tool("transcribe", {"path": "/etc/shadow"})).is_error, "the path was taken")
            return "a tool error"

        for did, act in (("list of tools", tools), ("transcribe with progress", transcribe), ("read transcript as srt", resource),
                         ("prompts", prompts), ("path that is not allowed", refused)):
            await row_async(did, act)


asyncio.run(main())
