// A few more actions behind three dots.

import type { ComponentChildren } from 'preact';
import { useEffect, useRef, useState } from 'preact/hooks';
import { Icon } from './Icon.tsx';

export type MenuItem = { label: string; run: () => void; danger?: boolean } | false | null | undefined;

export function Menu({ label, items, children }: { label: string; items: MenuItem[]; children?: ComponentChildren }) {
  const [open, setOpen] = useState(false);
  const ref = useRef<HTMLDivElement>(null);
  useEffect(() => {
    if (!open) return;
    const away = (event: Event) => {
      if (!ref.current?.contains(event.target as Node)) setOpen(false);
    };
    addEventListener('pointerdown', away);
    addEventListener('focusin', away);
    ref.current?.querySelector<HTMLElement>('[role=menuitem]')?.focus();
    return () => {
      removeEventListener('pointerdown', away);
      removeEventListener('focusin', away);
    };
  }, [open]);
  const shown = items.filter((item): item is Exclude<MenuItem, false | null | undefined> => !!item);
  if (shown.length === 0) return null;
  const step = (event: KeyboardEvent) => {
    const all = [...ref.current!.querySelectorAll<HTMLElement>('[role=menuitem]')];
    const at = all.indexOf(document.activeElement as HTMLElement);
    if (event.key === 'ArrowDown') all[(at + 1) % all.length]?.focus();
    else if (event.key === 'ArrowUp') all[(at - 1 + all.length) % all.length]?.focus();
    else if (event.key === 'Escape') {
      setOpen(false);
      ref.current!.querySelector('button')?.focus();
    } else return;
    event.preventDefault();
    event.stopPropagation();
  };
  return (
    <div class="menu" ref={ref} onKeyDown={step}>
      <button class="btn quiet icon" type="button" aria-label={label} aria-haspopup="menu" aria-expanded={open} onClick={() => setOpen(!open)}>
        {children ?? <Icon name="more" />}
      </button>
      {open && (
        <ul role="menu" aria-label={label} class="sheet menu-list">
          {shown.map((item) => (
            <li key={item.label} role="none">
              <button
                type="button"
                role="menuitem"
                class={item.danger ? 'plain is-error' : 'plain'}
                onClick={() => {
                  setOpen(false);
                  item.run();
                }}
              >
                {item.label}
              </button>
            </li>
          ))}
        </ul>
      )}
    </div>
  );
}
