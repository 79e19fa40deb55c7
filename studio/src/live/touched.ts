// Which answers an event makes out of date.

import type { SoulEvent } from '../api/types.ts';

/** Prefixes of the paths whose answers are no longer true after `event`. */
export function touched(event: Pick<SoulEvent, 'kind' | 'agent' | 'soul' | 'session'>): string[] {
  const out = ['/api/events'];
  const [family] = event.kind.split('.');
  const agent = event.agent === null ? [] : [`/api/agents/${encodeURIComponent(event.agent)}/`];
  switch (family) {
    case 'soul':
      out.push('/api/audit/verify', '/api/sessions', '/api/doctor', '/api/proposals', '/api/v1/sync');
      if (event.agent !== null) out.push('/api/agents');
      else out.push('/api/v1/settings/agent');
      break;
    case 'persona':
      out.push('/api/agents?', ...agent);
      break;
    case 'library':
      out.push('/api/v1/settings/agent');
      break;
    case 'session':
    case 'run':
    case 'task':
      out.push('/api/sessions', '/api/tasks', '/api/runs', '/api/agents?', ...agent);
      break;
    case 'proposal':
      out.push('/api/proposals', '/api/agents?', ...agent);
      break;
    case 'memory':
      out.push(...agent);
      break;
    case 'token':
      out.push('/api/tokens');
      break;
    default:
      out.push('/api/');
  }
  return out;
}
