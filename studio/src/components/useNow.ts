// The time for relative times. One timer for the whole page, slower than once in a second.

import { useEffect } from 'preact/hooks';
import { store, useStore } from '../store.ts';

const STEP = 15_000;
const now = store(new Date());
let users = 0;
let timer: ReturnType<typeof setInterval> | null = null;

export function useNow(): Date {
  useEffect(() => {
    users++;
    timer ??= setInterval(() => now.set(new Date()), STEP);
    return () => {
      if (--users > 0 || timer === null) return;
      clearInterval(timer);
      timer = null;
    };
  }, []);
  const shown = useStore(now);
  // A page may be opened long after the last step.
  return Date.now() - shown.getTime() > STEP ? new Date() : shown;
}
