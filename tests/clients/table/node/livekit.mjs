// LiveKit's agents for Node, with its plugins for OpenAI and Deepgram: a whole clip and live streams.
import fs from "node:fs";
import { initializeLogger, stt } from "@livekit/agents";
import * as deepgram from "@livekit/agents-plugin-deepgram";
import * as openai from "@livekit/agents-plugin-openai";
import { AudioFrame } from "@livekit/rtc-node";
import { heard, pause, pcm16, pcm24, row, url } from "./rows.mjs";

initializeLogger({ pretty: false, level: "silent" });
const frame = (pcm, rate) => new AudioFrame(new Int16Array(pcm.buffer.slice(pcm.byteOffset, pcm.byteOffset + pcm.length)), rate, 1, pcm.length / 2);
const TAIL_S = 2; // of silence, which ends the last turn

async function live(service, path, rate) {
  const pcm = Buffer.concat([fs.readFileSync(path), Buffer.alloc(2 * rate * TAIL_S)]);
  const stream = service.stream();
  const speak = async () => {
    for (let at = 0; at < pcm.length; at += rate / 5) { // 100 ms
      stream.pushFrame(frame(pcm.subarray(at, at + rate / 5), rate));
      await pause(100); // as a microphone does: the Deepgram plugin reads one message after its input
    }
    stream.endInput();
  };
  speak();
  const text = [];
  for await (const event of stream)
    if (event.type === stt.SpeechEventType.FINAL_TRANSCRIPT) text.push(event.alternatives[0].text);
  return heard(text.join(" "));
}

await row("openai plugin, a clip", async () => {
  const service = new openai.STT({ baseURL: url + "/v1", apiKey: "none", model: "whisper-1", language: "en" });
  return heard((await service.recognize(frame(fs.readFileSync(pcm24), 24000))).alternatives[0].text);
});
await row("openai plugin, Realtime", () =>
  live(new openai.STT({ baseURL: url + "/v1", apiKey: "none", model: "gpt-4o-transcribe", useRealtime: true }), pcm24, 24000));
await row("deepgram plugin, live", () =>
  live(new deepgram.STT({ baseUrl: url.replace("http", "ws"), apiKey: "none" }), pcm16, 16000));
process.exit(0);
