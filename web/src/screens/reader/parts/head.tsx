// Title, what is known of the recording, and the bar of what can be done with it.
import { formatClock, formatMoment, languageName } from "../../../i18n/i18n.ts";
import { hasEnded, type Job } from "../../../events/types.ts";
import { hrefOf } from "../../../router.ts";
import { Button } from "../../../ui/button.tsx";
import { Menu, type MenuItem } from "../../../ui/menu.tsx";
import { togglePinned, stopJob, deleteJob } from "../actions.ts";
import { tabPlays } from "../choices.ts";
import type { Desk } from "../desk.ts";
import type { Entry } from "../saving/editor.ts";
import { audioUrl } from "../source.ts";
import { texts } from "../texts.ts";
import { titleOf } from "../title_of.ts";
import { SaveWord } from "./save_line.tsx";

export function Head({ desk, job }: { desk: Desk; job: Job }) {
  const { shared } = desk.reader.source;
  return (
    <header class="reader-head">
      {!shared && (
        <a class="back-link" href={hrefOf({ screen: "recordings" })}>
          {texts.back}
        </a>
      )}
      <div class="title-line">
        <h1 dir="auto">{titleOf(job)}</h1>
        {!shared && <Button icon="edit" label={texts.rename} onClick={() => desk.show("rename")} />}
      </div>
      <p class="meta">{factsOf(job, shared).join(" · ")}</p>
    </header>
  );
}

function factsOf(job: Job, shared: boolean): string[] {
  const facts: string[] = [];
  if (job.duration) facts.push(formatClock(job.duration));
  if (job.language) facts.push(languageName(job.language));
  if (shared) return facts;
  facts.push(job.model);
  if (job.pinned) facts.push(texts.keptForGood);
  else if (job.expires_at !== null) facts.push(texts.keptUntil(formatMoment(job.expires_at)));
  return facts;
}

export function Bar({ desk, job }: { desk: Desk; job: Job }) {
  const { editor, canEdit, source } = desk.reader;
  const togglePanel = (panel: "find" | "unsure") => {
    desk.panel.value = desk.panel.peek() === panel ? null : panel;
  };
  const hasSpeakers = desk.speakers.value.length > 0;
  return (
    <div class="reader-bar" role="group" aria-label={texts.actions}>
      <Button icon="download" class="bar-main" onClick={() => desk.show("download")}>
        {texts.download}
      </Button>
      <Button icon="copy" class="on-wide" onClick={() => void desk.copyAll()}>
        {texts.copy}
      </Button>
      <Button
        icon="find"
        class="on-wide"
        aria-pressed={desk.panel.value === "find"}
        onClick={() => togglePanel("find")}
      >
        {texts.find}
      </Button>
      {canEdit.value && hasSpeakers && (
        <Button icon="people" class="on-wide" onClick={() => desk.show("speakers")}>
          {texts.speakers}
        </Button>
      )}
      <span class="bar-space" />
      <SaveWord desk={desk} />
      {canEdit.value && (
        <>
          <StepButton label={texts.undo} icon="undo" step={editor.toUndo.value} run={() => desk.undo()} />
          <StepButton label={texts.redo} icon="redo" step={editor.toRedo.value} run={() => desk.redo()} />
        </>
      )}
      <Menu icon="more" label={texts.more} items={moreOf(desk, job, hasSpeakers, source.shared)} />
    </div>
  );
}

type Step = { label: string; icon: "undo" | "redo"; step: Entry | null; run: () => void };

// Says what it would take back or repeat: "Undo: Replace".
function StepButton({ label, icon, step, run }: Step) {
  const said = step ? `${label}: ${texts.steps[step.work.op]}` : label;
  return <Button icon={icon} label={said} disabled={step === null} onClick={run} />;
}

function moreOf(desk: Desk, job: Job, hasSpeakers: boolean, shared: boolean): MenuItem[] {
  const { canEdit, source } = desk.reader;
  const items: MenuItem[] = [
    { label: texts.copyAll, icon: "copy", run: () => void desk.copyAll() },
    { label: texts.findTitle, icon: "find", run: () => (desk.panel.value = "find") },
    { label: texts.unsureTitle, run: () => (desk.panel.value = "unsure") },
  ];
  if (canEdit.peek() && hasSpeakers) {
    items.push({ label: texts.speakers, icon: "people", run: () => desk.show("speakers") });
  }
  if (job.has_audio) {
    items.push({ label: texts.downloadSound, icon: "download", href: audioUrl(source), download: `${titleOf(job)}.wav` });
  }
  if (shared) return items;
  if (canEdit.peek()) {
    items.push({ label: texts.versions, run: () => desk.show("versions") });
    items.push({ label: texts.share, icon: "share", run: () => desk.show("share") });
  }
  items.push({ label: texts.rename, icon: "edit", run: () => desk.show("rename") });
  items.push({ label: job.pinned ? texts.unpin : texts.pin, icon: "pin", run: () => void togglePinned(desk.reader, job) });
  if (job.has_audio && hasEnded(job)) items.push({ label: texts.again, run: () => desk.show("again") });
  if (!hasEnded(job)) items.push({ label: texts.stop, icon: "stop", run: () => void stopJob(desk.reader) });
  items.push({
    label: tabPlays.value === "on" ? texts.tabMoves : texts.tabPlays,
    run: () => (tabPlays.value = tabPlays.peek() === "on" ? "off" : "on"),
  });
  items.push({ label: texts.delete, icon: "trash", danger: true, run: () => void deleteJob(desk.reader, job) });
  return items;
}
