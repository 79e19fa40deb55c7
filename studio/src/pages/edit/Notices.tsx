// What a person must know of a draft: refused, behind, back from an earlier visit, not kept.

import { useState } from 'preact/hooks';
import { Icon } from '../../components/Icon.tsx';
import { Failed } from '../../components/states.tsx';
import { Other, Time } from '../../components/Text.tsx';
import { amount } from '../../words.ts';
import { ForceDialog, type Saving } from './Save.tsx';
import type { SoulDraft } from './useSoulDraft.ts';

type Props = {
  draft: SoulDraft;
  saving: Saving;
  /** Whether the soul is there. */
  present: boolean;
  /** Who saved it last, if that is known. */
  changed: { by: string; at: string } | null;
  history: string;
  save: () => void;
  onMerge: () => void;
};

export function Notices({ draft, saving, present, changed, history, save, onMerge }: Props) {
  const [forcing, setForcing] = useState(false);
  return (
    <div class="notices">
      {saving.refusal?.kind === 'failed' && <Failed error={saving.refusal.error} what="The soul was not saved. Your text is kept in this browser." retry={saving.refusal.error.passing ? save : undefined} />}
      {saving.refusal?.kind === 'poisoned' && (
        <div class="note error" role="alert">
          <Icon name="warn" />
          <span class="grow">
            <b>The scanner refused this text, so nothing was saved.</b> {amount(saving.refusal.findings.length, 'finding')} below.
          </span>
          <button class="btn sm" type="button" onClick={() => setForcing(true)}>
            Save all the same…
          </button>
        </div>
      )}
      {draft.behind && !saving.busy && (
        <div class="strip" role="status">
          <Icon name="merge" />
          <span class="grow">
            {!present ? (
              <>This soul was deleted meanwhile. Your draft stays; saving creates it again.</>
            ) : changed ? (
              <>
                <b><Other text={changed.by} /></b> saved this <Time at={changed.at} />, while you were writing. Both texts are safe.
              </>
            ) : (
              <>The file was edited while you were writing. Both texts are safe.</>
            )}
          </span>
          <a class="btn sm" href={history}>
            Compare
          </a>
          {!present ? (
            <button class="btn sm" type="button" onClick={() => draft.rebase({ text: '', digest: null, present: false }, draft.text)}>
              Keep my draft
            </button>
          ) : (
            <button class="btn sm" type="button" onClick={onMerge}>
              Merge
            </button>
          )}
        </div>
      )}
      {draft.restored && !draft.behind && (
        <div class="strip view" role="status">
          <Icon name="info" />
          <span class="grow">
            Your draft from <Time at={draft.restored.toISOString()} /> is back.
          </span>
          <button class="btn sm" type="button" onClick={draft.discard}>
            Discard it
          </button>
        </div>
      )}
      {!draft.kept && (
        <div class="strip" role="alert">
          <Icon name="warn" />
          <span class="grow">The storage of this browser is full, so the draft is not kept. Save it, or copy it elsewhere, before you leave.</span>
        </div>
      )}
      {forcing && saving.refusal?.kind === 'poisoned' && (
        <ForceDialog findings={saving.refusal.findings} onClose={() => setForcing(false)} save={async (reason) => { await saving.save(reason); setForcing(false); }} />
      )}
    </div>
  );
}
