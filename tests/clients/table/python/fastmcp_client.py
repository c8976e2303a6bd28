"""fastmcp's client over HTTP: tools with typed data, progress, resources, prompts, a call that times out."""

import asyncio

from fastmcp import Client
from rows import LONG, URL, WAV, heard, row_async, want


async def main():
    steps = []

    async def progress(done, total, message):
        steps.append((done, total, message))

    async with Client(URL + "/mcp", progress_handler=progress) as client:
        job = None

        async def tools():
            return f"{len(await client.list_tools())} tools"

        async def transcribe():
            nonlocal job
            answer = await client.call_tool("transcribe", {"path": WAV, "segments": True, "timestamps": "word"})
            job = answer.structured_content["job"]
            want(steps, "no progress")
            return heard(answer.data.text)

        async def documents():
            text = (await client.read_resource(f"transcript://{job}.srt"))[0].text
            want(len((await client.read_resource(f"transcript://{job}.docx"))[0].blob) > 1000, "a short document")
            return heard(text)

        async def prompts():
            want((await client.get_prompt("meeting_minutes", {"job": job})).messages, "no messages")
            return f"{len(await client.list_prompts())} prompts"

        async def refused():
            try:
                await client.call_tool("transcribe", {"path": "/etc/shadow"})
            except Exception as error:
                return type(error).__name__
            raise AssertionError("the path was taken")

        async def timeout():
            try:
                await client.call_tool("transcribe", {"path": LONG}, timeout=1.5)
                raise AssertionError("the call was too short")
            except AssertionError:
                raise
            except Exception:
                pass
            for _ in range(100):
                newest = (await client.call_tool("list_jobs", {"limit": 1})).structured_content["jobs"][0]
                if newest["state"] == "cancelled":
                    return "the job is canceled"
                await asyncio.sleep(0.2)
            raise AssertionError("the job goes on")

        for did, act in (("list of tools", tools), ("transcribe with progress", transcribe), ("read transcript as srt and docx", documents),
                         ("prompts", prompts), ("path that is not allowed", refused), ("a call that times out", timeout)):
            await row_async(did, act)


asyncio.run(main())
