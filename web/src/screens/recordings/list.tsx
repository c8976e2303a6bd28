// The jobs, in groups.

import { useEffect, useRef } from "preact/hooks";

import { recordings as de } from "../../i18n/de/recordings.ts";
import { recordings as en } from "../../i18n/en/recordings.ts";
import { language, textsOf } from "../../i18n/i18n.ts";
import { useKeys } from "../../state/keys.ts";
import { selection } from "../../state/selection.ts";
import { Button } from "../../ui/button.tsx";
import { FailureText } from "../../ui/failure.tsx";
import { Loading } from "../../ui/loading.tsx";
import { sending } from "./door.ts";
import { everything } from "./job_list.ts";
import { JobRow } from "./job_row.tsx";
import { goToQuery, jobList } from "./page_list.ts";
import { shape, shownIds, type Shape } from "./shown_rows.ts";

const texts = textsOf({ en, de });

const months = new Intl.DateTimeFormat(language, { month: "long", year: "numeric" });

export function List() {
  useKeys([{ keys: ["X", "Shift+X"], shown: ["X"], label: texts.selectKey, run: selectFocused }]);
  const state = jobList.state.value;
  if (state === "loading") return <Loading />;
  if (typeof state === "object") {
    return (
      <FailureText failure={state.failed}>
        <Button onClick={() => void jobList.show(jobList.query.peek())}>{texts.tryAgain}</Button>
      </FailureText>
    );
  }
  const groups = JSON.parse(shape.value) as Shape[];
  const count = groups.reduce((sum, { ids }) => sum + ids.length, 0);
  return (
    <>
      <Found count={count} />
      {count === 0 && <Nothing />}
      {groups.map((group) => (
        <GroupOfJobs key={group.key} group={group} />
      ))}
      {jobList.hasMore.value && <More />}
    </>
  );
}

// The recording that has the focus, or a button of which has it. With Shift all from the one that was
// selected last.
function selectFocused(event: KeyboardEvent): void {
  const id = document.activeElement?.closest<HTMLElement>("li.job")?.dataset.id;
  if (id) selection.choose(id, event.shiftKey || !selection.ids.peek().has(id), shownIds(), event.shiftKey);
}

function GroupOfJobs({ group }: { group: Shape }) {
  return (
    <section>
      <h2 class="group">{groupName(group)}</h2>
      <ul class="jobs">
        {group.ids.map((id) => (
          <JobRow key={id} id={id} matches={jobList.matches.value.get(id)} />
        ))}
      </ul>
    </section>
  );
}

function groupName({ kind, day }: Shape): string {
  if (kind === "in_work") return texts.inWork;
  if (kind === "pinned") return texts.pinned;
  if (kind === "found") return texts.results;
  if (day === "today") return texts.today;
  if (day === "yesterday") return texts.yesterday;
  return typeof day === "object" ? months.format(new Date(day.year, day.month)) : texts.thisWeek;
}

function Found({ count }: { count: number }) {
  const { q } = jobList.query.value;
  if (!q) return null;
  return (
    <p class="meta" role="status">
      {texts.found(count, jobList.hasMore.value)}
    </p>
  );
}

function Nothing() {
  const query = jobList.query.value;
  if (query.q) return <p class="meta">{texts.nothingFoundText(query.q)}</p>;
  if (query.show !== "all" || query.language || query.model) {
    return (
      <p class="row">
        {texts.noneOfThese} <Button onClick={() => goToQuery(everything)}>{texts.showAll}</Button>
      </p>
    );
  }
  if ((sending.value?.all.value.length ?? 0) > 0) return null;
  const isHere = ["localhost", "127.0.0.1", "[::1]"].includes(location.hostname);
  return (
    <p class="empty">
      <strong>{texts.empty}</strong> {isHere ? texts.emptyText : texts.emptyRemote}
    </p>
  );
}

// Older ones come by themselves when the end is near; the button is for who never gets there by
// scrolling.
function More() {
  const end = useRef<HTMLParagraphElement>(null);
  useEffect(() => {
    const observer = new IntersectionObserver(
      (entries) => {
        if (entries.some((entry) => entry.isIntersecting)) void jobList.showMore();
      },
      { rootMargin: "1000px" },
    );
    observer.observe(end.current!);
    return () => observer.disconnect();
  }, []);
  return (
    <p ref={end}>
      <Button onClick={() => void jobList.showMore()}>{texts.more}</Button>
    </p>
  );
}
