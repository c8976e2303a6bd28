// What stands beside the text of a row: when it begins, and who speaks.
import { useComputed } from "@preact/signals";
import { formatClock } from "../../../i18n/i18n.ts";
import type { Desk } from "../desk.ts";
import type { Segment } from "../text/segment.ts";
import { texts } from "../texts.ts";

type Props = { desk: Desk; segment: Segment; named: boolean };

export function RowHead({ desk, segment, named }: Props) {
  const { reader } = desk;
  const { key } = segment;
  const isCurrent = useComputed(() => reader.current.value?.key === key);
  const clock = formatClock(segment.start);
  return (
    <>
      <button
        type="button"
        class="from time"
        tabIndex={isCurrent.value ? 0 : -1}
        aria-current={isCurrent.value ? "time" : undefined}
        aria-label={texts.playFrom(clock)}
        // The keyboard stays where it is, so that Space goes on to play and pause.
        onMouseDown={(event) => event.preventDefault()}
        onClick={() => desk.playFrom(segment.start)}
      >
        {clock}
      </button>
      {named && <Speaker desk={desk} segment={segment} />}
    </>
  );
}

function Speaker({ desk, segment }: Omit<Props, "named">) {
  const label = segment.speaker!;
  const name = desk.reader.editor.names.value[label] ?? label;
  const colour = { "--voice": desk.speakers.value.indexOf(label) };
  if (!desk.reader.canEdit.value) {
    return (
      <span class="who" style={colour} title={name}>
        {name}
      </span>
    );
  }
  return (
    <button
      type="button"
      class="who"
      style={colour}
      tabIndex={-1}
      title={`${name} (${texts.renameSpeaker})`}
      onMouseDown={(event) => event.preventDefault()}
      onClick={() => desk.show("speakers")}
    >
      {name}
    </button>
  );
}
