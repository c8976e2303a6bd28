"""Transcribes one recording with the official Python client: mcp_transcribe.py SOUND TARGET…

TARGET is a URL, or the command of a stdio server. Prints how many tools there are, and the text."""

import asyncio
import json
import os
import sys

from mcp import Client, StdioServerParameters

sound, target = sys.argv[1], sys.argv[2:]


async def main():
    server = target[0] if target[0].startswith("http") else StdioServerParameters(
        command=target[0], args=target[1:], env=dict(os.environ))
    async with Client(server) as client:
        tools = (await client.list_tools()).tools
        result = await client.call_tool("transcribe", {"path": sound})
        print(json.dumps({"tools": len(tools), "is_error": result.is_error,
                          "text": result.content[-1].text}))


asyncio.run(main())
