// Who an agent is now: traits, mood, hard limits, and the steps that led here.

import { useState } from 'preact/hooks';
import { agentPath, ApiError, post } from '../../api/client.ts';
import { useGet } from '../../api/query.ts';
import type { AgentSummary, DoctorReport, PersonaDetail, PersonaHistoryPage, PersonaOverlays, PersonaStep, Prompt } from '../../api/types.ts';
import { Badge } from '../../components/controls.tsx';
import { ActionDialog } from '../../components/Dialog.tsx';
import { Icon } from '../../components/Icon.tsx';
import { Radar } from '../../components/Radar.tsx';
import { Failed, Loaded, Note } from '../../components/states.tsx';
import { Other } from '../../components/Text.tsx';
import { useCan } from '../../identity.ts';
import { signed, TRAITS } from '../../words.ts';
import { SoulFrame } from '../soul/SoulFrame.tsx';
import { Mood, refresh } from './Mood.tsx';
import { MoveTrait } from './MoveTrait.tsx';
import { Overlays, Steps } from './Steps.tsx';
import { limits, sentences, speaks, STRONG, WEAK, type Limits } from './traits.ts';

const percent = (x: number) => `${Math.round(x * 1000) / 10}%`;

function Track({ now, baseline, hue, most }: { now: number; baseline: number; hue: number | undefined; most: Limits }) {
  const low = Math.max(0, baseline - most.total);
  const high = Math.min(1, baseline + most.total);
  return (
    <svg class={`track hue-${hue ?? 0}`} aria-hidden="true">
      <rect class="tr-quiet" x={percent(WEAK)} y="4" width={percent(STRONG - WEAK)} height="16" />
      <line class="tr-axis" x1="0" y1="12" x2="100%" y2="12" />
      <rect class="tr-bound" x={percent(low)} y="4" width={percent(high - low)} height="16" rx="3" />
      {now !== baseline && <line class="tr-move" x1={percent(baseline)} y1="12" x2={percent(now)} y2="12" />}
      <line class="tr-base" x1={percent(baseline)} y1="5" x2={percent(baseline)} y2="19" />
      <circle class="tr-now" cx={percent(now)} cy="12" r="6" />
    </svg>
  );
}

function TraitList({ persona, prompt, hue, most }: { persona: PersonaDetail; prompt: Prompt | undefined; hue: number | undefined; most: Limits }) {
  const said = sentences(prompt?.layers.find((layer) => layer.name === 'traits')?.text ?? '', persona.effective);
  return (
    <section class="card" aria-labelledby="traits">
      <div class="card-head">
        <h2 class="t-head" id="traits">
          Six traits, and what each tells the model
        </h2>
      </div>
      <ul>
        {TRAITS.map(([trait, label]) => {
          const now = persona.effective[trait];
          const baseline = persona.baseline[trait] ?? now;
          if (now === undefined || baseline === undefined) {
            return (
              <li key={trait} class="trait">
                <b>{label}</b>
                <span class="dimmer">not written</span>
                <span class="val dimmer">–</span>
              </li>
            );
          }
          const moved = Math.abs(now - baseline) > 1e-9;
          return (
            <li key={trait} class="trait">
              <b>{label}</b>
              <Track now={now} baseline={baseline} hue={hue} most={most} />
              <span class="val">
                <b>{now.toFixed(2)}</b> <span class="dimmer">{moved ? signed(now - baseline) : 'as written'}</span>
              </span>
              <span class="says-line">
                {said[trait] ? (
                  <>
                    “<Other text={said[trait]} />” {!speaks(baseline) && <Badge tone="accent">new</Badge>}
                  </>
                ) : (
                  <span class="dimmer">between .35 and .65: the prompt does not mention it</span>
                )}
              </span>
            </li>
          );
        })}
      </ul>
    </section>
  );
}

