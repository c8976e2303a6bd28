// The player, always in reach at the bottom of the window.
import { useComputed } from "@preact/signals";
import { useEffect, useRef } from "preact/hooks";
import { formatClock } from "../../../i18n/i18n.ts";
import { formatRate } from "../numbers.ts";
import { Button } from "../../../ui/button.tsx";
import type { Desk } from "../desk.ts";
import { canBeHeard } from "../reader_state.ts";
import { Wave } from "../sound/wave.tsx";
import { fastest, slowest } from "../sound/player.ts";
import { texts } from "../texts.ts";

const rates = Array.from({ length: (fastest - slowest) * 10 + 1 }, (_, index) => (5 + index) / 10);

export function PlayerBar({ desk }: { desk: Desk }) {
  const { player, peaks, job } = desk.reader;
  const holder = useRef<HTMLDivElement>(null);
  useEffect(() => {
    holder.current!.append(player.audio);
  }, []);
  const heard = job.value !== null && canBeHeard(job.value);
  return (
    <section class="player" aria-label={texts.player} ref={holder}>
      <BackToSpoken desk={desk} />
      {heard ? (
        <>
          <Wave player={player} peaks={peaks} />
          <Transport desk={desk} />
          {player.failed.value && <p class="bad player-line">{texts.soundFailed}</p>}
        </>
      ) : (
        <p class="meta player-line">{texts.noSound}</p>
      )}
    </section>
  );
}

function Transport({ desk }: { desk: Desk }) {
  const { player } = desk.reader;
  const playing = player.playing.value;
  return (
    <div class="transport">
      <Button icon="back" label={texts.back5} onClick={() => player.skip(-5)} />
      <Button
        kind="main"
        class="play"
        icon={playing ? "pause" : "play"}
        label={playing ? texts.pause : texts.play}
        onClick={() => player.toggle()}
      />
      <Button icon="ahead" label={texts.ahead5} onClick={() => player.skip(5)} />
      <Clock desk={desk} />
      <select
        class="rate"
        aria-label={texts.speed}
        value={String(player.rate.value)}
        onChange={(event) => player.setRate(Number(event.currentTarget.value))}
      >
        {rates.map((rate) => (
          <option key={rate} value={String(rate)}>
            {formatRate(rate)} ×
          </option>
        ))}
      </select>
      <label class="follow">
        <input
          type="checkbox"
          checked={desk.spoken.following.value}
          onChange={(event) => {
            desk.spoken.following.value = event.currentTarget.checked;
            desk.spoken.away.value = false;
          }}
        />
        {texts.follow}
      </label>
    </div>
  );
}

// Drawn once a second, not in each frame.
function Clock({ desk }: { desk: Desk }) {
  const { player } = desk.reader;
  const now = useComputed(() => Math.floor(player.time.value));
  return (
    <span class="time clock">
      {formatClock(now.value)} <span class="meta">/ {formatClock(player.duration.value)}</span>
    </span>
  );
}

function BackToSpoken({ desk }: { desk: Desk }) {
  if (!desk.spoken.away.value) return null;
  return (
    <Button class="back-to-spoken" icon="follow" onClick={() => desk.spoken.comeBack()}>
      {texts.backToSpoken}
    </Button>
  );
}
