// The list of this page: its query stands in the address, so a step back leads to the same place.

import { effect } from "@preact/signals";

import { get } from "../../api/client.ts";
import { settled, jobStore } from "../../events/events.ts";
import { parameter, route } from "../../router.ts";
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

export function startList(): void {
  effect(() => {
    if (route.value.screen !== "recordings") return;
    const query = queryOfAddress();
    if (isSame(query, jobList.query.peek()) && jobList.state.peek() === "shown") return;
    void settled().then(() => jobList.show(query));
  });
  jobStore.listen((event) => {
    if (event.type === "reset") void jobList.show(jobList.query.peek());
    else jobList.heard(event);
  });
}

function isSame(a: Query, b: Query): boolean {
  return a.q === b.q && a.show === b.show && a.language === b.language && a.model === b.model;
}
