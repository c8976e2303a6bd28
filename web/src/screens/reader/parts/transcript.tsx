// The text. Rows far from what is seen have their text alone, so that ten hours of them stay light;
// those near have their times, speakers and what can be done with them.
import { useEffect, useMemo, useRef, useState } from "preact/hooks";
import { sectionsOf, type Section } from "../text/sections.ts";
import type { Segment } from "../text/segment.ts";
import { spanOf, timeOf, wordAtOffset } from "../text/words.ts";
import { texts } from "../texts.ts";
import { keyOfRow, markedWord, offsetAt, rowId, rowOf } from "./places.ts";
import { RowEditor } from "./row_editor.tsx";
import { RowHead } from "./row_head.tsx";
import { RowTools } from "./row_tools.tsx";
import type { Desk } from "../desk.ts";

export function Transcript({ desk }: { desk: Desk }) {
  const { reader } = desk;
  const sections = useRef<Section[]>([]);
  const watch = useNearness(desk);
  const text = reader.editor.text.value;
  sections.current = sectionsOf(text, sections.current);
  const language = reader.job.value?.language ?? undefined;
  return (
    <section
      class={desk.speakers.value.length > 0 ? "transcript with-speakers" : "transcript"}
      aria-label={texts.transcript}
      lang={language}
      dir="auto"
      onClick={(event) => clicked(desk, event)}
      onDblClick={(event) => doubleClicked(desk, event)}
      onPointerOver={(event) => {
        if (event.pointerType === "mouse") reader.pointed.value = keyOfRow(event.target as Element);
      }}
      onPointerLeave={() => (reader.pointed.value = null)}
    >
      {sections.current.map((section, index) => (
        <SectionView
          key={section.key}
          desk={desk}
          segments={section.segments}
          before={sections.current[index - 1]?.segments.at(-1)}
          watch={watch}
        />
      ))}
    </section>
  );
}

type Watch = (element: Element, tell: (near: boolean) => void) => () => void;

// One observer for all sections. What is less than a window's height away is near.
function useNearness(desk: Desk): Watch {
  const made = useMemo(() => {
    const tellers = new Map<Element, (near: boolean) => void>();
    const observer = new IntersectionObserver(
      (entries) => {
        for (const { target, isIntersecting } of entries) tellers.get(target)?.(isIntersecting);
        desk.nearChanged();
      },
      { rootMargin: "100% 0px" },
    );
    const watch: Watch = (element, tell) => {
      tellers.set(element, tell);
      observer.observe(element);
      return () => {
        tellers.delete(element);
        observer.unobserve(element);
      };
    };
    return { observer, watch };
  }, []);
  useEffect(() => () => made.observer.disconnect(), []);
  return made.watch;
}

type SectionProps = {
  desk: Desk;
  segments: readonly Segment[];
  before: Segment | undefined;
  watch: Watch;
};

function SectionView({ desk, segments, before, watch }: SectionProps) {
  const element = useRef<HTMLDivElement>(null);
  const [near, setNear] = useState(false);
  useEffect(() => watch(element.current!, setNear), []);
  const edited = desk.reader.editing.value?.key;
  const own = edited !== undefined && segments.some(({ key }) => key === edited) ? edited : null;
  const full = near || own !== null;
  const speakerBefore = before?.speaker;
  const endBefore = before?.end;
  // The same object as long as nothing in it has changed, which then is not even compared.
  return useMemo(
    () => (
      <div ref={element} class="part" data-near={full}>
        {segments.map((segment, index) =>
          row(desk, segment, index > 0 ? segments[index - 1] : before, full, segment.key === own),
        )}
      </div>
    ),
    [segments, speakerBefore, endBefore, full, own],
  );
}

const long_pause_s = 2;

// A plain element and no component: there are ten thousand of them.
function row(desk: Desk, segment: Segment, before: Segment | undefined, full: boolean, edited: boolean) {
  const turn = before === undefined || before.speaker !== segment.speaker;
  const pause = before !== undefined && segment.start - before.end > long_pause_s;
  return (
    <div
      key={segment.key}
      id={rowId(segment.key)}
      class={turn || pause ? "segment begins" : "segment"}
      data-key={segment.key}
    >
      {full && <RowHead desk={desk} segment={segment} named={turn && segment.speaker !== null} />}
      {edited ? <RowEditor desk={desk} segment={segment} /> : segment.text}
      {full && !edited && <RowTools desk={desk} segment={segment} />}
    </div>
  );
}

type Clicked = { segment: Segment; offset: number };

function placeOf(desk: Desk, event: MouseEvent): Clicked | null {
  const target = event.target as Element;
  if (target.closest("button, textarea, a, input, [popover]")) return null;
  const key = keyOfRow(target);
  const row = key === null ? null : rowOf(key);
  const segment = desk.reader.editor.text.peek().find((one) => one.key === key);
  if (!row || !segment) return null;
  return { segment, offset: offsetAt(row, segment, event.clientX, event.clientY) };
}

// A click on a word goes there; who marks words with the mouse wants them, not their time.
function clicked(desk: Desk, event: MouseEvent): void {
  if (event.detail > 1 || getSelection()?.isCollapsed === false) return;
  const place = placeOf(desk, event);
  if (!place) return;
  const { segment, offset } = place;
  desk.goTo(timeOf(segment, wordAtOffset(segment, offset)));
  if (desk.reader.editing.peek()?.key !== segment.key) desk.stopEditing();
}

function doubleClicked(desk: Desk, event: MouseEvent): void {
  const place = placeOf(desk, event);
  if (!place || !desk.reader.canEdit.peek()) return;
  const { segment, offset } = place;
  const [from, to] = markedWord(segment.key) ?? spanOf(segment, wordAtOffset(segment, offset));
  getSelection()?.removeAllRanges();
  desk.edit(segment.key, from, to);
}
