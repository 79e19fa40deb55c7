// Saving: the button, what keeps it, and what to do when the server refuses.

import { useRef, useState } from 'preact/hooks';
import { ApiError } from '../../api/client.ts';
import type { Finding } from '../../api/types.ts';
import { idempotencyKey } from '../../authoring.ts';
import { ActionDialog } from '../../components/Dialog.tsx';
import { TextField } from '../../components/controls.tsx';
import { Message } from '../../components/Text.tsx';
import { toast } from '../../shell/toasts.ts';
import { navigate } from '../../router.ts';
import type { Base, SoulDraft } from './useSoulDraft.ts';

export type Refusal = { kind: 'failed'; error: ApiError } | { kind: 'poisoned'; findings: Finding[] } | { kind: 'conflict' };

export type Saving = { busy: boolean; refusal: Refusal | null; save: (force?: string) => Promise<void>; clear: () => void };

/** What a save is asked to write. `key` names the attempt: two saves with one key are one change. */
export type Attempt = { text: string; base: Base; key: string; force: string | null };
/** What was saved, and how the toast says it. */
export type Outcome = { base: Base; said: string; see: string };

export function useSaving(draft: SoulDraft, write: (attempt: Attempt) => Promise<Outcome>, onConflict: () => void): Saving {
  const [busy, setBusy] = useState(false);
  const [refusal, setRefusal] = useState<Refusal | null>(null);
  // The same text is saved under the same key until an answer came: a save whose answer was lost is not made twice.
  const attempt = useRef<{ text: string; key: string } | null>(null);
  const save = async (force?: string) => {
    if (busy) return;
    setBusy(true);
    setRefusal(null);
    const text = draft.text;
    if (attempt.current?.text !== text || force) attempt.current = { text, key: idempotencyKey() };
    try {
      const { base, said, see } = await write({ text, base: draft.base, key: attempt.current.key, force: force ?? null });
      attempt.current = null;
      draft.saved(base);
      toast(said, { label: 'See the change', run: () => navigate(see) });
    } catch (error) {
      if (!(error instanceof ApiError)) throw error;
      // Without an answer it is unknown whether it was saved: the key is kept for the next attempt.
      if (error.status !== 0) attempt.current = null;
      if (error.status === 409) {
        setRefusal({ kind: 'conflict' });
        onConflict();
      } else if (error.code === 'soul_poisoned') {
        setRefusal({ kind: 'poisoned', findings: (error.body?.error.findings as Finding[] | undefined) ?? [] });
      } else setRefusal({ kind: 'failed', error });
    } finally {
      setBusy(false);
    }
  };
  return { busy, refusal, save, clear: () => setRefusal(null) };
}

/** Findings do not forbid a save to a person who says why. */
export function ForceDialog({ findings, save, onClose }: { findings: Finding[]; save: (reason: string) => Promise<void>; onClose: () => void }) {
  const [reason, setReason] = useState('');
  return (
    <ActionDialog title="Save despite the findings?" action="Save it" failed="The soul was not saved." danger onClose={onClose} disabled={reason.trim() === ''} run={() => save(reason.trim())}>
      <ul class="stack-2">
        {findings.slice(0, 5).map((finding) => (
          <li key={finding.fingerprint} class="row top">
            <code class="badge error">{finding.rule}</code>
            <span>
              <Message text={finding.message} /> <span class="dimmer">line {finding.line}</span>
            </span>
          </li>
        ))}
      </ul>
      <TextField label="Why is this text meant to be there?" value={reason} onInput={setReason} required autofocus hint="The reason goes on record with the revision." />
    </ActionDialog>
  );
}
