// The mood of an agent, as a word and as a point.

import { agentPath, ApiError, post } from '../../api/client.ts';
import { invalidatePrefix } from '../../api/query.ts';
import type { PersonaDetail } from '../../api/types.ts';
import { Other } from '../../components/Text.tsx';
import { useNow } from '../../components/useNow.ts';
import { span } from '../../words.ts';

export const refresh = (name: string) => invalidatePrefix(`/api/agents/${encodeURIComponent(name)}/`, '/api/agents', '/api/events');

export function Mood({ name, persona, hue, write, onError }: { name: string; persona: PersonaDetail; hue: number | undefined; write: boolean; onError: (error: ApiError) => void }) {
  const { mood } = persona;
  const now = useNow();
  const x = (value: number) => 84 + value * 76;
  const y = (value: number) => 84 - value * 76;
  const set = (next: string) =>
    post(agentPath(name, 'persona/mood'), { set: next }).then(
      () => refresh(name),
      (error: unknown) => error instanceof ApiError && onError(error),
    );
  return (
    <section class="card" aria-labelledby="mood">
      <div class="card-head">
        <h2 class="t-head" id="mood">
          Mood
        </h2>
        <span class="dim t-cap">feels {mood.label}</span>
      </div>
      <div class="card-pad moodbox">
        <div class="stack">
          <p class="t-title">{mood.current ? <Other text={mood.current} /> : <span class="dimmer">none</span>}</p>
          {mood.until && (
            <p class="dim">
              {mood.overlaid ? 'Set by an overlay. ' : ''}It holds for about <b>{span(Math.max(0, Date.parse(mood.until) - now.getTime()))}</b>
              {mood.default && (
                <>
                  , then <b><Other text={mood.default} /></b> again, as written
                </>
              )}
              .
            </p>
          )}
          {mood.allowed.length > 0 && (
            <div class="chips" role="group" aria-label="Set the mood">
              {mood.allowed.map((one) => (
                <button key={one} class="chip" type="button" aria-pressed={one === mood.current} disabled={!write} onClick={() => void set(one)}>
                  <Other text={one} />
                </button>
              ))}
            </div>
          )}
          <p class="t-cap dimmer">Dominance {mood.pad.dominance.toFixed(2)}. {mood.allowed.length > 0 && 'The soul allows no other mood.'}</p>
        </div>
        <svg class={`pad hue-${hue ?? 0}`} viewBox="0 0 168 168" role="img" aria-label={`Mood: valence ${mood.pad.valence.toFixed(2)}, arousal ${mood.pad.arousal.toFixed(2)}, dominance ${mood.pad.dominance.toFixed(2)}`}>
          <rect class="pad-b" x=".5" y=".5" width="167" height="167" rx="8" />
          <line class="pad-a" x1="84" y1="0" x2="84" y2="168" />
          <line class="pad-a" x1="0" y1="84" x2="168" y2="84" />
          <circle class="pad-p" cx={x(mood.pad.valence)} cy={y(mood.pad.arousal)} r="7" />
          <text class="pad-t" x="162" y="96" text-anchor="end">pleasant</text>
          <text class="pad-t" x="6" y="96">unpleasant</text>
          <text class="pad-t" x="88" y="12">excited</text>
          <text class="pad-t" x="88" y="163">calm</text>
        </svg>
      </div>
    </section>
  );
}
