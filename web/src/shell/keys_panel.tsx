// The panel "?": all keys that work now, and what a person may choose for this browser.
import type { Signal } from "@preact/signals";
import { useState } from "preact/hooks";
import { textsOf } from "../i18n/i18n.ts";
import { shell as en } from "../i18n/en/shell.ts";
import { shell as de } from "../i18n/de/shell.ts";
import { activeKeys } from "../state/keys.ts";
import { settings } from "../state/settings.ts";
import { Dialog } from "../ui/dialog.tsx";

const texts = textsOf({ en, de });

export function KeysPanel({ onClose }: { onClose: () => void }) {
  // Those of the screen below, which are the ones to learn.
  const [bindings] = useState(activeKeys);
  return (
    <Dialog title={texts.keysPanel} onClose={onClose}>
      <div class="choices">
        <Choice label={texts.theme} kept={settings.theme} names={texts.themes} />
        <Choice label={texts.textSize} kept={settings.textSize} names={texts.textSizes} />
        <Choice
          label={texts.language}
          kept={settings.language}
          names={texts.languages}
          after={() => location.reload()}
        />
        <SingleKeys />
      </div>
      <h3>{texts.keys}</h3>
      <table class="keys">
        <tbody>
          {bindings.map((binding) => (
            <tr key={binding.label}>
              <th scope="row">
                {(binding.shown ?? binding.keys).map((key, index) => (
                  <span key={key}>
                    {index > 0 && " "}
                    <kbd>{shownKey(key)}</kbd>
                  </span>
                ))}
              </th>
              <td>{binding.label}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </Dialog>
  );
}

const arrows: Record<string, string> = {
  ArrowLeft: "←",
  ArrowRight: "→",
  ArrowUp: "↑",
  ArrowDown: "↓",
};

// "Shift+ArrowLeft" is shown as "Shift+←", in the words of the language.
function shownKey(key: string): string {
  const parts = key === "+" ? [key] : key.split("+");
  return parts.map((part) => arrows[part] ?? texts.keyNames[part] ?? part).join("+");
}

type ChoiceProps<T extends string> = {
  label: string;
  kept: Signal<T>;
  names: Record<T, string>;
  after?: () => void;
};

function Choice<T extends string>({ label, kept, names, after }: ChoiceProps<T>) {
  return (
    <label>
      {label}
      <select
        value={kept.value}
        onChange={(event) => {
          kept.value = event.currentTarget.value as T;
          after?.();
        }}
      >
        {(Object.entries(names) as [T, string][]).map(([value, name]) => (
          <option key={value} value={value}>
            {name}
          </option>
        ))}
      </select>
    </label>
  );
}

function SingleKeys() {
  return (
    <label>
      <input
        type="checkbox"
        checked={settings.singleKeys.value === "on"}
        onChange={(event) => {
          settings.singleKeys.value = event.currentTarget.checked ? "on" : "off";
        }}
      />
      {texts.singleKeys}
    </label>
  );
}
