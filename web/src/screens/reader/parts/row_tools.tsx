// What can be done with a row: at the row under the pointer, and at the present one.
import { useComputed } from "@preact/signals";
import { Button } from "../../../ui/button.tsx";
import { Menu, type MenuItem } from "../../../ui/menu.tsx";
import type { Desk } from "../desk.ts";
import type { Segment } from "../text/segment.ts";
import { texts } from "../texts.ts";

export function RowTools({ desk, segment }: { desk: Desk; segment: Segment }) {
  const { reader } = desk;
  const { key } = segment;
  const shown = useComputed(() => {
    const at = reader.pointed.value ?? reader.current.value?.key;
    return reader.canEdit.value && at === key;
  });
  if (!shown.value) return null;
  return (
    <span class="row-tools">
      <Button icon="edit" label={texts.edit} onClick={() => desk.edit(key, 0)} />
      <Menu icon="more" label={texts.segmentActions} items={itemsOf(desk, segment)} />
    </span>
  );
}

function itemsOf(desk: Desk, segment: Segment): MenuItem[] {
  const { key } = segment;
  return [
    { label: texts.edit, icon: "edit", run: () => desk.edit(key, 0) },
    { label: texts.joinNext, run: () => desk.do({ op: "merge", segment: key }) },
    { label: texts.changeTimes, run: () => desk.show({ times: key }) },
    { label: texts.whoSpeaks, run: () => desk.show({ speaker: key }) },
    { label: texts.copyText, icon: "copy", run: () => desk.copySegment(segment) },
    { label: texts.deleteSegment, icon: "trash", danger: true, run: () => desk.deleteSegment(segment) },
  ];
}
