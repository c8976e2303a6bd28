// Everything that OpenAI's package for Node can ask of scribed: openai_client.mjs URL SOUND. The
// worker is the fake one, which says "Segment N." of every five seconds. Twelve are expected.
import assert from "node:assert/strict";
import fs from "node:fs";
import OpenAI, { AzureOpenAI } from "openai";

const [url, sound] = process.argv.slice(2);
const client = new OpenAI({ baseURL: url + "/v1", apiKey: "none", maxRetries: 0 });
const text = "Segment 0. Segment 1. Segment 2.";
const transcribe = (more = {}) =>
  client.audio.transcriptions.create({
    model: "whisper-1", file: fs.createReadStream(sound), ...more });

assert.equal((await transcribe()).text, text);
assert.equal(await transcribe({ response_format: "text" }), text + "\n");
assert.match(await transcribe({ response_format: "srt" }), /^1\n00:00:00,000 --> 00:00:04,920\nSegment 0/);
assert.match(await transcribe({ response_format: "vtt" }), /^WEBVTT/);
const verbose = await transcribe(
  { response_format: "verbose_json", timestamp_granularities: ["segment"] });
assert.equal(verbose.language, "english");
assert.equal(verbose.segments.length, 3);

// The same server by the addresses of Azure, whose client puts the model into the path.
const azure = new AzureOpenAI({ endpoint: url, apiKey: "none", apiVersion: "2024-06-01", maxRetries: 0 });
const deployed = await azure.audio.transcriptions.create({ model: "whisper-1", file: fs.createReadStream(sound) });
assert.equal(deployed.text, text);

let deltas = "", last;
for await (const event of await transcribe({ stream: true })) {
  if (event.type === "transcript.text.delta") deltas += event.delta;
  last = event;
}
assert.equal(deltas, text);
assert.equal(last.type, "transcript.text.done");
assert.equal(last.text, text);

const translated = await client.audio.translations.create(
  { model: "whisper-1", file: fs.createReadStream(sound) });
assert.equal(translated.text, text);

await assert.rejects(transcribe({ response_format: "xml" }),
                     (error) => error instanceof OpenAI.BadRequestError &&
                                error.param === "response_format");
await assert.rejects(transcribe({ model: "gpt-9" }),
                     (error) => error instanceof OpenAI.NotFoundError);
console.log("ok");
