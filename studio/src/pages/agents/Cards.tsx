// Agents as cards or as a table.

import { useState } from 'preact/hooks';
import type { AgentSummary } from '../../api/types.ts';
import { deleteSoul } from '../../authoring.ts';
import { Badge, Grade } from '../../components/controls.tsx';
import { ActionDialog } from '../../components/Dialog.tsx';
import { Icon } from '../../components/Icon.tsx';
import { Menu } from '../../components/Menu.tsx';
import { MiniRadar } from '../../components/Radar.tsx';
import { Sigil, type SigilState } from '../../components/Sigil.tsx';
import { Digest, Other, Time } from '../../components/Text.tsx';
import { navigate } from '../../router.ts';
import { agentUrl } from '../../routes.ts';
import { amount, traitName } from '../../words.ts';

export function sigilState(agent: { validation_status: string; present: boolean }): SigilState {
  if (!agent.present || agent.validation_status === 'missing') return 'none';
  if (agent.validation_status === 'invalid') return 'broken';
  return agent.validation_status === 'inactive' ? 'asleep' : 'valid';
}

export function AgentSigil({ agent, size }: { agent: AgentSummary; size: number }) {
  return (
    <span class="seal">
      <Sigil parts={agent.parts ?? null} digest={agent.digest} hue={agent.hue} size={size} state={sigilState(agent)} />
      {(agent.findings ?? 0) > 0 && <Icon name="warn" tone="error" />}
    </span>
  );
}

/** Its tone; without one, the traits that are strongest. */
export function chips(agent: AgentSummary): string[] {
  if (agent.tone && agent.tone.length > 0) return agent.tone.slice(0, 3);
  const traits = Object.entries(agent.traits?.effective ?? {}) as [string, number][];
  return traits
    .filter(([, value]) => value > 0.65)
    .sort((a, b) => b[1] - a[1])
    .slice(0, 2)
    .map(([trait]) => traitName(trait).toLowerCase());
}

function State({ agent }: { agent: AgentSummary }) {
  const errors = agent.problems?.errors ?? 0;
  if (!agent.present) return <Badge>no soul</Badge>;
  if (agent.validation_status === 'invalid') {
    return (
      <Badge tone="error" icon="error">
        {errors > 0 ? amount(errors, 'error') : 'invalid'}
      </Badge>
    );
  }
  if (agent.validation_status === 'inactive') return <Badge>switched off</Badge>;
  return agent.grade ? <Grade grade={agent.grade} /> : <Badge tone="ok">valid</Badge>;
}

function When({ agent }: { agent: AgentSummary }) {
  const sessions = agent.sessions > 0 ? `, ${amount(agent.sessions, 'session')}` : '';
  if (agent.record === 'changed') return <span>edited outside{sessions}</span>;
  if (!agent.last_change) return <span>not on record{sessions}</span>;
  return (
    <span>
      <Time at={agent.last_change.created_at} />
      {sessions}
    </span>
  );
}

function Actions({ agent, duplicate }: { agent: AgentSummary; duplicate: (name: string) => void }) {
  const [asking, setAsking] = useState(false);
  // What is invalid today cannot be restored by a rollback, so it is not deleted at once.
  const restorable = agent.validation_status !== 'invalid';
  const items = (
    <Menu
      label={`More for ${agent.name}`}
      items={[
        agent.present && { label: 'Duplicate…', run: () => duplicate(agent.name) },
        { label: 'History', run: () => navigate(agentUrl(agent.name, 'history')) },
        agent.present && { label: restorable ? 'Delete the soul' : 'Delete the soul…', danger: true, run: () => (restorable ? void deleteSoul(agent.name) : setAsking(true)) },
      ]}
    />
  );
  return (
    <>
      {items}
      {asking && (
        <ActionDialog title={`Delete the soul of ${agent.name}?`} action="Delete the soul" failed="The soul was not deleted." danger onClose={() => setAsking(false)} run={() => deleteSoul(agent.name)}>
          <p>It is invalid, so it cannot be restored from here. Its text stays in the history, where it can be copied.</p>
        </ActionDialog>
      )}
    </>
  );
}

type Props = { agents: AgentSummary[]; fresh: ReadonlySet<string>; write: boolean; duplicate: (name: string) => void; create: () => void };

export function Cards({ agents, fresh, write, duplicate, create }: Props) {
  return (
    <ul class="cards" data-list>
      {agents.map((agent) => (
        <li key={agent.name} class={fresh.has(agent.name) ? 'card agent fresh' : 'card agent'}>
          <div class="body">
            <AgentSigil agent={agent} size={56} />
            <h2 class="t-name">
              <a class="cover" href={agentUrl(agent.name)} data-item>
                <Other text={agent.display_name ?? agent.name} />
              </a>
            </h2>
            {agent.traits && (
              <span class="face">
                <MiniRadar traits={agent.traits.effective} hue={agent.hue} name={agent.name} />
              </span>
            )}
            <p class="role">{agent.role ? <Other text={agent.role} /> : <span class="dimmer">no role is written</span>}</p>
            <div class="chips">
              {chips(agent).map((text) => (
                <span key={text} class="chip">
                  <Other text={text} />
                </span>
              ))}
            </div>
          </div>
          <div class="foot">
            <State agent={agent} />
            {agent.dialect && <Badge tone="line">{agent.dialect}</Badge>}
            {agent.digest ? <Digest digest={agent.digest} /> : <span class="digest">no digest</span>}
            <When agent={agent} />
            {write && <Actions agent={agent} duplicate={duplicate} />}
          </div>
        </li>
      ))}
      {write && (
        <li>
          <button type="button" class="ghost plain" onClick={create}>
            <Sigil hue={0} size={40} state="none" />
            <b>New agent</b>
            <span class="t-cap">from a template or a library soul</span>
          </button>
        </li>
      )}
    </ul>
  );
}

export function Table({ agents, fresh, write, duplicate }: Props) {
  return (
    <section class="card" aria-label="Agents">
      <table class="table stacked one">
        <thead>
          <tr>
            <th>Agent</th>
            <th>Role</th>
            <th>State</th>
            <th>Dialect</th>
            <th>Digest</th>
            <th class="r">Changed</th>
          </tr>
        </thead>
        <tbody data-list>
          {agents.map((agent) => (
            <tr key={agent.name} class={fresh.has(agent.name) ? 'fresh' : ''}>
              <td>
                <a class="row-3" href={agentUrl(agent.name)} data-item>
                  <AgentSigil agent={agent} size={32} />
                  <b>
                    <Other text={agent.display_name ?? agent.name} />
                  </b>
                </a>
              </td>
              <td class="dim">
                <Other text={agent.role ?? ''} />
              </td>
              <td>
                <State agent={agent} />
              </td>
              <td>{agent.dialect && <Badge tone="line">{agent.dialect}</Badge>}</td>
              <td>{agent.digest && <Digest digest={agent.digest} />}</td>
              <td class="r dim">
                <span class="row">
                  <span class="end"><When agent={agent} /></span>
                  {write && <Actions agent={agent} duplicate={duplicate} />}
                </span>
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  );
}
