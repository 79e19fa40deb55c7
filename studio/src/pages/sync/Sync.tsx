// Souls that travel through git: what is ahead, behind or in conflict, and one action for each.

import { useState } from 'preact/hooks';
import { ApiError, post } from '../../api/client.ts';
import { useGet } from '../../api/query.ts';
import type { LibraryPage } from '../../api/types.ts';
import { Badge, TextField } from '../../components/controls.tsx';
import { ActionDialog } from '../../components/Dialog.tsx';
import { Icon } from '../../components/Icon.tsx';
import { Sigil } from '../../components/Sigil.tsx';
import { Failed, Loaded, Note } from '../../components/states.tsx';
import { Other, Time } from '../../components/Text.tsx';
import { useCan } from '../../identity.ts';
import { usePlace } from '../../router.ts';
import { hue } from '../../sigil.ts';
import { toast } from '../../shell/toasts.ts';
import { amount, capital, count, span } from '../../words.ts';
import { Command } from '../agents/Teach.tsx';
import { canMerge, mergeUrl } from './links.ts';
import { itemPath, MergeConflict, refresh, Resolve } from './Resolve.tsx';
import type { SyncItem, SyncResult, SyncStatus } from './types.ts';

const TONES = { conflict: 'error', missing: 'warn', modified: 'warn', untracked: 'line', synced: 'ok' } as const;
const ORDER = ['conflict', 'missing', 'modified', 'untracked', 'synced'];

const CONFLICTS = {
  both_changed: 'changed on both sides',
  both_added: 'added on both sides',
  deleted_there: 'deleted there, and still here',
  deleted_here: 'deleted here, and changed there',
  refused: 'their text is refused here',
} as const;

function Why({ item }: { item: SyncItem }) {
  switch (item.status) {
    case 'conflict':
      return (
        <>
          {CONFLICTS[item.conflictReason ?? 'both_changed']}; there by <Other text={item.remoteAuthor ?? 'another author'} />
          {item.remoteMessage && (
            <>
              : “<Other text={item.remoteMessage.trim()} />”
            </>
          )}
        </>
      );
    case 'modified':
      return <>changed here{item.modifiedAt && <> <Time at={item.modifiedAt} /></>}, not published</>;
    case 'untracked':
      return <>only here</>;
    case 'missing':
      return <>its file is gone; the next pull brings it back</>;
    case 'synced':
      return <>the remote has it{item.lastSyncedAt && <>, <Time at={item.lastSyncedAt} /></>}</>;
  }
}

function Publish({ items, onClose }: { items: string[]; onClose: () => void }) {
  const [message, setMessage] = useState('');
  const run = async () => {
    const said = message.trim() ? { message: message.trim() } : {};
    if (items.length === 1) await post(itemPath(items[0]!, 'publish'), said);
    else await post('/api/v1/sync/publish-all', said);
    refresh();
  };
  return (
    <ActionDialog title={items.length === 1 ? `Publish ${items[0]}` : `Publish ${items.length} souls`} action="Publish" failed="Nothing was published." onClose={onClose} run={run}>
      <TextField label="Message" value={message} onInput={setMessage} placeholder="optional" hint="The message of the commit." autofocus />
    </ActionDialog>
  );
}

function Items({ status, write, onPublish, onResolve, onPull }: { status: SyncStatus; write: boolean; onPublish: (ids: string[]) => void; onResolve: (item: SyncItem) => void; onPull: () => void }) {
  const souls = useGet<LibraryPage>('/api/v1/settings/agent/souls?perPage=100').data?.souls ?? [];
  const items = [...status.items].sort((a, b) => ORDER.indexOf(a.status) - ORDER.indexOf(b.status) || a.itemId.localeCompare(b.itemId));
  return (
    <section class="card" aria-label="Items">
      <table class="table stacked one">
        <thead>
          <tr>
            <th>What</th>
            <th>State</th>
            <th>Why</th>
            <th class="r">
              <span class="vh">Action</span>
            </th>
          </tr>
        </thead>
        <tbody>
          {items.map((item) => {
            const [kind, name] = item.itemId.split('/') as [string, string];
            const soul = souls.find((one) => one.id === name && kind === 'souls');
            const of = kind === 'agents' ? 'agent' : 'library';
            return (
              <tr key={item.itemId}>
                <td>
                  <div class="row-3">
                    <Sigil kind={of} parts={soul?.parts ?? null} digest={item.localHash ?? item.lastSyncedHash ?? null} hue={soul?.hue ?? hue('home', of, name)} size={32} />
                    <b>
                      <Other text={item.itemId} />
                    </b>
                  </div>
                </td>
                <td>
                  <Badge tone={TONES[item.status]}>{item.status}</Badge>
                </td>
                <td class="dim">
                  <Why item={item} />
                </td>
                <td class="r">
                  {item.status === 'conflict' && canMerge(item) && (
                    <a class="btn sm" href={mergeUrl(item.itemId)}>
                      <Icon name="merge" />
                      Merge
                    </a>
                  )}
                  {write && item.status === 'conflict' && !canMerge(item) && (
                    <button class="btn sm" type="button" onClick={() => onResolve(item)}>
                      Resolve…
                    </button>
                  )}
                  {write && item.status === 'missing' && (
                    <button class="btn sm" type="button" onClick={onPull}>
                      Bring it back
                    </button>
                  )}
                  {write && (item.status === 'modified' || item.status === 'untracked') && (
                    <button class="btn sm" type="button" onClick={() => onPublish([item.itemId])}>
                      Publish…
                    </button>
                  )}
                </td>
              </tr>
            );
          })}
        </tbody>
      </table>
    </section>
  );
}

