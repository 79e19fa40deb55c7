// What this browser remembers about the person, never sent anywhere.

import { store, type Store } from './store.ts';

function remembered<T extends string>(key: string, values: readonly T[], fallback: T): Store<T> {
  let start: string | null = null;
  try {
    start = localStorage.getItem(`soulkeeper.${key}`);
  } catch {
    // A browser may forbid storage; the page works without.
  }
  const value = store<T>(values.includes(start as T) ? (start as T) : fallback);
  value.listen(() => {
    try {
      localStorage.setItem(`soulkeeper.${key}`, value.get());
    } catch {
      // Storage is full or forbidden: it holds for this visit.
    }
  });
  return value;
}

export const theme = remembered('theme', ['system', 'light', 'dark'], 'system');
export const singleKeys = remembered('keys', ['on', 'off'], 'on');
export const agentsView = remembered('agents', ['auto', 'cards', 'table'], 'auto');

export function applyTheme() {
  const show = () => {
    const chosen = theme.get();
    if (chosen === 'system') delete document.documentElement.dataset['theme'];
    else document.documentElement.dataset['theme'] = chosen;
  };
  show();
  theme.listen(show);
}
