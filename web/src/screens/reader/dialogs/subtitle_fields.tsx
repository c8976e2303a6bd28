// The fields for the style and the lines of subtitles.
import { breaksLines, styles, type SubtitleLooks } from "./subtitle_options.ts";
import { texts } from "./texts.ts";

type FieldsProps = { looks: SubtitleLooks; set: (looks: SubtitleLooks) => void; timed: boolean };

export function SubtitleFields({ looks, set, timed }: FieldsProps) {
  const change = (part: Partial<SubtitleLooks>) => set({ ...looks, ...part });
  const takesLines = breaksLines(looks, timed);
  return (
    <>
      <div class="row">
        <label>
          {texts.subtitleStyle}
          <select value={looks.style} onChange={(event) => change({ style: event.currentTarget.value })}>
            <option value="">{texts.asSent}</option>
            {styles.map((name) => (
              <option key={name} value={name}>
                {texts.styles[name]}
              </option>
            ))}
          </select>
        </label>
      </div>
      {takesLines && (
        <div class="row">
          <Count label={texts.lineWidth} value={looks.width} set={(width) => change({ width })} />
          <Count
            label={texts.lineCount}
            value={looks.count}
            set={(count) => change({ count })}
            disabled={looks.width === null}
          />
          <label>
            <input
              type="checkbox"
              checked={looks.highlight}
              onChange={(event) => change({ highlight: event.currentTarget.checked })}
            />
            {texts.highlightWords}
          </label>
        </div>
      )}
    </>
  );
}

type CountProps = {
  label: string;
  value: number | null;
  set: (value: number | null) => void;
  disabled?: boolean;
};

const most = 10000;

function Count({ label, value, set, disabled }: CountProps) {
  const read = (text: string) => {
    const count = Number(text);
    set(Number.isInteger(count) && count >= 1 && count <= most ? count : null);
  };
  return (
    <label>
      {label}
      <input
        type="number"
        min={1}
        max={most}
        value={value ?? ""}
        disabled={disabled}
        onInput={(event) => read(event.currentTarget.value)}
      />
    </label>
  );
}
