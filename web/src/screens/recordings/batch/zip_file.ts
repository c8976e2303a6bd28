// A zip that grows by one file after the other, so that no more than one of them is in memory whole.

import { Zip, ZipDeflate, ZipPassThrough } from "fflate";

export class ZipFile {
  private readonly parts: Uint8Array[] = [];
  private readonly zip = new Zip((error, part) => {
    if (error) throw error;
    this.parts.push(part);
  });

  // A Word document is a zip itself: packing it again makes it no smaller.
  add(name: string, bytes: Uint8Array, isPacked: boolean): void {
    const file = isPacked ? new ZipDeflate(name, { level: 6 }) : new ZipPassThrough(name);
    this.zip.add(file);
    file.push(bytes, true);
  }

  end(): Blob {
    this.zip.end();
    return new Blob(this.parts as Uint8Array<ArrayBuffer>[], { type: "application/zip" });
  }
}
