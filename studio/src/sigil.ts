// The sigil: a flower of six petals, one for each part of a soul. Pure; `Sigil.tsx` draws what this computes.
// The same function exists in soul-core, and both are held to the same test vectors.

import { sha256 } from './sha256.ts';

/** At 12, 2, 4, 6, 8 and 10 o'clock. */
export const PARTS = ['identity', 'voice', 'values', 'limits', 'work', 'prose'] as const;
export type Part = (typeof PARTS)[number];
/** The digest of each part in hex, or null where nothing is written. */
export type Parts = Record<Part, string | null>;
export type SigilKind = 'agent' | 'library' | 'package';

export type Mark = { circle: { cy: string; r: number } } | { path: string };
export type Petal = { outline: string; mark: Mark | null; reach: number; edge: number; cut: number };

const INNER = 5.6;
const GAP = 1.9;
const COS30 = Math.cos(Math.PI / 6);
const n = (x: number) => String(Math.round(x * 100) / 100 || 0);
const p = (x: number, y: number) => `${n(x)} ${n(y)}`;

function polar(r: number, degrees: number): [number, number] {
  const angle = (degrees * Math.PI) / 180;
  return [r * Math.sin(angle), -r * Math.cos(angle)];
}

/** The outline of an upright petal and the cut in it, from the part's digest in hex. */
export function petal(digest: string): Petal {
  const v = parseInt(digest.slice(0, 4), 16);
  const R = [20.5, 23.5, 26.5][v % 3]!;
  const edge = Math.floor(v / 3) % 5;
  const cut = Math.floor(v / 15) % 5;
  const [sx, sy] = polar(R * 0.79, 30);
  const x = sx - GAP * COS30;
  const y = sy - GAP / 2;
  const slim = edge === 4;
  const w = x * 0.66 * 1.25;
  const m = R * 0.69;
  const foot = p(0, -INNER);
  const outline = [
    () => `M${foot}L${p(x, y)}Q${p(x * 0.98, -R - 0.6)} ${p(0, -R)}Q${p(-x * 0.98, -R - 0.6)} ${p(-x, y)}Z`,
    () =>
      `M${foot}L${p(x * 0.95, y)}Q${p(x * 0.6, -R * 0.95)} ${p(0, -R - 1)}` +
      `Q${p(-x * 0.6, -R * 0.95)} ${p(-x * 0.95, y)}Z`,
    () => `M${foot}L${p(x, y)}L${p(x * 0.66, -R + 0.4)}L${p(-x * 0.66, -R + 0.4)}L${p(-x, y)}Z`,
    () =>
      `M${foot}L${p(x, y)}Q${p(x * 1.02, -R - 0.4)} ${p(x * 0.5, -R + 0.1)}Q${p(x * 0.14, -R)} ${p(0, -R + 4)}` +
      `Q${p(-x * 0.14, -R)} ${p(-x * 0.5, -R + 0.1)}Q${p(-x * 1.02, -R - 0.4)} ${p(-x, y)}Z`,
    () =>
      `M${foot}C${p(w, -R * 0.48)} ${p(w, -R * 0.8)} ${p(0, -R - 0.6)}` +
      `C${p(-w, -R * 0.8)} ${p(-w, -R * 0.48)} ${foot}Z`,
  ][edge]!();
  const [ax, ay] = polar(m, slim ? -8 : -12);
  const k = slim ? 2.3 : 3.4;
  const mark: Mark | null = [
    null,
    { circle: { cy: n(-m), r: slim ? 1.9 : 2.3 } },
    { path: `M0 ${n(-R * 0.48)}V${n(-R * 0.8)}` },
    { path: `M${p(ax, ay)}A${n(m)} ${n(m)} 0 0 1 ${p(-ax, ay)}` },
    { path: `M${p(-k, -m + 1.9)}L${p(0, -m - 1.6)}L${p(k, -m + 1.9)}` },
  ][cut]!;
  return { outline, mark, reach: R, edge, cut };
}

/** Where the dot of an empty part is: petal `i`, turned by 60 degrees each. */
export function dot(i: number): [string, string] {
  const [x, y] = polar(15, 60 * i);
  return [n(x), n(y)];
}

/** The colour of a soul: it depends on its key alone, so it never changes. */
export function hue(scope: string, kind: SigilKind, name: string): number {
  return sha256(`${scope}/${kind}/${name}`)[0]! % 12;
}

/** A digest without its prefix. */
export const hex = (digest: string) => digest.slice(digest.lastIndexOf(':') + 1);

/** Parts for a soul of which only the whole digest is known: six slices of it, so all petals turn at once. */
export function slices(digest: string): Parts {
  const digits = hex(digest);
  return Object.fromEntries(PARTS.map((part, i) => [part, digits.slice(i * 8, i * 8 + 8)])) as Parts;
}

/** Which parts differ between two texts; `null` is a text that does not exist. */
export function changedParts(from: Parts | null, to: Parts | null): Part[] {
  return PARTS.filter((part) => (from?.[part] ?? null) !== (to?.[part] ?? null));
}
