// Calls every tool of scribed with the official TypeScript clients:
//   mcp_client.mjs PACKAGE MODE SOUND TARGET…
// PACKAGE is "client" (version 2) or "sdk" (version 1); MODE "legacy", "auto" or a revision; TARGET
// a URL, or the command of a stdio server. Twelve seconds of sound are expected, of which the fake
// worker says "Segment N." every five seconds. Prints the tools that were called.
import assert from "node:assert/strict";

const [which, mode, sound, ...target] = process.argv.slice(2);
const text = "Segment 0. Segment 1. Segment 2.";
const isHttp = target[0].startsWith("http");

async function connect() {
  const about = { name: "test", version: "1" };
  const stdio = { command: target[0], args: target.slice(1), env: process.env, stderr: "ignore" };
  if (which === "sdk") {
    const { Client } = await import("@modelcontextprotocol/sdk/client/index.js");
    const { StdioClientTransport } = await import("@modelcontextprotocol/sdk/client/stdio.js");
    const { StreamableHTTPClientTransport } =
      await import("@modelcontextprotocol/sdk/client/streamableHttp.js");
    const client = new Client(about);
    await client.connect(isHttp ? new StreamableHTTPClientTransport(new URL(target[0]))
                                : new StdioClientTransport(stdio));
    return [client, (call, options) => client.callTool(call, undefined, options)];
  }
  const { Client, StreamableHTTPClientTransport } = await import("@modelcontextprotocol/client");
  const { StdioClientTransport } = await import("@modelcontextprotocol/client/stdio");
  const client = new Client(about, {
    versionNegotiation: { mode: ["legacy", "auto"].includes(mode) ? mode : { pin: mode } } });
  await client.connect(isHttp ? new StreamableHTTPClientTransport(new URL(target[0]))
                              : new StdioClientTransport(stdio));
  return [client, (call, options) => client.callTool(call, options)];
}

const [client, callTool] = await connect();
const { tools } = await client.listTools();
const called = new Set();
async function call(name, args, options) {
  called.add(name);
  const result = await callTool({ name, arguments: args }, options);
  const said = result.content.map((block) => block.text).join("\n\n");
  return { result, said, data: result.structuredContent };
}

let steps = 0;
let { result, said, data } = await call("transcribe", { path: sound }, { onprogress: () => ++steps });
assert.ok(!result.isError && said.includes(text), said);
assert.equal(data.text, text);
assert.equal(result.content.at(-1).text, text);
assert.ok(steps > 1);
const job = data.job;
({ said, data } = await call("transcribe", { path: sound, wait_s: 0 }));
assert.ok(said.includes(data.job), said);
const later = data.job;
while (!["done", "failed", "cancelled"].includes(data.state)) {
  await new Promise((wake) => setTimeout(wake, 50));
  ({ said, data } = await call("get_job", { job: later }));
}
assert.ok(data.state === "done" && said.includes(text), said);
({ data } = await call("list_jobs", {}));
assert.ok(data.jobs.some((one) => one.job === job));
await call("cancel_job", { job: later });
({ result, said, data } = await call("detect_language", { path: sound }));
assert.ok(!result.isError && data.languages[0].probability > 0.5, said);
({ said, data } = await call("search_transcripts", { query: "segment 2." }));
assert.ok(data.found.some((one) => one.job === job) && said.includes("Segment 2."), said);
for (const name of ["status", "list_models", "load_model", "unload_model"]) {
  ({ result, said } = await call(name, name.endsWith("_model") ? { model: "whisper-1" } : {}));
  assert.ok(!result.isError, said);
}
({ result, said } = await call("name_speakers", { job, names: { A: "Anna" } }));
assert.ok(result.isError && said.includes("no speakers"), said);
({ result, said } = await call("transcribe", { path: "/etc/shadow" }));
assert.ok(result.isError, said);
assert.deepEqual([...called].sort(), tools.map((tool) => tool.name).sort());

const srt = await client.readResource({ uri: `transcript://${job}.srt` });
assert.match(srt.contents[0].text, /^1\n00:00:00,000/);
const { prompts } = await client.listPrompts();
assert.ok(prompts.some((prompt) => prompt.name === "meeting_minutes"));
console.log(JSON.stringify({ tools: [...called].sort() }));
await client.close();
