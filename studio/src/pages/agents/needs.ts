// What waits for a person, worst first.

import type { AgentSummary, ListedSession, Proposal } from '../../api/types.ts';
import { changedParts, type Part } from '../../sigil.ts';
import { agentUrl } from '../../routes.ts';
import { canMerge, mergeUrl } from '../sync/links.ts';
import type { SyncItem } from '../sync/types.ts';
import { capital, list } from '../../words.ts';

export type Need = {
  key: string;
  /** Null for what is about a library soul. */
  agent: AgentSummary | null;
  soul?: string;
  title: string;
  why: string;
  action: string;
  href: string;
  /** A seal on the sigil. */
  alarm: boolean;
  changed?: Part[];
};

const RANK = { findings: 0, invalid: 1, outside: 2, conflict: 3, proposal: 4, behind: 5 };

export function needs(agents: AgentSummary[], sessions: ListedSession[], proposals: Proposal[], conflicts: SyncItem[] = []): Need[] {
  const out: [number, Need][] = [];
  for (const agent of agents) {
    const name = agent.display_name ?? agent.name;
    const findings = agent.findings ?? 0;
    if (findings > 0) {
      const worst = agent.worst_finding;
      const rest = findings > 1 ? `; ${findings - 1} more would stop a write` : '';
      out.push([
        RANK.findings,
        {
          key: `findings ${agent.name}`,
          agent,
          title: worst?.rule.startsWith('SEC0') || !worst ? `Prompt injection found in ${name}` : `Findings in ${name}`,
          why: worst ? `${worst.file} line ${worst.line} ${worst.message}${rest}.` : `${findings} findings would stop a write.`,
          action: 'See findings',
          href: agentUrl(agent.name, 'scan'),
          alarm: true,
        },
      ]);
    }
    const errors = agent.problems?.errors ?? 0;
    const outside = agent.record === 'changed' || agent.record === 'missing';
    if (agent.validation_status === 'invalid') {
      out.push([
        RANK.invalid,
        {
          key: `invalid ${agent.name}`,
          agent,
          title: `${name} is invalid${agent.record === 'changed' ? ' after an edit outside Soulkeeper' : ''}`,
          why: `${capital(agent.first_problem ?? 'its soul has errors')}${errors > 1 ? `, and ${errors - 1} more` : ''}. No session can start until this is fixed.`,
          action: 'Fix in the editor',
          href: agentUrl(agent.name, 'edit'),
          alarm: false,
        },
      ]);
    } else if (outside) {
      out.push([
        RANK.outside,
        {
          key: `outside ${agent.name}`,
          agent,
          title: agent.record === 'missing' ? `The file of ${name} is gone` : `${name} was edited outside Soulkeeper`,
          why: agent.record === 'missing' ? 'The last text is in the record and can be restored.' : `${capital(agent.unrecorded_change ?? 'the file differs from the record')}. It is not on record yet.`,
          action: 'Compare',
          href: agentUrl(agent.name, 'history'),
          alarm: false,
        },
      ]);
    }
  }
  const find = (name: string | null) => agents.find((agent) => agent.name === name);
  for (const item of conflicts) {
    const [kind, name] = item.itemId.split('/') as [string, string];
    out.push([
      RANK.conflict,
      {
        key: `conflict ${item.itemId}`,
        agent: (kind === 'agents' ? find(name) : null) ?? null,
        soul: name,
        title: `${name} is in conflict with the remote`,
        why: `It was changed here and there${item.remoteAuthor ? `, there by ${item.remoteAuthor}` : ''}. Both texts are safe.`,
        action: canMerge(item) ? 'Merge' : 'Resolve',
        href: canMerge(item) ? mergeUrl(item.itemId) : '/sync',
        alarm: false,
      },
    ]);
  }
  for (const proposal of proposals) {
    const agent = find(proposal.agent);
    if (!agent || proposal.state !== 'pending') continue;
    out.push([
      RANK.proposal,
      {
        key: proposal.id,
        agent,
        title: `A change of ${agent.display_name ?? agent.name} is proposed`,
        why: `${capital(proposal.summary)}${proposal.reason ? `: ${proposal.reason}` : ''}`,
        action: 'Review',
        href: `/proposals/${proposal.id}`,
        alarm: proposal.poisoned,
      },
    ]);
  }
  for (const session of sessions) {
    const agent = find(session.agent);
    if (!session.behind || !agent || session.state !== 'active') continue;
    const changed = session.parts && session.current_parts ? changedParts(session.parts, session.current_parts) : null;
    const what = changed && changed.length > 0 ? `${capital(list(changed))} changed since it started.` : 'The soul changed since it started.';
    out.push([
      RANK.behind,
      {
        key: session.id,
        agent,
        title: `A session of ${agent.display_name ?? agent.name} runs on an older soul`,
        why: `${what} ${session.run ? 'It has a live run and can be refreshed after it.' : 'It is idle and can be refreshed.'}`,
        action: 'Compare',
        href: agentUrl(agent.name, 'sessions'),
        alarm: false,
        ...(changed ? { changed } : {}),
      },
    ]);
  }
  return out.sort((a, b) => a[0] - b[0]).map(([, need]) => need);
}

/** "Five agents. Two are well, three need you." */
export function sentence(agents: number, needing: number): string {
  const SMALL = ['No', 'One', 'Two', 'Three', 'Four', 'Five', 'Six', 'Seven', 'Eight', 'Nine', 'Ten'];
  const first = `${SMALL[agents] ?? agents} agent${agents === 1 ? '' : 's'}.`;
  if (needing === 0) return `${first} ${agents === 1 ? 'It is' : 'All are'} well.`;
  const words = (n: number) => (SMALL[n] ?? String(n)).toLowerCase();
  const well = agents - needing;
  if (well === 0) return `${first} ${agents === 1 ? 'It needs' : 'All need'} you.`;
  return `${first} ${capital(words(well))} ${well === 1 ? 'is' : 'are'} well, ${words(needing)} need${needing === 1 ? 's' : ''} you.`;
}
