#!/usr/bin/env bash
# Guess: at the end of its sound LiveKit's Deepgram plugin for Node sends CloseStream, and reads what
# the server still has to say until the server closes the connection, as Deepgram's documentation
# asks for.
# Reality: it closes the connection itself after one more message, whatever that is. Texts that come
# in a second message are lost without an error: of a clip that is sent faster than it is spoken, all
# but the first sentence, and if that one message is an interim text or Metadata, everything. Whoever
# tests with a file has to send it as slowly as a microphone and silence behind it.
# Seen with @livekit/agents and @livekit/agents-plugin-deepgram 1.9.0, Node 20.20.2:
#   the server said: first, second
#   the client heard: first
#   closed by: the client
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm install --silent --no-fund --no-audit @livekit/agents@1.9.0 @livekit/agents-plugin-deepgram@1.9.0 \
  @livekit/rtc-node@0.13.35 ws@8.23.0
cat >look.mjs <<'NODE'
import { initializeLogger, stt } from "@livekit/agents";
import { STT } from "@livekit/agents-plugin-deepgram";
import { AudioFrame } from "@livekit/rtc-node";
import { WebSocketServer } from "ws";

initializeLogger({ pretty: false, level: "silent" });
const pause = (ms) => new Promise((done) => setTimeout(done, ms));
const final = (transcript) => JSON.stringify({
  type: "Results", is_final: true, speech_final: false, start: 0, duration: 1, metadata: { request_id: "r" },
  channel: { alternatives: [{ transcript, confidence: 1, words: [{ word: transcript, start: 0, end: 1, confidence: 1 }] }] },
});
const said = [];
let closedBy = "the client";
const server = new WebSocketServer({ port: 0, host: "127.0.0.1" }, async () => {
  const service = new STT({ baseUrl: `ws://127.0.0.1:${server.address().port}/v1/listen`, apiKey: "none" });
  const stream = service.stream();
  const loud = Int16Array.from({ length: 1600 }, (_, i) => (i % 2 ? 8000 : -8000));
  const speak = async () => {
    for (let i = 0; i < 10; ++i) {
      stream.pushFrame(new AudioFrame(loud, 16000, 1, 1600));
      await pause(100);
    }
    stream.endInput();
  };
  speak();
  const heard = [];
  for await (const event of stream)
    if (event.type === stt.SpeechEventType.FINAL_TRANSCRIPT) heard.push(event.alternatives[0].text);
  await pause(500);
  console.log(`the server said: ${said.join(", ")}`);
  console.log(`the client heard: ${heard.join(", ")}`);
  console.log(`closed by: ${closedBy}`);
  process.exit();
});
server.on("connection", (socket) => socket.on("message", async (data) => {
  if (!data.includes("CloseStream")) return;
  for (const text of ["first", "second"]) {
    said.push(text);
    if (socket.readyState === 1) socket.send(final(text));
    await pause(200);
  }
  if (socket.readyState === 1) closedBy = "the server";
  socket.close(1000);
}));
NODE
node look.mjs | tee seen
grep -qx 'the client heard: first' seen
grep -qx 'closed by: the client' seen
