// OpenAI's official library for Node: transcriptions in every format, streams, translations, models, errors, Realtime.
import fs from "node:fs";
import OpenAI, { toFile } from "openai";
import { OpenAIRealtimeWS } from "openai/realtime/ws";
import { heard, pcm24, row, url, want, wav } from "./rows.mjs";

const client = new OpenAI({ baseURL: url + "/v1", apiKey: "none", maxRetries: 0 });
const transcribe = (more) => client.audio.transcriptions.create({ file: fs.createReadStream(wav), model: "whisper-1", ...more });

for (const response_format of ["json", "text", "srt", "vtt"])
  await row(response_format, async () => {
    const answer = await transcribe({ response_format });
    return heard(answer.text ?? answer);
  });
await row("verbose_json with words", async () => {
  const answer = await transcribe({ response_format: "verbose_json", timestamp_granularities: ["word", "segment"] });
  want(answer.words.length > 0 && answer.segments.length > 0, JSON.stringify(answer));
  return `${answer.words.length} words, ${answer.segments.length} segments, ${answer.language}`;
});
await row("diarized_json", async () => {
  const answer = await transcribe({ model: "gpt-4o-transcribe-diarize", response_format: "diarized_json", chunking_strategy: "auto" });
  return heard(`${answer.segments[0].speaker}: ${answer.segments[0].text}`);
});
await row("json with timestamp granularities", async () =>
  heard((await transcribe({ model: "gpt-4o-transcribe", timestamp_granularities: ["word"] })).text));
await row("chunking_strategy server_vad", async () =>
  heard((await transcribe({ model: "gpt-4o-transcribe", chunking_strategy: { type: "server_vad", threshold: 0.5 } })).text));
await row("language en-US", async () => heard((await transcribe({ language: "en-US" })).text));
await row("keywords and languages", async () => {
  const answer = await transcribe({ model: "gpt-transcribe", keywords: ["Asterisk"], languages: ["en", "de"] });
  want(answer.languages?.length, `no languages: ${JSON.stringify(answer)}`);
  return `languages ${JSON.stringify(answer.languages)}`;
});

async function stream(more) {
  let deltas = "", last;
  for await (const event of await transcribe({ stream: true, ...more })) {
    if (event.type === "transcript.text.delta") deltas += event.delta;
    last = event;
  }
  want(last.type === "transcript.text.done" && last.text === deltas, JSON.stringify(last));
  return last;
}
await row("stream", async () => heard((await stream({ model: "gpt-4o-mini-transcribe" })).text));
await row("stream with logprobs", async () => {
  const last = await stream({ model: "gpt-4o-transcribe", include: ["logprobs"] });
  want(last.logprobs?.length > 0, "no logprobs");
  return `${last.logprobs.length} tokens`;
});
await row("stream of speakers", async () => {
  let text = "";
  for await (const event of await transcribe({ stream: true, model: "gpt-4o-transcribe-diarize", response_format: "diarized_json", chunking_strategy: "auto" }))
    if (event.type === "transcript.text.segment") text += `${event.speaker}: ${event.text}`;
  return heard(text);
});
await row("stream that is aborted", async () => {
  const events = await transcribe({ stream: true });
  events.controller.abort();
  let count = 0;
  for await (const _ of events) count++;
  return "ends without an error";
});
for (const response_format of ["json", "srt"])
  await row(`translation ${response_format}`, async () => {
    const answer = await client.audio.translations.create({ file: fs.createReadStream(wav), model: "whisper-1", response_format });
    return heard(answer.text ?? answer);
  });

async function refused(more, kind, code) {
  const error = await transcribe(more).then(() => { throw new Error("it was taken"); }, (refusal) => refusal);
  want(error instanceof kind && error.code === code, error.message);
  return error.message;
}
await row("unknown model", () => refused({ model: "gpt-9" }, OpenAI.NotFoundError, "model_not_found"));
await row("empty file", async () => refused({ file: await toFile(Buffer.alloc(0), "a.wav") }, OpenAI.BadRequestError, "empty_input"));
await row("models, one with a slash", async () => {
  const list = await client.models.list();
  want(list.data.length > 0, "no models");
  return (await client.models.retrieve("Systran/faster-whisper-base")).id;
});

// A transcription session, in which the server finds the turns.
await row("Realtime", () => new Promise((done, refuse) => {
  const session = new OpenAIRealtimeWS({ intent: "transcription" },
    new OpenAI({ baseURL: url + "/v1", apiKey: "none" }));
  const sound = fs.readFileSync(pcm24);
  session.on("error", refuse);
  session.on("session.created", () => session.send({ type: "session.update", session: { type: "transcription", audio: { input: {
    format: { type: "audio/pcm", rate: 24000 }, transcription: { model: "gpt-4o-transcribe", language: "en" },
    turn_detection: null } } } }));
  session.on("session.updated", () => {
    for (let at = 0; at < sound.length; at += 4800)
      session.send({ type: "input_audio_buffer.append", audio: sound.subarray(at, at + 4800).toString("base64") });
    session.send({ type: "input_audio_buffer.commit" });
  });
  session.on("conversation.item.input_audio_transcription.completed", (event) => {
    session.close();
    try { done(heard(event.transcript)); } catch (error) { refuse(error); }
  });
}));
process.exit(0);
