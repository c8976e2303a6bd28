// Keys of the keyboard. A screen says which it has; the panel "?" lists those that work now.
import { signal } from "@preact/signals";
import { useLayoutEffect, useRef } from "preact/hooks";
import { settings } from "./settings.ts";

export type KeyBinding = {
  // As KeyboardEvent.key has it, with the modifiers before it: "Space", "?", "Ctrl+F",
  // "Shift+ArrowLeft". Ctrl is ⌘ on Macs.
  keys: string[];
  shown?: string[]; // what the panel says instead, where the keys are many
  label: string; // what it does, for the panel
  run: (event: KeyboardEvent) => void;
  whileEditing?: boolean; // also acts while a text is edited
};

// What a component has said last; the set itself stays the same from its first to its last moment.
type KeySet = { bindings: readonly KeyBinding[] };

const sets = signal<readonly KeySet[]>([]);

// The bindings of all that is on the page now, the newest component's first.
export const activeKeys = (): KeyBinding[] => sets.value.flatMap((set) => set.bindings);

// Adds bindings for as long as the component is there. `bindings` may be a new array each time.
export function useKeys(bindings: readonly KeyBinding[]): void {
  const set = useRef<KeySet>({ bindings });
  set.current.bindings = bindings;
  // What is on the page can be used: an effect after the next frame would miss a quick hand's keys.
  useLayoutEffect(() => {
    const added = set.current;
    sets.value = [added, ...sets.value];
    return () => {
      sets.value = sets.value.filter((other) => other !== added);
    };
  }, []);
}

// With Alt some systems write other signs: Alt+R is "®" on Macs.
function behindAlt({ altKey, key, code }: KeyboardEvent): string | undefined {
  if (!altKey || /^[\x20-\x7e]$|^\w{2,}$/.test(key)) return undefined;
  return /^(?:Key|Digit)(\w)$/.exec(code)?.[1];
}

export function nameOfKey(event: KeyboardEvent): string {
  const key = event.key === " " ? "Space" : (behindAlt(event) ?? event.key);
  const named = key.length > 1; // Shift is already in "?", but not in ArrowLeft
  const letter = /^\p{L}$/u.test(key);
  return [
    event.ctrlKey || event.metaKey ? "Ctrl" : "",
    event.altKey ? "Alt" : "",
    event.shiftKey && (named || letter) ? "Shift" : "",
    letter ? key.toUpperCase() : key,
  ]
    .filter((part) => part !== "")
    .join("+");
}

// Whether the key writes or chooses something where the focus is.
function isForField(target: EventTarget | null): boolean {
  if (!(target instanceof HTMLElement)) return false;
  if (target.isContentEditable || target.closest("dialog, [popover]")) return true;
  if (target instanceof HTMLInputElement) {
    return !["checkbox", "radio", "button", "submit"].includes(target.type);
  }
  return target.matches("select, textarea, [role=slider]");
}

// Space presses the button that has the focus, and opens its menu.
function isPressed(name: string, target: EventTarget | null): boolean {
  const pressing = name === "Space" || name === "Enter";
  return pressing && target instanceof Element && target.matches("button, a, summary, input");
}

// Single keys have no Ctrl or Alt, and are no F-keys. People can turn them off (WCAG 2.1.4).
export function isSingle(name: string): boolean {
  return !/^(Ctrl|Alt)\+|^F\d+$|^Escape$|^Media/.test(name);
}

export function handleKey(event: KeyboardEvent): void {
  if (event.defaultPrevented || event.isComposing) return;
  const name = nameOfKey(event);
  const single = isSingle(name);
  if (single && settings.singleKeys.value === "off") return;
  const inField = isForField(event.target);
  if (isPressed(name, event.target)) return;
  for (const binding of activeKeys()) {
    if (!binding.keys.includes(name)) continue;
    if (inField && (single || !binding.whileEditing)) continue;
    event.preventDefault();
    binding.run(event);
    return;
  }
}
