// Changes that more than one page makes.

import { agentPath, get, post, request, soulPath } from './api/client.ts';
import { invalidatePrefix, supersede } from './api/query.ts';
import type { HistoryPage, InspectedSoul, LibrarySoul, RecordedChange, SoulText } from './api/types.ts';
import { attempt, toast } from './shell/toasts.ts';

/** Revisions made by this tab: they are not announced as news. */
export const mine = new Set<string>();

/** Two requests with one key are one change, so a save may be repeated after a broken connection. */
export function idempotencyKey(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(16));
  return `studio-${[...bytes].map((byte) => byte.toString(16).padStart(2, '0')).join('')}`;
}

export type Write = { body: string; expected_digest?: string; idempotency_key?: string; create?: boolean; message?: string; force?: string };

export async function writeSoul(agent: string, write: Write): Promise<RecordedChange> {
  const change = await request<RecordedChange>('PUT', agentPath(agent, 'soul'), write);
  mine.add(change.revision.id);
  supersede('/api/agents', '/api/events', '/api/audit/verify', '/api/sessions');
  return change;
}

/** The digest that a change of an agent has to name: of its text, or of the manifest of a package that has none. */
export async function expectedDigest(agent: string): Promise<{ expected_digest?: string }> {
  const { present, raw_digest } = await get<InspectedSoul>(agentPath(agent, 'soul'));
  return present && raw_digest ? { expected_digest: raw_digest } : {};
}

/** Deletes at once; the toast takes it back. */
export const deleteSoul = (agent: string) =>
  attempt(`The soul of ${agent} was not deleted.`, async () => {
    const text = await get<SoulText>(agentPath(agent, 'soul/text'));
    const change = await request<RecordedChange>('DELETE', agentPath(agent, 'soul'), { expected_digest: text.raw_digest ?? text.digest });
    mine.add(change.revision.id);
    invalidatePrefix('/api/');
    toast(`The soul of ${agent} was deleted`, {
      label: 'Undo',
      run: () =>
        attempt(`The soul of ${agent} was not restored. Its text is in the history.`, async () => {
          const page = await get<HistoryPage>(agentPath(agent, 'soul/history?limit=2'));
          const before = page.revisions.find((revision) => revision.action !== 'delete');
          if (before) await post(agentPath(agent, 'soul/rollback'), { revision_id: before.id, ...(await expectedDigest(agent)) });
          invalidatePrefix('/api/');
          toast(`${agent} is back`);
        }),
    });
  });

export async function deleteLibrarySoul(id: string, name: string, digest: string | null) {
  const page = await get<HistoryPage>(soulPath(id, 'history?limit=1'));
  const before = page.revisions[0];
  await request('DELETE', soulPath(id), digest === null ? {} : { expectedDigest: digest });
  invalidatePrefix('/api/');
  toast(`${name} was deleted`, {
    label: 'Undo',
    run: () =>
      attempt(`${name} was not restored. Its text is in the history.`, async () => {
        if (before) await post<LibrarySoul>(soulPath(id, 'rollback'), { revisionId: before.id });
        invalidatePrefix('/api/');
        toast(`${name} is back`);
      }),
  });
}
