// What a trait tells the model, and what a step would do to it.

import type { PersonaStep, Traits } from '../../api/types.ts';
import { TRAITS, type Trait } from '../../words.ts';

/** Scores from here to there say nothing to the model. */
export const WEAK = 0.35;
export const STRONG = 0.65;
/** Sums of steps are not exact in binary; the engine rounds in the same way before it compares. */
const EXACT = 1e-9;

export const speaks = (score: number | undefined) => score !== undefined && (score > STRONG + EXACT || score < WEAK - EXACT);

/** The sentence of each trait, from the layer `traits` of the prompt: one line for each trait that speaks, in order. */
export function sentences(layer: string, effective: Traits): Partial<Record<Trait, string>> {
  const lines = layer.split('\n').filter((line) => line.startsWith('- ')).map((line) => line.slice(2));
  const out: Partial<Record<Trait, string>> = {};
  let at = 0;
  for (const [trait] of TRAITS) {
    if (speaks(effective[trait]) && lines[at] !== undefined) out[trait] = lines[at++]!;
  }
  return out;
}

export type Limits = { perSession: number; total: number };
export const DEFAULT_LIMITS: Limits = { perSession: 0.15, total: 0.3 };

/** Bounds from the settings that are not defaults. */
export function limits(settings: { key: string; value: string }[]): Limits {
  const of = (key: string, fallback: number) => {
    const value = Number(settings.find((one) => one.key === key)?.value ?? NaN);
    return Number.isFinite(value) ? value : fallback;
  };
  return { perSession: of('persona.max_delta_per_session', DEFAULT_LIMITS.perSession), total: of('persona.max_total_delta', DEFAULT_LIMITS.total) };
}

/** What a session has left for a trait. */
export function budget(steps: PersonaStep[], session: string, trait: string, most: Limits): number {
  const spent = steps.filter((step) => step.session === session && step.trait === trait).reduce((sum, step) => sum + step.delta, 0);
  return Math.max(0, most.perSession - Math.abs(spent));
}

export type Preview = { result: number; delta: number; cutBy: 'budget' | 'bound' | 'range' | null };

/** Where a step would lead: first the budget shortens it, then the bound around the baseline, then 0 and 1. */
export function preview(now: number, baseline: number, delta: number, left: number, most: Limits): Preview {
  let step = delta;
  let cutBy: Preview['cutBy'] = null;
  if (Math.abs(step) > left + EXACT) {
    step = Math.sign(step) * left;
    cutBy = 'budget';
  }
  const low = Math.max(0, baseline - most.total);
  const high = Math.min(1, baseline + most.total);
  const target = now + step;
  const result = Math.min(high, Math.max(low, target));
  if (Math.abs(result - target) > EXACT) cutBy = result === 0 || result === 1 ? 'range' : 'bound';
  return { result, delta: result - now, cutBy };
}

export const CUTS = {
  budget: 'by the budget of the session',
  bound: 'by the distance from what is written',
  range: 'because scores lie between 0 and 1',
} as const;