export function Sync() {
  const query = useGet<SyncStatus>('/api/v1/sync/status');
  const merging = usePlace().query.get('item');
  const { write } = useCan();
  const [publishing, setPublishing] = useState<string[] | null>(null);
  const [resolving, setResolving] = useState<SyncItem | null>(null);
  const [error, setError] = useState<ApiError | null>(null);
  const [busy, setBusy] = useState(false);
  const pull = async () => {
    setBusy(true);
    setError(null);
    try {
      const result = await post<SyncResult>('/api/v1/sync/pull', {});
      toast(result.conflicts.length > 0 ? `${capital(amount(result.conflicts.length, 'conflict waits', 'conflicts wait'))}` : capital(result.message));
    } catch (cause) {
      if (cause instanceof ApiError) setError(cause);
    }
    setBusy(false);
    refresh();
  };
  return (
    <Loaded query={query} what="The state of sync could not be read.">
      {(status) => {
        const waiting = status.items.filter((item) => item.status === 'modified' || item.status === 'untracked').map((item) => item.itemId);
        const conflicts = status.counts?.conflict ?? 0;
        if (!status.enabled) {
          return (
            <div class="blank">
              <Sigil hue={0} size={96} state="none" />
              <div class="stack-2">
                <h1 class="t-hero">Sync is not set up</h1>
                <p class="dim measure">Souls travel through git: a team shares its library in a repository. An administrator connects it on the machine that runs the keeper.</p>
              </div>
              <Command text="soul sync init --remote git@example.com:team/souls.git" />
            </div>
          );
        }
        const open = status.items.find((item) => item.itemId === merging && item.status === 'conflict');
        if (open && canMerge(open)) return <MergeConflict key={open.itemId} item={open} />;
        return (
          <>
            <div class="lead">
              <div class="stack-1">
                <h1 class="t-hero">Sync</h1>
                <p class="dim">
                  {conflicts > 0 ? `${capital(count(conflicts, 'conflict waits', 'conflicts wait'))}. Nothing of yours is overwritten until you resolve it.` : waiting.length > 0 ? `${capital(amount(waiting.length, 'soul is', 'souls are'))} not published.` : 'Everything is in sync.'}
                </p>
              </div>
              {write && (
                <div class="tools">
                  <button class="btn" type="button" aria-disabled={busy} onClick={() => !busy && void pull()}>
                    {busy ? 'Pulling…' : 'Pull'}
                  </button>
                  {waiting.length > 0 && (
                    <button class="btn primary" type="button" onClick={() => setPublishing(waiting)}>
                      Publish {waiting.length}…
                    </button>
                  )}
                </div>
              )}
            </div>
            {error && <Failed error={error} what="The remote was not pulled. Nothing was changed here." retry={() => void pull()} />}
            {status.lastError && (
              <Note tone="warn" icon="warn">
                <Other text={status.lastError} />
              </Note>
            )}
            <section class="card card-pad" aria-label="Remote">
              <dl class="facts">
                <dt>Remote</dt>
                <dd class="mono">
                  <Other text={status.repository ?? ''} />, branch <Other text={status.branch ?? 'main'} />
                </dd>
                <dt>Last sync</dt>
                <dd>{status.lastSyncAt ? <Time at={status.lastSyncAt} /> : 'not yet'}</dd>
                <dt>By itself</dt>
                <dd>{status.autoSync?.enabled ? (status.autoSync.interval ? `every ${span(status.autoSync.interval * 1000)}` : 'yes') : 'no; see [sync] in config.toml'}</dd>
              </dl>
            </section>
            <Items status={status} write={write} onPublish={setPublishing} onResolve={setResolving} onPull={() => void pull()} />
            {(status.refused ?? []).length > 0 && (
              <section class="card" aria-labelledby="refused">
                <div class="card-head">
                  <h2 class="t-head" id="refused">
                    Not synced
                  </h2>
                  <span class="badge">{status.refused!.length}</span>
                </div>
                <ul class="checks">
                  {status.refused!.map((one) => (
                    <li key={one.path}>
                      <Icon name="warn" tone="warn" />
                      <code><Other text={one.path} /></code>
                      <span class="dim"><Other text={one.reason} /></span>
                    </li>
                  ))}
                </ul>
              </section>
            )}
            {publishing && <Publish items={publishing} onClose={() => setPublishing(null)} />}
            {resolving && <Resolve item={resolving} onClose={() => setResolving(null)} />}
          </>
        );
      }}
    </Loaded>
  );
}
