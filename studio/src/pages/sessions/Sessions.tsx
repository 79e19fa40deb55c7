// Which sessions run, on which soul, and what they do.

import { useState } from 'preact/hooks';
import { post, url } from '../../api/client.ts';
import { invalidatePrefix, useGet } from '../../api/query.ts';
import type { AgentList, SessionPage } from '../../api/types.ts';
import { Segmented } from '../../components/controls.tsx';
import { ActionDialog } from '../../components/Dialog.tsx';
import { Icon } from '../../components/Icon.tsx';
import { Loaded, Note } from '../../components/states.tsx';
import { useCan } from '../../identity.ts';
import { setQuery, usePlace } from '../../router.ts';
import { capital, count } from '../../words.ts';
import { SoulFrame } from '../soul/SoulFrame.tsx';
import { SessionTable } from './SessionTable.tsx';
import { Tasks } from './Tasks.tsx';

type Filter = 'active' | 'stopped' | 'all';

function StartSession({ agent: fixed, onClose }: { agent: string | null; onClose: () => void }) {
  const agents = useGet<AgentList>('/api/agents?summaries=true').data?.agents ?? [];
  const [agent, setAgent] = useState(fixed ?? '');
  const run = async () => {
    await post('/api/sessions', agent ? { agent } : {});
    invalidatePrefix('/api/sessions', '/api/agents', '/api/events');
  };
  return (
    <ActionDialog title="Start a session" action="Start the session" failed="No session was started." onClose={onClose} run={run}>
      <label class="stack-1">
        <span class="t-lab">Agent</span>
        <select class="field" value={agent} onChange={(event) => setAgent(event.currentTarget.value)}>
          <option value="">no agent: the selected soul of the library</option>
          {agents.filter((one) => one.valid).map((one) => (
            <option key={one.name}>{one.name}</option>
          ))}
        </select>
      </label>
      <p class="dim">It is bound to the soul as it is now, and keeps it whatever happens to the file.</p>
    </ActionDialog>
  );
}

function useSessions(agent: string | null, filter: Filter) {
  return useGet<SessionPage>(url('/api/sessions', { agent, state: filter === 'all' ? null : filter, limit: 200 }));
}

const FILTERS = [['active', 'Live'], ['stopped', 'Stopped'], ['all', 'All']] as const;

function sentence(page: SessionPage | undefined, filter: Filter): string {
  if (!page) return '';
  const n = page.sessions.length;
  const behind = page.sessions.filter((session) => session.behind).length;
  const what = filter === 'active' ? 'live session' : filter === 'stopped' ? 'stopped session' : 'session';
  const first = `${capital(count(n, what))}.`;
  if (behind === 0) return first;
  return `${first} ${capital(count(behind, 'runs', 'run'))} on an older soul.`;
}

export function Sessions() {
  const { query } = usePlace();
  const { write } = useCan();
  const filter = (query.get('state') as Filter | null) ?? 'active';
  const sessions = useSessions(null, filter);
  const [starting, setStarting] = useState(false);
  return (
    <>
      <div class="lead">
        <div class="stack-1">
          <h1 class="t-hero">Sessions and tasks</h1>
          <p class="dim">{sentence(sessions.data, filter)}</p>
        </div>
        <div class="tools">
          <Segmented label="Which sessions" value={filter} options={FILTERS} onChange={(value) => setQuery({ state: value === 'active' ? null : value })} />
          {write && (
            <button class="btn primary" type="button" onClick={() => setStarting(true)}>
              <Icon name="plus" />
              Start a session…
            </button>
          )}
        </div>
      </div>
      <section class="card" aria-labelledby="sessions">
        <div class="card-head">
          <h2 class="t-head" id="sessions">
            Sessions
          </h2>
          {sessions.data && <span class="badge">{sessions.data.sessions.length}</span>}
        </div>
        <Loaded query={sessions} what="The sessions could not be listed.">
          {(page) => (page.sessions.length === 0 ? <p class="omit">{filter === 'active' ? 'No session is live. Start one here, or with `soul session start`.' : 'No sessions.'}</p> : <SessionTable sessions={page.sessions} chosen={query.get('id')} />)}
        </Loaded>
      </section>
      <Tasks />
      <Note icon="info">A session keeps the soul that it was bound to, whatever happens to the file. Each run records the soul that claimed it.</Note>
      {starting && <StartSession agent={null} onClose={() => setStarting(false)} />}
    </>
  );
}

export function AgentSessions({ name }: { name: string }) {
  const { write } = useCan();
  const { query } = usePlace();
  const filter = (query.get('state') as Filter | null) ?? 'active';
  const sessions = useSessions(name, filter);
  const [starting, setStarting] = useState(false);
  const acts = write && (
    <button class="btn" type="button" onClick={() => setStarting(true)}>
      <Icon name="plus" />
      Start a session…
    </button>
  );
  return (
    <SoulFrame name={name} tab="sessions" acts={acts}>
      {() => (
        <>
          <section class="card" aria-labelledby="sessions">
            <div class="card-head">
              <h2 class="t-head" id="sessions">
                Sessions
              </h2>
              <Segmented label="Which sessions" value={filter} options={FILTERS} onChange={(value) => setQuery({ state: value === 'active' ? null : value })} />
            </div>
            <Loaded query={sessions} what="The sessions could not be listed.">
              {(page) => (page.sessions.length === 0 ? <p class="omit">No {filter === 'active' ? 'live' : filter === 'stopped' ? 'stopped' : ''} sessions of this agent.</p> : <SessionTable sessions={page.sessions} />)}
            </Loaded>
          </section>
          <Note icon="info">A session keeps the soul that it was bound to, whatever happens to the file.</Note>
          {starting && <StartSession agent={name} onClose={() => setStarting(false)} />}
        </>
      )}
    </SoulFrame>
  );
}
