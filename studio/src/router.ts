// Where the person is. All state worth sharing is in the address, so the back button and a copied link work.

import { store, useStore } from './store.ts';

export type Place = { path: string; query: URLSearchParams };

const here = (): Place => ({ path: location.pathname, query: new URLSearchParams(location.search) });

export const place = store<Place>(here());
export const usePlace = () => useStore(place);

export function navigate(url: string, replace = false) {
  if (replace) history.replaceState(null, '', url);
  else history.pushState(null, '', url);
  const before = place.get().path;
  place.set(here());
  if (location.pathname !== before) {
    window.scrollTo(0, 0);
    // A reader begins at the new page, not at the link that was left.
    requestAnimationFrame(() => document.getElementById('main')?.focus({ preventScroll: true }));
  }
}

/** The current address with some of its query changed; null removes a key. */
export function withQuery(changes: Record<string, string | null>): string {
  const query = new URLSearchParams(location.search);
  for (const [key, value] of Object.entries(changes)) {
    if (value === null || value === '') query.delete(key);
    else query.set(key, value);
  }
  const text = query.toString();
  return location.pathname + (text ? `?${text}` : '');
}

/** Typing into a filter replaces the address, so that Back leaves the page instead of undoing letters. */
export const setQuery = (changes: Record<string, string | null>) => navigate(withQuery(changes), true);

/** What the server answers itself: these links are followed by the browser. */
const OUTSIDE = /^\/(api|docs|mcp|studio|openapi\.json|healthz|readyz|metrics)(\/|$)/;

export function startRouter() {
  addEventListener('popstate', () => place.set(here()));
  document.addEventListener('click', (event) => {
    if (event.defaultPrevented || event.button !== 0 || event.metaKey || event.ctrlKey || event.shiftKey || event.altKey) return;
    const link = (event.target as Element).closest?.('a[href]');
    if (!(link instanceof HTMLAnchorElement) || link.target || link.origin !== location.origin) return;
    if (OUTSIDE.test(link.pathname) || link.hasAttribute('download')) return;
    if (link.hash && link.pathname === location.pathname && link.search === location.search) return;
    event.preventDefault();
    navigate(link.pathname + link.search);
  });
}
