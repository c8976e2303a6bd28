// The list of this page: its query stands in the address, so a step back leads to the same place.

import { effect } from "@preact/signals";

import { get, keyWanted } from "../../api/client.ts";
import { settled, jobStore } from "../../events/events.ts";
import { parameter, route } from "../../router.ts";
import { reconnections } from "../../state/connection.ts";
import { selection } from "../../state/selection.ts";
import { everything, JobList, type Page, type Query, type Show } from "./job_list.ts";

export const jobList = new JobList(jobStore, (address, signal) => get<Page>(address, { signal }));

export function queryOfAddress(): Query {
  const show = parameter("show") as Show | null;
  return {
    q: parameter("q") ?? "",
    show: show && ["in_work", "done", "failed"].includes(show) ? show : "all",
    language: parameter("language") ?? "",
    model: parameter("model") ?? "",
  };
}

// Takes the place of the address, so that each letter of a search is no step of its own.
export function goToQuery(changes: Partial<Query>): void {
  const query = { ...queryOfAddress(), ...changes };
  const parts = Object.entries(query).filter(([name, value]) => value !== everything[name as keyof Query]);
  const text = new URLSearchParams(parts).toString();
  location.replace(text ? `#/?${text}` : "#/");
}

// Whether a recording that has ended is in a search only the daemon knows. Several that end
// together are one question.
const search_again_ms = 1000;

export function startList(): void {
  effect(() => {
    // Read so that a list that could not be had is asked for when the daemon is back.
    void reconnections.value;
    if (keyWanted.value) {
      selection.clear();
      return jobList.clear();
    }
    if (route.value.screen !== "recordings") return;
    const query = queryOfAddress();
    if (isSame(query, jobList.query.peek()) && jobList.state.peek() === "shown") return;
    // What is selected can be seen, or will be.
    if (!isSame(query, jobList.query.peek())) selection.clear();
    void settled().then(() => jobList.show(query));
  });
  let timer: ReturnType<typeof setTimeout> | undefined;
  const showAgain = () => void jobList.show(jobList.query.peek());
  jobStore.listen((event) => {
    jobList.heard(event);
    if (event.type === "job.deleted") selection.drop(event.job.id);
    if (event.type === "reset") showAgain();
    if (event.type !== "job.ended" || jobList.query.peek().q === "") return;
    clearTimeout(timer);
    timer = setTimeout(showAgain, search_again_ms);
  });
}

function isSame(a: Query, b: Query): boolean {
  return a.q === b.q && a.show === b.show && a.language === b.language && a.model === b.model;
}
