// Names of the speakers, everywhere at once.
import { Button } from "../../../ui/button.tsx";
import { Dialog } from "../../../ui/dialog.tsx";
import type { Desk } from "../desk.ts";
import { texts } from "./texts.ts";

export function SpeakersDialog({ desk }: { desk: Desk }) {
  const { editor } = desk.reader;
  const labels = desk.speakers.value;
  const names = editor.names.value;
  // Nobody has a name yet who is called by the label.
  const nameOf = (label: string) => (names[label] === label ? "" : (names[label] ?? ""));
  const rename = (label: string, typed: string) => {
    const name = typed.trim() === label ? "" : typed.trim();
    if (name !== nameOf(label)) desk.do({ op: "names", names: { [label]: name || null } });
  };
  return (
    <Dialog
      title={texts.speakers}
      onClose={() => desk.show(null)}
      actions={
        <Button kind="main" onClick={() => desk.show(null)}>
          {texts.done}
        </Button>
      }
    >
      <p class="meta">{texts.speakersHint}</p>
      <ul class="speakers">
        {labels.map((label, index) => (
          <li key={label}>
            <label class="wide-field">
              {texts.speakerNumber(index + 1, label)}
              <input
                type="text"
                dir="auto"
                maxLength={100}
                autoFocus={index === 0}
                placeholder={texts.nameOfSpeaker}
                value={nameOf(label)}
                onChange={(event) => rename(label, event.currentTarget.value)}
              />
            </label>
            <span class="row speaker-merge">
              <span class="meta">{texts.segmentsOf(countOf(desk, label))}</span>
              {labels.length > 1 && <MergeField desk={desk} label={label} labels={labels} />}
            </span>
          </li>
        ))}
      </ul>
    </Dialog>
  );
}

type Merge = { desk: Desk; label: string; labels: readonly string[] };

// Chooses the speaker whose lines these are as well.
function MergeField({ desk, label, labels }: Merge) {
  const nameOf = (one: string) => desk.reader.editor.names.value[one] ?? one;
  const merge = (into: string) => {
    if (!desk.do({ op: "merge_speakers", speaker: label, into })) return;
    desk.offerUndo(texts.merged(nameOf(label), nameOf(into)));
  };
  return (
    <label>
      {texts.samePersonAs}
      <select value="" onChange={(event) => merge(event.currentTarget.value)}>
        <option value="">{texts.nobodyElse}</option>
        {labels.filter((one) => one !== label).map((one) => (
          <option key={one} value={one}>
            {nameOf(one)}
          </option>
        ))}
      </select>
    </label>
  );
}

function countOf(desk: Desk, label: string): number {
  return desk.reader.editor.text.value.filter((segment) => segment.speaker === label).length;
}
