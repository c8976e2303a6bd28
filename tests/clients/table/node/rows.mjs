// Prints what a client did and got: a JSON object per line, which run.py reads.
export const { CLIENT_URL: url, CLIENT_KEYED_URL: keyedUrl, CLIENT_KEY: key, CLIENT_WAV: wav,
               CLIENT_LONG: long, CLIENT_PCM16: pcm16, CLIENT_PCM24: pcm24, CLIENT_WEBM: webm } = process.env;

const LIMIT = 120_000; // ms

/** Runs an action, and prints its outcome. An error is a fault. */
export async function row(did, act) {
  let got, ok = true, timer;
  try {
    const late = new Promise((_, refuse) => { timer = setTimeout(() => refuse(new Error("nothing within two minutes")), LIMIT); });
    got = String(await Promise.race([act(), late]));
  } catch (error) {
    ok = false;
    got = [error.message ?? error, error.responseBody, error.cause?.message].filter(Boolean).join(" | ");
  }
  clearTimeout(timer);
  console.log(JSON.stringify({ did, got, ok }));
}

/** The text, if it is a transcript of the recording. */
export function heard(text) {
  if (!text?.toLowerCase().includes(process.env.CLIENT_WORD)) throw new Error(`not the recording's text: ${JSON.stringify(text)}`);
  return text.trim();
}

export function want(condition, otherwise) {
  if (!condition) throw new Error(otherwise);
}

export const pause = (ms) => new Promise((done) => setTimeout(done, ms));
