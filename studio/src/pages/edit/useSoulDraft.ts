// The text in the editor: what it began with, what it is now, and whether the file changed meanwhile.

import { useEffect, useRef, useState } from 'preact/hooks';
import type { SoulText } from '../../api/types.ts';
import { agentSubject, dropDraft, keepDraft, loadDraft } from '../../drafts.ts';

export type Base = { text: string; digest: string | null; present: boolean };

export type SoulDraft = {
  text: string;
  base: Base;
  dirty: boolean;
  /** The file is no longer what the draft began with. */
  behind: boolean;
  /** When a draft of an earlier visit was put back. */
  restored: Date | null;
  /** False if the storage of this browser is full. */
  kept: boolean;
  edit(text: string): void;
  /** Drops the draft and shows the file. */
  discard(): void;
  /** After a save, or to begin anew from another text. */
  rebase(base: Base, text?: string): void;
};

const baseOf = (saved: SoulText): Base => ({ text: saved.text ?? '', digest: saved.raw_digest ?? saved.digest, present: saved.text !== null });

export function useSoulDraft(name: string, saved: SoulText): SoulDraft {
  const subject = agentSubject(name);
  const start = () => {
    const draft = loadDraft(subject);
    if (draft && draft.text !== (saved.text ?? '')) {
      const same = draft.baseDigest === (saved.raw_digest ?? saved.digest);
      return { text: draft.text, base: same ? baseOf(saved) : { text: draft.base, digest: draft.baseDigest, present: draft.baseDigest !== null }, restored: new Date(draft.at) };
    }
    return { text: saved.text ?? '', base: baseOf(saved), restored: null as Date | null };
  };
  const [state, setState] = useState(start);
  const [kept, setKept] = useState(true);
  const dirty = state.text !== state.base.text;
  const current = saved.raw_digest ?? saved.digest;

  // The file changed while nothing was written here: follow it.
  useEffect(() => {
    setState((old) => (old.text === old.base.text && old.base.digest !== current ? { text: saved.text ?? '', base: baseOf(saved), restored: null } : old));
  }, [current, saved.text]);

  // A draft is written to the storage a moment after the last key, and at once when the page goes away.
  const latest = useRef(state);
  latest.current = state;
  const store = () => {
    const { text, base } = latest.current;
    if (text === base.text) dropDraft(subject);
    else setKept(keepDraft(subject, { text, base: base.text, baseDigest: base.digest, at: new Date().toISOString() }));
  };
  useEffect(() => {
    const timer = setTimeout(store, 300);
    return () => clearTimeout(timer);
  }, [state.text, state.base]);
  useEffect(() => {
    const hide = () => store();
    addEventListener('pagehide', hide);
    document.addEventListener('visibilitychange', hide);
    return () => {
      removeEventListener('pagehide', hide);
      document.removeEventListener('visibilitychange', hide);
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
    base: state.base,
    dirty,
    behind: dirty && state.base.digest !== current,
    restored: dirty ? state.restored : null,
    kept,
    edit: (text) => setState((old) => ({ ...old, text })),
    discard: () => setState({ text: saved.text ?? '', base: baseOf(saved), restored: null }),
    rebase: (base, text = base.text) => setState({ text, base, restored: null }),
  };
}
