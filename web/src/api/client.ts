// The one place that speaks to the daemon by fetch. Failures are values: what happened, what to do.
import { signal } from "@preact/signals";

export type Failure = {
  code: string;
  message: string;
  fix?: string;
  param?: string;
  status: number; // 0: no answer came
  body?: unknown; // whole, for errors that say more, as the version of a text that was changed
};

export type Result<T> =
  | { ok: true; value: T; etag: string | null; headers: Headers }
  | { ok: false; error: Failure };

export type RequestOptions = {
  json?: unknown; // becomes the body
  body?: BodyInit;
  ifMatch?: string; // the version that a change is based on, without quotes
  headers?: Record<string, string>;
  signal?: AbortSignal;
};

// Whether the daemon has answered lately. The shell tells people when it has not.
export const reachable = signal(true);

// Set when the daemon asks for a key, so that the sign-in screen takes the place of all others.
export const keyWanted = signal(false);

// Addresses are relative to the page, which a proxy may have put below a path of its own.
export function apiUrl(path: string): string {
  return path.replace(/^\//, "");
}

export function socketUrl(path: string): string {
  const url = new URL(apiUrl(path), document.baseURI);
  url.protocol = url.protocol === "https:" ? "wss:" : "ws:";
  return url.href;
}

// Sends a request and reads the answer as `read` does; without one as JSON.
export async function request<T>(
  method: string,
  path: string,
  options: RequestOptions = {},
  read: (response: Response) => Promise<T> = readJson,
): Promise<Result<T>> {
  let response: Response;
  try {
    response = await fetch(apiUrl(path), init(method, options));
  } catch (error) {
    return unanswered(error);
  }
  reachable.value = true;
  if (!response.ok) return refused(response);
  try {
    const etag = response.headers.get("etag")?.replaceAll('"', "") ?? null;
    return { ok: true, value: await read(response), etag, headers: response.headers };
  } catch (error) {
    return unanswered(error);
  }
}

export const get = <T>(path: string, options?: RequestOptions) => request<T>("GET", path, options);

export const post = <T>(path: string, json?: unknown, options?: RequestOptions) =>
  request<T>("POST", path, json === undefined ? options : { ...options, json });

export const patch = <T>(path: string, json: unknown, options?: RequestOptions) =>
  request<T>("PATCH", path, { ...options, json });

export const remove = <T>(path: string, options?: RequestOptions) =>
  request<T>("DELETE", path, options);

export const getText = (path: string, options?: RequestOptions) =>
  request<string>("GET", path, options, (response) => response.text());

export const getBytes = (path: string, options?: RequestOptions) =>
  request<ArrayBuffer>("GET", path, options, (response) => response.arrayBuffer());

function init(method: string, options: RequestOptions): RequestInit {
  const headers = new Headers(options.headers);
  if (options.ifMatch !== undefined) headers.set("if-match", `"${options.ifMatch}"`);
  const made: RequestInit = { method, headers, credentials: "same-origin", cache: "no-store" };
  if (options.json !== undefined) {
    headers.set("content-type", "application/json");
    made.body = JSON.stringify(options.json);
  } else if (options.body !== undefined) {
    made.body = options.body;
  }
  if (options.signal) made.signal = options.signal;
  return made;
}

async function readJson<T>(response: Response): Promise<T> {
  const text = await response.text();
  return (text === "" ? null : JSON.parse(text)) as T;
}

function unanswered<T>(error: unknown): Result<T> {
  const aborted = error instanceof DOMException && error.name === "AbortError";
  if (!aborted) reachable.value = false;
  const code = aborted ? "aborted" : "unreachable";
  return { ok: false, error: { code, message: String(error), status: 0 } };
}

async function refused<T>(response: Response): Promise<Result<T>> {
  const body: unknown = await response.json().catch(() => null);
  const error = failureOf(body, response.status);
  if (response.status === 401 && error.code !== "bad_key") keyWanted.value = true;
  return { ok: false, error };
}

// Reads the daemon's shape of errors: {"error": {"message", "code", "param", "fix"}}.
export function failureOf(body: unknown, status: number): Failure {
  const fields = ((body as { error?: unknown } | null)?.error ?? {}) as Record<string, unknown>;
  const text = (name: string) => (typeof fields[name] === "string" ? fields[name] : undefined);
  const failure: Failure = {
    code: text("code") ?? `http_${status}`,
    message: text("message") ?? `HTTP ${status}`,
    status,
    body,
  };
  const fix = text("fix");
  const param = text("param");
  if (fix !== undefined) failure.fix = fix;
  if (param !== undefined) failure.param = param;
  return failure;
}