function Page({ agent, persona }: { agent: AgentSummary; persona: PersonaDetail }) {
  const { write } = useCan();
  const name = agent.name;
  const history = useGet<PersonaHistoryPage>(agentPath(name, 'persona/history?limit=50'));
  const overlays = useGet<PersonaOverlays>(agentPath(name, 'persona/overlays'));
  const prompt = useGet<Prompt>(agentPath(name, 'prompt'));
  const doctor = useGet<DoctorReport>('/api/doctor');
  const [error, setError] = useState<ApiError | null>(null);
  const [dialog, setDialog] = useState<'move' | 'written' | PersonaStep | null>(null);
  const steps = history.data?.mutations ?? [];
  const most = limits(doctor.data?.settings ?? []);
  const display = agent.display_name ?? name;
  if (Object.keys(persona.effective).length === 0) {
    return (
      <>
        <Note icon="info">
          <b>This soul has no traits.</b> Only the dialect agentos has them: six scores under <code>hexaco</code>. <a class="link" href="/docs/persona.md">How to write them</a>
        </Note>
        {persona.hard_limits.length > 0 && <HardLimits list={persona.hard_limits} />}
      </>
    );
  }
  const moved = steps.some((step) => step.status === 'standing') || persona.mood.current !== persona.mood.default;
  const revert = async (to: string | null) => {
    await post(agentPath(name, 'persona/revert'), to === null ? {} : { to });
    refresh(name);
  };
  return (
    <>
      {error && <Failed error={error} what="The mood was not set." />}
      <div class="persona">
        <div class="stack">
          <section class="card" aria-labelledby="face">
            <div class="card-head">
              <h2 class="t-head" id="face">
                Who <Other text={display} /> is now
              </h2>
              {write && (
                <span class="row wrap">
                  <button class="btn sm" type="button" onClick={() => setDialog('move')}>
                    Move a trait…
                  </button>
                  {moved && (
                    <button class="btn sm" type="button" onClick={() => setDialog('written')}>
                      <Icon name="back" />
                      Back to what is written…
                    </button>
                  )}
                </span>
              )}
            </div>
            <div class="card-pad">
              <Radar baseline={persona.baseline} effective={persona.effective} hue={agent.hue} name={display} />
              <div class="row wrap key-row t-cap dim">
                <span class="row">
                  <svg width="24" height="8" aria-hidden="true" class={`hue-${agent.hue ?? 0}`}><line class="rd-m" x1="4" y1="4" x2="20" y2="4" /></svg>now
                </span>
                <span class="row">
                  <svg width="24" height="8" aria-hidden="true"><line class="rd-b" x1="0" y1="4" x2="24" y2="4" /></svg>as written
                </span>
                <span class="row">
                  <svg width="24" height="12" aria-hidden="true"><rect class="tr-quiet" width="24" height="12" rx="2" /></svg>not mentioned in the prompt
                </span>
              </div>
            </div>
          </section>
          <Mood name={name} persona={persona} hue={agent.hue} write={write} onError={setError} />
          {persona.hard_limits.length > 0 && <HardLimits list={persona.hard_limits} />}
        </div>
        <div class="stack">
          <TraitList persona={persona} prompt={prompt.data} hue={agent.hue} most={most} />
          {overlays.data && <Overlays overlays={overlays.data} />}
          <Steps steps={steps} hue={agent.hue} write={write} onBack={setDialog} />
        </div>
      </div>
      {dialog === 'move' && <MoveTrait name={name} persona={persona} steps={steps} most={most} hue={agent.hue} onClose={() => setDialog(null)} onDone={() => refresh(name)} />}
      {dialog === 'written' && (
        <ActionDialog title="Back to what is written?" action="Revert the persona" failed="Nothing was reverted." onClose={() => setDialog(null)} run={() => revert(null)}>
          <p class="dim">All steps are taken back and the mood is the default again. They stay in the history; spent budgets stay spent.</p>
        </ActionDialog>
      )}
      {dialog !== null && typeof dialog === 'object' && (
        <ActionDialog title="Back to this step?" action="Revert what came after" failed="Nothing was reverted." onClose={() => setDialog(null)} run={() => revert(dialog.id)}>
          <p class="dim">
            Every step after “<Other text={dialog.reason} />” is taken back. They stay in the history.
          </p>
        </ActionDialog>
      )}
    </>
  );
}

function HardLimits({ list }: { list: string[] }) {
  return (
    <section class="card" aria-labelledby="hard">
      <div class="card-head">
        <h2 class="t-head" id="hard">
          Hard limits
        </h2>
        <Icon name="lock" />
      </div>
      <ul class="list">
        {list.map((one) => (
          <li key={one} class="t-quote">
            <Other text={one} />
          </li>
        ))}
      </ul>
      <p class="omit">No trait, mood or overlay changes these.</p>
    </section>
  );
}

export function Persona({ name }: { name: string }) {
  const persona = useGet<PersonaDetail>(agentPath(name, 'persona'));
  return (
    <SoulFrame name={name} tab="persona">
      {(agent) => (
        <Loaded query={persona} what="The persona could not be read.">
          {(detail) => <Page agent={agent} persona={detail} />}
        </Loaded>
      )}
    </SoulFrame>
  );
}
