// Files of the text, a link each.
import { useState } from "preact/hooks";
import type { Job } from "../../../events/types.ts";
import { ButtonLink } from "../../../ui/button.tsx";
import { Dialog } from "../../../ui/dialog.tsx";
import type { Desk } from "../desk.ts";
import { titleOf } from "../title_of.ts";
import { audioUrl, transcriptUrl } from "../source.ts";
import { speakersOf } from "../text/segment.ts";
import { texts } from "./texts.ts";

const formats = ["docx", "txt", "srt", "vtt", "ass", "tsv", "lrc", "json", "rttm"] as const;

// Those of them that are read by people have times and speakers or not, as one likes.
const optional: readonly string[] = ["docx", "txt"];

const subtitles: readonly string[] = ["srt", "vtt", "ass"];
const styles = ["default", "netflix", "bbc", "whisper"] as const;

export function DownloadDialog({ desk, job }: { desk: Desk; job: Job }) {
  const [times, setTimes] = useState(false);
  const [speakers, setSpeakers] = useState(true);
  const [style, setStyle] = useState<string>("");
  const { source, editor } = desk.reader;
  const spoken = speakersOf(editor.text.value).length > 0;
  const shown = formats.filter((format) => format !== "rttm" || job.diarize);
  const name = titleOf(job).replace(/\.[a-z0-9]{2,4}$/i, "");
  return (
    <Dialog title={texts.downloadTitle} class="download" onClose={() => desk.show(null)}>
      <div class="row">
        <Check label={texts.withTimes} on={times} set={setTimes} />
        {spoken && <Check label={texts.withSpeakers} on={speakers} set={setSpeakers} />}
      </div>
      <p class="meta">{texts.withHint}</p>
      <div class="row">
        <StyleSelect style={style} set={setStyle} />
      </div>
      <ul class="formats">
        {shown.map((format) => {
          const options = { times, speakers: speakers || !spoken };
          const looks = optional.includes(format) ? options : null;
          const styled = subtitles.includes(format) && style ? { subtitle_style: style } : null;
          return (
            <li key={format}>
              <span>
                <strong>{texts.formats[format]}</strong> <span class="meta">.{format}</span>
              </span>
              <ButtonLink
                icon="download"
                href={transcriptUrl(source, format, looks ?? styled)}
                download={`${name}.${format}`}
                aria-label={texts.downloadAs(texts.formats[format])}
              >
                {texts.download}
              </ButtonLink>
            </li>
          );
        })}
        {job.has_audio && (
          <li>
            <span>
              <strong>{texts.theSound}</strong> <span class="meta">.wav</span>
            </span>
            <ButtonLink
              icon="download"
              href={audioUrl(source)}
              download={`${name}.wav`}
              aria-label={texts.downloadAs(texts.theSound)}
            >
              {texts.download}
            </ButtonLink>
          </li>
        )}
      </ul>
    </Dialog>
  );
}

function StyleSelect({ style, set }: { style: string; set: (style: string) => void }) {
  return (
    <label>
      {texts.subtitleStyle}
      <select value={style} onChange={(event) => set(event.currentTarget.value)}>
        <option value="">{texts.asSent}</option>
        {styles.map((name) => (
          <option key={name} value={name}>
            {texts.styles[name]}
          </option>
        ))}
      </select>
    </label>
  );
}

function Check({ label, on, set }: { label: string; on: boolean; set: (on: boolean) => void }) {
  return (
    <label>
      <input type="checkbox" checked={on} onChange={(event) => set(event.currentTarget.checked)} />
      {label}
    </label>
  );
}
