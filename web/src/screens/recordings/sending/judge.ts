// What can be known of a file before a byte of it is sent.

import type { Limits } from "../../../state/server_facts.ts";

export interface FileFacts {
  name: string;
  size: number;
  // As the browser has it, from the name alone; often empty.
  type: string;
}

export type Verdict = "fits" | "empty" | "too_large" | "no_recording";

// Kinds of files that surely hold no sound. Unknown ones are sent: the daemon looks at the content.
// The ending ts is not here, since it is also that of MPEG transport streams.
const other_kinds = new Set(
  ("pdf doc docx odt rtf txt md html htm xml json csv tsv xls xlsx ods ppt pptx odp key pages numbers epub " +
    "jpg jpeg png gif webp heic svg tif tiff bmp ico psd srt vtt lrc ass sub log ini yml yaml toml " +
    "zip rar 7z gz xz bz2 zst tar iso dmg exe msi deb rpm apk dll so js css py c h cpp rs go java " +
    "ttf otf woff woff2 db sqlite torrent lnk url part crdownload").split(" "),
);

// Lists of other files, which browsers call audio.
const play_lists = new Set(["m3u", "m3u8", "pls", "cue", "xspf", "wpl", "asx"]);

export function extensionOf(name: string): string {
  const dot = name.lastIndexOf(".");
  return dot > 0 ? name.slice(dot + 1).toLowerCase() : "";
}

export function judge(file: FileFacts, limits: Pick<Limits, "max_upload_bytes">): Verdict {
  if (isOtherKind(file)) return "no_recording";
  if (file.size === 0) return "empty";
  return file.size > limits.max_upload_bytes ? "too_large" : "fits";
}

function isOtherKind(file: FileFacts): boolean {
  const extension = extensionOf(file.name);
  if (play_lists.has(extension) || other_kinds.has(extension)) return true;
  return /^(image|text|font)\//.test(file.type) && extension !== "ts";
}

// Files that systems put into folders without being asked, such as .DS_Store and Thumbs.db.
export function isHousekeeping(name: string): boolean {
  return name.startsWith(".") || /^(thumbs\.db|desktop\.ini)$/i.test(name);
}
