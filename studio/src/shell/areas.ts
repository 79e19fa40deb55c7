// The pages of the rail, in its order. A page whose data does not exist is not here.

import type { IconName } from '../components/Icon.tsx';

export type Area = { id: string; path: string; label: string; icon: IconName; key: string; group: 'Souls' | 'Life' | 'Supply' | 'Record' };

export const AREAS: readonly Area[] = [
  { id: 'agents', path: '/', label: 'Agents', icon: 'agents', key: 'a', group: 'Souls' },
  { id: 'library', path: '/library', label: 'Library', icon: 'library', key: 'l', group: 'Souls' },
  { id: 'proposals', path: '/proposals', label: 'Proposals', icon: 'proposals', key: 'p', group: 'Souls' },
  { id: 'memory', path: '/memory', label: 'Memory', icon: 'memory', key: 'm', group: 'Life' },
  { id: 'sessions', path: '/sessions', label: 'Sessions and tasks', icon: 'sessions', key: 's', group: 'Life' },
  { id: 'log', path: '/log', label: 'Log', icon: 'log', key: 'o', group: 'Record' },
  { id: 'settings', path: '/settings', label: 'Settings', icon: 'settings', key: ',', group: 'Record' },
];
