import { formatPercent } from "../i18n/i18n.ts";

// A bar with its name. `share` is 0 to 1; null while nobody knows.
export function Progress({ share, label }: { share: number | null; label: string }) {
  return (
    <progress
      class="progress"
      aria-label={label}
      max={1}
      {...(share === null ? {} : { value: share })}
    >
      {share === null ? "" : formatPercent(share)}
    </progress>
  );
}
