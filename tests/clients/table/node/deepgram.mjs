// Deepgram's library for Node: files, live streams, errors.
import fs from "node:fs";
import { DeepgramClient } from "@deepgram/sdk";
import { heard, pcm16, row, url, want, wav, webm } from "./rows.mjs";

const socket = url.replace("http", "ws");
const client = new DeepgramClient({ apiKey: "none", environment: { base: url, production: socket, agent: socket, agentRest: url } });
const file = (options, sound = fs.createReadStream(wav)) =>
  client.listen.v1.media.transcribeFile(sound, { model: "nova-3", ...options });
const textOf = (answer) => heard(answer.results.channels[0].alternatives[0].transcript);

await row("a file", async () => textOf(await file({})));
await row("a file with all of its options", async () => {
  const answer = await file({ language: "en-US", smart_format: true, paragraphs: true, utterances: true, diarize: true, punctuate: true });
  want(answer.results.utterances.length > 0 && answer.results.channels[0].alternatives[0].paragraphs, JSON.stringify(answer));
  return textOf(answer);
});
await row("a file whose language is detected", async () => {
  const answer = await file({ detect_language: true });
  want(answer.results.channels[0].detected_language === "en", JSON.stringify(answer));
  return textOf(answer);
});

async function refused(act, status) {
  const error = await act().then(() => { throw new Error("it was taken"); }, (refusal) => refusal);
  want(error.statusCode === status, error.message);
  return `${status}: ${error.body?.err_msg ?? JSON.stringify(error.body)}`;
}
await row("empty body", () => refused(() => file({}, Buffer.alloc(0)), 400));
await row("unknown model", () => refused(() => file({ model: "no-such" }), 400));
await row("an address to fetch", () => refused(() =>
  client.listen.v1.media.transcribeUrl({ url: "https://127.0.0.1/a.wav", model: "nova-3" }), 400));

async function live(options, pieces, end) {
  const connection = await client.listen.v1.connect({ model: "nova-3", ...options });
  const kinds = new Set(), text = [];
  let code;
  const closed = new Promise((done) => connection.on("close", (event) => { code = event?.code; done(); }));
  const finalized = new Promise((done) => connection.on("message", (message) => {
    kinds.add(message.type);
    if (message.is_final) text.push(message.channel.alternatives[0].transcript);
    if (message.from_finalize) done();
  }));
  connection.connect();
  await connection.waitForOpen();
  for (const piece of pieces) connection.sendMedia(piece);
  if (end === "finalize") { connection.sendFinalize({ type: "Finalize" }); await finalized; }
  connection.sendCloseStream({ type: "CloseStream" });
  await closed;
  want(kinds.has("Metadata") && code === 1000, `${[...kinds]}, closed with ${code}`);
  return heard(text.filter(Boolean).join(" "));
}
function* cut(sound, size) { for (let at = 0; at < sound.length; at += size) yield sound.subarray(at, at + size); }
const pcm = fs.readFileSync(pcm16);
const raw = { encoding: "linear16", sample_rate: 16000, channels: 1 };
await row("live to CloseStream", () => live({ ...raw, language: "en", punctuate: "true", interim_results: "true" }, cut(pcm, 3200)));
await row("live with Finalize", () => live({ ...raw, language: "en-US", interim_results: "true" }, cut(pcm, 3200), "finalize"));
await row("live in pieces of odd length", () => live({ ...raw, language: "en" }, cut(pcm, 3199)));
await row("live with its defaults, as a browser's recorder", () => live({}, cut(fs.readFileSync(webm), 4096)));
process.exit(0);
