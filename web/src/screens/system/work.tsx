import { formatBytes, formatNumber, textsOf } from "../../i18n/i18n.ts";
import { system as en } from "../../i18n/en/system.ts";
import { system as de } from "../../i18n/de/system.ts";
import { serverStatus } from "../../state/server_status.ts";
import { Facts } from "../../ui/facts.tsx";
import { speeds } from "./machine_state.ts";
import { SpeedPlot } from "./speed_plot.tsx";

const texts = textsOf({ en, de });

// What the daemon is doing now, and how fast it was.
export function Work() {
  return (
    <section>
      <h2>{texts.work}</h2>
      <Now />
      <h2>{texts.speeds}</h2>
      <SpeedPlot speeds={speeds.value} />
    </section>
  );
}

function Now() {
  const status = serverStatus.value;
  if (status === null) return null;
  const loaded = status.models.map((model) =>
    [model.name, model.device, model.compute_type, formatBytes(model.memory_bytes)].filter(Boolean).join(", "),
  );
  return (
    <>
      {status.problem !== null && <p class="bad">{status.problem}</p>}
      <Facts
        rows={[
          [texts.queue, texts.queueOf(formatNumber(status.queue.running), formatNumber(status.queue.waiting))],
          [texts.live, texts.liveOf(formatNumber(status.live.sessions), formatNumber(status.live.max_sessions))],
          [texts.loaded, loaded.length === 0 ? texts.nothingLoaded : loaded.join("; ")],
        ]}
      />
    </>
  );
}
