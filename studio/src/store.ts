// One observable value. All state that two components share is one of these.

import { useLayoutEffect, useState } from 'preact/hooks';

export type Store<T> = { get(): T; set(value: T | ((old: T) => T)): void; listen(listener: () => void): () => void };

export function store<T>(value: T): Store<T> {
  const listeners = new Set<() => void>();
  return {
    get: () => value,
    set(next) {
      const resolved = typeof next === 'function' ? (next as (old: T) => T)(value) : next;
      if (Object.is(resolved, value)) return;
      value = resolved;
      for (const listener of [...listeners]) listener();
    },
    listen(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
  };
}

export function useStore<T>(source: Store<T>): T {
  const [value, set] = useState(source.get);
  useLayoutEffect(() => {
    // It may have changed between the first drawing and now.
    set(() => source.get());
    return source.listen(() => set(() => source.get()));
  }, [source]);
  return value;
}
