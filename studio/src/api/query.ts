// What was asked of the server, by path. Pages name paths; events name which paths changed, and only what is on the
// screen is asked for again.

import { useLayoutEffect, useReducer, useRef } from 'preact/hooks';
import { ApiError, get } from './client.ts';

type Entry = {
  data: unknown;
  error: ApiError | null;
  stale: boolean;
  asked: number;
  timer: ReturnType<typeof setTimeout> | null;
  running: boolean;
  /** Grows with each change that this page made itself: an answer from before it is out of date when it arrives. */
  generation: number;
  listeners: Set<() => void>;
};

/** At most one request for one thing in this time. */
const PAUSE = 250;
/** Answers kept for pages that are not open. */
const KEPT = 200;

const entries = new Map<string, Entry>();

function entry(path: string): Entry {
  let found = entries.get(path);
  if (!found) {
    found = { data: undefined, error: null, stale: true, asked: 0, timer: null, running: false, generation: 0, listeners: new Set() };
    entries.set(path, found);
    if (entries.size > KEPT) {
      for (const [key, old] of entries) {
        if (old.listeners.size === 0 && key !== path) {
          entries.delete(key);
          break;
        }
      }
    }
  }
  return found;
}

const tell = (found: Entry) => [...found.listeners].forEach((listener) => listener());

async function ask(path: string) {
  const found = entry(path);
  if (found.running || found.timer !== null) return;
  const wait = found.asked + PAUSE - Date.now();
  if (wait > 0) {
    found.timer = setTimeout(() => {
      found.timer = null;
      void ask(path);
    }, wait);
    return;
  }
  found.running = true;
  found.stale = false;
  found.asked = Date.now();
  const { generation } = found;
  try {
    const data = await get(path);
    if (generation === found.generation) found.data = data;
    found.error = null;
  } catch (error) {
    found.error = error instanceof ApiError ? error : new ApiError(0, 'studio', String(error), null, null);
  }
  found.running = false;
  tell(found);
  // It changed while it was read.
  if (found.stale && found.listeners.size > 0) void ask(path);
}

/** Asks again for every path that matches, now if it is on the screen and else when it is next. */
export function invalidate(matches: (path: string) => boolean) {
  for (const [path, found] of entries) {
    if (!matches(path)) continue;
    found.stale = true;
    if (found.listeners.size > 0) void ask(path);
  }
}

export const invalidatePrefix = (...prefixes: string[]) =>
  invalidate((path) => prefixes.some((prefix) => path === prefix || path.startsWith(prefix)));

/** After a change by this page: answers that are on their way were given before it, and are not shown. */
export function supersede(...prefixes: string[]) {
  for (const [path, found] of entries) if (prefixes.some((prefix) => path.startsWith(prefix))) found.generation++;
  invalidatePrefix(...prefixes);
}

/** Puts an answer where a request would have put it. */
export function remember(path: string, data: unknown) {
  const found = entry(path);
  found.data = data;
  found.error = null;
  found.stale = false;
  tell(found);
}

export type Query<T> = {
  data: T | undefined;
  error: ApiError | null;
  /** Whether nothing is known yet. */
  pending: boolean;
  reload: () => void;
};

/** The answer to GET `path`, kept up to date; null asks nothing. */
export function useGet<T>(path: string | null): Query<T> {
  const [, redraw] = useReducer((x: number) => x + 1, 0);
  const shown = useRef<{ path: string | null }>({ path: null });
  // With the drawing and not after it: a request that waits for the next frame is a frame late.
  useLayoutEffect(() => {
    shown.current.path = path;
    if (path === null) return;
    const found = entry(path);
    found.listeners.add(redraw as () => void);
    if (found.stale) void ask(path);
    else if (found.data !== undefined || found.error) (redraw as () => void)();
    return () => {
      found.listeners.delete(redraw as () => void);
    };
  }, [path]);
  const found = path === null ? null : entries.get(path);
  return {
    data: found?.data as T | undefined,
    error: found?.error ?? null,
    pending: path !== null && found?.data === undefined && !found?.error,
    reload: () => {
      if (path === null) return;
      entry(path).stale = true;
      void ask(path);
    },
  };
}

/** Empties everything, after the person behind the page has changed. */
export function forgetAll() {
  invalidate(() => true);
}
