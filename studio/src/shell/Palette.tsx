// The command palette: a combobox over commands, pages, souls, revisions, sessions and memory sections.

import type { ComponentChildren } from 'preact';
import { useEffect, useLayoutEffect, useRef, useState } from 'preact/hooks';
import { agentPath, get, post, url } from '../api/client.ts';
import { useGet } from '../api/query.ts';
import type { AgentList, HistoryPage, LibraryPage, MemorySearchPage, SessionPage } from '../api/types.ts';
import { Icon } from '../components/Icon.tsx';
import { Sigil } from '../components/Sigil.tsx';
import { Other } from '../components/Text.tsx';
import { commands, helpOpen, shown } from '../keys.ts';
import { navigate, place } from '../router.ts';
import { agentUrl, libraryUrl, route } from '../routes.ts';
import { action, short, shortId } from '../words.ts';
import { theme } from '../preferences.ts';
import { AREAS } from './areas.ts';

type Entry = { group: string; key: string; text: string; icon: ComponentChildren; label: ComponentChildren; end?: ComponentChildren; run: () => void };

const MOST = 8;

/** Whether each word of the query begins or is in the text. */
export function matches(query: string, text: string): boolean {
  const hay = text.toLowerCase();
  return query
    .toLowerCase()
    .split(/\s+/)
    .every((word) => hay.includes(word));
}

