// How subtitles are to be written: a style, and openai/whisper's options for their lines.
export type SubtitleLooks = {
  style: string; // empty: that of the job
  width: number | null; // characters of a line
  count: number | null; // lines of a subtitle
  highlight: boolean;
};

export const plainLooks: SubtitleLooks = { style: "", width: null, count: null, highlight: false };

export const styles = ["default", "netflix", "bbc", "whisper"] as const;

// These lay subtitles out by rules of their own.
const fixed: readonly string[] = ["netflix", "bbc"];

// Lines are broken at words, so they need word timestamps.
export function breaksLines(looks: SubtitleLooks, timed: boolean): boolean {
  return timed && !fixed.includes(looks.style);
}

// The query parameters of the transcript; null if none is needed.
export function subtitleOptions(looks: SubtitleLooks, timed: boolean): Record<string, string> | null {
  const options: Record<string, string> = {};
  if (looks.style) options.subtitle_style = looks.style;
  if (breaksLines(looks, timed)) {
    if (looks.width !== null) options.max_line_width = `${looks.width}`;
    if (looks.width !== null && looks.count !== null) options.max_line_count = `${looks.count}`;
    if (looks.highlight) options.highlight_words = "true";
  }
  return Object.keys(options).length > 0 ? options : null;
}
