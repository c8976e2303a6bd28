// Which rows are shown and in which order.

import { computed, type ReadonlySignal } from "@preact/signals";

import { groupsOf, type Group } from "./groups.ts";
import { fits } from "./job_list.ts";
import { jobList } from "./page_list.ts";

export type Shape = Omit<Group, "jobs"> & { ids: string[] };

// As text: a signal compares texts by what they say, so the list is drawn anew when a row moves, and
// not whenever a figure in one of them has changed.
export const shape: ReadonlySignal<string> = computed(() => {
  const query = jobList.query.value;
  const jobs = jobList.jobs().map((one) => one.value).filter((job) => fits(job, query));
  const shapes: Shape[] = groupsOf(jobs, new Date(), query.q !== "").map(({ jobs, ...group }) => ({
    ...group,
    ids: jobs.map(({ id }) => id),
  }));
  return JSON.stringify(shapes);
});

export const shownIds = (): string[] => (JSON.parse(shape.peek()) as Shape[]).flatMap(({ ids }) => ids);
