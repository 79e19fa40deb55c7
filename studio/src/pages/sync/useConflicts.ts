// Conflicts with the remote, for pages that only count and name them.

import { useGet } from '../../api/query.ts';
import type { SyncItem, SyncStatus } from './types.ts';

declare const HAS_SYNC: boolean;

const STATUS = '/api/v1/sync/status';

export function useConflicts(): SyncItem[] {
  const status = useGet<SyncStatus>(HAS_SYNC ? STATUS : null).data;
  return status?.enabled ? status.items.filter((item) => item.status === 'conflict') : [];
}
