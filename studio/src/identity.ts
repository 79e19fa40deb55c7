// Who is behind the page, and what they may do. Actions that are not granted are not shown.

import { useGet } from './api/query.ts';
import type { Whoami } from './api/types.ts';

export type Can = { write: boolean; admin: boolean; /** Null until it is known. */ me: Whoami | null };

export function useCan(): Can {
  const { data } = useGet<Whoami>('/api/whoami');
  if (!data) return { write: false, admin: false, me: null };
  return { write: data.grants.includes('soul.write'), admin: data.grants.includes('soul.admin'), me: data };
}
