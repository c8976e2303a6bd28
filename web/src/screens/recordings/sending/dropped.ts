// The files of a drop or a choice, those in folders included.

import { isHousekeeping } from "./judge.ts";

// A folder of a whole disk is dropped by mistake; the limit keeps such a page answering.
const most_files = 2000;

export interface Dropped {
  files: File[];
  // Whether a folder had more files than are taken at once.
  isCut: boolean;
}

export async function walk(things: readonly (File | FileSystemEntry)[]): Promise<Dropped> {
  const files: File[] = [];
  const waiting = [...things];
  while (waiting.length > 0) {
    if (files.length >= most_files) return { files, isCut: true };
    const one = waiting.shift()!;
    if (isHousekeeping(one.name)) continue;
    if (one instanceof File) files.push(one);
    else if (one.isDirectory) waiting.unshift(...(await entriesOf(one as FileSystemDirectoryEntry)));
    else files.push(...(await fileOf(one as FileSystemFileEntry)));
  }
  return { files, isCut: false };
}

// A folder gives its entries in parts, and an empty part at the end.
async function entriesOf(folder: FileSystemDirectoryEntry): Promise<FileSystemEntry[]> {
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
