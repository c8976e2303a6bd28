// Keeps what is not saved in the browser, and takes over what other tabs have left there.
import { signal } from "@preact/signals";
import type { Editor } from "./editor.ts";
import { Outbox, Roll } from "./outbox.ts";
import type { Saver } from "./saver.ts";

export class Keeper {
  readonly kept = signal(true); // whether the browser keeps it
  // Whether all is here that others have left. Who typed before that would write over it.
  readonly adopted = signal(false);
  private readonly editor: Editor;
  private readonly saver: Saver;
  private readonly outbox: Outbox;
  private readonly roll: Roll;
  private readonly stop: () => void;

  constructor(editor: Editor, saver: Saver, recording: string, tab: string) {
    this.editor = editor;
    this.saver = saver;
    this.outbox = new Outbox(storage(), recording, tab);
    this.roll = new Roll(tab);
    this.stop = editor.pending.subscribe(() => this.changed());
    addEventListener("pagehide", this.leaving);
    document.addEventListener("visibilitychange", this.leaving);
  }

  async adopt(): Promise<void> {
    for (const tab of await this.roll.absent(this.outbox.others())) {
      const kept = this.outbox.read(tab);
      if (kept) this.editor.adopt(kept);
      this.changed();
      this.outbox.remove(tab);
    }
    this.adopted.value = true;
  }

  close(): void {
    this.stop();
    this.saver.stop();
    this.roll.close();
    removeEventListener("pagehide", this.leaving);
    document.removeEventListener("visibilitychange", this.leaving);
  }

  private changed(): void {
    this.kept.value = this.outbox.write(this.editor.kept());
    this.saver.changed();
  }

  private readonly leaving = () => {
    if (document.visibilityState === "hidden") this.saver.saveNow();
  };
}

// Without storage words are kept for as long as the tab is open.
function storage(): globalThis.Storage {
  try {
    return localStorage;
  } catch {
    return { length: 0, key: () => null, getItem: () => null, removeItem: () => undefined } as never;
  }
}
