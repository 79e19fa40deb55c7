// A soul of the library as it reads, and what can be done with it.

import { useState } from 'preact/hooks';
import { ApiError, post, request, soulPath } from '../../api/client.ts';
import { invalidatePrefix, useGet } from '../../api/query.ts';
import type { HistoryPage, LibrarySelection, LibrarySoul, ScanReport } from '../../api/types.ts';
import { deleteLibrarySoul } from '../../authoring.ts';
import { Badge, Grade } from '../../components/controls.tsx';
import { Menu } from '../../components/Menu.tsx';
import { Sigil } from '../../components/Sigil.tsx';
import { Failed, Loaded } from '../../components/states.tsx';
import { Other, Reading, Time } from '../../components/Text.tsx';
import { useCan } from '../../identity.ts';
import { navigate } from '../../router.ts';
import { libraryUrl } from '../../routes.ts';
import { toast } from '../../shell/toasts.ts';
import { amount, isOutside, short, who } from '../../words.ts';
import { NewAgent } from '../agents/NewAgent.tsx';
import { NewSoul } from './NewSoul.tsx';

/** Selects a soul, or none. */
export async function select(id: string | null, name: string) {
  await request('PATCH', '/api/v1/settings/agent', { selectedSoulId: id ?? '' });
  invalidatePrefix('/api/v1/settings/agent', '/api/events');
  toast(id === null ? 'No soul is selected' : `${name} is selected`);
}

function Card({ soul, selection }: { soul: LibrarySoul; selection: LibrarySelection | undefined }) {
  const { write } = useCan();
  const [making, setMaking] = useState<'agent' | 'copy' | null>(null);
  const [error, setError] = useState<ApiError | null>(null);
  const history = useGet<HistoryPage>(soulPath(soul.id, 'history?limit=1'));
  const scan = useGet<ScanReport>(soulPath(soul.id, 'scan'));
  const last = history.data?.revisions[0];
  const selected = selection?.selectedSoulId === soul.id;
  const attempt = (task: Promise<unknown>) => {
    setError(null);
    task.catch((cause: unknown) => cause instanceof ApiError && setError(cause));
  };
  const start = async () => {
    await post('/api/sessions', { soul: soul.id });
    invalidatePrefix('/api/sessions', '/api/events');
    toast(`A session on ${soul.name} was started`, { label: 'See it', run: () => navigate('/sessions') });
  };
  const grade = scan.data?.targets[0]?.grade;
  return (
    <section class="card" aria-labelledby="library-name">
      <div class="card-head">
        <Sigil kind="library" parts={soul.parts ?? null} digest={soul.digest} hue={soul.hue} size={40} />
        <div class="grow">
          <h2 class="t-name clamp" id="library-name">
            <Other text={soul.name} />
          </h2>
          <span class="t-cap dimmer mono">
            {soul.id}
            {soul.digest && ` · ${short(soul.digest)}`} · souls/{soul.id}.md
          </span>
        </div>
        {write && (
          <>
            <a class="btn" href={libraryUrl(soul.id, 'edit')}>
              Edit
            </a>
            <button class="btn hide-s" type="button" onClick={() => setMaking('copy')}>
              Duplicate…
            </button>
          </>
        )}
        <Menu
          label={`More for ${soul.name}`}
          items={[
            write && (selected ? { label: 'Clear the selection', run: () => attempt(select(null, '')) } : { label: 'Select it', run: () => attempt(select(soul.id, soul.name)) }),
            write && { label: 'Duplicate…', run: () => setMaking('copy') },
            { label: 'History', run: () => navigate(libraryUrl(soul.id, 'history')) },
            { label: 'Prompt', run: () => navigate(libraryUrl(soul.id, 'prompt')) },
            { label: 'Scan', run: () => navigate(libraryUrl(soul.id, 'scan')) },
            write && {
              label: 'Delete it',
              danger: true,
              run: () => attempt(deleteLibrarySoul(soul.id, soul.name, soul.digest).then(() => navigate('/library'))),
            },
          ]}
        />
      </div>
      {error && (
        <div class="card-pad">
          <Failed error={error} what="That did not happen." />
        </div>
      )}
      {soul.description && (
        <p class="card-pad dim">
          <Other text={soul.description} />
        </p>
      )}
      <Reading text={soul.content ?? ''} />
      <div class="card-foot">
        {selected && <Badge tone="accent">selected</Badge>}
        {grade && <Grade grade={grade} />}
        <span class="dim t-cap">
          {amount(Math.ceil(new TextEncoder().encode(soul.content ?? '').length / 4), 'token')}
          {last && (
            <>
              {isOutside(last.actor, last.origin) ? ' · edited outside ' : ' · changed '}
              <Time at={last.created_at} />
              {!isOutside(last.actor, last.origin) && (
                <>
                  {' '}
                  by <Other text={who(last.actor)} />
                </>
              )}
            </>
          )}
        </span>
        {write && (
          <span class="end row wrap">
            {!selected && (
              <button class="btn sm" type="button" onClick={() => attempt(select(soul.id, soul.name))}>
                Select it
              </button>
            )}
            <button class="btn quiet sm" type="button" onClick={() => attempt(start())}>
              Start a session on it
            </button>
            <button class="btn quiet sm" type="button" onClick={() => setMaking('agent')}>
              Make it an agent…
            </button>
          </span>
        )}
      </div>
      {making === 'agent' && <NewAgent origin={{ kind: 'library', id: soul.id }} onClose={() => setMaking(null)} />}
      {making === 'copy' && <NewSoul copy={soul} onClose={() => setMaking(null)} />}
    </section>
  );
}

export function SoulCard({ id, selection }: { id: string; selection: LibrarySelection | undefined }) {
  const query = useGet<LibrarySoul>(soulPath(id));
  return (
    <Loaded query={query} what="This soul could not be read.">
      {(soul) => <Card key={id} soul={soul} selection={selection} />}
    </Loaded>
  );
}
