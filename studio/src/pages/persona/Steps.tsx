// What moved a persona: steps that fade, and overlays that end.

import type { PersonaOverlays, PersonaStep } from '../../api/types.ts';
import { Badge, Meter } from '../../components/controls.tsx';
import { Other, Time } from '../../components/Text.tsx';
import { signed, traitName, who } from '../../words.ts';

const STATES = { standing: 'in effect', faded: 'faded', reverted: 'reverted' } as const;

export function Steps({ steps, hue, write, onBack }: { steps: PersonaStep[]; hue: number | undefined; write: boolean; onBack: (step: PersonaStep) => void }) {
  const standing = steps.filter((step) => step.status === 'standing').length;
  const faded = steps.filter((step) => step.status === 'faded').length;
  return (
    <section class="card" aria-labelledby="steps">
      <div class="card-head">
        <h2 class="t-head" id="steps">
          Steps that led here
        </h2>
        <span class="badge">{standing} in effect</span>
        {faded > 0 && <span class="badge">{faded} faded</span>}
      </div>
      <ul class="steps">
        {steps.map((step) => (
          <li key={step.id} class={step.status === 'standing' ? '' : 'gone'}>
            <span>
              <b>{traitName(step.trait)}</b> <span class="num">{signed(step.delta)}</span>
            </span>
            <span class="stack-1">
              <span>
                <Other text={step.reason} />
              </span>
              <span class="t-cap dimmer">
                <Other text={`${who(step.actor)}, session ${step.session}`} />
                {step.status !== 'standing' && ` · ${STATES[step.status]}`}
              </span>
            </span>
            <span class="stack-1">
              <span class="t-cap">{step.status === 'reverted' ? 'taken back' : `${step.strength.toFixed(2)} left`}</span>
              <Meter value={step.status === 'reverted' ? 0 : step.strength} hue={hue} />
            </span>
            <span class="r t-cap dimmer nowrap stack-1">
              <Time at={step.created_at} />
              {write && step.status === 'standing' && (
                <button class="btn quiet sm" type="button" onClick={() => onBack(step)}>
                  Back to here…
                </button>
              )}
            </span>
          </li>
        ))}
      </ul>
      {steps.length === 0 && <p class="omit">None yet: the persona is as it is written.</p>}
    </section>
  );
}

export function Overlays({ overlays }: { overlays: PersonaOverlays }) {
  if (overlays.overlays.length === 0) return null;
  return (
    <section class="card" aria-labelledby="overlays">
      <div class="card-head">
        <h2 class="t-head" id="overlays">
          Overlays
        </h2>
      </div>
      <ul class="list">
        {overlays.overlays.map((overlay) => (
          <li key={overlay.rule} class="row wrap">
            <b>
              <Other text={overlay.rule} />
            </b>
            {overlay.mood && <Badge tone="line">{overlay.mood}</Badge>}
            <span class="end dim t-cap">
              until <time dateTime={overlay.until}>{new Date(overlay.until).toLocaleTimeString()}</time>
            </span>
          </li>
        ))}
      </ul>
    </section>
  );
}
