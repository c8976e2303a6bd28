// What can be done with all recordings that are selected. It is loaded with the first of them.

import { useEffect, useState } from "preact/hooks";

import { selection } from "../../state/selection.ts";
import type { BatchBar } from "./batch/batch_bar.tsx";
import { shownIds } from "./shown_rows.ts";

export function Batch() {
  const [Loaded, setLoaded] = useState<{ BatchBar: typeof BatchBar } | null>(null);
  const isNeeded = selection.ids.value.size > 0;
  useEffect(() => {
    if (isNeeded) void import("./batch/batch_bar.tsx").then(setLoaded);
  }, [isNeeded]);
  return Loaded && <Loaded.BatchBar shownIds={shownIds} />;
}
