// The face of a persona: six directions, as written dashed, as it is now filled.

import type { Traits } from '../api/types.ts';
import { TRAITS } from '../words.ts';

const point = (i: number, r: number) => {
  const angle = (i * Math.PI) / 3;
  return [r * Math.sin(angle), -r * Math.cos(angle)] as const;
};
const round = (x: number) => Math.round(x * 100) / 100;
const ring = (radius: (i: number) => number) => TRAITS.map((_, i) => point(i, radius(i)).map(round).join(',')).join(' ');
/** A trait that is not written is in the middle. */
const value = (traits: Traits, i: number) => traits[TRAITS[i]![0]] ?? 0.5;

export function MiniRadar({ traits, hue, name }: { traits: Traits; hue: number | undefined; name: string }) {
  return (
    <svg class={`radar radar-mini hue-${hue ?? 0}`} viewBox="-22 -22 44 44" width="40" height="40" role="img" aria-label={`Traits of ${name}`}>
      <polygon class="rd-g" points={ring(() => 20)} />
      <polygon class="rd-e" points={ring((i) => 20 * value(traits, i))} />
    </svg>
  );
}

const PLACES = [
  [0, -147, 'middle'],
  [114, -78, 'start'],
  [114, 70, 'start'],
  [0, 146, 'middle'],
  [-114, 70, 'end'],
  [-114, -78, 'end'],
] as const;

export function Radar({ baseline, effective, hue, name }: { baseline: Traits; effective: Traits; hue: number | undefined; name: string }) {
  const said = TRAITS.map(([key, label]) => {
    const was = baseline[key];
    const now = effective[key];
    if (now === undefined) return `${label} not written`;
    return was === undefined || was === now ? `${label} ${now.toFixed(2)}` : `${label} ${was.toFixed(2)}, now ${now.toFixed(2)}`;
  }).join('; ');
  return (
    <svg class={`radar hue-${hue ?? 0}`} viewBox="-234 -172 468 350" role="img" aria-label={`The persona of ${name}: ${said}`}>
      <polygon class="rd-quiet" points={ring(() => 78)} />
      <polygon class="rd-mute" points={ring(() => 42)} />
      {[30, 60, 90, 120].map((r) => (
        <polygon key={r} class="rd-g" points={ring(() => r)} />
      ))}
      {TRAITS.map((_, i) => {
        const [x2, y2] = point(i, 120);
        return <line key={i} class="rd-g" x2={round(x2)} y2={round(y2)} />;
      })}
      <polygon class="rd-e" points={ring((i) => 120 * value(effective, i))} />
      <polygon class="rd-b" points={ring((i) => 120 * value(baseline, i))} />
      {TRAITS.map(([key, , label], i) => {
        const now = effective[key];
        if (now === undefined) return null;
        const was = baseline[key] ?? now;
        const [x, y] = point(i, 120 * now);
        const [bx, by] = point(i, 120 * was);
        const [tx, ty, anchor] = PLACES[i]!;
        return (
          <g key={key}>
            {was !== now && <line class="rd-m" x1={round(bx)} y1={round(by)} x2={round(x)} y2={round(y)} />}
            <circle class="rd-d" cx={round(x)} cy={round(y)} r="4" />
            <text class="rd-t" x={tx} y={ty} text-anchor={anchor}>
              {label}
              <tspan class="rd-v" x={tx} dy="18">
                {now.toFixed(2)}
                {was !== now && <tspan class="rd-was"> was {was.toFixed(2)}</tspan>}
              </tspan>
            </text>
          </g>
        );
      })}
    </svg>
  );
}
