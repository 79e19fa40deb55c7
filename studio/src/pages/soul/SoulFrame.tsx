// The head and the tabs that all pages of one soul share.

import type { ComponentChildren } from 'preact';
import { agentPath } from '../../api/client.ts';
import { useGet } from '../../api/query.ts';
import type { AgentList, AgentSummary, HistoryPage } from '../../api/types.ts';
import { Badge, Grade } from '../../components/controls.tsx';
import { Icon } from '../../components/Icon.tsx';
import { KeptDraft } from '../../components/KeptDraft.tsx';
import { Sigil } from '../../components/Sigil.tsx';
import { Loaded } from '../../components/states.tsx';
import { Digest, Other, Time } from '../../components/Text.tsx';
import { useCan } from '../../identity.ts';
import { useCommands } from '../../keys.ts';
import { navigate } from '../../router.ts';
import { AGENT_TABS, agentUrl, type AgentTab } from '../../routes.ts';
import type { Part, Parts } from '../../sigil.ts';
import { amount, who } from '../../words.ts';
import { sigilState } from '../agents/Cards.tsx';

const LABELS: Record<AgentTab, string> = { edit: 'Edit', prompt: 'Prompt', history: 'History', scan: 'Scan', persona: 'Persona', sessions: 'Sessions', delivery: 'Delivery' };

/** Unsaved text of this soul: it shows in the sigil and in the line below the name. */
export type DraftHead = { dirty: boolean; valid: boolean; parts: Parts | null; changed: readonly Part[]; errors: number; /** False if the storage of this browser is full. */ kept: boolean };

/** A screen of revisions: every tab asks for it, and the history begins with it. */
export const historyUrl = (name: string) => agentPath(name, 'soul/history?limit=20');

function Facts({ agent, draft }: { agent: AgentSummary; draft: DraftHead | undefined }) {
  const last = agent.last_change;
  return (
    <div class="facts-line">
      {draft?.dirty ? (
        <Badge tone="warn">unsaved</Badge>
      ) : agent.validation_status === 'valid' ? (
        <Badge tone="ok" icon="check">
          valid
        </Badge>
      ) : agent.validation_status === 'invalid' ? (
        <Badge tone="error" icon="error">
          invalid
        </Badge>
      ) : agent.validation_status === 'inactive' ? (
        <Badge>switched off</Badge>
      ) : (
        <Badge>no soul</Badge>
      )}
      {!draft?.dirty && agent.validation_status !== 'invalid' && agent.grade && <Grade grade={agent.grade} />}
      {agent.dialect && <Badge tone="line">{agent.dialect}</Badge>}
      {agent.digest && <Digest digest={agent.digest} />}
      {agent.record === 'changed' ? (
        <span>edited outside, not on record yet</span>
      ) : last ? (
        <span>
          {last.action === 'adopt' ? 'edited outside' : last.action === 'rollback' ? 'rolled back' : last.action === 'delete' ? 'deleted' : 'saved'} <Time at={last.created_at} />
          {last.action !== 'adopt' && (
            <>
              {' '}
              by <Other text={who(last.actor)} />
            </>
          )}
        </span>
      ) : (
        <span>not on record yet</span>
      )}
      {draft?.dirty && draft.kept && <span>the draft is kept in this browser</span>}
    </div>
  );
}

type Props = {
  name: string;
  tab: AgentTab;
  acts?: ComponentChildren;
  draft?: DraftHead;
  children: (agent: AgentSummary) => ComponentChildren;
};

function Known({ agent, tab, acts, draft, children }: Omit<Props, 'name'> & { agent: AgentSummary }) {
  const history = useGet<HistoryPage>(historyUrl(agent.name));
  const revisions = history.data?.revisions[0]?.seq ?? 0;
  const errors = draft?.errors ?? agent.problems?.errors ?? 0;
  const counts: Partial<Record<AgentTab, { n: number; tone: string }>> = {
    ...(errors > 0 ? { edit: { n: errors, tone: 'error' } } : {}),
    ...(revisions > 0 ? { history: { n: revisions, tone: '' } } : {}),
    ...((agent.findings ?? 0) > 0 ? { scan: { n: agent.findings!, tone: 'error' } } : {}),
    ...(agent.sessions > 0 ? { sessions: { n: agent.sessions, tone: agent.sessions_behind > 0 ? 'warn' : '' } } : {}),
  };
  const state = draft?.dirty ? 'draft' : sigilState(agent);
  return (
    <>
      <div class="stack">
        <div class="soulhead">
          <span class="seal">
            <Sigil
              parts={draft?.dirty && draft.parts ? draft.parts : (agent.parts ?? null)}
              digest={agent.digest}
              hue={agent.hue}
              size={64}
              state={state}
              {...(draft?.dirty && draft.changed.length > 0 ? { changed: draft.changed } : {})}
            />
            {(agent.findings ?? 0) > 0 && <Icon name="warn" tone="error" />}
          </span>
          <div class="who grow">
            <h1 class="t-title clamp">
              <Other text={agent.display_name ?? agent.name} />
            </h1>
            {agent.role && (
              <p class="dim clamp">
                <Other text={agent.role} />
              </p>
            )}
            <Facts agent={agent} draft={draft} />
          </div>
          {acts && <div class="row wrap acts">{acts}</div>}
        </div>
        <nav class="tabs" aria-label="Parts of this soul">
          {AGENT_TABS.map((one) => {
            const count = counts[one];
            return (
              <a key={one} href={agentUrl(agent.name, one)} aria-current={one === tab ? 'page' : undefined}>
                {LABELS[one]}
                {count && <span class={`n ${count.tone}`}>{count.n}</span>}
              </a>
            );
          })}
        </nav>
      </div>
      {children(agent)}
    </>
  );
}

export function SoulFrame({ name, tab, acts, draft, children }: Props) {
  const list = useGet<AgentList>('/api/agents?summaries=true');
  const { write } = useCan();
  useCommands(AGENT_TABS.map((one, i) => ({ label: `${LABELS[one]} of ${name}`, key: String(i + 1), run: () => navigate(agentUrl(name, one)) })));
  return (
    <Loaded query={list} what="The agent could not be read.">
      {({ agents }) => {
        const agent = agents.find((one) => one.name === name);
        if (!agent) {
          return (
            <div class="blank">
              <Sigil hue={0} size={96} state="none" />
              <h1 class="t-hero">No agent has this name</h1>
              <p class="dim">
                <Other text={name} /> is not among the {amount(agents.length, 'agent')} that this keeper reads.
              </p>
              <KeptDraft agent={name} create={write} />
              <a class="btn primary" href="/">
                Go to the agents
              </a>
            </div>
          );
        }
        return <Known agent={agent} tab={tab} acts={acts} {...(draft ? { draft } : {})}>{children}</Known>;
      }}
    </Loaded>
  );
}
