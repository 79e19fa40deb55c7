// The text in the editor: what it began with, what it is now, and whether the file changed meanwhile.

import { useEffect, useLayoutEffect, useRef, useState } from 'preact/hooks';
import { dropDraft, keepDraft, loadDraft } from '../../drafts.ts';

export type Base = { text: string; digest: string | null; present: boolean };

export type SoulDraft = {
  text: string;
  /** Grows each time the text is replaced by anything but a key in the editor. */
  epoch: number;
  base: Base;
  dirty: boolean;
  /** The file is no longer what the draft began with. */
  behind: boolean;
  /** When a draft of an earlier visit was put back. */
  restored: Date | null;
  /** False if the storage of this browser is full. */
  kept: boolean;
  edit(text: string | ((old: string) => string)): void;
  /** Drops the draft and shows the file. */
  discard(): void;
  /** To begin anew from another text. */
  rebase(base: Base, text?: string): void;
  /** After a save: the file is `base` now. What was typed meanwhile stays, as a draft. */
  saved(base: Base): void;
};

/** What the server has: no text if there is no soul, and the digest that a save names. */
export type Saved = { text: string | null; digest: string | null };

const baseOf = (saved: Saved): Base => ({ text: saved.text ?? '', digest: saved.digest, present: saved.text !== null });

/** `subject` names the soul among the drafts of this browser. */
export function useSoulDraft(subject: string, saved: Saved): SoulDraft {
  const start = () => {
    const draft = loadDraft(subject);
    if (draft && draft.text !== (saved.text ?? '')) {
      const same = draft.baseDigest === saved.digest;
      return { text: draft.text, base: same ? baseOf(saved) : { text: draft.base, digest: draft.baseDigest, present: draft.baseDigest !== null }, restored: new Date(draft.at) };
    }
    return { text: saved.text ?? '', base: baseOf(saved), restored: null as Date | null };
  };
  const [state, setState] = useState(() => ({ ...start(), epoch: 0 }));
  const [kept, setKept] = useState(true);
  const dirty = state.text !== state.base.text;
  const current = saved.digest;

  // The file changed while nothing was written here, or to what is written here: follow it.
  useLayoutEffect(() => {
    setState((old) => (old.base.digest === current ? old : old.text === saved.text ? { ...old, base: baseOf(saved), restored: null } : old.text === old.base.text ? { text: saved.text ?? '', base: baseOf(saved), restored: null, epoch: old.epoch + 1 } : old));
  }, [current, saved.text]);

  // A draft is written to the storage a moment after a key, also while more are typed, and at once when the page goes away.
  const latest = useRef(state);
  latest.current = state;
  // Another tab may keep a draft of the same soul: a tab that has none removes none.
  const owns = useRef(state.restored !== null);
  const drop = () => {
    if (owns.current) dropDraft(subject);
    owns.current = false;
  };
  const store = () => {
    const { text, base } = latest.current;
    if (text === base.text) return drop();
    owns.current = true;
    setKept(keepDraft(subject, { text, base: base.text, baseDigest: base.digest, at: new Date().toISOString() }));
  };
  const soon = useRef<ReturnType<typeof setTimeout> | null>(null);
  useEffect(() => {
    soon.current ??= setTimeout(() => {
      soon.current = null;
      store();
    }, 300);
  }, [state.text, state.base]);
  useEffect(() => {
    const hide = () => store();
    addEventListener('pagehide', hide);
    document.addEventListener('visibilitychange', hide);
    return () => {
      removeEventListener('pagehide', hide);
      document.removeEventListener('visibilitychange', hide);
      if (soon.current !== null) clearTimeout(soon.current);
      store();
    };
  }, []);
  useEffect(() => {
    if (!dirty) return;
    const guard = (event: BeforeUnloadEvent) => event.preventDefault();
    addEventListener('beforeunload', guard);
    return () => removeEventListener('beforeunload', guard);
  }, [dirty]);

  return {
    text: state.text,
    epoch: state.epoch,
    base: state.base,
    dirty,
    behind: dirty && state.base.digest !== current,
    restored: dirty ? state.restored : null,
    kept,
    edit: (text) => setState((old) => ({ ...old, text: typeof text === 'function' ? text(old.text) : text })),
    discard: () => {
      drop();
      setState((old) => ({ text: saved.text ?? '', base: baseOf(saved), restored: null, epoch: old.epoch + 1 }));
    },
    rebase: (base, text = base.text) => {
      if (text === base.text) drop();
      setState((old) => ({ text, base, restored: null, epoch: old.epoch + 1 }));
    },
    saved: (base) => setState((old) => ({ ...old, base, restored: null })),
  };
}
