// Which page an address names, and the address of a page.

export type AgentTab = 'edit' | 'prompt' | 'history' | 'scan' | 'persona' | 'sessions' | 'delivery';
export const AGENT_TABS: readonly AgentTab[] = ['edit', 'prompt', 'history', 'scan', 'persona', 'sessions', 'delivery'];
export type LibraryTab = 'edit' | 'history' | 'prompt' | 'scan';

export type Route =
  | { page: 'agents' | 'memory' | 'sessions' | 'sync' | 'log' | 'settings' | 'kit' | 'lost' }
  | { page: 'agent'; name: string; tab: AgentTab }
  | { page: 'library'; id: string | null; tab: LibraryTab | null }
  | { page: 'proposals'; id: string | null }
  | { page: 'registry'; reference: string | null };

const TABS_OF_LIBRARY: readonly string[] = ['edit', 'history', 'prompt', 'scan'];

/** What a path shows. */
export function route(path: string): Route {
  let parts: string[];
  try {
    parts = path.split('/').filter(Boolean).map(decodeURIComponent);
  } catch {
    return { page: 'lost' };
  }
  const [first, second, third, ...rest] = parts;
  if (first === undefined) return { page: 'agents' };
  if (first === 'registry') return { page: 'registry', reference: parts.slice(1).join('/') || null };
  if (rest.length > 0) return { page: 'lost' };
  switch (first) {
    case 'agents':
      if (second === undefined) return { page: 'agents' };
      if (third === undefined) return { page: 'agent', name: second, tab: 'edit' };
      return (AGENT_TABS as readonly string[]).includes(third)
        ? { page: 'agent', name: second, tab: third as AgentTab }
        : { page: 'lost' };
    case 'library':
      if (third !== undefined && !TABS_OF_LIBRARY.includes(third)) return { page: 'lost' };
      return { page: 'library', id: second ?? null, tab: (third as LibraryTab) ?? null };
    case 'proposals':
      return third === undefined ? { page: 'proposals', id: second ?? null } : { page: 'lost' };
    case 'settings':
      if (second === 'kit' && third === undefined) return { page: 'kit' };
      return second === undefined ? { page: 'settings' } : { page: 'lost' };
    case 'memory':
    case 'sessions':
    case 'sync':
    case 'log':
      return second === undefined ? { page: first } : { page: 'lost' };
    default:
      return { page: 'lost' };
  }
}

export const agentUrl = (name: string, tab: AgentTab = 'edit') => `/agents/${encodeURIComponent(name)}/${tab}`;
export const libraryUrl = (id: string, tab?: LibraryTab) => `/library/${encodeURIComponent(id)}${tab ? `/${tab}` : ''}`;
