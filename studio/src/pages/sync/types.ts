// The answers of sync, as far as the page shows them.

export type SyncItem = {
  itemId: string;
  status: 'conflict' | 'missing' | 'modified' | 'untracked' | 'synced';
  localHash?: string | null;
  lastSyncedHash?: string | null;
  lastSyncedAt?: string | null;
  modifiedAt?: string | null;
  remoteAuthor?: string | null;
  remoteMessage?: string | null;
};

export type SyncStatus = {
  enabled: boolean;
  repository?: string | null;
  branch?: string | null;
  lastSyncAt?: string | null;
  lastError?: string | null;
  counts?: { conflict: number };
  items: SyncItem[];
  autoSync?: { enabled: boolean; interval?: number | null };
};

export type SyncDiff = { localContent: string | null; remoteContent: string | null; remoteAuthor?: string | null; diff?: string | null };
