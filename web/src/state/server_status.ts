// What the header says of the daemon: model, device, how much waits.
import { signal } from "@preact/signals";
import { get } from "../api/client.ts";
import type { Status } from "../api/types.ts";

// null: not known, because nothing came yet or the key may not read it.
export const serverStatus = signal<Status | null>(null);

export async function loadStatus(): Promise<void> {
  const answer = await get<Status>("/v1/status");
  if (answer.ok) serverStatus.value = answer.value;
}
