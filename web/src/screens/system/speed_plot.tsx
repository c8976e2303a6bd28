import { formatDecimal, textsOf } from "../../i18n/i18n.ts";
import { system as en } from "../../i18n/en/system.ts";
import { system as de } from "../../i18n/de/system.ts";
import { medianOf, type Speed } from "../../state/speeds.ts";

const texts = textsOf({ en, de });

const [height, step, bar] = [60, 12, 8];

// A bar for each recording. Attributes of SVG are no inline styles, so the policy allows them.
export function SpeedPlot({ speeds }: { speeds: readonly Speed[] }) {
  const median = medianOf(speeds);
  if (median === null) return <p class="meta">{texts.noSpeeds}</p>;
  const most = Math.max(...speeds.map(({ times }) => times));
  const width = speeds.length * step;
  return (
    <figure class="speeds">
      <svg
        role="img"
        aria-label={texts.speedsOf(speeds.length, formatDecimal(median))}
        viewBox={`0 0 ${width} ${height}`}
        width={width}
        height={height}
      >
        {speeds.map(({ title, times }, index) => {
          const size = Math.max(2, (times / most) * height);
          return (
            <rect key={index} x={index * step} y={height - size} width={bar} height={size} rx={2}>
              <title>{texts.speedOf(title, formatDecimal(times))}</title>
            </rect>
          );
        })}
      </svg>
      <figcaption class="meta">{texts.speedsOf(speeds.length, formatDecimal(median))}</figcaption>
    </figure>
  );
}
