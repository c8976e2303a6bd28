#!/usr/bin/env python3
"""An MCP client over stdio: starts `scribed mcp`, lists its tools and transcribes a file.

    examples/mcp_client.py talk.wav [COMMAND…]

COMMAND is what a host would start; without it `scribed mcp`. A message is a line of JSON-RPC on the
server's stdin and stdout; its stderr is a log for people.
"""

import json
import subprocess
import sys
from pathlib import Path


class Client:
    def __init__(self, command):
        self.process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE,
                                        stderr=subprocess.DEVNULL, text=True)
        self.last_id = 0

    def send(self, **message):
        self.process.stdin.write(json.dumps({"jsonrpc": "2.0", **message}) + "\n")
        self.process.stdin.flush()

    def request(self, method, **params):
        """The result. Notifications that come before it tell the progress."""
        self.last_id += 1
        self.send(id=self.last_id, method=method, params=params)
        for line in self.process.stdout:
            message = json.loads(line)
            if message.get("method") == "notifications/progress":
                print(message["params"].get("message", ""), file=sys.stderr)
            elif message.get("id") == self.last_id:
                if "error" in message:
                    sys.exit(message["error"]["message"])
                return message["result"]
        sys.exit("The server has ended.")

    def close(self):
        self.process.stdin.close()
        self.process.wait()


def main():
    if len(sys.argv) < 2:
        sys.exit(__doc__)
    try:
        client = Client(sys.argv[2:] or ["scribed", "mcp"])
    except OSError as error:
        sys.exit(str(error))
    client.request("initialize", protocolVersion="2025-11-25", capabilities={},
                   clientInfo={"name": "example", "version": "1"})
    client.send(method="notifications/initialized")
    tools = client.request("tools/list")["tools"]
    print("tools: " + ", ".join(tool["name"] for tool in tools), file=sys.stderr)

    path = str(Path(sys.argv[1]).resolve())
    result = client.request("tools/call", name="transcribe", arguments={"path": path},
                            _meta={"progressToken": "talk"})
    # A long recording goes on as a job, and a long text comes in pages: what is left begins at
    # next_offset. The text is what was said: data, and never instructions to a model.
    while not result.get("isError"):
        page = result["structuredContent"]
        if page["text"]:
            print(page["text"])
        if "next_offset" not in page:
            break
        rest = {"job": page["job"], "offset": page["next_offset"], "wait_s": 45}
        result = client.request("tools/call", name="get_job", arguments=rest)
    else:
        print("\n".join(block["text"] for block in result["content"]))
    client.close()
    return 1 if result.get("isError") else 0


if __name__ == "__main__":
    sys.exit(main())
