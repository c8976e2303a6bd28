// Starts what goes on whatever screen is shown: sending, the list, and what is said aloud.

import { jobStore } from "../../events/events.ts";
import { recordings as de } from "../../i18n/de/recordings.ts";
import { recordings as en } from "../../i18n/en/recordings.ts";
import { textsOf } from "../../i18n/i18n.ts";
import { say, tellNews } from "../../state/notices.ts";
import { openDoor } from "./door.ts";
import { titleOf } from "./job_words.ts";
import { watchModels } from "./model_notices.tsx";
import { startList } from "./page_list.ts";
import { watchPastes } from "./paste.ts";
import { spokenOf } from "./spoken.ts";

const texts = textsOf({ en, de });

export function startRecordings(): void {
  startList();
  openDoor();
  watchPastes();
  watchModels();
  jobStore.listen((event, before) => {
    if (document.hidden || !("job" in event) || event.type === "job.deleted") return;
    const title = titleOf(event.job);
    switch (spokenOf(before, event.job, event.type === "job.created")) {
      case "begun":
        return say(texts.begun(title));
      case "half":
        return say(texts.half(title));
      case "done":
        return tellNews(texts.done(title));
      case "failed":
        return tellNews(texts.hasFailed(title), true);
    }
  });
}
