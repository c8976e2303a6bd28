// How an error looks everywhere: what happened, what to do, and its code, small.
import type { ComponentChildren } from "preact";
import type { Failure } from "../api/client.ts";
import { textsOf } from "../i18n/i18n.ts";
import { ui as en } from "../i18n/en/ui.ts";
import { ui as de } from "../i18n/de/ui.ts";

const texts = textsOf({ en, de });

export type Problem = Pick<Failure, "code" | "message"> & { fix?: string | null };

// Returns one sentence for a status line.
export function sentenceOf(failure: Problem): string {
  return failure.code === "unreachable" ? texts.unreachable : failure.message;
}

export function FailureText({ failure, children }: FailureProps) {
  return (
    <div class="failure">
      <p>
        <strong>{sentenceOf(failure)}</strong>
        {failure.fix && <> {failure.fix}</>}
      </p>
      <p class="meta">
        <code>{failure.code}</code>
      </p>
      {children && <p class="row">{children}</p>}
    </div>
  );
}

type FailureProps = {
  failure: Problem;
  children?: ComponentChildren; // buttons: what can be tried
};
