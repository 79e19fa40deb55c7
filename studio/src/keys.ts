// Keys and commands. A page lists its commands; the palette shows them, and their keys run them.

import { useLayoutEffect, useRef } from 'preact/hooks';
import { navigate } from './router.ts';
import { singleKeys } from './preferences.ts';
import { store } from './store.ts';
import { AREAS } from './shell/areas.ts';

export type Command = {
  label: string;
  /** A single character such as `n`, a named key such as `F8`, or `mod+s`. */
  key?: string;
  run: () => void;
};

export const commands = store<Command[][]>([]);
export const paletteOpen = store(false);
export const helpOpen = store(false);

/** Offers commands while the component is on the screen. */
export function useCommands(list: Command[]) {
  const ref = useRef(list);
  ref.current = list;
  const shape = list.map((command) => command.label).join('\n');
  useLayoutEffect(() => {
    // The functions change with every drawing, the entries only with their labels.
    const entry = ref.current.map((command, i) => ({ ...command, run: () => ref.current[i]?.run() }));
    commands.set((old) => [...old, entry]);
    return () => commands.set((old) => old.filter((one) => one !== entry));
  }, [shape]);
}

export const mac = /Mac|iPhone|iPad/.test(navigator.platform);

/** "⌘ S" or "Ctrl S". */
export const shown = (key: string) =>
  key.startsWith('mod+') ? `${mac ? '⌘' : 'Ctrl'} ${key.slice(4).toUpperCase()}` : key;

const typing = (target: EventTarget | null) =>
  target instanceof HTMLElement &&
  (target.isContentEditable || target instanceof HTMLTextAreaElement || target instanceof HTMLSelectElement ||
    (target instanceof HTMLInputElement && target.type !== 'radio' && target.type !== 'checkbox'));

/** `j`, `k` and the arrows move in the list that has `data-list`; its entries have `data-item`. */
function move(step: number): boolean {
  const items = [...document.querySelectorAll<HTMLElement>('[data-list] [data-item]')];
  if (items.length === 0) return false;
  const at = items.indexOf(document.activeElement as HTMLElement);
  const next = items[Math.max(0, Math.min(items.length - 1, at < 0 ? (step > 0 ? 0 : items.length - 1) : at + step))]!;
  next.focus();
  next.scrollIntoView({ block: 'nearest' });
  return true;
}

let leader = 0;

function press(event: KeyboardEvent) {
  if (event.defaultPrevented || event.isComposing) return;
  const mod = mac ? event.metaKey : event.ctrlKey;
  const dialog = document.querySelector('dialog[open]') !== null;
  if (mod && !event.altKey && event.key.toLowerCase() === 'k') {
    event.preventDefault();
    if (!dialog) paletteOpen.set(true);
    return;
  }
  if (dialog) return;
  const run = (key: string) => {
    const found = commands.get().flat().reverse().find((command) => command.key === key);
    if (!found) return false;
    event.preventDefault();
    found.run();
    return true;
  };
  if (mod && !event.altKey && !event.shiftKey && run(`mod+${event.key.toLowerCase()}`)) return;
  if (/^F\d+$/.test(event.key) && run(event.shiftKey ? `shift+${event.key}` : event.key)) return;
  if (event.key === 'Escape' && typing(event.target)) {
    if (event.target instanceof HTMLInputElement) event.target.blur();
    return;
  }
  if (event.ctrlKey || event.metaKey || event.altKey || typing(event.target)) return;
  if (event.key === 'Escape') {
    run('Escape');
    return;
  }
  if ((event.key === 'ArrowDown' || event.key === 'ArrowUp') && (document.activeElement as HTMLElement | null)?.dataset['item'] !== undefined) {
    if (move(event.key === 'ArrowDown' ? 1 : -1)) event.preventDefault();
    return;
  }
  if (singleKeys.get() === 'off') return;
  if (Date.now() - leader < 1500) {
    leader = 0;
    const area = AREAS.find((one) => one.key === event.key);
    if (area) {
      event.preventDefault();
      navigate(area.path);
    }
    return;
  }
  switch (event.key) {
    case 'g':
      leader = Date.now();
      return;
    case '/': {
      const field = document.querySelector<HTMLInputElement>('[data-search]');
      if (field) {
        event.preventDefault();
        field.focus();
        field.select();
      }
      return;
    }
    case '?':
      event.preventDefault();
      helpOpen.set(true);
      return;
    case 'j':
    case 'k':
      if (move(event.key === 'j' ? 1 : -1)) event.preventDefault();
      return;
    default:
      run(event.key);
  }
}

export const startKeys = () => addEventListener('keydown', press);
