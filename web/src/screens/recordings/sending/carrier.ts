// Carries one file to /v1/uploads in pieces (tus 1.0), from where it stopped.

import type { DetailedError } from "tus-js-client";

import { apiUrl, failureOf, keyWanted, type Failure } from "../../../api/client.ts";
import { Watchdog } from "./watchdog.ts";

// A piece is small enough for proxies that limit a request's size or time, and large enough to keep
// a fast line full.
const piece_bytes = 16 * 1024 * 1024;

// After the last of these the sender takes over, which waits for as long as the daemon needs.
const retries_ms = [500, 1000, 2000, 4000, 8000];

// A line that is dead without saying so takes nothing more. Browsers would wait for minutes.
const stall_ms = 60_000;

export interface Cargo {
  file: File;
  name: string;
  uploadId: string | null;
}

export interface Reports {
  // The upload has an id at the daemon.
  begun: (uploadId: string) => void;
  progress: (sent: number) => void;
  // The line broke; the carrier tries again by itself.
  broken: (why: string | null) => void;
  whole: () => void;
  failed: (error: Failure) => void;
}

export interface Carrying {
  // Stops sending and keeps what is there. Nothing is reported afterwards.
  stop: () => void;
}

export type Carrier = (cargo: Cargo, reports: Reports) => Carrying;

export const carry: Carrier = (cargo, reports) => {
  let stopped = false;
  let stop = () => {};
  void begin();
  return {
    stop: () => {
      stopped = true;
      stop();
    },
  };

  async function begin(): Promise<void> {
    const tus = await import("tus-js-client");
    if (stopped) return;
    const watch = new Watchdog(stall_ms, () => void beginAnew());
    const beginAnew = async () => {
      reports.broken(null);
      await made.abort();
      if (!stopped) made.start();
    };
    const made = new tus.Upload(cargo.file, {
      endpoint: addressOf("v1/uploads"),
      uploadUrl: cargo.uploadId ? addressOf(`v1/uploads/${cargo.uploadId}`) : null,
      chunkSize: piece_bytes,
      retryDelays: retries_ms,
      storeFingerprintForResuming: false,
      metadata: { filename: cargo.name },
      onUploadUrlAvailable: () => reports.begun(idOf(made.url)),
      onProgress: (sent) => {
        watch.feed();
        reports.progress(sent);
      },
      onShouldRetry: (error) => triesAgain(error, reports),
      onSuccess: () => {
        watch.stop();
        reports.whole();
      },
      onError: (error) => {
        watch.stop();
        if (!stopped) reports.failed(failureOfTus(error));
      },
    });
    stop = () => {
      watch.stop();
      void made.abort();
    };
    watch.feed();
    made.start();
  }
};

function triesAgain(error: DetailedError, reports: Reports): boolean {
  const { status, message } = failureOfTus(error);
  const again = status === 0 || status === 409 || status === 423 || status >= 500;
  if (again && status !== 507) reports.broken(status === 0 ? null : message);
  return again && status !== 507;
}

function failureOfTus(error: Error | DetailedError): Failure {
  const answer = "originalResponse" in error ? error.originalResponse : null;
  const status = answer?.getStatus() ?? 0;
  if (status === 401) keyWanted.value = true;
  if (status === 0) return { code: "unreachable", message: error.message, status };
  let body: unknown = null;
  try {
    body = JSON.parse(answer?.getBody() ?? "");
  } catch {
    // A proxy's own page; its status has to do.
  }
  return failureOf(body, status);
}

function addressOf(path: string): string {
  return new URL(apiUrl(path), document.baseURI).href;
}

function idOf(url: string | null): string {
  return new URL(url ?? "", document.baseURI).pathname.split("/").at(-1) ?? "";
}
