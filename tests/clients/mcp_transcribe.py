"""Transcribes one recording with the official Python client: mcp_transcribe.py [--arguments JSON] SOUND TARGET…

TARGET is a URL, or the command of a stdio server. JSON has arguments of the tool beside the path. Prints how many
tools there are, and the text."""

import argparse
import asyncio
import json
import os

from mcp import Client, StdioServerParameters

parser = argparse.ArgumentParser(allow_abbrev=False)
parser.add_argument("--arguments", type=json.loads, default={})
parser.add_argument("sound")
parser.add_argument("target", nargs=argparse.REMAINDER)
given = parser.parse_args()
target = given.target


async def main():
    server = target[0] if target[0].startswith("http") else StdioServerParameters(
        command=target[0], args=target[1:], env=dict(os.environ))
    async with Client(server) as client:
        tools = (await client.list_tools()).tools
        result = await client.call_tool("transcribe", {"path": given.sound, **given.arguments})
        print(json.dumps({"tools": len(tools), "is_error": result.is_error,
                          "text": result.content[-1].text}))


asyncio.run(main())
