// The answers of sync.

import type { components } from '../../api/schema.ts';

type S = components['schemas'];

export type SyncItem = S['SyncItem'];
export type SyncStatus = S['SyncStatus'];
export type SyncDiff = S['SyncDiff'];
export type SyncResult = S['SyncResult'];
