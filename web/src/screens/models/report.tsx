// What an installed model is: read from its files when somebody opens it.
import { useState } from "preact/hooks";
import { get, type Result } from "../../api/client.ts";
import type { ModelReport } from "../../api/types.ts";
import { textsOf } from "../../i18n/i18n.ts";
import { models as en } from "../../i18n/en/models.ts";
import { models as de } from "../../i18n/de/models.ts";
import { Facts } from "../../ui/facts.tsx";
import { FailureText } from "../../ui/failure.tsx";
import { Loading } from "../../ui/loading.tsx";
import { pathOf } from "./catalog.ts";
import { reportRows } from "./report_rows.ts";

const texts = textsOf({ en, de });

export function Report({ id }: { id: string }) {
  const [open, setOpen] = useState(false);
  const [answer, setAnswer] = useState<Result<ModelReport> | null>(null);
  async function toggle(isOpen: boolean) {
    setOpen(isOpen);
    if (!isOpen) return;
    setAnswer(null);
    setAnswer(await get<ModelReport>(pathOf(id, "/report")));
  }
  return (
    <details class="report" onToggle={(event) => void toggle(event.currentTarget.open)}>
      <summary aria-label={`${texts.report}: ${id}`}>{texts.report}</summary>
      {open && answer === null && <Loading />}
      {answer?.ok === false && <FailureText failure={answer.error} />}
      {answer?.ok && <Content report={answer.value} />}
    </details>
  );
}

function Content({ report }: { report: ModelReport }) {
  return (
    <>
      {report.refusal && (
        <>
          <p>{texts.refused}</p>
          <FailureText failure={report.refusal} />
        </>
      )}
      <Facts rows={reportRows(report)} />
    </>
  );
}
