// tus-js-client: uploads whole, in parts, of unknown length, in parallel and where PATCH is not let through.
import fs from "node:fs";
import * as tus from "tus-js-client";
import { heard, row, url, want, wav } from "./rows.mjs";

const size = fs.statSync(wav).size;
const form = (upload) => { const fields = new FormData(); fields.set("model", "whisper-1"); fields.set("upload", upload); return fields; };

function upload(source, options) {
  return new Promise((done, refuse) => {
    const sent = new tus.Upload(source, {
      endpoint: url + "/v1/uploads", retryDelays: [], metadata: { filename: "talk – ü.wav", filetype: "audio/wav" },
      onError: (error) => refuse(new Error(error.originalResponse ? `${error.originalResponse.getStatus()} ${error.originalResponse.getBody()}` : error.message)),
      onSuccess: () => done(sent), ...options });
    sent.start();
  });
}

/** What was uploaded is transcribed, so that its bytes are known to be in order. */
async function transcribed(source, options) {
  const sent = await upload(source, options);
  const answer = await fetch(url + "/v1/audio/transcriptions", { method: "POST", body: form(sent.url.split("/").pop()) });
  const body = await answer.text();
  want(answer.ok, body);
  return heard(JSON.parse(body).text);
}

await row("a buffer", () => transcribed(fs.readFileSync(wav)));
await row("a stream in parts", () => transcribed(fs.createReadStream(wav), { uploadSize: size, chunkSize: 65536 }));
await row("data with the creation", () => transcribed(fs.readFileSync(wav), { uploadDataDuringCreation: true, chunkSize: 65536 }));
await row("POST in place of PATCH", () => transcribed(fs.readFileSync(wav), { overridePatchMethod: true, chunkSize: 65536 }));
await row("two parts in parallel", () => transcribed(fs.readFileSync(wav), { parallelUploads: 2 }));
await row("length known at the end", () => transcribed(fs.createReadStream(wav), { uploadLengthDeferred: true, chunkSize: 65536 }));
await row("stop and resume", async () => {
  let first;
  await new Promise((done) => {
    first = new tus.Upload(fs.readFileSync(wav), { endpoint: url + "/v1/uploads", chunkSize: 65536, metadata: { filename: "a.wav" },
      onChunkComplete: () => { first.abort().then(done); } });
    first.start();
  });
  return transcribed(fs.readFileSync(wav), { uploadUrl: first.url, chunkSize: 65536 });
});
await row("delete an upload", async () => {
  const sent = await upload(fs.readFileSync(wav), {});
  await tus.Upload.terminate(sent.url);
  want((await fetch(sent.url, { method: "HEAD", headers: { "Tus-Resumable": "1.0.0" } })).status === 404, "it is still there");
  return "deleted";
});
process.exit(0);
