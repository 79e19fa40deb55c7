// Back to an earlier text, after seeing what that changes.

import { useEffect, useState } from 'preact/hooks';
import { ApiError, post } from '../../api/client.ts';
import { invalidatePrefix } from '../../api/query.ts';
import type { Revision, RollbackPlan } from '../../api/types.ts';
import { mine } from '../../authoring.ts';
import { ActionDialog } from '../../components/Dialog.tsx';
import { Icon } from '../../components/Icon.tsx';
import { Meaning } from '../../components/Meaning.tsx';
import { Sigil } from '../../components/Sigil.tsx';
import { Failed } from '../../components/states.tsx';
import { Message } from '../../components/Text.tsx';
import { toast } from '../../shell/toasts.ts';
import type { HistorySubject } from './History.tsx';

export function Rollback({ subject, revision, newest, hue, onClose }: { subject: HistorySubject; revision: Revision; newest: number; hue: number | undefined; onClose: () => void }) {
  const [plan, setPlan] = useState<RollbackPlan | null>(null);
  const [refused, setRefused] = useState<ApiError | null>(null);
  useEffect(() => {
    subject.planRollback(revision).then(setPlan, (error: unknown) => error instanceof ApiError && setRefused(error));
  }, []);
  const run = async () => {
    const done = await subject.rollback(revision, plan);
    if (done) mine.add(done);
    invalidatePrefix('/api/');
    toast(`${subject.name} says again what revision ${revision.seq} said`);
  };
  return (
    <ActionDialog title={`Roll ${subject.name} back to revision ${revision.seq}?`} action="Roll back" failed="Nothing was rolled back." onClose={onClose} run={run} disabled={refused !== null || (plan === null && subject.hasPlan)} wide>
      {refused && (
        <>
          <Failed error={refused} what={refused.status === 422 ? "Today's rules do not allow this text." : 'What would change could not be read.'} />
          <ul class="stack-1">
            {[...(refused.body?.diagnostics ?? []), ...(refused.body?.error.findings ?? [])].slice(0, 5).map((one, i) => (
              <li key={i}>
                <Message text={one.message} />
              </li>
            ))}
          </ul>
        </>
      )}
      {plan && (
        <>
          <div class="versus">
            <Sigil kind={subject.kind} parts={plan.diff.from.parts ?? null} digest={plan.diff.from.digest} hue={hue} size={48} />
            <Icon name="arrow" />
            <Sigil kind={subject.kind} parts={plan.diff.to.parts ?? null} digest={plan.diff.to.digest} hue={hue} size={48} {...(plan.diff.changed_parts ? { changed: plan.diff.changed_parts } : {})} />
          </div>
          <div class="card">
            <Meaning changes={plan.diff.changes} />
          </div>
        </>
      )}
      {!refused && <p class="dim">It becomes revision {newest + 1}. Nothing is removed from the record.</p>}
    </ActionDialog>
  );
}

/** The rollback of an agent, with and without doing it. */
export const agentRollback = (path: string) => ({
  planRollback: (revision: Revision) => post<RollbackPlan>(path, { revision_id: revision.id, dry_run: true }),
  rollback: async (revision: Revision, plan: RollbackPlan | null) => {
    const expected = plan?.diff.from.raw_digest ?? plan?.diff.from.digest;
    const done = await post<{ revision: { id: string } }>(path, { revision_id: revision.id, ...(expected ? { expected_digest: expected } : {}) });
    return done.revision.id;
  },
});
