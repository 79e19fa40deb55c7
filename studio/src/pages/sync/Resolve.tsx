// A conflict with the remote: on the merge page where there are two texts, in a dialog where one side has none.

import { useState } from 'preact/hooks';
import { ApiError, post } from '../../api/client.ts';
import { supersede, useGet } from '../../api/query.ts';
import type { Finding } from '../../api/types.ts';
import { Choice, TextField } from '../../components/controls.tsx';
import { ActionDialog } from '../../components/Dialog.tsx';
import { LineDiff } from '../../components/LineDiff.tsx';
import { Loaded } from '../../components/states.tsx';
import { Other, Time } from '../../components/Text.tsx';
import { navigate } from '../../router.ts';
import { hue } from '../../sigil.ts';
import { toast } from '../../shell/toasts.ts';
import { Merge } from '../merge/Merge.tsx';
import { ForceDialog } from '../edit/Save.tsx';
import type { SyncDiff, SyncItem } from './types.ts';

export const itemPath = (id: string, rest: string) => `/api/v1/sync/items/${encodeURIComponent(id)}/${rest}`;
export const refresh = () => supersede('/api/v1/', '/api/agents', '/api/events', '/api/audit/verify', '/api/proposals');

const resolve = async (id: string, answer: Record<string, unknown>) => {
  await post(itemPath(id, 'resolve'), answer);
  refresh();
};

export function MergeConflict({ item }: { item: SyncItem }) {
  const query = useGet<SyncDiff>(itemPath(item.itemId, 'diff'));
  const [refused, setRefused] = useState<{ text: string; findings: Finding[] } | null>(null);
  const [kind, name] = item.itemId.split('/') as [string, string];
  const of = kind === 'agents' ? 'agent' : 'library';
  const done = () => navigate('/sync');
  return (
    <Loaded query={query} what="The two texts could not be read.">
      {(diff) => (
        <>
          <Merge
            of={of === 'agent' ? { agent: name } : { soul: name }}
            kind={of}
            hue={hue('home', of, name)}
            base={diff.baseContent ?? ''}
            ours={diff.localContent}
            theirs={diff.remoteContent}
            captions={{
              theirs: <>on the remote, by <Other text={diff.remoteAuthor ?? 'another author'} />{item.conflictDetectedAt && <>, seen <Time at={item.conflictDetectedAt} /></>}</>,
              ours: 'on this machine',
            }}
            save={async (text) => {
              try {
                await resolve(item.itemId, { body: text });
              } catch (error) {
                if (error instanceof ApiError && error.code === 'soul_poisoned') setRefused({ text, findings: (error.body?.error.findings as Finding[] | undefined) ?? [] });
                throw error;
              }
              done();
              return `${item.itemId} is resolved; publish it to send it`;
            }}
            take={{
              label: 'Take theirs…',
              title: "Take the remote's text?",
              text: 'Your text stays in the history of the soul.',
              action: 'Take theirs',
              run: async () => {
                await resolve(item.itemId, { theirs: true });
                toast(`${item.itemId} has the text of the remote`);
                done();
              },
            }}
            frame={(acts, content) => (
              <>
                <div class="lead">
                  <div class="stack-1">
                    <h1 class="t-hero">
                      Merge <Other text={item.itemId} />
                    </h1>
                    <p class="dim">It was changed here and on the remote. Nothing is sent until you publish it.</p>
                  </div>
                  <div class="row wrap acts">{acts}</div>
                </div>
                {content}
              </>
            )}
          />
          {refused && (
            <ForceDialog
              findings={refused.findings}
              onClose={() => setRefused(null)}
              save={async (force) => {
                await resolve(item.itemId, { body: refused.text, force });
                done();
              }}
            />
          )}
        </>
      )}
    </Loaded>
  );
}

/** One side deleted the soul, or its text is refused: it is the one or the other. */
export function Resolve({ item, onClose }: { item: SyncItem; onClose: () => void }) {
  const diff = useGet<SyncDiff>(itemPath(item.itemId, 'diff'));
  const [answer, setAnswer] = useState<'ours' | 'theirs' | null>(null);
  const [force, setForce] = useState('');
  const refused = item.conflictReason === 'refused';
  const needsReason = refused && answer === 'theirs';
  const run = () => resolve(item.itemId, { [answer!]: true, ...(needsReason ? { force: force.trim() } : {}) });
  return (
    <ActionDialog
      title={`Resolve ${item.itemId}`}
      action="Resolve the conflict"
      failed="The conflict is not resolved. Both texts are safe."
      onClose={onClose}
      run={run}
      disabled={answer === null || (needsReason && force.trim() === '')}
      wide
    >
      <Loaded query={diff} what="The two texts could not be read.">
        {(found) => (
          <>
            <Choice
              label="Which text"
              class="choice"
              value={answer}
              onChange={setAnswer}
              options={[
                {
                  value: 'theirs',
                  title: 'Theirs',
                  text: <span class="dim t-cap">{item.conflictReason === 'deleted_there' ? 'deleted there: delete it here too' : <>by <Other text={found.remoteAuthor ?? 'the remote'} /></>}</span>,
                },
                { value: 'ours', title: 'Yours', text: <span class="dim t-cap">{item.conflictReason === 'deleted_here' ? 'deleted here: it stays deleted' : 'the text on this machine'}</span> },
              ]}
            />
            {item.conflictDetail && (
              <p class="dim">
                Their text is refused: <Other text={item.conflictDetail} />
              </p>
            )}
            {needsReason && <TextField label="Why is their text right all the same?" value={force} onInput={setForce} required hint="The reason goes on record with the revision." />}
            <LineDiff text={found.diff} />
            <p class="dim t-cap">What is not taken stays in the history of the soul.</p>
          </>
        )}
      </Loaded>
    </ActionDialog>
  );
}
