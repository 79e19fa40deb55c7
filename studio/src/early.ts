// Runs before the page is painted: a reader who chose dark must not see a white page first.

import { showTheme, THEME_KEY } from './theme.ts';

try {
  showTheme(localStorage.getItem(THEME_KEY));
} catch {
  // A browser may forbid storage; the system decides then.
}
