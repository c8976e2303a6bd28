import type { Storage } from "../../api/types.ts";
import { formatBytes, textsOf } from "../../i18n/i18n.ts";
import { storage as en } from "../../i18n/en/storage.ts";
import { storage as de } from "../../i18n/de/storage.ts";
import { partsOf } from "./inventory.ts";

const texts = textsOf({ en, de });

// A bar as long as the limit. Attributes of SVG are no inline styles, so the policy allows them.
export function UseBar({ used }: { used: Storage }) {
  const kinds = [
    { name: "audio", bytes: used.audio_bytes, label: texts.audio },
    { name: "transcripts", bytes: used.transcript_bytes, label: texts.transcripts },
    { name: "uploads", bytes: used.upload_bytes, label: texts.uploads },
  ];
  const widths = partsOf(kinds.map(({ bytes }) => bytes), used.limit_bytes);
  const startOf = (place: number) => widths.slice(0, place).reduce((sum, width) => sum + width, 0);
  return (
    <>
      <svg class="use-bar" viewBox="0 0 1000 16" preserveAspectRatio="none" aria-hidden="true" focusable="false">
        {kinds.map(({ name }, place) => (
          <rect key={name} class={name} x={startOf(place)} y={0} width={widths[place]} height={16} />
        ))}
      </svg>
      <ul class="use-parts">
        {kinds.map(({ name, bytes, label }) => (
          <li key={name}>
            <span class={`swatch ${name}`} aria-hidden="true" />
            {label} <strong>{formatBytes(bytes)}</strong>
          </li>
        ))}
      </ul>
    </>
  );
}
