// What the page needs when somebody sends a file, and not before: fetched by `door.ts`.

import type { ReadonlySignal } from "@preact/signals";
import type { ComponentType } from "preact";

import { sending as de } from "../../../i18n/de/sending.ts";
import { sending as en } from "../../../i18n/en/sending.ts";
import { textsOf } from "../../../i18n/i18n.ts";
import { notify } from "../../../state/notices.ts";
import { chosenOptions } from "../../../state/chosen_options.ts";
import type { JobOptions } from "../../../state/job_options.ts";
import { walk, type Dropped } from "./dropped.ts";
import { startSender } from "./page_sender.ts";
import type { Taken } from "./sender.ts";
import { SendingRows } from "./sending_rows.tsx";

const texts = textsOf({ en, de });

const most_names = 4;

export interface Sending {
  take: (things: readonly (File | FileSystemEntry)[], options: JobOptions) => Promise<void>;
  Rows: ComponentType;
  all: ReadonlySignal<readonly unknown[]>;
}

export function startSending(): Sending {
  const sender = startSender();
  const take = async (things: readonly (File | FileSystemEntry)[], options: JobOptions) => {
    const { files, isCut } = await walk(things);
    const taken = await sender.take(files, options);
    notify({ text: takenWords(taken, isCut), bad: taken.sent === 0 });
  };
  const choose = (files: File[]) => void take(files, chosenOptions.peek());
  const Rows = () => <SendingRows sender={sender} choose={choose} />;
  return { take, Rows, all: sender.sendings };
}

function takenWords(taken: Taken, isCut: Dropped["isCut"]): string {
  const words = [taken.sent > 0 ? texts.added(taken.sent) : ""];
  if (taken.others.length > 0) words.push(texts.leftOut(namesIn(taken.others)));
  if (taken.empty.length > 0) words.push(texts.leftOutEmpty(namesIn(taken.empty)));
  if (isCut) words.push(texts.folderCut);
  return words.filter(Boolean).join(" ") || texts.nothingFound;
}

function namesIn(names: readonly string[]): string {
  const first = names.slice(0, most_names).join(", ");
  const more = names.length - most_names;
  return more > 0 ? `${first} ${texts.andMore(more)}` : first;
}
