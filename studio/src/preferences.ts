// What this browser remembers about the person, never sent anywhere.

import { store, type Store } from './store.ts';
import { showTheme, THEME_KEY } from './theme.ts';

function remembered<T extends string>(key: string, values: readonly T[], fallback: T): Store<T> {
  let start: string | null = null;
  try {
    start = localStorage.getItem(key);
  } catch {
    // A browser may forbid storage; the page works without.
  }
  const value = store<T>(values.includes(start as T) ? (start as T) : fallback);
  value.listen(() => {
    try {
      localStorage.setItem(key, value.get());
    } catch {
      // Storage is full or forbidden: it holds for this visit.
    }
  });
  return value;
}

export const theme = remembered(THEME_KEY, ['system', 'light', 'dark'], 'system');
export const singleKeys = remembered('soulkeeper.keys', ['on', 'off'], 'on');
export const agentsView = remembered('soulkeeper.agents', ['auto', 'cards', 'table'], 'auto');

export function applyTheme() {
  const show = () => showTheme(theme.get());
  show();
  theme.listen(show);
}
