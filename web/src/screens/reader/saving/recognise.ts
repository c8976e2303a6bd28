// Whether the newest version of a text is what one piece of work has made of the version before it.
import { applied } from "../text/operations.ts";
import { segmentOf, type Text } from "../text/segment.ts";
import { readText, type Source } from "../source.ts";
import type { Editor, Entry } from "./editor.ts";

// Takes the newest version over if it is.
export async function recognised(source: Source, editor: Editor, entry: Entry): Promise<boolean> {
  const before = entry.sentOn;
  if (before === undefined || entry.work.op === "names") return false;
  const read = async (version?: number) => {
    const text = await readText(source, version);
    const segments = text?.segments.map((wire) => segmentOf(wire, editor.keyOf(wire.id)));
    return text && { segments: segments!, version: text.version };
  };
  const now = await read();
  if (now?.version !== before + 1) return false;
  const { work } = entry;
  const then = await read(work.op === "restore" ? (entry.redoes?.made ?? work.version) : before);
  const made = then && (work.op === "restore" ? then.segments : applied(then.segments, work));
  if (!made || !isAlike(made, now.segments)) return false;
  editor.tookPlace(entry, now.segments, now.version);
  return true;
}

// The daemon times words more finely, and writes white space as single spaces.
export function isAlike(a: Text, b: Text): boolean {
  const plain = (text: string) => text.replace(/\s+/g, " ").trim();
  return (
    a.length === b.length &&
    a.every((one, index) => {
      const other = b[index]!;
      return plain(one.text) === plain(other.text) && one.speaker === other.speaker;
    })
  );
}
