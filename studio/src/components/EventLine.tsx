// An event as a sentence with its sigil, for Recently and the log.

import type { AgentList, EventChange, SoulEvent } from '../api/types.ts';
import { useGet } from '../api/query.ts';
import { happened } from '../happened.ts';
import { agentUrl, libraryUrl } from '../routes.ts';
import { hue as hueOf } from '../sigil.ts';
import { Badge } from './controls.tsx';
import { LibrarySigil } from './LibrarySigil.tsx';
import { changedLabel, Sigil } from './Sigil.tsx';
import { Other } from './Text.tsx';

export function EventSigil({ event, change, size }: { event: SoulEvent; change: EventChange | undefined; size: number }) {
  const agents = useGet<AgentList>('/api/agents?summaries=true').data?.agents;
  const name = event.agent ?? event.soul;
  if (name === null || name === undefined) return <span />;
  const kind = event.agent === null ? 'library' : 'agent';
  const agent = agents?.find((one) => one.name === event.agent);
  const hue = change?.hue ?? agent?.hue ?? hueOf(event.scope ?? 'home', kind, name);
  if (change) {
    return <Sigil kind={kind} parts={change.parts} digest={event.digest} hue={hue} size={size} changed={change.changed_parts} label={changedLabel(change.changed_parts)} />;
  }
  if (kind === 'library' && !event.digest && event.kind.startsWith('sync.')) return <LibrarySigil id={name} size={size} />;
  const gone = event.kind === 'soul.delete';
  return <Sigil kind={kind} parts={gone ? null : (agent?.parts ?? null)} digest={gone ? null : event.digest} hue={hue} size={size} />;
}

/** Where the subject of an event is shown. */
export function eventHref(event: SoulEvent): string | null {
  if (event.proposal) return `/proposals/${event.proposal}`;
  if (event.agent !== null) {
    if (event.revision) return `${agentUrl(event.agent, 'history')}?to=${event.revision}`;
    if (event.kind.startsWith('persona.')) return agentUrl(event.agent, 'persona');
    if (event.kind === 'soul.poison') return agentUrl(event.agent, 'scan');
    if (event.session) return agentUrl(event.agent, 'sessions');
    return agentUrl(event.agent);
  }
  if (event.soul) return libraryUrl(event.soul, 'history');
  if (event.kind.startsWith('sync.')) return '/sync';
  return event.session || event.task ? '/sessions' : null;
}

export function EventSentence({ event, change }: { event: SoulEvent; change: EventChange | undefined }) {
  const { subject, text, detail } = happened(event, change);
  const href = eventHref(event);
  return (
    <span>
      <b>{href ? <a href={href} data-item><Other text={subject} /></a> : <Other text={subject} />}</b> {text}
      {detail && (
        <span class="dim">
          {' '}
          · <Other text={detail} />
        </span>
      )}
      {change?.loosens && (
        <>
          {' '}
          <Badge tone="warn">loosens</Badge>
        </>
      )}
    </span>
  );
}
