// A transcription session over a plain WebSocket with the subprotocols that OpenAI's package offers in browsers:
// realtime_client.mjs URL SOUND. The sound is 16-bit, 24 kHz, mono. The text of all turns is printed.
import assert from "node:assert/strict";
import fs from "node:fs";
import WebSocket from "ws";

const [url, file] = process.argv.slice(2);
const sound = fs.readFileSync(file);
const socket = new WebSocket(url.replace("http", "ws") + "/v1/realtime?intent=transcription",
  ["realtime", "openai-insecure-api-key.none"], { perMessageDeflate: false });
const say = (type, more = {}) => socket.send(JSON.stringify({ type, ...more }));
const texts = [];
const pending = new Set();
let cleared = false;

const feed = () => {
  for (let begin = 0; begin < sound.length; begin += 4800) {
    say("input_audio_buffer.append", { audio: sound.subarray(begin, begin + 4800).toString("base64") });
  }
  say("input_audio_buffer.commit");
  say("input_audio_buffer.clear");
};

const takers = {
  "session.created": () => say("session.update", { session: { type: "transcription", audio: { input: {
    transcription: { model: "gpt-4o-transcribe", language: "en" },
    turn_detection: { type: "server_vad", silence_duration_ms: 300 } } } } }),
  "session.updated": feed,
  "input_audio_buffer.committed": (event) => pending.add(event.item_id),
  "input_audio_buffer.cleared": () => { cleared = true; },
  "conversation.item.input_audio_transcription.completed": (event) => {
    pending.delete(event.item_id);
    texts.push(event.transcript);
  },
  error: (event) => assert.equal(event.error.code, "input_audio_buffer_commit_empty"),
};

socket.on("open", () => assert.equal(socket.protocol, "realtime"));
socket.on("message", (data, isBinary) => {
  assert.equal(isBinary, false);
  const event = JSON.parse(data);
  takers[event.type]?.(event);
  if (cleared && pending.size === 0) socket.close();
});
socket.on("close", () => {
  assert.ok(cleared && pending.size === 0);
  console.log(texts.filter(Boolean).join(" "));
});
