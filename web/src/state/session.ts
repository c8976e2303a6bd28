// Who uses the page, and what they may do.
import { computed, signal } from "@preact/signals";
import { get, keyWanted, post, remove, type Result } from "../api/client.ts";

export type Right = "transcribe" | "read_status" | "manage" | "back_up";

export type Session = {
  name: string | null; // null: a key is asked for, and nobody is signed in
  rights: Right[];
  keys_required: boolean;
};

// null: not known yet, or nobody is signed in.
export const session = signal<Session | null>(null);

// Until the daemon has said otherwise all is offered; it refuses by itself what may not be done.
export const may = (right: Right) => session.value?.rights.includes(right) ?? true;

export const canSignOut = computed(
  () => session.value?.keys_required === true && session.value.name !== null,
);

export async function loadSession(): Promise<void> {
  const answer = await get<Session>("/v1/session");
  if (!answer.ok) return;
  session.value = answer.value;
  if (answer.value.name === null) keyWanted.value = true;
}

export async function signIn(key: string): Promise<Result<Session>> {
  const answer = await post<Session>("/v1/session", { key });
  if (answer.ok) {
    session.value = answer.value;
    keyWanted.value = false;
  }
  return answer;
}

export async function signOut(): Promise<void> {
  await remove("/v1/session");
  session.value = null;
  keyWanted.value = true;
}
