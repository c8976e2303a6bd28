import { signal } from "@preact/signals";
import { get, type Result } from "../../api/client.ts";
import type { JobList } from "../../api/types.ts";
import { loadStatus } from "../../state/server_status.ts";
import type { DoctorReport } from "./doctor.ts";
import { speedsOf, type Speed } from "../../state/speeds.ts";

export const doctor = signal<Result<DoctorReport> | null>(null);
export const speeds = signal<readonly Speed[]>([]);

// The examination takes some seconds at the first time; nothing waits for it.
export async function loadAll(): Promise<void> {
  await Promise.all([loadDoctor(), loadSpeeds(), loadStatus()]);
}

async function loadDoctor(): Promise<void> {
  doctor.value = await get<DoctorReport>("/v1/doctor");
}

async function loadSpeeds(): Promise<void> {
  const answer = await get<JobList>("/v1/jobs?status=done&limit=100");
  if (answer.ok) speeds.value = speedsOf(answer.value.data);
}
