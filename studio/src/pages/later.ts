// Pages that are rarely the first one: a chunk of their own, fetched while the first page is read.

export { Delivery } from './delivery/Delivery.tsx';
export { LibrarySoulPage } from './library/LibrarySoulPage.tsx';
export { Log } from './log/Log.tsx';
export { Memory } from './memory/Memory.tsx';
export { Persona } from './persona/Persona.tsx';
export { Proposals } from './proposals/Proposals.tsx';
export { Registry } from './registry/Registry.tsx';
export { AgentSessions, Sessions } from './sessions/Sessions.tsx';
export { Sync } from './sync/Sync.tsx';
export { Kit } from './settings/Kit.tsx';
export { Settings } from './settings/Settings.tsx';
