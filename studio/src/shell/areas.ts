// The pages of the rail, in its order. A page whose data does not exist is not here.

import type { IconName } from '../components/Icon.tsx';

export type Area = { id: string; path: string; label: string; icon: IconName; key: string; group: 'Souls' | 'Life' | 'Supply' | 'Record' };

const ALL: readonly Area[] = [
  { id: 'agents', path: '/', label: 'Agents', icon: 'agents', key: 'a', group: 'Souls' },
  { id: 'library', path: '/library', label: 'Library', icon: 'library', key: 'l', group: 'Souls' },
  { id: 'proposals', path: '/proposals', label: 'Proposals', icon: 'proposals', key: 'p', group: 'Souls' },
  { id: 'memory', path: '/memory', label: 'Memory', icon: 'memory', key: 'm', group: 'Life' },
  { id: 'sessions', path: '/sessions', label: 'Sessions and tasks', icon: 'sessions', key: 's', group: 'Life' },
  { id: 'registry', path: '/registry', label: 'Registry', icon: 'registry', key: 'r', group: 'Supply' },
  { id: 'sync', path: '/sync', label: 'Sync', icon: 'sync', key: 'y', group: 'Supply' },
  { id: 'log', path: '/log', label: 'Log', icon: 'log', key: 'o', group: 'Record' },
  { id: 'settings', path: '/settings', label: 'Settings', icon: 'settings', key: ',', group: 'Record' },
];

// The build sets these from docs/openapi.json: a bundle for an API without the operations has no such pages.
declare const HAS_REGISTRY: boolean;
declare const HAS_SYNC: boolean;

const EXISTS: Record<string, boolean> = { registry: HAS_REGISTRY, sync: HAS_SYNC };

export const AREAS: readonly Area[] = ALL.filter((area) => EXISTS[area.id] ?? true);
