// Files may be dropped anywhere on the page, whatever screen is shown.

import { signal } from "@preact/signals";

import { keyWanted } from "../../api/client.ts";
import { recordings as de } from "../../i18n/de/recordings.ts";
import { recordings as en } from "../../i18n/en/recordings.ts";
import { textsOf } from "../../i18n/i18n.ts";
import { goTo, route } from "../../router.ts";
import { notify } from "../../state/notices.ts";
import { hasFiles, readDrop } from "./dropped.ts";
import { options, sender } from "./page_sender.ts";
import type { Taken } from "./sender.ts";

const texts = textsOf({ en, de });

// Whether files are held over the page just now.
export const dragging = signal(false);

// "dragover" comes several times a second while something is held over the page; when it stays away, it has left.
const gone_ms = 300;

const most_names = 4;

export function watchDrops(): void {
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
    if (mayDrop()) void takeDrop(event.dataTransfer!);
  });
}

// A guest with a link, and who has not signed in, may not add anything.
function mayDrop(): boolean {
  return route.peek().screen !== "shared" && !keyWanted.peek();
}

async function takeDrop(transfer: DataTransfer): Promise<void> {
  const { files, cut } = await readDrop(transfer);
  if (route.peek().screen !== "recordings") goTo({ screen: "recordings" });
  await takeFiles(files, cut);
}

// Sends what was dropped or chosen, and says what was left out.
export async function takeFiles(files: readonly File[], cut = false): Promise<void> {
  const taken = await sender.take(files, options.peek());
  notify({ text: takenWords(taken, cut), bad: taken.sent === 0 });
}

export function takenWords(taken: Taken, cut: boolean): string {
  const words = [taken.sent > 0 ? texts.added(taken.sent) : ""];
  if (taken.others.length > 0) words.push(texts.leftOut(namesIn(taken.others)));
  if (taken.empty.length > 0) words.push(texts.leftOutEmpty(namesIn(taken.empty)));
  if (cut) words.push(texts.folderCut);
  return words.filter(Boolean).join(" ") || texts.nothingFound;
}

function namesIn(names: readonly string[]): string {
  const first = names.slice(0, most_names).join(", ");
  const more = names.length - most_names;
  return more > 0 ? `${first} ${texts.andMore(more)}` : first;
}
