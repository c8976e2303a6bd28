// Where files come in: the whole page takes what is dropped, whatever screen is shown. What sends
// them is fetched when it is needed for the first time.

import { signal } from "@preact/signals";

import { keyWanted } from "../../api/client.ts";
import { goTo, route } from "../../router.ts";
import { readStored } from "../../state/stored.ts";
import { chosenOptions } from "../../state/chosen_options.ts";
import type { Sending } from "./sending/sending.tsx";

// Whether files are held over the page just now.
export const dragging = signal(false);

// Null until something is sent, or was being sent before a reload.
export const sending = signal<Sending | null>(null);

// "dragover" comes several times a second while something is held over the page; when it stays
// away, it has left.
const gone_ms = 300;

export function openDoor(): void {
  if ((readStored("uploads") ?? "[]") !== "[]") void loadSending();
  watchDrops();
}

export async function takeFiles(files: readonly (File | FileSystemEntry)[]): Promise<void> {
  const wanted = chosenOptions.peek();
  await (await loadSending()).take(files, wanted);
}

const loading: { sending: Promise<Sending> | null } = { sending: null };

function loadSending(): Promise<Sending> {
  loading.sending ??= import("./sending/sending.tsx").then(({ startSending }) => {
    const started = startSending();
    sending.value = started;
    return started;
  });
  return loading.sending;
}

function watchDrops(): void {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const end = () => {
    clearTimeout(timer);
    dragging.value = false;
  };
  addEventListener("dragover", (event) => {
    if (!hasFiles(event.dataTransfer)) return;
    // Otherwise the browser would open the file in place of the page.
    event.preventDefault();
    event.dataTransfer!.dropEffect = mayDrop() ? "copy" : "none";
    dragging.value = mayDrop();
    clearTimeout(timer);
    timer = setTimeout(end, gone_ms);
  });
  addEventListener("drop", (event) => {
    if (!hasFiles(event.dataTransfer)) return;
    event.preventDefault();
    end();
    if (!mayDrop()) return;
    takeDropped(thingsIn(event.dataTransfer!));
  });
}

// What was dropped or pasted on any screen is shown on the home screen.
export function takeDropped(things: readonly (File | FileSystemEntry)[]): void {
  if (route.peek().screen !== "recordings") goTo({ screen: "recordings" });
  void takeFiles(things);
}

// A guest with a link, and who has not signed in, may not add anything.
export function mayDrop(): boolean {
  return route.peek().screen !== "shared" && !keyWanted.peek();
}

// Whether something is dragged that could be dropped here: files, and not a link or a text of the
// page.
function hasFiles(transfer: DataTransfer | null): boolean {
  return transfer !== null && [...transfer.types].includes("Files");
}

// Files, or where browsers have them entries, which may be folders. They are there only during the
// event.
function thingsIn(transfer: DataTransfer): (File | FileSystemEntry)[] {
  const entries: FileSystemEntry[] = [];
  for (const item of transfer.items) {
    const entry = item.kind === "file" ? item.webkitGetAsEntry?.() : null;
    if (entry) entries.push(entry);
  }
  return entries.length > 0 ? entries : [...transfer.files];
}
