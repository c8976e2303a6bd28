// One recording and its text: read, listen, correct.
import { useEffect, useMemo, useState } from "preact/hooks";
import type { Job } from "../../events/types.ts";
import { parameter } from "../../router.ts";
import { useKeys } from "../../state/keys.ts";
import { notify } from "../../state/notices.ts";
import { FailureText } from "../../ui/failure.tsx";
import { Loading } from "../../ui/loading.tsx";
import { useTitle } from "../../ui/title.ts";
import { Desk } from "./desk.ts";
import type { Dialogs } from "./dialogs/dialogs.tsx";
import { FindPanel } from "./parts/find_panel.tsx";
import { Bar, Head } from "./parts/head.tsx";
import { JobState } from "./parts/job_state.tsx";
import { bringIntoView } from "./parts/places.ts";
import { PlayerBar } from "./parts/player_bar.tsx";
import { SaveTrouble } from "./parts/save_line.tsx";
import { Transcript } from "./parts/transcript.tsx";
import { UnsurePanel } from "./parts/unsure_panel.tsx";
import { ReaderState } from "./reader_state.ts";
import { keysOf } from "./reader_keys.ts";
import { ownJob, sharedJob, type Source } from "./source.ts";
import { texts } from "./texts.ts";
import { titleOf } from "./title_of.ts";

export function Reader({ id }: { id: string }) {
  return <Open key={id} source={ownJob(id)} />;
}

// For whoever has a link: the same, read-only.
export function Shared({ token }: { token: string }) {
  return <Open key={token} source={sharedJob(token)} />;
}

function Open({ source }: { source: Source }) {
  const desk = useMemo(() => new Desk(new ReaderState(source)), []);
  const { reader } = desk;
  useEffect(() => {
    const stop = desk.start();
    void open(desk);
    return () => {
      stop();
      reader.close();
    };
  }, []);
  useKeys(keysOf(desk));

  const job = reader.job.value;
  useTitle(job ? titleOf(job) : texts.transcript);
  const failure = reader.failure.value;
  if (failure) {
    return (
      <>
        <h1>{texts.transcript}</h1>
        <FailureText failure={failure} />
      </>
    );
  }
  if (!job) return <Loading />;
  const textFailure = reader.loader.failure.value;
  return (
    <div class="reader">
      <Head desk={desk} job={job} />
      <div class="reader-top">
        <Bar desk={desk} job={job} />
        <SaveTrouble desk={desk} />
        {desk.panel.value === "find" && <FindPanel desk={desk} />}
        {desk.panel.value === "unsure" && <UnsurePanel desk={desk} />}
      </div>
      <JobState desk={desk} job={job} />
      {textFailure && <FailureText failure={textFailure} />}
      <Transcript desk={desk} />
      <PlayerBar desk={desk} />
      <LazyDialogs desk={desk} job={job} />
    </div>
  );
}

// Dialogs are fetched when the first one is opened.
function LazyDialogs(props: { desk: Desk; job: Job }) {
  const [loaded, setLoaded] = useState<{ Dialogs: typeof Dialogs } | null>(null);
  const wanted = props.desk.shown.value !== null;
  useEffect(() => {
    if (wanted && !loaded) void import("./dialogs/dialogs.tsx").then(setLoaded, notLoaded);
  }, [wanted]);
  return loaded && <loaded.Dialogs {...props} />;
}

function notLoaded(): void {
  notify({ text: texts.notLoaded, bad: true });
}

// An address may say where to begin, and what to look for: #/r/ID?t=34.2&q=lamp.
async function open(desk: Desk): Promise<void> {
  const seconds = Number(parameter("t") ?? NaN);
  const wanted = parameter("q");
  await desk.reader.open();
  if (wanted) {
    desk.find.wanted.value = wanted;
    desk.panel.value = "find";
  }
  if (!Number.isFinite(seconds)) return;
  desk.goTo(seconds);
  const segment = desk.reader.current.peek();
  requestAnimationFrame(() => segment && bringIntoView(segment.key));
}