export function Palette({ onClose }: { onClose: () => void }) {
  const dialog = useRef<HTMLDialogElement>(null);
  const [query, setQuery] = useState('');
  // By key and not by place: results that arrive later do not change what Enter opens.
  const [chosen, setChosen] = useState<string | null>(null);
  const [library, setLibrary] = useState<LibraryPage['souls']>([]);
  const [sections, setSections] = useState<MemorySearchPage['results']>([]);
  const here = route(place.get().path);
  const agent = here.page === 'agent' ? here.name : null;
  const agents = useGet<AgentList>('/api/agents?summaries=true').data?.agents ?? [];
  const sessions = useGet<SessionPage>('/api/sessions?state=active&limit=200').data?.sessions ?? [];
  const revisions = useGet<HistoryPage>(agent === null ? null : agentPath(agent, 'soul/history?limit=20')).data;
  // Before the next key arrives, which belongs to the palette.
  useLayoutEffect(() => {
    const shown = dialog.current!;
    shown.showModal();
    return () => shown.close();
  }, []);
  useEffect(() => {
    if (query.trim().length < 2) {
      setLibrary([]);
      setSections([]);
      return;
    }
    const stop = new AbortController();
    const timer = setTimeout(() => {
      const quiet = () => undefined;
      get<LibraryPage>(url('/api/v1/settings/agent/souls', { q: query, perPage: 5 }), { signal: stop.signal }).then((page) => setLibrary(page.souls), quiet);
      if (query.trim().length > 2) {
        const found =
          agent === null
            ? post<MemorySearchPage>('/api/ops/memory.search', { query, limit: 4, all_agents: true }, { signal: stop.signal })
            : get<MemorySearchPage>(url(agentPath(agent, 'memory/search'), { query, limit: 4 }), { signal: stop.signal });
        found.then((page) => setSections(page.results), quiet);
      }
    }, 120);
    return () => {
      clearTimeout(timer);
      stop.abort();
    };
  }, [query]);

  const all: Entry[] = [];
  const add = (group: string, list: Omit<Entry, 'group'>[]) => {
    const fitting = query.trim() === '' ? list : list.filter((entry) => matches(query, entry.text));
    all.push(...fitting.slice(0, MOST).map((entry) => ({ ...entry, group })));
  };
  const command = <Icon name="arrow" />;
  add(
    'Commands',
    [
      ...commands.get().flat(),
      { label: 'Show the keys', key: '?', run: () => helpOpen.set(true) },
      { label: 'Use the dark theme', run: () => theme.set('dark') },
      { label: 'Use the light theme', run: () => theme.set('light') },
    ].map((one) => ({ key: one.label, text: one.label, icon: command, label: one.label, end: one.key && <kbd>{shown(one.key)}</kbd>, run: one.run })),
  );
  add(
    'Souls',
    agents.map((one) => ({
      key: one.name,
      text: `${one.name} ${one.display_name ?? ''} ${one.role ?? ''} ${one.digest ?? ''}`,
      icon: <Sigil parts={one.parts ?? null} digest={one.digest} hue={one.hue} size={24} />,
      label: (
        <>
          <Other text={one.display_name ?? one.name} /> <span class="dim"><Other text={one.role ?? ''} /></span>
        </>
      ),
      end: one.digest && <span class="digest">{short(one.digest)}</span>,
      run: () => navigate(agentUrl(one.name)),
    })),
  );
  if (agent !== null && query.trim() !== '') {
    add(
      'Revisions',
      (revisions?.revisions ?? []).map((one) => ({
        key: one.id,
        text: `${one.seq} ${one.summary ?? ''} ${one.actor.ref} ${one.id} ${one.message ?? ''}`,
        icon: <Sigil parts={one.parts ?? null} digest={one.new_digest} hue={revisions?.hue} size={24} {...(one.changed_parts ? { changed: one.changed_parts } : {})} />,
        label: (
          <>
            {action(one.action)} <span class="dim"><Other text={one.summary ?? ''} /></span>
          </>
        ),
        end: <span class="dim t-cap num">{one.seq}</span>,
        run: () => navigate(`${agentUrl(agent, 'history')}?to=${one.id}`),
      })),
    );
  }
  if (query.trim() !== '') {
    add(
      'Sessions',
      sessions.map((one) => ({
        key: one.id,
        text: `${one.id} ${one.agent ?? one.soul_source?.id ?? ''}`,
        icon: <Icon name="sessions" />,
        label: <Other text={one.agent ?? one.soul_source?.id ?? 'no agent'} />,
        end: <span class="mono t-cap dimmer">{shortId(one.id)}</span>,
        run: () => navigate(`/sessions?id=${one.id}`),
      })),
    );
  }
  add('Pages', AREAS.map((area) => ({ key: area.id, text: area.label, icon: <Icon name={area.icon} />, label: area.label, end: <kbd>g {area.key}</kbd>, run: () => navigate(area.path) })));
  // What is asked for while the person types comes last, so that it pushes nothing away.
  all.push(
    ...library.map((one) => ({
      group: 'Library',
      key: one.id,
      text: '',
      icon: <Sigil kind="library" parts={one.parts ?? null} digest={one.digest ?? null} hue={one.hue} size={24} />,
      label: <Other text={one.name} />,
      run: () => navigate(libraryUrl(one.id)),
    })),
  );
  all.push(
    ...sections.map((one) => ({
      group: 'Memory',
      key: `${one.agent ?? ''}${one.file}:${one.line}`,
      text: '',
      icon: <Icon name="memory" />,
      label: <Other text={one.heading_path.join(' › ') || one.file} />,
      end: <span class="mono t-cap dimmer"><Other text={`${one.file}:${one.line}`} /></span>,
      run: () => navigate(url('/memory', { agent: one.agent ?? agent ?? agents[0]?.name, q: query, file: one.file, line: one.line })),
    })),
  );

  const keyOf = (entry: Entry) => `${entry.group} ${entry.key}`;
  const at = Math.max(0, all.findIndex((entry) => keyOf(entry) === chosen));
  const choose = (entry: Entry | undefined) => {
    if (!entry) return;
    onClose();
    entry.run();
  };
  let group = '';
  return (
    <dialog ref={dialog} class="sheet palette" aria-label="Search or run a command" onCancel={(event) => { event.preventDefault(); onClose(); }} onClick={(event) => event.target === dialog.current && onClose()}>
      <div class="palette-in">
        <Icon name="search" />
        <input
          type="text"
          role="combobox"
          aria-label="Search or run a command"
          aria-expanded="true"
          aria-controls="palette-list"
          aria-activedescendant={all[at] ? `palette-${at}` : undefined}
          aria-autocomplete="list"
          placeholder="A soul, a revision, a session, a section, a command"
          autofocus
          autocomplete="off"
          spellcheck={false}
          value={query}
          onInput={(event) => {
            setQuery(event.currentTarget.value);
            setChosen(null);
          }}
          onKeyDown={(event) => {
            const step = event.key === 'ArrowDown' ? 1 : event.key === 'ArrowUp' ? -1 : 0;
            if (step !== 0) {
              event.preventDefault();
              const next = (at + step + all.length) % Math.max(1, all.length);
              if (all[next]) setChosen(keyOf(all[next]));
              document.getElementById(`palette-${next}`)?.scrollIntoView({ block: 'nearest' });
            } else if (event.key === 'Enter') {
              event.preventDefault();
              choose(all[at]);
            }
          }}
        />
      </div>
      <ul role="listbox" id="palette-list" aria-label="Results">
        {all.map((entry, i) => {
          const head = entry.group === group ? null : entry.group;
          group = entry.group;
          return (
            <>
              {head && (
                <li class="t-lab" role="presentation">
                  {head}
                </li>
              )}
              <li role="option" id={`palette-${i}`} key={keyOf(entry)} aria-selected={i === at} onClick={() => choose(entry)} onPointerMove={() => i !== at && setChosen(keyOf(entry))}>
                {entry.icon}
                <span class="grow">{entry.label}</span>
                {entry.end}
              </li>
            </>
          );
        })}
        {all.length === 0 && (
          <li role="presentation" class="dim">
            Nothing matches “<bdi>{query}</bdi>”.
          </li>
        )}
      </ul>
    </dialog>
  );
}

