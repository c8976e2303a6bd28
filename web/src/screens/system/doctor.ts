// What this screen reads of `scribed doctor --json`. It has more, for those who look into a fault.
export type Finding = {
  code: string;
  severity: "note" | "degraded" | "unknown" | "blocked";
  headline: string;
  fix: string[];
  evidence: { found?: string; needed?: string; read_from?: string };
};

export type Verdict = {
  device: string;
  device_name: string;
  status: string;
  pack?: string;
  findings: Finding[];
};

type Sandbox = { active: string[]; missing: string[]; problem: string | null };

export type DoctorReport = {
  version: string;
  headline: string;
  works: boolean;
  choice: { device: string; device_name: string; compute_type?: string; reason: string } | null;
  cause: Finding | null;
  facts: {
    os: { name: string; kernel: string; architecture: string; container: string };
    cpu: { model_name: string; physical_cores: number; isa: string };
    memory: { total: number; available: number };
  };
  packs: { name: string; build_info: { torch: string; variant: string } }[];
  verdicts: Verdict[];
  sandbox: Record<string, Sandbox>;
};

export type Advice = {
  about: string; // the device or the program
  severity: Finding["severity"];
  headline: string;
  fix: string[];
  code: string;
};

const weight = { blocked: 0, unknown: 1, degraded: 2, note: 3 };

// Returns what should be looked at, the gravest first: findings of devices, and walls that are missing.
export function adviceOf(report: DoctorReport): Advice[] {
  const found = report.verdicts.flatMap((verdict) =>
    verdict.findings.map((finding) => ({ ...finding, about: verdict.device_name || verdict.device })),
  );
  const walls = Object.entries(report.sandbox).flatMap(([program, { missing, problem }]) =>
    [...missing, ...(problem === null ? [] : [problem])].map((headline) => ({
      about: program,
      severity: "degraded" as const,
      headline,
      fix: [],
      code: "SANDBOX",
    })),
  );
  const all: Advice[] = [...found, ...walls];
  return all.sort((a, b) => weight[a.severity] - weight[b.severity]);
}

// A step as its parts; what stands in backticks is code.
export type StepPart = { text: string; code: boolean };

export function partsOf(step: string): StepPart[] {
  return step
    .split("`")
    .map((text, index) => ({ text, code: index % 2 === 1 }))
    .filter(({ text }) => text !== "");
}

// Returns the command in a step that is worth a button: "apt install x" in "Install it: `apt install
// x`", but not the name of an option; null where there is none.
export function commandIn(step: string): string | null {
  const found = partsOf(step).find(({ code, text }) => code && /^[\w./]+ /.test(text));
  return found?.text ?? null;
}
