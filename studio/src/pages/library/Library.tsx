// The shared souls, one of which a session takes that has no agent.

import { useEffect, useState } from 'preact/hooks';
import { useGet } from '../../api/query.ts';
import type { LibrarySelection } from '../../api/types.ts';
import { Badge, SearchField } from '../../components/controls.tsx';
import { Icon } from '../../components/Icon.tsx';
import { Sigil } from '../../components/Sigil.tsx';
import { Failed, Loading, Note, NothingFound } from '../../components/states.tsx';
import { Message, Other } from '../../components/Text.tsx';
import { VirtualList } from '../../components/VirtualList.tsx';
import { useCan } from '../../identity.ts';
import { useCommands } from '../../keys.ts';
import { setQuery, usePlace } from '../../router.ts';
import { libraryUrl } from '../../routes.ts';
import { amount } from '../../words.ts';
import { NewSoul } from './NewSoul.tsx';
import { SoulCard } from './SoulCard.tsx';
import { useSouls } from './useSouls.ts';

const ROW = 64;

const REASONS: Record<string, string> = {
  selected: 'because it is selected',
  default: 'because nothing is selected and it is the default',
  'built-in': 'which is built in, because no soul is selected and the library has no default',
  requested: 'because it was asked for',
};

function Chosen({ selection }: { selection: LibrarySelection | undefined }) {
  const soul = selection?.soul;
  if (!soul) return null;
  return (
    <Note tone="accent" icon="info">
      A session without an agent uses <b><Other text={soul.name} /></b>, {REASONS[soul.reason] ?? ''}.
      {(soul.passedOver ?? []).filter((one) => one.id !== 'default').map((one) => (
        <span key={one.id}>
          {' '}
          <b>{one.id}</b> was skipped: <Message text={one.why} />.
        </span>
      ))}
    </Note>
  );
}

/** A value that has not changed for a while: what is found first is not read at every letter of a search. */
function useSettled<T>(value: T, milliseconds: number): T {
  const [settled, setSettled] = useState(value);
  useEffect(() => {
    const timer = setTimeout(() => setSettled(value), milliseconds);
    return () => clearTimeout(timer);
  }, [value, milliseconds]);
  return milliseconds === 0 ? value : settled;
}

export function Library({ id }: { id: string | null }) {
  const { query } = usePlace();
  const { write } = useCan();
  const q = query.get('q') ?? '';
  const souls = useSouls(q);
  const selection = useGet<LibrarySelection>('/api/v1/settings/agent').data;
  const [making, setMaking] = useState(false);
  useCommands(write ? [{ label: 'New library soul…', key: 'n', run: () => setMaking(true) }] : []);
  const shown = useSettled(id ?? selection?.selectedSoulId ?? souls.first?.souls[0]?.id ?? null, id === null && q !== '' ? 200 : 0);
  const skipped = souls.first?.skipped ?? [];
  return (
    <>
      <div class="lead">
        <div class="stack-1">
          <h1 class="t-hero">Library</h1>
          <p class="dim">Shared souls. Select the one that sessions without an agent use.</p>
        </div>
        <div class="tools">
          <SearchField label="Search the library" placeholder="Name, purpose, id or text" value={q} onInput={(value) => setQuery({ q: value })} />
          {write && (
            <button class="btn primary" type="button" onClick={() => setMaking(true)}>
              <Icon name="plus" />
              New soul
            </button>
          )}
        </div>
      </div>
      <Chosen selection={selection} />
      {souls.error && !souls.first && <Failed error={souls.error} what="The library could not be read." />}
      {!souls.first && !souls.error && <Loading />}
      {souls.first && souls.total === 0 && q !== '' && <NothingFound query={q} clear={() => setQuery({ q: null })} />}
      {souls.first && (souls.total > 0 || q === '') && (
        <div class={id === null ? 'stripe' : 'stripe one-open'}>
          <section class="card soul-list" aria-label="Souls">
            <VirtualList
              label={`${souls.total} souls`}
              total={souls.total}
              rowHeight={ROW}
              onRange={souls.see}
              item={souls.at}
              version={`${shown} ${selection?.selectedSoulId ?? ''} ${souls.total} ${souls.of}`}
              row={(soul) => {
                if (!soul) return <i class="sk w2" />;
                return (
                  <div class="pick" aria-current={soul.id === shown ? 'true' : undefined}>
                    <Sigil kind="library" parts={soul.parts ?? null} digest={soul.digest ?? null} hue={soul.hue} size={40} />
                    <div class="pick-text">
                      <a class="t-name" href={libraryUrl(soul.id) + (souls.of ? `?q=${encodeURIComponent(souls.of)}` : '')} data-item>
                        <Other text={soul.name} />
                      </a>
                      <span class="dim">
                        <Other text={soul.description ?? ''} />
                      </span>
                    </div>
                    {selection?.selectedSoulId === soul.id ? <Badge tone="accent">selected</Badge> : soul.id === 'default' ? <Badge tone="line">default</Badge> : <span />}
                  </div>
                );
              }}
            />
            <p class="omit" role="status">
              {amount(souls.total, 'soul')}
              {souls.of !== '' && ' found'}
            </p>
            {skipped.length > 0 && (
              <p class="omit">
                {skipped.length === 1 ? '1 file was skipped' : `${skipped.length} files were skipped`}:{' '}
                {skipped.slice(0, 3).map((file) => (
                  <span key={file.file}>
                    <code><Other text={file.file} /></code>, <Message text={file.reason} />.{' '}
                  </span>
                ))}
                <a class="link" href="/docs/library.md">
                  What to do
                </a>
              </p>
            )}
          </section>
          {shown !== null && (
            <div class="soul-open">
              <a class="btn quiet only-s" href="/library">
                <Icon name="back" />
                All souls
              </a>
              <SoulCard id={shown} selection={selection} />
            </div>
          )}
        </div>
      )}
      {making && <NewSoul copy={null} onClose={() => setMaking(false)} />}
    </>
  );
}
