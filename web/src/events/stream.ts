// One connection to /v1/events, from its begin to its end. `fetch` serves here and not EventSource:
// it shows the status of a refusal, and lets the page say itself what it has read already.

import { apiUrl } from "../api/client.ts";
import { SseReader, type Message } from "./sse.ts";

// The daemon says something at least every 15 seconds. Longer silence is a line that is dead without
// saying so.
const silence_ms = 40_000;

// The first event comes at once. Where it does not, something in between keeps events back.
const first_ms = 10_000;

// "unanswered": nobody was there. "broken": an answer came, and is over.
export type StreamEnd = "unanswered" | "broken" | "refused" | "signed_out";

export interface StreamOptions {
  lastId: string | null;
  signal: AbortSignal;
  onOpen: () => void;
  onMessage: (message: Message) => void;
  fetch?: typeof fetch;
  firstMs?: number;
}

export async function readStream(options: StreamOptions): Promise<StreamEnd> {
  const watch = new SilenceWatch(options.signal, options.firstMs ?? first_ms);
  let answered = false;
  try {
    const answer = await ask(options, watch.signal);
    answered = true;
    const refusal = refusalOf(answer);
    if (refusal) return refusal;
    options.onOpen();
    await readMessages(answer.body!, watch, options.onMessage);
  } catch {
    // A broken line ends a stream in an exception, and one that ends well is over, too.
  } finally {
    watch.stop();
  }
  if (watch.wasSilentFromTheBegin) return "refused";
  return answered ? "broken" : "unanswered";
}

function ask(options: StreamOptions, signal: AbortSignal): Promise<Response> {
  const headers: Record<string, string> = { accept: "text/event-stream" };
  if (options.lastId !== null) headers["last-event-id"] = options.lastId;
  return (options.fetch ?? fetch)(apiUrl("/v1/events"), { headers, signal, cache: "no-store", credentials: "same-origin" });
}

function refusalOf(answer: Response): StreamEnd | null {
  if (answer.status === 401) return "signed_out";
  if (answer.status === 404 || answer.status === 405 || answer.status === 501) return "refused";
  if (!answer.ok || !answer.body) return "broken";
  const type = answer.headers.get("content-type") ?? "";
  return type.startsWith("text/event-stream") ? null : "refused";
}

async function readMessages(
  body: ReadableStream<Uint8Array>,
  watch: SilenceWatch,
  onMessage: (message: Message) => void,
): Promise<void> {
  const reader = body.getReader();
  const text = new TextDecoder();
  const sse = new SseReader();
  for (;;) {
    const { done, value } = await reader.read();
    if (done) return;
    watch.heard();
    for (const message of sse.read(text.decode(value, { stream: true }))) onMessage(message);
  }
}

// Aborts when nothing was heard for too long, or when `outer` does.
class SilenceWatch {
  private readonly own = new AbortController();
  private timer: ReturnType<typeof setTimeout>;
  wasSilentFromTheBegin = false;

  constructor(outer: AbortSignal, firstMs: number) {
    outer.addEventListener("abort", () => this.own.abort(), { signal: this.own.signal });
    if (outer.aborted) this.own.abort();
    this.timer = setTimeout(() => {
      this.wasSilentFromTheBegin = true;
      this.own.abort();
    }, firstMs);
  }

  get signal(): AbortSignal {
    return this.own.signal;
  }

  heard(): void {
    clearTimeout(this.timer);
    this.timer = setTimeout(() => this.own.abort(), silence_ms);
  }

  stop(): void {
    clearTimeout(this.timer);
    this.own.abort();
  }
}
