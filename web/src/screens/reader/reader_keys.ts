// The keys of this screen. Single keys act outside of fields alone; while a text is edited the same
// are had with Alt or Ctrl.
import { goTo } from "../../router.ts";
import type { KeyBinding } from "../../state/keys.ts";
import type { Desk } from "./desk.ts";
import { stepUnsure } from "./parts/unsure_panel.tsx";
import { texts } from "./texts.ts";

export function keysOf(desk: Desk): KeyBinding[] {
  return [...playing(desk), ...reading(desk), ...editing(desk)];
}

const always = { whileEditing: true };

function playing(desk: Desk): KeyBinding[] {
  const { player } = desk.reader;
  const { keys } = texts;
  const faster = (by: number) => () => player.setRate(player.rate.peek() + by);
  return [
    { keys: ["Space", "Ctrl+Space", "F4", "MediaPlayPause"], label: keys.play, run: () => player.toggle(), ...always },
    { keys: ["ArrowLeft", "Alt+Shift+ArrowLeft", "MediaTrackPrevious"], label: keys.back5, run: () => player.skip(-5), ...always },
    { keys: ["ArrowRight", "Alt+Shift+ArrowRight", "MediaTrackNext"], label: keys.ahead5, run: () => player.skip(5), ...always },
    { keys: ["Shift+ArrowLeft"], label: keys.back1, run: () => player.skip(-1) },
    { keys: ["Shift+ArrowRight"], label: keys.ahead1, run: () => player.skip(1) },
    { keys: ["[", "Alt+["], label: keys.slower, run: faster(-0.1), ...always },
    { keys: ["]", "Alt+]"], label: keys.faster, run: faster(0.1), ...always },
    { keys: ["\\", "Alt+\\"], label: keys.normalSpeed, run: () => player.setRate(1), ...always },
    { keys: ["R", "Alt+R"], label: keys.repeat, run: () => desk.repeat(false), ...always },
    { keys: ["Shift+R", "Alt+Shift+R"], label: keys.repeatSlower, run: () => desk.repeat(true), ...always },
  ];
}

function reading(desk: Desk): KeyBinding[] {
  const { spoken } = desk;
  const { keys } = texts;
  const follow = () => {
    spoken.following.value = !spoken.following.peek();
    if (spoken.following.peek()) spoken.comeBack();
  };
  return [
    { keys: ["ArrowUp"], label: keys.segmentBefore, run: () => desk.step(-1) },
    { keys: ["ArrowDown"], label: keys.segmentAfter, run: () => desk.step(1) },
    { keys: ["F"], label: keys.follow, run: follow },
    { keys: ["N", "Alt+N"], label: keys.nextUnsure, run: () => stepUnsure(desk, 1), ...always },
    { keys: ["Shift+N", "Alt+Shift+N"], label: keys.previousUnsure, run: () => stepUnsure(desk, -1), ...always },
    { keys: ["Ctrl+F"], label: keys.find, run: () => openFind(desk), ...always },
    { keys: ["C"], label: keys.copyAll, run: () => void desk.copyAll() },
    { keys: ["D"], label: keys.download, run: () => desk.show("download") },
    { keys: ["/"], label: keys.searchAll, run: () => goTo({ screen: "recordings" }) },
  ];
}

function editing(desk: Desk): KeyBinding[] {
  if (desk.reader.source.shared) return [];
  const { keys } = texts;
  const digits = Array.from({ length: 9 }, (_, index) => index + 1);
  return [
    { keys: ["E", "Enter"], label: keys.edit, run: () => desk.editCurrent() },
    { keys: ["Ctrl+Z"], label: keys.undo, run: () => desk.undo(), ...always },
    { keys: ["Ctrl+Shift+Z", "Ctrl+Y"], label: keys.redo, run: () => desk.redo(), ...always },
    { keys: ["Ctrl+S"], label: keys.save, run: () => desk.save(), ...always },
    {
      keys: digits.flatMap((digit) => [String(digit), `Alt+${digit}`]),
      shown: ["1–9", "Alt+1–9"],
      label: keys.speaker,
      run: (event) => desk.setSpeaker(Number(/\d/.exec(event.code)?.[0] ?? event.key)),
      ...always,
    },
  ];
}

// A panel that opens takes the focus itself. Again while the field has the focus it is the browser's
// own search, which the field sees to.
function openFind(desk: Desk): void {
  desk.panel.value = "find";
  const field = document.querySelector<HTMLInputElement>(".find input[type=search]");
  field?.focus();
  field?.select();
}
