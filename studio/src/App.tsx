// Which page is shown.

import type { ComponentChildren } from 'preact';
import { useErrorBoundary } from 'preact/hooks';
import { usePlace } from './router.ts';
import { libraryUrl, route } from './routes.ts';
import { later } from './components/Later.tsx';
import { Shell, type Crumb } from './shell/Shell.tsx';
import { Agents } from './pages/agents/Agents.tsx';
import { Library } from './pages/library/Library.tsx';
import { AgentPage } from './pages/soul/AgentPage.tsx';

const Kit = later('Kit');
const LibrarySoulPage = later('LibrarySoulPage');
const Log = later('Log');
const Memory = later('Memory');
const Proposals = later('Proposals');
const Registry = later('Registry');
const Sessions = later('Sessions');
const Settings = later('Settings');
const Sync = later('Sync');

function Lost() {
  return (
    <div class="blank">
      <h1 class="t-hero">Nothing is here</h1>
      <p class="dim">The address names no page of the studio.</p>
      <a class="btn primary" href="/">
        Go to the agents
      </a>
    </div>
  );
}

type Shown = { area: string; crumbs: Crumb[]; fills?: boolean; content: ComponentChildren };

function show(path: string): Shown {
  const to = route(path);
  switch (to.page) {
    case 'agents':
      return { area: 'agents', crumbs: [{ label: 'Agents' }], content: <Agents /> };
    case 'agent':
      return {
        area: 'agents',
        crumbs: [{ label: 'Agents', href: '/' }, { label: to.name }],
        fills: to.tab === 'edit',
        content: <AgentPage key={to.name} name={to.name} tab={to.tab} />,
      };
    case 'library':
      return to.id !== null && to.tab !== null
        ? {
            area: 'library',
            crumbs: [{ label: 'Library', href: libraryUrl(to.id) }, { label: to.id }],
            content: <LibrarySoulPage key={to.id} id={to.id} tab={to.tab} />,
          }
        : { area: 'library', crumbs: to.id === null ? [{ label: 'Library' }] : [{ label: 'Library', href: '/library' }, { label: to.id }], content: <Library id={to.id} /> };
    case 'proposals':
      return { area: 'proposals', crumbs: [{ label: 'Proposals' }], content: <Proposals id={to.id} /> };
    case 'memory':
      return { area: 'memory', crumbs: [{ label: 'Memory' }], content: <Memory /> };
    case 'sessions':
      return { area: 'sessions', crumbs: [{ label: 'Sessions and tasks' }], content: <Sessions /> };
    case 'log':
      return { area: 'log', crumbs: [{ label: 'Log' }], content: <Log /> };
    case 'settings':
      return { area: 'settings', crumbs: [{ label: 'Settings' }], content: <Settings /> };
    case 'registry':
      return { area: 'registry', crumbs: to.reference === null ? [{ label: 'Registry' }] : [{ label: 'Registry', href: '/registry' }, { label: to.reference }], content: <Registry key={to.reference} reference={to.reference} /> };
    case 'sync':
      return { area: 'sync', crumbs: [{ label: 'Sync' }], content: <Sync /> };
    case 'kit':
      return { area: 'settings', crumbs: [{ label: 'Settings', href: '/settings' }, { label: 'Kit' }], content: <Kit /> };
    default:
      return { area: '', crumbs: [{ label: 'Not found' }], content: <Lost /> };
  }
}

export function App() {
  const { path } = usePlace();
  const [error, reset] = useErrorBoundary();
  const { content, ...frame } = show(path);
  if (error) {
    return (
      <Shell {...frame}>
        <div class="note error" role="alert">
          <div class="stack-1 grow">
            <b>This page could not be drawn.</b>
            <span>Nothing is lost: souls are files, and drafts are kept in this browser.</span>
            <code class="t-cap">{String(error)}</code>
          </div>
          <button class="btn sm" type="button" onClick={reset}>
            Retry
          </button>
        </div>
      </Shell>
    );
  }
  return <Shell {...frame}>{content}</Shell>;
}
