// The dialog that is open, if one is.
import type { Job } from "../../../events/types.ts";
import type { Desk } from "../desk.ts";
import { AgainDialog } from "./again_dialog.tsx";
import { DownloadDialog } from "./download_dialog.tsx";
import { RenameDialog } from "./rename_dialog.tsx";
import { ShareDialog } from "./share_dialog.tsx";
import { SpeakerDialog } from "./speaker_dialog.tsx";
import { SpeakersDialog } from "./speakers_dialog.tsx";
import { TimesDialog } from "./times_dialog.tsx";
import { VersionsDialog } from "./versions_dialog.tsx";

export function Dialogs({ desk, job }: { desk: Desk; job: Job }) {
  const shown = desk.shown.value;
  if (shown === null) return null;
  if (typeof shown === "object") {
    if ("times" in shown) return <TimesDialog desk={desk} segment={shown.times} />;
    return <SpeakerDialog desk={desk} segment={shown.speaker} />;
  }
  switch (shown) {
    case "download":
      return <DownloadDialog desk={desk} job={job} />;
    case "speakers":
      return <SpeakersDialog desk={desk} />;
    case "versions":
      return <VersionsDialog desk={desk} />;
    case "share":
      return <ShareDialog desk={desk} />;
    case "again":
      return <AgainDialog desk={desk} job={job} />;
    case "rename":
      return <RenameDialog desk={desk} job={job} />;
  }
}
