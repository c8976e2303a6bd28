// Bridges of MCP from stdio to HTTP, as hosts without HTTP start them: mcp_bridges.mjs NAME COMMAND…
// The official client speaks to the bridge, and the bridge to scribed.
import { Client } from "@modelcontextprotocol/sdk/client/index.js";
import { StdioClientTransport } from "@modelcontextprotocol/sdk/client/stdio.js";
import { heard, long, pause, row, want, wav } from "./rows.mjs";

const [command, ...args] = process.argv.slice(2);
const client = new Client({ name: "scribed-tests", version: "1" });
await client.connect(new StdioClientTransport({ command, args, env: process.env, stderr: "ignore" }));

let job;
await row("list of tools", async () => `${(await client.listTools()).tools.length} tools`);
await row("transcribe", async () => {
  const answer = await client.callTool({ name: "transcribe", arguments: { path: wav } });
  want(answer.structuredContent, "no structured content");
  job = answer.structuredContent.job;
  return heard(answer.structuredContent.text);
});
await row("progress", async () => {
  let steps = 0;
  await client.callTool({ name: "transcribe", arguments: { path: wav } }, undefined, { onprogress: () => ++steps });
  want(steps > 0, "no progress arrives");
  return "it arrives";
});
await row("read transcript as srt", async () => heard((await client.readResource({ uri: `transcript://${job}.srt` })).contents[0].text));
await row("path that is not allowed", async () => {
  const answer = await client.callTool({ name: "transcribe", arguments: { path: "/etc/shadow" } });
  want(answer.isError, JSON.stringify(answer));
  return "a tool error";
});
await row("cancel a long call", async () => {
  const stop = new AbortController();
  setTimeout(() => stop.abort(), 1500);
  await client.callTool({ name: "transcribe", arguments: { path: long } }, undefined, { signal: stop.signal }).catch(() => {});
  want(stop.signal.aborted, "the call was too short to be cancelled");
  for (let i = 0; i < 50; i++) {
    const { structuredContent: data } = await client.callTool({ name: "list_jobs", arguments: { limit: 1 } });
    if (data.jobs[0].state === "cancelled") return "the job is canceled";
    if (data.jobs[0].state === "done") break;
    await pause(200);
  }
  throw new Error("the job goes on");
});
await client.close();
process.exit(0);
