// Who speaks in one segment.
import { Button } from "../../../ui/button.tsx";
import { Dialog } from "../../../ui/dialog.tsx";
import type { Desk } from "../desk.ts";
import { texts } from "./texts.ts";

export function SpeakerDialog({ desk, segment }: { desk: Desk; segment: string }) {
  const { editor } = desk.reader;
  const text = editor.text.value;
  const labels = desk.speakers.value;
  const now = text.find((one) => one.key === segment)?.speaker ?? null;
  const choose = (speaker: string | null) => {
    desk.do({ op: "speaker", segment, speaker });
    desk.show(null);
  };
  return (
    <Dialog title={texts.whoSpeaks} onClose={() => desk.show(null)}>
      <ul class="choices-list">
        {labels.map((label, index) => (
          <li key={label}>
            <Button aria-pressed={label === now} onClick={() => choose(label)}>
              {editor.names.value[label] ?? label}
              {index < 9 && <kbd>{index + 1}</kbd>}
            </Button>
          </li>
        ))}
        <li>
          <Button icon="plus" onClick={() => choose(newLabel(labels))}>
            {texts.anotherSpeaker}
          </Button>
        </li>
        <li>
          <Button aria-pressed={now === null} onClick={() => choose(null)}>
            {texts.nobody}
          </Button>
        </li>
      </ul>
    </Dialog>
  );
}

// The first letter that nobody has.
function newLabel(labels: readonly string[]): string {
  const letters = [..."ABCDEFGHIJKLMNOPQRSTUVWXYZ"];
  return letters.find((letter) => !labels.includes(letter)) ?? `S${labels.length + 1}`;
}
