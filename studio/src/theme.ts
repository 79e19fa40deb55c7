// Light, dark, or what the system says.

export const THEME_KEY = 'soulkeeper.theme';

export function showTheme(chosen: string | null) {
  if (chosen === 'light' || chosen === 'dark') document.documentElement.dataset['theme'] = chosen;
  else delete document.documentElement.dataset['theme'];
}
