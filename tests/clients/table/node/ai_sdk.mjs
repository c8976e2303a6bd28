// Vercel's AI SDK: transcribe() with OpenAI's provider and with the one for compatible servers, and streams.
import { readFile } from "node:fs/promises";
import { createOpenAI } from "@ai-sdk/openai";
import { createOpenAICompatible } from "@ai-sdk/openai-compatible";
import { experimental_streamTranscribe as streamTranscribe, transcribe } from "ai";
import { heard, pcm24, row, url, want, wav } from "./rows.mjs";

const openai = createOpenAI({ baseURL: url + "/v1", apiKey: "none" });
const compatible = createOpenAICompatible({ name: "scribed", baseURL: url + "/v1", apiKey: "none" });
const audio = await readFile(wav);
const written = (model, options) =>
  transcribe({ model: openai.transcription(model), audio, maxRetries: 0, ...(options ? { providerOptions: { openai: options } } : {}) });
const shown = (answer) => `${answer.segments.length} segments, language ${answer.language}: ${heard(answer.text)}`;

for (const model of ["whisper-1", "gpt-4o-transcribe", "gpt-4o-mini-transcribe", "gpt-transcribe", "gpt-4o-transcribe-diarize", "base"])
  await row(`model ${model}`, async () => shown(await written(model)));
await row("whisper-1 with word timestamps", async () => shown(await written("whisper-1", { timestampGranularities: ["word"] })));
await row("whisper-1 with temperature 0 and an empty prompt", async () => shown(await written("whisper-1", { temperature: 0, prompt: "" })));
await row("gpt-4o-transcribe with word timestamps", async () => shown(await written("gpt-4o-transcribe", { timestampGranularities: ["word"] })));
await row("gpt-4o-mini-transcribe with a language", async () => shown(await written("gpt-4o-mini-transcribe", { language: "en" })));
await row("gpt-4o-transcribe with language en-US", async () => shown(await written("gpt-4o-transcribe", { language: "en-US" })));
await row("gpt-4o-transcribe with logprobs", async () => shown(await written("gpt-4o-transcribe", { include: ["logprobs"] })));
await row("gpt-4o-transcribe with server_vad", async () =>
  shown(await written("gpt-4o-transcribe", { chunkingStrategy: { type: "server_vad", threshold: 0.5 } })));
await row("gpt-transcribe with languages and keywords", async () => {
  const answer = await written("gpt-transcribe", { languages: ["en", "de"], keywords: ["Asterisk"] });
  want(answer.language, "no language");
  return shown(answer);
});
await row("the provider for compatible servers", async () =>
  shown(await transcribe({ model: compatible.transcriptionModel("whisper-1"), audio, maxRetries: 0 })));

async function refused(model, sound, status) {
  const error = await transcribe({ model: openai.transcription(model), audio: sound, maxRetries: 0 })
    .then(() => { throw new Error("it was taken"); }, (refusal) => refusal);
  want(error.statusCode === status, error.message);
  return `${status}: ${error.message}`;
}
await row("unknown model", () => refused("gpt-9", audio, 404));
await row("empty file", () => refused("whisper-1", new Uint8Array(0), 400));

const sound = await readFile(pcm24);
for (const model of ["gpt-realtime-whisper", "gpt-live-transcribe"])
  await row(`stream with ${model}`, async () => {
    const pieces = new ReadableStream({ start(controller) {
      for (let at = 0; at < sound.length; at += 4800) controller.enqueue(new Uint8Array(sound.subarray(at, at + 4800)));
      controller.close();
    } });
    const answer = streamTranscribe({ model: openai.transcription(model), audio: pieces,
      inputAudioFormat: { type: "audio/pcm", rate: 24000 }, providerOptions: { openai: { language: "en" } } });
    for await (const part of answer.fullStream) if (part.type === "error") throw part.error;
    return heard(await answer.text);
  });
process.exit(0);
