import assert from "node:assert/strict";
import { test } from "node:test";
import { adviceOf, commandIn, partsOf, type DoctorReport, type Finding } from "../../../src/screens/system/doctor.ts";

const finding = (severity: Finding["severity"], code: string): Finding => ({
  code,
  severity,
  headline: code.toLowerCase(),
  fix: [],
  evidence: {},
});

function report(findings: Finding[], missing: string[] = []): DoctorReport {
  return {
    verdicts: [{ device: "cuda:0", device_name: "a card", status: "blocked", findings }],
    sandbox: { "scribed-worker": { active: [], missing, problem: null } },
  } as unknown as DoctorReport;
}

test("the gravest finding comes first, and missing walls are among them", () => {
  const advice = adviceOf(report([finding("note", "A"), finding("blocked", "B")], ["no landlock"]));
  assert.deepEqual(advice.map(({ code }) => code), ["B", "SANDBOX", "A"]);
  assert.equal(advice[0]?.about, "a card");
  assert.equal(advice[1]?.headline, "no landlock");
});

test("a machine without faults has no advice", () => {
  assert.deepEqual(adviceOf(report([])), []);
});

test("commands stand in backticks, and options alone are none", () => {
  assert.equal(commandIn("Install it: `sudo apt install x`, then reboot"), "sudo apt install x");
  assert.equal(commandIn("Choose it: `--device cpu` or `GPU_BACKEND=cpu`"), null);
  assert.equal(commandIn("Build it: `./scripts/build_cuda --from x`"), "./scripts/build_cuda --from x");
  assert.equal(commandIn("Nothing to do"), null);
});

test("a step is its words and its code", () => {
  assert.deepEqual(partsOf("See `x y` now"), [
    { text: "See ", code: false },
    { text: "x y", code: true },
    { text: " now", code: false },
  ]);
});
