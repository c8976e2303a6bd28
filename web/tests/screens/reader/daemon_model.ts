// What the daemon does with changes, in the small: versions, ids and If-Match. The page's own
// operations stand for the daemon's; that both agree is seen on the real one.
import type { Result } from "../../../src/api/client.ts";
import { applied, type Operation } from "../../../src/screens/reader/text/operations.ts";
import { spanOf } from "../../../src/screens/reader/text/words.ts";
import type { Answer } from "../../../src/screens/reader/saving/work.ts";
import type { Text } from "../../../src/screens/reader/text/segment.ts";
import { wireOf } from "./texts.ts";

export class DaemonModel {
  versions: Text[];
  private nextId = 1000;

  constructor(text: Text) {
    this.versions = [text];
  }

  get version(): number {
    return this.versions.length - 1;
  }

  get text(): Text {
    return this.versions.at(-1)!;
  }

  // Another window's change.
  change(operation: Operation): void {
    this.versions.push(applied(this.text, operation) ?? this.text);
  }

  take(work: Record<string, unknown>, version: number): Result<Answer> {
    if (version !== this.version) return failed(412, "version_conflict");
    const before = this.text;
    const after = this.after(work);
    if (!after) return failed(422, "bad_edit");
    if (JSON.stringify(after) !== JSON.stringify(before)) this.versions.push(after);
    return ok(answerOf(before, after, this.version));
  }

  private after(work: Record<string, unknown>): Text | null {
    if (work.op === "names") return this.text;
    if (work.op === "restore") return this.versions[work.version as number] ?? null;
    if (work.op !== "split") return applied(this.text, work as Operation);
    const segment = this.text.find((one) => one.key === work.segment);
    if (!segment) return null;
    const [at] = spanOf(segment, work.word as number);
    this.nextId += 1;
    return applied(this.text, { op: "split", segment: segment.key, at, made: String(this.nextId) });
  }
}

function answerOf(before: Text, after: Text, version: number): Answer {
  const old = new Map(before.map((one) => [one.key, one]));
  const now = new Set(after.map((one) => one.key));
  const changed = after
    .filter((one) => JSON.stringify(old.get(one.key)) !== JSON.stringify(one))
    .map(wireOf);
  const removed = before.filter((one) => !now.has(one.key)).map((one) => one.key);
  return { version, changed, removed };
}

const ok = (value: Answer): Result<Answer> => ({ ok: true, value, etag: null, headers: new Headers() });

export const failed = (status: number, code: string): Result<Answer> => ({
  ok: false,
  error: { code, message: code, status },
});
