// All states that the text was saved in; each can be had back.
import { useEffect, useState } from "preact/hooks";
import { get, type Failure } from "../../../api/client.ts";
import { formatMoment } from "../../../i18n/i18n.ts";
import { Button } from "../../../ui/button.tsx";
import { Dialog } from "../../../ui/dialog.tsx";
import { FailureText } from "../../../ui/failure.tsx";
import { Loading } from "../../../ui/loading.tsx";
import type { Desk } from "../desk.ts";
import { apiUrl } from "../../../api/client.ts";
import { texts } from "./texts.ts";

type Version = { version: number; created_at: number | null; ops: Record<string, number> };

export function VersionsDialog({ desk }: { desk: Desk }) {
  const [versions, setVersions] = useState<Version[] | Failure | null>(null);
  const { editor, source } = desk.reader;
  const saved = editor.savedVersion;

  useEffect(() => {
    void get<{ data: Version[] }>(`${source.path}/versions`).then((answer) =>
      setVersions(answer.ok ? answer.value.data : answer.error),
    );
  }, []);

  const restore = (version: number) => {
    desk.stopEditing();
    desk.do({ op: "restore", version });
    desk.show(null);
  };
  return (
    <Dialog title={texts.versions} class="versions" onClose={() => desk.show(null)}>
      <p class="meta">{texts.versionsHint}</p>
      {versions === null && <Loading />}
      {versions !== null && "code" in versions && <FailureText failure={versions} />}
      {Array.isArray(versions) && (
        <ul class="version-list">
          {versions.map((one) => (
            <li key={one.version}>
              <span>
                <strong>{one.version === 0 ? texts.firstVersion : texts.version(one.version)}</strong>
                <span class="meta">{aboutVersion(one)}</span>
              </span>
              <span class="row">
                <a href={apiUrl(`${source.path}/transcript?format=txt&version=${one.version}`)} target="_blank" rel="noopener">
                  {texts.look}
                </a>
                {one.version === saved ? (
                  <span class="meta">{texts.shownNow}</span>
                ) : (
                  <Button onClick={() => restore(one.version)} aria-label={texts.restoreVersion(one.version)}>
                    {texts.restore}
                  </Button>
                )}
              </span>
            </li>
          ))}
        </ul>
      )}
    </Dialog>
  );
}

function aboutVersion({ created_at, ops }: Version): string {
  const moment = created_at === null ? [] : [formatMoment(created_at)];
  const names = texts.operations as Record<string, string>;
  const done = Object.keys(ops).map((op) => names[op] ?? op);
  return [...moment, ...done].join(" · ");
}
