// One event stream for each browser. The tab that has the lock holds it and passes events on to the others.

import { away, get, signedOut, url } from '../api/client.ts';
import type { EventKind, EventPage, SoulEvent } from '../api/types.ts';
import { store } from '../store.ts';

export type LiveState = 'connecting' | 'live' | 'polling' | 'away';
export const live = store<LiveState>('connecting');

/** A browser delivers a named event only to a listener of that name; the type makes sure that none is missing. */
const KINDS = {
  'soul.put': 1, 'soul.delete': 1, 'soul.rollback': 1, 'soul.adopt': 1, 'soul.dropped': 1, 'soul.poison': 1, 'soul.edited': 1,
  'persona.adapt': 1, 'persona.revert': 1, 'persona.mood': 1, 'persona.overlay': 1, 'library.select': 1,
  'session.start': 1, 'session.spawn': 1, 'session.refresh': 1, 'session.resume': 1, 'session.stop': 1,
  'task.add': 1, 'run.claim': 1, 'run.renew': 1, 'run.finish': 1, 'run.expire': 1,
  'workspace.share': 1, 'workspace.fork': 1, 'workspace.adopt': 1, 'audit.repair': 1,
  'proposal.create': 1, 'proposal.accept': 1, 'proposal.reject': 1, 'token.create': 1, 'token.revoke': 1,
  'memory.add': 1, 'memory.forget': 1, 'memory.init': 1, 'memory.pull': 1, 'memory.push': 1, 'memory.fail': 1,
  'sync.init': 1, 'sync.pull': 1, 'sync.publish': 1, 'sync.conflict': 1, 'sync.resolve': 1, 'sync.discard': 1, 'sync.forget': 1,
  'sync.delete': 1, 'sync.move': 1, 'sync.fail': 1,
} satisfies Record<EventKind, 1>;

const POLL = 10_000;

type Message = { event: SoulEvent } | { state: LiveState } | { hello: true };

const listeners = new Set<(event: SoulEvent) => void>();
const channel = new BroadcastChannel('soulkeeper-events');
let last = 0;
let leading = false;

/** Calls `listener` for each event from now on. */
export function onEvent(listener: (event: SoulEvent) => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

function deliver(event: SoulEvent) {
  if (event.seq <= last) return;
  last = event.seq;
  for (const listener of [...listeners]) listener(event);
}

function say(state: LiveState) {
  live.set(state);
  if (leading) channel.postMessage({ state } satisfies Message);
}

channel.addEventListener('message', ({ data }: MessageEvent<Message>) => {
  if ('event' in data) deliver(data.event);
  else if ('state' in data) live.set(data.state);
  else if (leading) channel.postMessage({ state: live.get() } satisfies Message);
});

function receive(event: SoulEvent) {
  if (event.seq <= last) return;
  deliver(event);
  channel.postMessage({ event } satisfies Message);
}

/** Where the stream begins: what happened before the page was opened is not news. */
async function begin() {
  if (last > 0) return;
  const page = await get<EventPage>(url('/api/events', { limit: 1 }));
  last = page.events[page.events.length - 1]?.seq ?? page.next ?? 0;
}

async function poll() {
  try {
    const page = await get<EventPage>(url('/api/events', { after: last, limit: 200 }));
    for (const event of page.events) receive(event);
    say('polling');
  } catch {
    say('away');
  }
}

/** Until the next try: a while, or a sign-in. */
function pause(): Promise<void> {
  return new Promise((done) => {
    const finish = () => {
      clearTimeout(timer);
      forget();
      done();
    };
    const timer = setTimeout(finish, POLL);
    const forget = signedOut.listen(() => !signedOut.get() && finish());
  });
}

/** Holds a stream until it is closed for good; a short interruption is repaired by the browser itself. */
function stream(): Promise<void> {
  return new Promise((done) => {
    const source = new EventSource(url('/api/events', { after: last }));
    const forget = signedOut.listen(() => signedOut.get() && finish());
    const finish = () => {
      source.close();
      forget();
      done();
    };
    source.onopen = () => {
      away.set(null);
      say('live');
    };
    source.onerror = () => {
      if (source.readyState === EventSource.CLOSED) finish();
      else {
        say('away');
        away.set((since) => since ?? new Date());
      }
    };
    for (const kind of Object.keys(KINDS)) {
      source.addEventListener(kind, (message) => receive(JSON.parse((message as MessageEvent<string>).data) as SoulEvent));
    }
  });
}

async function lead() {
  leading = true;
  for (;;) {
    try {
      await begin();
      await stream();
    } catch {
      say('away');
    }
    // No stream: the server has too many of them, does not answer, or wants a sign-in. Asking tells which.
    if (!signedOut.get()) await poll();
    await pause();
  }
}

export function startEvents() {
  if (!('locks' in navigator)) {
    void lead();
    return;
  }
  void begin().catch(() => undefined);
  void navigator.locks.request('soulkeeper-events', lead);
  channel.postMessage({ hello: true } satisfies Message);
}
