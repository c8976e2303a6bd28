// The waveform, which is also the slider of the player.
import { effect, type ReadonlySignal } from "@preact/signals";
import { useEffect, useRef } from "preact/hooks";
import { formatSpan } from "../../../i18n/i18n.ts";
import { settings } from "../../../state/settings.ts";
import { texts } from "../texts.ts";
import { shownMinute, type Peaks } from "./peaks.ts";
import type { Player } from "./player.ts";
import { drawMinute, drawWhole, type Colours, type View } from "./wave_drawing.ts";

type Props = { player: Player; peaks: ReadonlySignal<Peaks> };

export function Wave({ player, peaks }: Props) {
  const minute = useRef<HTMLCanvasElement>(null);
  const whole = useRef<HTMLCanvasElement>(null);
  const slider = useRef<HTMLDivElement>(null);

  useEffect(() => draws(minute.current!, whole.current!, player, peaks), []);
  useEffect(
    () =>
      // Not as properties: the time changes in each frame, and this is said once a second.
      effect(() => {
        const now = Math.floor(player.time.value);
        const duration = Math.floor(player.duration.value);
        const element = slider.current;
        if (!element || element.ariaValueNow === String(now)) return;
        element.ariaValueMax = String(duration);
        element.ariaValueNow = String(now);
        element.ariaValueText = texts.position(formatSpan(now), formatSpan(duration));
      }),
    [],
  );

  const seekInMinute = (event: PointerEvent) => {
    const [from, to] = shownMinute(player.time.peek(), player.duration.peek());
    player.seek(from + shareOf(event) * (to - from));
  };
  const seekInWhole = (event: PointerEvent) => player.seek(shareOf(event) * player.duration.peek());

  return (
    <div
      ref={slider}
      class="wave"
      role="slider"
      tabIndex={0}
      aria-label={texts.positionLabel}
      aria-valuemin={0}
      aria-valuemax={0}
      aria-valuenow={0}
      aria-valuetext=""
      onKeyDown={(event) => moveByKey(event, player)}
    >
      <canvas ref={minute} class="wave-minute" onPointerDown={(event) => dragged(event, null, seekInMinute)} />
      <canvas ref={whole} class="wave-whole" onPointerDown={(event) => dragged(event, seekInWhole, seekInWhole)} />
    </div>
  );
}

// Draws when something has changed, and each place of the present once.
function draws(
  minute: HTMLCanvasElement,
  whole: HTMLCanvasElement,
  player: Player,
  peaks: ReadonlySignal<Peaks>,
): () => void {
  let colours = coloursOf(minute);
  let drawn = { minute: -1, whole: -1 };
  const draw = (view: View) => {
    const at = {
      minute: Math.round((view.now / 60) * minute.clientWidth * devicePixelRatio),
      whole: Math.round((view.now / (view.duration || 1)) * whole.clientWidth),
    };
    if (at.minute !== drawn.minute) drawMinute(minute, view);
    if (at.whole !== drawn.whole) drawWhole(whole, view);
    drawn = at;
  };
  const view = (): View => ({
    now: player.time.value,
    duration: player.duration.value,
    peaks: peaks.value,
    colours,
  });
  const again = () => {
    colours = coloursOf(minute);
    drawn = { minute: -1, whole: -1 };
    draw(view());
  };
  const stops = [
    effect(() => draw(view())),
    effect(() => {
      void [settings.theme.value, peaks.value, player.duration.value];
      // The colours of a theme hold when the root has its attribute.
      queueMicrotask(again);
    }),
  ];
  const scheme = matchMedia("(prefers-color-scheme: dark)");
  scheme.addEventListener("change", again);
  const sizes = new ResizeObserver(again);
  sizes.observe(minute);
  return () => {
    stops.forEach((stop) => stop());
    scheme.removeEventListener("change", again);
    sizes.disconnect();
  };
}

// The styles give the colours to properties of the canvas, from which they are read as the browser
// has resolved them.
function coloursOf(canvas: HTMLCanvasElement): Colours {
  const style = getComputedStyle(canvas);
  return { ahead: style.color, played: style.outlineColor, mark: style.caretColor };
}

function shareOf(event: PointerEvent): number {
  const box = (event.currentTarget as HTMLElement).getBoundingClientRect();
  return Math.min(1, Math.max(0, (event.clientX - box.left) / box.width));
}

// A press goes to its place when it is let go, or follows the pointer.
function dragged(
  down: PointerEvent,
  move: ((event: PointerEvent) => void) | null,
  release: (event: PointerEvent) => void,
): void {
  const element = down.currentTarget as HTMLElement;
  element.setPointerCapture(down.pointerId);
  move?.(down);
  element.onpointermove = move;
  element.onpointerup = (event) => {
    element.onpointermove = element.onpointerup = null;
    release(event);
  };
  element.onpointercancel = () => {
    element.onpointermove = element.onpointerup = null;
  };
}

function moveByKey(event: KeyboardEvent, player: Player): void {
  if (event.ctrlKey || event.altKey || event.metaKey) return;
  const small = event.shiftKey ? 1 : 5;
  const moves: Record<string, () => void> = {
    ArrowLeft: () => player.skip(-small),
    ArrowDown: () => player.skip(-small),
    ArrowRight: () => player.skip(small),
    ArrowUp: () => player.skip(small),
    PageUp: () => player.skip(60),
    PageDown: () => player.skip(-60),
    Home: () => player.seek(0),
    End: () => player.seek(player.duration.peek()),
    " ": () => player.toggle(),
  };
  const move = moves[event.key];
  if (!move) return;
  event.preventDefault();
  event.stopPropagation();
  move();
}
