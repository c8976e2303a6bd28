#!/usr/bin/env bash
# Guess: OpenAI's library for Node opens its Realtime WebSocket where its baseURL is. With
# http://127.0.0.1:PORT/v1, where its other calls go, that is ws://127.0.0.1:PORT/v1/realtime.
# Reality: it takes host and port from baseURL and always speaks TLS: an ordinary server of one's
# own gets a TLS handshake, and the program the OpenSSL error "wrong version number", which names
# neither the address nor the scheme. An address given by hand must be wss:, too, and is refused
# before anything is sent. So tests and servers without certificates need `ws` itself, or TLS.
# OpenAI's library for Python has websocket_base_url and takes ws:.
# Seen with openai 7.59.0, ws 8.23.0, Node 20.20.2:
#   models: 1 (plain HTTP)
#   first byte of the Realtime connection: 0x16 (a TLS handshake)
#   error: EPROTO
#   given by hand: Custom Realtime WebSocket URLs must use the wss: protocol.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm install --silent --no-fund --no-audit --ignore-scripts openai@7.59.0 ws@8.23.0
cat >look.mjs <<'NODE'
import net from "node:net";
import OpenAI from "openai";
import { OpenAIRealtimeWS } from "openai/realtime/ws";

const model = { id: "m", object: "model", created: 0, owned_by: "me" };
const body = JSON.stringify({ object: "list", data: [model] });
let first;
const server = net.createServer((socket) => {
  socket.on("error", () => {});
  socket.once("data", (data) => {
    first = data[0];
    const answer = data.includes("/v1/models") ? `200 OK\r\nContent-Type: application/json\r\nContent-Length: ${body.length}` : "400 Bad Request";
    socket.end(`HTTP/1.1 ${answer}\r\nConnection: close\r\n\r\n${answer.startsWith("200") ? body : ""}`);
  });
}).listen(0, "127.0.0.1", async () => {
  const host = `127.0.0.1:${server.address().port}`;
  const client = new OpenAI({ baseURL: `http://${host}/v1`, apiKey: "none", maxRetries: 0 });
  console.log(`models: ${(await client.models.list()).data.length} (plain HTTP)`);
  const session = new OpenAIRealtimeWS({ intent: "transcription" }, client);
  session.on("error", (error) => {
    console.log(`first byte of the Realtime connection: 0x${first.toString(16)} (${first === 0x16 ? "a TLS handshake" : "not TLS"})`);
    console.log(`error: ${/EPROTO/.exec(String(error.message))?.[0] ?? error.message}`);
    try {
      new OpenAIRealtimeWS({ intent: "transcription", buildRealtimeURL: () => `ws://${host}/v1/realtime` }, client);
      console.log("given by hand: taken");
    } catch (refusal) {
      console.log(`given by hand: ${refusal.message}`);
    }
    process.exit();
  });
});
NODE
node look.mjs | tee seen
grep -qx 'models: 1 (plain HTTP)' seen
grep -qx 'first byte of the Realtime connection: 0x16 (a TLS handshake)' seen
grep -qx 'error: EPROTO' seen
grep -qx 'given by hand: Custom Realtime WebSocket URLs must use the wss: protocol.' seen
