// A live session of this page: the microphone, the line to the daemon, and the words that come. It
// goes on while another screen is shown.
import { signal } from "@preact/signals";
import { get, socketUrl, type Failure } from "../../api/client.ts";
import { live as de } from "../../i18n/de/live.ts";
import { live as en } from "../../i18n/en/live.ts";
import { formatMoment, textsOf } from "../../i18n/i18n.ts";
import { addGap, breakOff, noCaptions, takeEvent } from "./captions.ts";
import { choices } from "./choices.ts";
import { Line, type Socket } from "./line.ts";
import {
  hasMicrophones,
  openMicrophone,
  reasonOf,
  type Microphone,
  type NoMicrophone,
} from "./microphone.ts";
import type { LiveEvent } from "./server_events.ts";
import { keepScreenOn } from "./screen_lock.ts";

const texts = textsOf({ en, de });

// `stopping`: the text of the last words is still to come.
export type Phase = "ready" | "starting" | "on" | "paused" | "stopping" | "ended";

export const phase = signal<Phase>("ready");
export const captions = signal(noCaptions);
export const seconds = signal(0); // of sound that was recorded
export const lag_s = signal(0);
export const isQuiet = signal(false); // nothing but silence has come for a while
export const noMicrophone = signal<NoMicrophone | null>(null);
export const refusal = signal<Failure | null>(null); // why the daemon gives no session
export const trouble = signal<string | null>(null); // what the daemon said last that went wrong
export const retryIn = signal<number | null>(null); // the line is down, and is tried again by itself
export const kept = signal<readonly string[]>([]); // the jobs that the session is kept as

// Who shows the level is called for each, without a signal's detour.
export const levelShown: { current: (level: number) => void } = { current: () => undefined };

const quiet_level = 0.003; // -50 dB
const quiet_s = 5;

let microphone: Microphone | null = null;
let line: Line | null = null;
let lineRate = 0;
let loud_at = 0; // seconds of sound, when there was some last
let ticking: ReturnType<typeof setInterval> | undefined;

export const isRunning = () => phase.value === "on" || phase.value === "paused";

export async function start(): Promise<void> {
  captions.value = noCaptions;
  seconds.value = 0;
  kept.value = [];
  await listen("ready");
}

export async function goOn(): Promise<void> {
  if (phase.value === "paused") await listen("paused");
}

export function pause(): void {
  if (phase.value !== "on") return;
  closeMicrophone();
  line?.endTurn();
  phase.value = "paused";
}

export function stop(): void {
  if (!isRunning()) return;
  closeMicrophone();
  phase.value = "stopping";
  line?.finish();
}

// Tries to open a broken line at once.
export const retry = () => line?.retry();

// Opens the microphone, then the line for sound of its rate. What is said before the line stands
// waits in it. `otherwise`: the phase where there is no microphone.
async function listen(otherwise: Phase): Promise<void> {
  noMicrophone.value = refusal.value = trouble.value = null;
  if (!hasMicrophones()) {
    noMicrophone.value = isSecureContext ? "none" : "insecure";
    return;
  }
  phase.value = "starting";
  const early: Int16Array<ArrayBuffer>[] = [];
  try {
    microphone = await openMicrophone(choices.microphone.value, {
      onLevel: heardLevel,
      onBlock: (block) => (phase.value === "starting" ? early.push(block) : heard(block)),
      onLost: unplugged,
    });
  } catch (error) {
    noMicrophone.value = reasonOf(error);
    phase.value = otherwise;
    return;
  }
  useLine(microphone.rate);
  phase.value = "on";
  loud_at = seconds.value;
  early.forEach(heard);
  ticking = setInterval(tick, 1000);
  keepScreenOn(true);
}

// Another microphone may have another rate, which needs another session.
function useLine(rate: number): void {
  if (line !== null && lineRate === rate) return;
  line?.finish();
  lineRate = rate;
  const begun = texts.recordingOf(formatMoment(Date.now() / 1000, 0));
  const wishes = {
    rate,
    language: choices.language.value,
    speakers: choices.speakers.value === "on",
    title: choices.keep.value === "on" ? (part: number) => texts.partOf(begun, part) : null,
  };
  const made: Line = new Line(wishes, { onEvent, onUp, onDown, onLost, onEnd: () => ended(made) }, world);
  line = made;
}

const world = {
  connect: () => new WebSocket(socketUrl("/v1/realtime?intent=transcription")) as Socket,
  later: (pause_s: number, work: () => void) => {
    const timer = setTimeout(work, pause_s * 1000);
    return () => clearTimeout(timer);
  },
};

function heardLevel(level: number): void {
  if (level > quiet_level) loud_at = seconds.peek();
  levelShown.current(level);
}

function heard(block: Int16Array<ArrayBuffer>): void {
  if (phase.peek() !== "on") return;
  seconds.value += block.length / lineRate;
  line?.push(block);
}

function tick(): void {
  isQuiet.value = phase.peek() === "on" && seconds.peek() - loud_at > quiet_s;
  lag_s.value = line?.lag_s ?? 0;
}

function unplugged(): void {
  pause();
  noMicrophone.value = "unplugged";
}

function closeMicrophone(): void {
  microphone?.close();
  microphone = null;
  clearInterval(ticking);
  isQuiet.value = false;
  levelShown.current(0);
  keepScreenOn(false);
}

function onEvent(event: LiveEvent): void {
  if (event.type === "scribed.kept") kept.value = [...kept.value, event.job_id];
  if (event.type === "error") trouble.value = event.error.message;
  captions.value = takeEvent(captions.value, event);
}

function onUp(): void {
  retryIn.value = refusal.value = null;
}

function onDown(pause_s: number | null): void {
  captions.value = breakOff(captions.value);
  retryIn.value = pause_s;
  if (pause_s === null) void giveUp();
}

function onLost(lost_s: number): void {
  captions.value = addGap(captions.value, "lost", lost_s);
}

// The line has never stood. A socket does not tell why; the same address without one does.
async function giveUp(): Promise<void> {
  closeMicrophone();
  line = null;
  phase.value = "ready";
  const answer = await get("/v1/realtime?intent=transcription");
  if (answer.ok) return;
  const upgradeRequired = 426; // which says that a socket would be welcome
  refusal.value =
    answer.error.status === upgradeRequired
      ? { code: "no_socket", message: texts.noSocket, fix: texts.noSocketFix, status: 0 }
      : answer.error;
}

// An earlier line, of another microphone, ends by itself.
function ended(which: Line): void {
  if (which !== line) return;
  line = null;
  retryIn.value = null;
  lag_s.value = 0;
  captions.value = breakOff(captions.value);
  if (seconds.value === 0) kept.value = []; // nothing is kept of nothing
  phase.value = "ended";
}

// Closing the page ends the recording, so the browser asks before.
globalThis.addEventListener?.("beforeunload", (event) => {
  if (isRunning()) event.preventDefault();
});
