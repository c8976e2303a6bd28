// A job in words: how far it is, and what is known of it.

import { recordings as de } from "../../i18n/de/recordings.ts";
import { recordings as en } from "../../i18n/en/recordings.ts";
import {
  formatClock, formatDecimal, formatMoment, formatNumber, formatPercent, languageName, textsOf,
} from "../../i18n/i18n.ts";
import { leftWords } from "../../ui/span_words.ts";
import { hasEnded, shareOf, type Job } from "../../events/types.ts";

const texts = textsOf({ en, de });

export function titleOf(job: Pick<Job, "title">): string {
  return job.title || texts.untitled;
}

// "61 %, 24 × real time, 1 minute left"
export function progressWords(job: Job): string {
  if (job.status === "queued") return placeWords(job.queue_place);
  if (job.live) return texts.beingRecorded;
  const said = [phaseWords(job)];
  if (job.phase === "transcribing" && job.speed !== null) said.push(texts.timesRealTime(speedWords(job.speed)));
  if (job.left_s !== null && job.left_s > 0) said.push(leftWords(job.left_s));
  return said.join(", ");
}

function phaseWords(job: Job): string {
  const share = shareOf(job);
  if (job.phase === "transcribing" && share !== null) return formatPercent(share);
  if (job.phase === "listening" && (job.listened ?? 0) > 0) {
    return `${texts.phases.listening}, ${texts.heard(formatClock(job.listened ?? 0))}`;
  }
  if (job.phase === "diarizing" && share !== null) return `${texts.phases.diarizing}, ${formatPercent(share)}`;
  return texts.phases[job.phase];
}

function speedWords(speed: number): string {
  return speed < 10 ? formatDecimal(speed) : formatNumber(Math.round(speed));
}

function placeWords(place: number | null): string {
  if (place === null) return texts.waits;
  return place === 1 ? texts.waitsNext : texts.waitsPlace(formatNumber(place));
}

// "1:02:41 · English · Ada, Tom · base · kept until 14:05"
export function metaWords(job: Job, now: number): string[] {
  const words: string[] = [];
  if (job.duration) words.push(formatClock(job.duration));
  if (job.language && hasEnded(job)) words.push(languageName(job.language));
  if (job.task === "translate") words.push(texts.translated);
  const speakers = speakerWords(Object.values(job.speaker_names));
  if (speakers) words.push(speakers);
  words.push(job.model);
  if (job.version) words.push(texts.edited);
  if (hasEnded(job)) words.push(keptWords(job, now));
  return words.filter((one) => one !== "");
}

// Letters that nobody has replaced by names say no more than their number.
export function speakerWords(names: readonly string[]): string {
  const distinct = [...new Set(names)];
  if (distinct.length === 0) return "";
  if (distinct.every((name) => /^[A-Z]$/.test(name))) return texts.speakerCount(distinct.length);
  if (distinct.length <= 3) return distinct.join(", ");
  return texts.speakerNames(distinct.slice(0, 2).join(", "), distinct.length - 2);
}

function keptWords(job: Job, now: number): string {
  if (job.pinned) return texts.kept;
  if (job.expires_at === null) return "";
  return texts.keptUntil(momentWords(job.expires_at, now));
}

// `at` and `now` in seconds since 1970.
export function momentWords(at: number, now: number): string {
  const tomorrow = new Date(now * 1000);
  tomorrow.setDate(tomorrow.getDate() + 1);
  const isTomorrow = new Date(at * 1000).toDateString() === tomorrow.toDateString();
  return isTomorrow ? texts.tomorrowAt(formatMoment(at, at)) : formatMoment(at, now);
}
