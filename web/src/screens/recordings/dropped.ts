// The files of a drop, those in folders included.

import { isHousekeeping } from "./judge.ts";

// A folder of a whole disk is dropped by mistake; the limit keeps such a page answering.
const most_files = 2000;

export interface Dropped {
  files: File[];
  // Whether a folder had more files than are taken at once.
  cut: boolean;
}

// Reads what was dropped. Call it within the event: its items are empty afterwards.
export function readDrop(transfer: DataTransfer): Promise<Dropped> {
  const entries: FileSystemEntry[] = [];
  for (const item of transfer.items) {
    const entry = item.kind === "file" ? item.webkitGetAsEntry?.() : null;
    if (entry) entries.push(entry);
  }
  if (entries.length > 0) return walk(entries);
  return Promise.resolve({ files: [...transfer.files], cut: false });
}

async function walk(entries: FileSystemEntry[]): Promise<Dropped> {
  const files: File[] = [];
  const waiting = [...entries];
  while (waiting.length > 0) {
    if (files.length >= most_files) return { files, cut: true };
    const entry = waiting.shift()!;
    if (entry.isDirectory) waiting.unshift(...(await entriesOf(entry as FileSystemDirectoryEntry)));
    else if (!isHousekeeping(entry.name)) files.push(...(await fileOf(entry as FileSystemFileEntry)));
  }
  return { files, cut: false };
}

// A folder gives its entries in parts, and an empty part at the end.
async function entriesOf(folder: FileSystemDirectoryEntry): Promise<FileSystemEntry[]> {
  if (isHousekeeping(folder.name)) return [];
  const reader = folder.createReader();
  const all: FileSystemEntry[] = [];
  for (;;) {
    const part = await new Promise<FileSystemEntry[]>((resolve) =>
      reader.readEntries(resolve, () => resolve([])),
    );
    if (part.length === 0) break;
    all.push(...part);
  }
  return all.sort((a, b) => a.name.localeCompare(b.name, undefined, { numeric: true }));
}

// A file that cannot be read any more, since it was moved or the disk is gone, is left out.
function fileOf(entry: FileSystemFileEntry): Promise<File[]> {
  return new Promise((resolve) => entry.file((file) => resolve([file]), () => resolve([])));
}

// Whether something is dragged that could be dropped here: files, and not a link or a text of the page.
export function hasFiles(transfer: DataTransfer | null): boolean {
  return transfer !== null && [...transfer.types].includes("Files");
}
