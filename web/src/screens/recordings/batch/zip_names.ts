// Names of files in a zip, which every system can unpack.

// Signs that Windows has no names with, slashes, and what is not shown.
const forbidden = /[\u0000-\u001f\u007f<>:"/\\|?*]/g;
const most_letters = 120;

export class NamesInZip {
  private readonly extension: string;
  private readonly taken = new Set<string>();

  constructor(extension: string) {
    this.extension = extension;
  }

  // talk.mp3 becomes talk.srt; a second one becomes "talk (2).srt".
  of(title: string): string {
    const stem = stemOf(title);
    for (let count = 1; ; count += 1) {
      const name = `${stem}${count === 1 ? "" : ` (${count})`}.${this.extension}`;
      // Windows and macOS tell no capital letters apart.
      const key = name.normalize("NFC").toLowerCase();
      if (this.taken.has(key)) continue;
      this.taken.add(key);
      return name;
    }
  }
}

function stemOf(title: string): string {
  const bare = title.replace(/\.[A-Za-z0-9]{1,5}$/, "").replace(forbidden, "_");
  const stem = [...bare].slice(0, most_letters).join("").replace(/^[. ]+|[. ]+$/g, "");
  return stem || "transcript";
}
