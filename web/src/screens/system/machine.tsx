import { formatBytes, formatNumber, textsOf } from "../../i18n/i18n.ts";
import { system as en } from "../../i18n/en/system.ts";
import { system as de } from "../../i18n/de/system.ts";
import { CopyButton } from "../../ui/copy_button.tsx";
import { Facts, type FactRow } from "../../ui/facts.tsx";
import { Icon } from "../../ui/icon.tsx";
import { adviceOf, commandIn, partsOf, type Advice, type DoctorReport } from "./doctor.ts";

const texts = textsOf({ en, de });

export function Machine({ report }: { report: DoctorReport }) {
  const advice = adviceOf(report);
  return (
    <section>
      <p class={`headline ${report.works ? "good" : "bad"}`}>
        <Icon name={report.works ? "check" : "warning"} />
        <strong>{report.works ? texts.works : texts.worksNot}</strong>
      </p>
      <p>{report.headline}</p>
      {advice.length > 0 && (
        <>
          <h2>{texts.findings}</h2>
          <ul class="findings">
            {advice.map((one, index) => (
              <FindingItem key={index} advice={one} />
            ))}
          </ul>
        </>
      )}
      <h2>{texts.machine}</h2>
      <Facts rows={rowsOf(report)} />
    </section>
  );
}

function FindingItem({ advice }: { advice: Advice }) {
  return (
    <li class={`finding ${advice.severity}`}>
      <p>
        <strong>{texts.severities[advice.severity]}</strong> {advice.headline}.{" "}
        <span class="meta">
          {advice.about} · <code>{advice.code}</code>
        </span>
      </p>
      {advice.fix.length > 0 && (
        <ol>
          {advice.fix.map((step) => (
            <Step key={step} step={step} />
          ))}
        </ol>
      )}
    </li>
  );
}

function Step({ step }: { step: string }) {
  const command = commandIn(step);
  return (
    <li>
      {partsOf(step).map(({ text, code }) => (code ? <code>{text}</code> : text))}{" "}
      {command !== null && <CopyButton text={command} what={command} />}
    </li>
  );
}

function rowsOf({ choice, facts, packs, sandbox, version }: DoctorReport): FactRow[] {
  const walls = Object.values(sandbox).every(({ missing, problem }) => missing.length === 0 && problem === null);
  const rows: FactRow[] = [
    [texts.device, choice === null ? texts.none : `${choice.device}, ${choice.device_name}`],
    [texts.why, choice?.reason ?? ""],
    [texts.compute, choice?.compute_type ?? ""],
    [
      texts.processor,
      `${facts.cpu.model_name}, ${texts.cores(formatNumber(facts.cpu.physical_cores))}, ${facts.cpu.isa}`,
    ],
    [texts.memory, texts.memoryOf(formatBytes(facts.memory.available), formatBytes(facts.memory.total))],
    [texts.os, [facts.os.name, facts.os.kernel, facts.os.architecture, facts.os.container].filter(Boolean).join(", ")],
    [texts.sandbox, walls ? texts.sandboxWhole : texts.sandboxParts],
    [texts.packs, packs.map((pack) => `${pack.name} (torch ${pack.build_info.torch})`).join(", ")],
    [texts.version, version],
  ];
  return rows.filter(([, value]) => value !== "");
}
