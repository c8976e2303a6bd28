// One job of the list.

import { useState } from "preact/hooks";

import { apiUrl } from "../../api/client.ts";
import { jobStore } from "../../events/events.ts";
import { hasEnded, shareOf, type Job, type Match } from "../../events/types.ts";
import { recordings as de } from "../../i18n/de/recordings.ts";
import { recordings as en } from "../../i18n/en/recordings.ts";
import { formatClock, textsOf } from "../../i18n/i18n.ts";
import { hrefOf } from "../../router.ts";
import { Button, ButtonLink } from "../../ui/button.tsx";
import { FailureText } from "../../ui/failure.tsx";
import { Menu, type MenuItem } from "../../ui/menu.tsx";
import { Progress } from "../../ui/progress.tsx";
import { changeJob, deleteJob, stopJob, transcribeAgain } from "./job_actions.ts";
import { metaWords, progressWords, titleOf } from "./job_words.ts";
import { matchParts } from "./match_parts.ts";
import { chosenOptions } from "../../state/chosen_options.ts";
import { RenameForm } from "./rename_form.tsx";
import { selection } from "../../state/selection.ts";
import { serverOptions } from "../../state/server_facts.ts";
import { shownIds } from "./shown_rows.ts";

const texts = textsOf({ en, de });

export const linkIdOf = (id: string) => `job-${id}`;

export function JobRow({ id, matches }: { id: string; matches: readonly Match[] | undefined }) {
  const [isNamed, setIsNamed] = useState(false);
  const job = jobStore.job(id)?.value;
  if (!job) return null;
  const href = hrefOf({ screen: "reader", id });
  return (
    <li class="job" data-id={id} data-state={job.status}>
      <Select job={job} />
      <div class="job-main">
        {isNamed ? (
          <RenameForm job={job} close={() => setIsNamed(false)} />
        ) : (
          <a class="job-title" id={linkIdOf(id)} href={href}>
            <bdi>{titleOf(job)}</bdi>
          </a>
        )}
        <Words job={job} />
        {matches && matches.length > 0 && <Matches href={href} matches={matches} />}
      </div>
      <div class="job-actions">
        <Actions job={job} rename={() => setIsNamed(true)} />
      </div>
    </li>
  );
}

function Select({ job }: { job: Job }) {
  return (
    <label class="job-select">
      <input
        type="checkbox"
        aria-label={texts.select(titleOf(job))}
        checked={selection.ids.value.has(job.id)}
        onClick={(event) => selection.choose(job.id, event.currentTarget.checked, shownIds(), event.shiftKey)}
      />
    </label>
  );
}

function Words({ job }: { job: Job }) {
  const meta = metaWords(job, Date.now() / 1000).join(" · ");
  if (job.status === "failed" && job.error) {
    return (
      <>
        <FailureText failure={job.error} />
        <p class="meta">{meta}</p>
      </>
    );
  }
  if (job.status === "cancelled") return <p class="meta">{[stoppedWords(job), meta].join(" · ")}</p>;
  if (hasEnded(job)) return <Ended job={job} meta={meta} />;
  return (
    <>
      <p class="job-progress">
        <span>{progressWords(job)}</span> <span class="meta">{meta}</span>
      </p>
      {job.status === "running" && <Progress share={shareOf(job)} label={texts.progressOf(titleOf(job))} />}
    </>
  );
}

function Ended({ job, meta }: { job: Job; meta: string }) {
  const isSilent = job.segments === 0 && !job.live;
  return (
    <>
      {isSilent && (
        <p>
          <strong>{texts.noSpeech}</strong> {job.duration && texts.noSpeechHeard(formatClock(job.duration))}
        </p>
      )}
      <p class="meta">{meta}</p>
    </>
  );
}

function stoppedWords(job: Job): string {
  return job.position ? texts.stoppedAt(formatClock(job.position)) : texts.stopped;
}

function Matches({ href, matches }: { href: string; matches: readonly Match[] }) {
  return (
    <ul class="matches">
      {matches.map((match) => (
        <li key={match.segment}>
          <a href={`${href}?t=${match.start}`} dir="auto">
            <span class="time">
              <span class="unseen">{texts.foundAt("")}</span>
              {formatClock(match.start)}
            </span>{" "}
            <span>
              {matchParts(match).map((part, place) => (part.isHit ? <mark key={place}>{part.text}</mark> : part.text))}
            </span>
          </a>
        </li>
      ))}
    </ul>
  );
}

function Actions({ job, rename }: { job: Job; rename: () => void }) {
  const title = titleOf(job);
  return (
    <>
      {!hasEnded(job) && !job.live && (
        <Button aria-label={texts.stopJob(title)} onClick={() => void stopJob(job)}>
          {texts.stop}
        </Button>
      )}
      {job.status === "done" && <Save job={job} />}
      {(job.status === "failed" || job.status === "cancelled") && <AfterFailure job={job} />}
      <Menu icon="more" label={texts.actionsOf(title)} items={menuItems(job, rename)} />
    </>
  );
}

// Without its sound a second try needs the file again, which the error's own words say.
function AfterFailure({ job }: { job: Job }) {
  const [label, act] = job.has_audio
    ? [texts.tryAgain, () => void transcribeAgain(job)]
    : [texts.delete, () => void removeRow(job)];
  return (
    <Button aria-label={`${label}: ${titleOf(job)}`} onClick={act}>
      {label}
    </Button>
  );
}

function Save({ job }: { job: Job }) {
  const format = chosenOptions.value.format;
  const named = texts.formats[format] ?? format;
  return (
    <ButtonLink
      icon="download"
      label={texts.saveAs(titleOf(job), named)}
      href={apiUrl(`/v1/jobs/${job.id}/transcript?format=${format}`)}
      download={savedNameOf(titleOf(job), format)}
    />
  );
}

// talk.mp3 becomes talk.srt.
export function savedNameOf(title: string, format: string): string {
  return `${title.replace(/\.[A-Za-z0-9]{1,5}$/, "")}.${format}`;
}

function menuItems(job: Job, rename: () => void): MenuItem[] {
  const items: MenuItem[] = [
    { label: texts.rename, icon: "edit", run: rename },
    {
      label: job.pinned ? texts.unpin : texts.pin,
      icon: "pin",
      run: () => void changeJob(job, { pinned: !job.pinned }),
    },
  ];
  if (job.status === "done" && job.has_audio) {
    items.push({ label: texts.again, icon: "undo", run: () => void transcribeAgain(job) });
  }
  if (job.status === "done" && job.segments === 0 && job.has_audio && serverOptions.value?.defaults?.vad_filter) {
    const run = () => void transcribeAgain(job, { vad_filter: "false" });
    items.push({ label: texts.tryWithoutFilter, icon: "undo", run });
  }
  items.push({ label: texts.delete, icon: "trash", danger: true, run: () => void removeRow(job) });
  return items;
}

// The focus goes to the next recording, so that who works by keyboard does not begin anew; unless it
// is elsewhere by now, since the answer took its time.
async function removeRow(job: Job): Promise<void> {
  const row = document.getElementById(linkIdOf(job.id))?.closest("li");
  const neighbour = row?.nextElementSibling ?? row?.previousElementSibling;
  if (!(await deleteJob(job))) return;
  const target = neighbour?.querySelector("a") ?? document.querySelector<HTMLElement>("input[type=search]");
  if (document.activeElement === document.body) target?.focus();
}
