// Where conflicts with the remote are resolved.

import type { SyncItem } from './types.ts';

export const mergeUrl = (id: string) => `/sync?item=${encodeURIComponent(id)}`;

/** Whether both sides have a text, so that they can be merged. */
export const canMerge = (item: SyncItem) => item.conflictReason === 'both_changed' || item.conflictReason === 'both_added';
