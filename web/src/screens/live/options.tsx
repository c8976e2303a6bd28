// What is chosen before a session begins.
import type { ComponentChildren } from "preact";
import { useEffect, useState } from "preact/hooks";
import { languageName, textsOf } from "../../i18n/i18n.ts";
import { live as en } from "../../i18n/en/live.ts";
import { live as de } from "../../i18n/de/live.ts";
import { hrefOf } from "../../router.ts";
import { loadOptions, serverOptions, type ServerOptions } from "../../state/server_facts.ts";
import { choices } from "./choices.ts";
import { listMicrophones, watchMicrophones, type Device } from "./microphone.ts";

const texts = textsOf({ en, de });

export function Options() {
  const devices = useDevices();
  const server = serverOptions.value;
  useEffect(() => void loadOptions(), []);
  const { microphone, language, speakers, keep } = choices;
  return (
    <fieldset class="options">
      <legend class="unseen">{texts.options}</legend>
      <Choice label={texts.microphone} value={knownOr(microphone.value, devices)} choose={(id) => (microphone.value = id)}>
        <option value="">{texts.anyMicrophone}</option>
        {devices.map(({ id, name }, place) => (
          <option key={id} value={id}>{name || texts.microphoneNumber(place + 1)}</option>
        ))}
      </Choice>
      <Choice label={texts.language} value={language.value} choose={(code) => (language.value = code)}>
        <option value="">{texts.anyLanguage}</option>
        {languagesOf(server, language.value).map(({ code, name }) => (
          <option key={code} value={code}>{name}</option>
        ))}
      </Choice>
      {server?.tells_speakers === true && (
        <Check label={texts.speakers} isOn={speakers.value === "on"} turn={(on) => (speakers.value = on ? "on" : "off")} />
      )}
      <Check label={texts.keep} isOn={keep.value === "on"} turn={(on) => (keep.value = on ? "on" : "off")} />
      {keep.value === "off" && <p class="meta">{texts.keepOff}</p>}
      {server?.finds_speech === false && (
        <p class="bad">
          {texts.noVad} <a href={hrefOf({ screen: "models" })}>{texts.toModels}</a>
        </p>
      )}
    </fieldset>
  );
}

// Names are empty until the page has heard a microphone once, so the list is read anew then.
function useDevices(): readonly Device[] {
  const [devices, setDevices] = useState<readonly Device[]>([]);
  useEffect(() => {
    const look = () => void listMicrophones().then(setDevices);
    look();
    return watchMicrophones(look);
  }, []);
  return devices;
}

function knownOr(id: string, devices: readonly Device[]): string {
  return devices.some((device) => device.id === id) ? id : "";
}

function languagesOf(server: ServerOptions | null, chosen: string): { code: string; name: string }[] {
  const model = server?.models.find(({ id }) => id === server.default_model);
  const codes = new Set(model?.languages.length ? model.languages : server?.languages.map(({ code }) => code));
  if (chosen !== "") codes.add(chosen);
  return [...codes]
    .map((code) => ({ code, name: languageName(code) }))
    .sort((a, b) => a.name.localeCompare(b.name));
}

interface ChoiceProps {
  label: string;
  value: string;
  choose: (value: string) => void;
  children: ComponentChildren;
}

function Choice({ label, value, choose, children }: ChoiceProps) {
  return (
    <label class="choice">
      <span>{label}</span>
      <select value={value} onChange={(event) => choose(event.currentTarget.value)}>
        {children}
      </select>
    </label>
  );
}

function Check({ label, isOn, turn }: { label: string; isOn: boolean; turn: (on: boolean) => void }) {
  return (
    <label class="check">
      <input type="checkbox" checked={isOn} onChange={(event) => turn(event.currentTarget.checked)} />
      {label}
    </label>
  );
}
