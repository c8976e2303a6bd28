// Files of the text, a link each.
import { useState } from "preact/hooks";
import type { Job } from "../../../events/types.ts";
import { ButtonLink } from "../../../ui/button.tsx";
import { Dialog } from "../../../ui/dialog.tsx";
import type { Desk } from "../desk.ts";
import { titleOf } from "../title_of.ts";
import { audioUrl, transcriptUrl } from "../source.ts";
import { speakersOf } from "../text/segment.ts";
import { SubtitleFields } from "./subtitle_fields.tsx";
import { plainLooks, subtitleOptions } from "./subtitle_options.ts";
import { texts } from "./texts.ts";

const formats = ["docx", "txt", "srt", "vtt", "ass", "tsv", "lrc", "json", "rttm"] as const;

// Those of them that are read by people have times and speakers or not, as one likes.
const optional: readonly string[] = ["docx", "txt"];

const subtitles: readonly string[] = ["srt", "vtt", "ass"];

export function DownloadDialog({ desk, job }: { desk: Desk; job: Job }) {
  const [times, setTimes] = useState(false);
  const [speakers, setSpeakers] = useState(true);
  const [looks, setLooks] = useState(plainLooks);
  const { source, editor } = desk.reader;
  const timed = editor.text.value.some(({ words }) => words.length > 0);
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
      <SubtitleFields looks={looks} set={setLooks} timed={timed} />
      <ul class="formats">
        {shown.map((format) => {
          const options = { times, speakers: speakers || !spoken };
          const ofText = optional.includes(format) ? options : null;
          const ofSubtitles = subtitles.includes(format) ? subtitleOptions(looks, timed) : null;
          return (
            <li key={format}>
              <span>
                <strong>{texts.formats[format]}</strong> <span class="meta">.{format}</span>
              </span>
              <ButtonLink
                icon="download"
                href={transcriptUrl(source, format, ofText ?? ofSubtitles)}
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

function Check({ label, on, set }: { label: string; on: boolean; set: (on: boolean) => void }) {
  return (
    <label>
      <input type="checkbox" checked={on} onChange={(event) => set(event.currentTarget.checked)} />
      {label}
    </label>
  );
}
