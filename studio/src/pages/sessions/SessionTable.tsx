// Sessions: which soul each is bound to, and whether the file has changed since.

import { useState } from 'preact/hooks';
import { ApiError, post, url } from '../../api/client.ts';
import { invalidatePrefix, useGet } from '../../api/query.ts';
import type { AgentList, ListedSession, RunPage, SoulDiff } from '../../api/types.ts';
import { Badge } from '../../components/controls.tsx';
import { ActionDialog } from '../../components/Dialog.tsx';
import { Meaning } from '../../components/Meaning.tsx';
import { changedLabel, Sigil } from '../../components/Sigil.tsx';
import { Loaded } from '../../components/states.tsx';
import { Other, Time } from '../../components/Text.tsx';
import { useNow } from '../../components/useNow.ts';
import { useCan } from '../../identity.ts';
import { agentUrl, libraryUrl } from '../../routes.ts';
import { changedParts, hue as hueOf } from '../../sigil.ts';
import { list, shortId, span } from '../../words.ts';
import { toast } from '../../shell/toasts.ts';

const REASONS: Record<string, string> = { selected: 'because it is selected', default: 'the default', requested: 'as asked for' };

function Doing({ session }: { session: ListedSession }) {
  const now = useNow();
  const runs = useGet<RunPage>(session.run ? url('/api/runs', { session_id: session.id, limit: 1 }) : null);
  if (session.state === 'stopped') return <span class="dim">stopped {session.stopped_at && <Time at={session.stopped_at} />}</span>;
  if (!session.run) return <span class="dim">idle</span>;
  const run = runs.data?.runs.find((one) => one.id === session.run);
  if (!run) return <Badge tone="accent">run</Badge>;
  const left = new Date(run.lease_expires_at).getTime() - now.getTime();
  return (
    <>
      <Badge tone="accent">run</Badge> <span class="dim">{left > 0 ? `lease ends in ${span(left)}` : 'the lease has ended'}</span>
    </>
  );
}

function Refresh({ session, onClose }: { session: ListedSession; onClose: () => void }) {
  const name = session.agent!;
  const from = session.soul_snapshot_id ?? session.soul_digest ?? 'file';
  const diff = useGet<SoulDiff>(url(`/api/agents/${encodeURIComponent(name)}/soul/diff`, { from, to: 'file' }));
  const run = async () => {
    await post(`/api/sessions/${session.id}/soul/refresh`, {});
    invalidatePrefix('/api/sessions', '/api/agents', '/api/events');
    toast(`The session of ${name} runs on the current soul`);
  };
  return (
    <ActionDialog title={`Refresh the session of ${name}?`} action="Refresh the session" failed="The session was not refreshed." onClose={onClose} run={run} wide>
      <p class="dim">It is bound to the soul as it is in the file now. This is what changes for it:</p>
      <Loaded query={diff} what="The two texts could not be compared.">
        {(found) => (
          <div class="card">
            <Meaning changes={found.changes} />
          </div>
        )}
      </Loaded>
    </ActionDialog>
  );
}

export function SessionTable({ sessions, chosen = null }: { sessions: ListedSession[]; chosen?: string | null }) {
  const { write } = useCan();
  const agents = useGet<AgentList>('/api/agents?summaries=true').data?.agents ?? [];
  const [refreshing, setRefreshing] = useState<ListedSession | null>(null);
  const [error, setError] = useState<string | null>(null);
  const act = (session: ListedSession, what: 'stop' | 'resume') => {
    setError(null);
    post(`/api/sessions/${session.id}/${what}`, {}).then(
      () => invalidatePrefix('/api/sessions', '/api/agents', '/api/events'),
      (cause: unknown) => cause instanceof ApiError && setError(cause.message),
    );
  };
  return (
    <>
      {error && (
        <p class="card-pad is-error" role="alert">
          {error}
        </p>
      )}
      <table class="table stacked one sess">
        <thead>
          <tr>
            <th>Session</th>
            <th>Its soul</th>
            <th>Bound</th>
            <th>Now</th>
            <th class="r">
              <span class="vh">Actions</span>
            </th>
          </tr>
        </thead>
        <tbody data-list>
          {sessions.map((session) => {
            const agent = agents.find((one) => one.name === session.agent);
            const source = session.soul_source;
            const changed = session.behind && session.parts && session.current_parts ? changedParts(session.parts, session.current_parts) : null;
            const kind = session.agent === null ? 'library' : 'agent';
            const name = session.agent ?? source?.id ?? 'no soul';
            return (
              <tr key={session.id} class={session.id === chosen ? 'chosen' : ''}>
                <td>
                  <div class="row-3">
                    <Sigil
                      kind={kind}
                      parts={session.parts ?? null}
                      digest={session.soul_digest}
                      hue={session.hue ?? agent?.hue ?? hueOf(session.scope, kind, name)}
                      size={40}
                      {...(changed ? { changed, label: changedLabel(changed) } : {})}
                    />
                    <div>
                      <b>
                        <a href={session.agent === null ? (source && source.reason !== 'built-in' ? libraryUrl(source.id) : '/library') : agentUrl(session.agent, 'sessions')} data-item>
                          <Other text={agent?.display_name ?? name} />
                        </a>
                      </b>
                      <br />
                      <span class="t-cap dimmer mono nowrap" title={session.id}>
                        {shortId(session.id)}
                      </span>
                    </div>
                  </div>
                </td>
                <td>
                  {session.behind ? <Badge tone="warn">behind</Badge> : <Badge tone="ok">current</Badge>}{' '}
                  <span class="dim">
                    {session.behind && (changed && changed.length > 0 ? `${list(changed)} changed in the file since` : 'the file has changed since')}
                    {!session.behind && source && (
                      <>
                        {source.reason === 'built-in' ? 'the built-in soul' : <><Other text={source.id} />, {REASONS[source.reason] ?? source.reason}</>}
                      </>
                    )}
                    {!session.behind && session.persona?.mood && (
                      <>
                        mood <Other text={session.persona.mood} />
                      </>
                    )}
                  </span>
                </td>
                <td class="dim">
                  <Time at={session.captured_at} />
                </td>
                <td>
                  <Doing session={session} />
                </td>
                <td class="r">
                  {write && (
                    <span class="row">
                      {session.state === 'active' && session.agent !== null && session.behind && (
                        <button class="btn sm" type="button" aria-disabled={!!session.run} title={session.run ? 'A run is under way; refresh after it' : undefined} onClick={() => !session.run && setRefreshing(session)}>
                          Refresh…
                        </button>
                      )}
                      {session.state === 'active' ? (
                        <button class="btn quiet sm" type="button" onClick={() => act(session, 'stop')}>
                          Stop
                        </button>
                      ) : (
                        <button class="btn quiet sm" type="button" onClick={() => act(session, 'resume')}>
                          Resume
                        </button>
                      )}
                    </span>
                  )}
                </td>
              </tr>
            );
          })}
        </tbody>
      </table>
      {refreshing && <Refresh session={refreshing} onClose={() => setRefreshing(null)} />}
    </>
  );
}
