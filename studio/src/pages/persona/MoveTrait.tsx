// A step of a trait: what it leads to is shown before it is taken.

import { useState } from 'preact/hooks';
import { agentPath, post } from '../../api/client.ts';
import type { PersonaAdaptation, PersonaDetail, PersonaStep } from '../../api/types.ts';
import { ActionDialog } from '../../components/Dialog.tsx';
import { TextField } from '../../components/controls.tsx';
import { toast } from '../../shell/toasts.ts';
import { signed, TRAITS, traitName, type Trait } from '../../words.ts';
import { budget, CUTS, preview, speaks, type Limits } from './traits.ts';

/** Steps made here share one budget. */
const SESSION = 'studio';

type Props = { name: string; persona: PersonaDetail; steps: PersonaStep[]; most: Limits; hue: number | undefined; onClose: () => void; onDone: () => void };

export function MoveTrait({ name, persona, steps, most, hue, onClose, onDone }: Props) {
  const written = TRAITS.filter(([trait]) => persona.effective[trait] !== undefined);
  const [trait, setTrait] = useState<Trait>(written[0]![0]);
  const [delta, setDelta] = useState(0.05);
  const [reason, setReason] = useState('');
  const now = persona.effective[trait]!;
  const baseline = persona.baseline[trait] ?? now;
  const left = budget(steps, SESSION, trait, most);
  const step = preview(now, baseline, delta, left, most);
  const run = async () => {
    const done = await post<PersonaAdaptation>(agentPath(name, 'persona/adapt'), { trait, delta, reason: reason.trim(), session: SESSION });
    const cut = done.clamped && done.clamped_by ? `, shortened ${CUTS[done.clamped_by]}` : '';
    toast(`${traitName(trait)} ${signed(done.delta)}${cut}`);
    onDone();
  };
  const percent = (x: number) => `${Math.round(x * 1000) / 10}%`;
  return (
    <ActionDialog title="Move a trait" action={`Move it by ${signed(step.delta)}`} failed="The trait was not moved." onClose={onClose} run={run} disabled={reason.trim() === '' || Math.abs(step.delta) < 1e-9}>
      <label class="stack-1">
        <span class="t-lab">Trait</span>
        <select class="field" value={trait} onChange={(event) => setTrait(event.currentTarget.value as Trait)}>
          {written.map(([key, label]) => (
            <option key={key} value={key}>
              {label}, now {persona.effective[key]!.toFixed(2)}
            </option>
          ))}
        </select>
      </label>
      <label class="stack-1">
        <span class="t-lab">By how much: {signed(delta)}</span>
        <input type="range" min="-0.3" max="0.3" step="0.01" value={delta} onInput={(event) => setDelta(Number(event.currentTarget.value))} />
      </label>
      <svg class={`track hue-${hue ?? 0}`} height="24" role="img" aria-label={`From ${now.toFixed(2)} to ${step.result.toFixed(2)}`}>
        <line class="tr-axis" x1="0" y1="12" x2="100%" y2="12" />
        <line class="tr-move" x1={percent(now)} y1="12" x2={percent(step.result)} y2="12" />
        <line class="tr-base" x1={percent(baseline)} y1="5" x2={percent(baseline)} y2="19" />
        <circle class="tr-now" cx={percent(step.result)} cy="12" r="6" />
      </svg>
      <p class="dim" role="status">
        {now.toFixed(2)} → <b>{step.result.toFixed(2)}</b>. {left.toFixed(2)} of {most.perSession.toFixed(2)} are left for this trait in the studio's budget.
        {step.cutBy && <span class="is-warn"> The step is shortened {CUTS[step.cutBy]}.</span>}
        {!speaks(now) && speaks(step.result) && <> The prompt gains a sentence.</>}
        {speaks(now) && !speaks(step.result) && <> The prompt no longer mentions it.</>}
      </p>
      <TextField label="Reason" value={reason} onInput={setReason} required placeholder="Asked for ideas all day" hint="It goes on record with the step." />
    </ActionDialog>
  );
}
