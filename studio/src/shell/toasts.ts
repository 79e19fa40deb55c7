// What just happened, with a way to take it back. A toast never carries an error: those stay on the page.

import type { ComponentChildren } from 'preact';
import { ApiError } from '../api/client.ts';
import { store } from '../store.ts';

export type Toast = { id: number; text: ComponentChildren; action?: { label: string; run: () => void | Promise<void> } };

export const toasts = store<Toast[]>([]);
let next = 1;

export function toast(text: ComponentChildren, action?: Toast['action']) {
  const id = next++;
  // Three at a time: an older one has been read by now.
  toasts.set((old) => [...old.slice(-2), { id, text, ...(action ? { action } : {}) }]);
}

export const dismiss = (id: number) => toasts.set((old) => old.filter((one) => one.id !== id));

/** What an action outside of any dialog could not do. It stays on the page until it is read. */
export const failure = store<{ what: string; error: ApiError } | null>(null);

/** Runs such an action. */
export async function attempt(what: string, run: () => Promise<void>) {
  failure.set(null);
  try {
    await run();
  } catch (error) {
    if (!(error instanceof ApiError)) throw error;
    failure.set({ what, error });
  }
}

/** Said once to screen readers, politely. */
export const announcement = store('');
export function announce(text: string) {
  announcement.set('');
  setTimeout(() => announcement.set(text), 50);
}

/** Copies to the clipboard, also where a page on plain http has no clipboard of its own. */
export async function copy(text: string, what: string) {
  try {
    await navigator.clipboard.writeText(text);
  } catch {
    const area = document.createElement('textarea');
    area.value = text;
    area.className = 'vh';
    (document.querySelector('dialog[open]') ?? document.body).append(area);
    area.select();
    document.execCommand('copy');
    area.remove();
  }
  toast(`${what} was copied`);
}
