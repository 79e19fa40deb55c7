// The first page: who is there, and who needs a person.

import { useEffect, useState } from 'preact/hooks';
import { useGet } from '../../api/query.ts';
import type { AgentList, AgentSummary, EventPage, ProposalPage, SessionPage } from '../../api/types.ts';
import { Icon } from '../../components/Icon.tsx';
import { Segmented, SearchField } from '../../components/controls.tsx';
import { EventSentence, EventSigil } from '../../components/EventLine.tsx';
import { LibrarySigil } from '../../components/LibrarySigil.tsx';
import { Sigil } from '../../components/Sigil.tsx';
import { Loaded, NothingFound } from '../../components/states.tsx';
import { Message, Time } from '../../components/Text.tsx';
import { useCan } from '../../identity.ts';
import { useCommands } from '../../keys.ts';
import { onEvent } from '../../live/events.ts';
import { agentsView } from '../../preferences.ts';
import { setQuery, usePlace } from '../../router.ts';
import { useStore } from '../../store.ts';
import { useConflicts } from '../sync/useConflicts.ts';
import { AgentSigil, Cards, Table } from './Cards.tsx';
import { needs, sentence, type Need } from './needs.ts';
import { NewAgent, type Origin } from './NewAgent.tsx';
import { Teach, Ways } from './Teach.tsx';

/** Above this many, a table is easier to read than cards. */
const MANY = 60;
/** Rows drawn at first; the rest follows a click. */
const DRAWN = 60;
const NEEDS = 5;

/** Names of agents that others changed in the last seconds, for the flash. */
function useFresh(): ReadonlySet<string> {
  const [fresh, setFresh] = useState<ReadonlySet<string>>(new Set());
  useEffect(
    () =>
      onEvent((event) => {
        const name = event.agent;
        if (name === null) return;
        setFresh((old) => new Set(old).add(name));
        setTimeout(() => setFresh((old) => new Set([...old].filter((one) => one !== name))), 1600);
      }),
    [],
  );
  return fresh;
}

function fits(agent: AgentSummary, filter: string): boolean {
  const text = `${agent.name} ${agent.display_name ?? ''} ${agent.role ?? ''} ${(agent.tone ?? []).join(' ')} ${agent.dialect ?? ''}`.toLowerCase();
  return filter.toLowerCase().split(/\s+/).every((word) => text.includes(word));
}

function NeedsYou({ list }: { list: Need[] }) {
  const [all, setAll] = useState(false);
  const shown = all ? list : list.slice(0, NEEDS);
  return (
    <section class="card" aria-labelledby="needs">
      <div class="card-head">
        <h2 class="t-head" id="needs">
          Needs you
        </h2>
        <span class="badge">{list.length}</span>
      </div>
      <ul class="attention">
        {shown.map((need) => (
          <li key={need.key}>
            {need.agent === null ? (
              <LibrarySigil id={need.soul ?? ''} size={40} />
            ) : need.changed ? (
              <Sigil parts={need.agent.parts ?? null} hue={need.agent.hue} size={40} changed={need.changed} />
            ) : (
              <AgentSigil agent={{ ...need.agent, findings: need.alarm ? 1 : 0 }} size={40} />
            )}
            <div class="say">
              <b>
                <Message text={need.title} />
              </b>
              <span class="dim">
                <Message text={need.why} />
              </span>
            </div>
            <a class="btn" href={need.href}>
              {need.action}
            </a>
          </li>
        ))}
      </ul>
      {list.length > shown.length && (
        <div class="card-foot">
          <button class="btn quiet sm" type="button" onClick={() => setAll(true)}>
            Show all {list.length}
          </button>
        </div>
      )}
    </section>
  );
}

function Recently() {
  const events = useGet<EventPage>('/api/events?kind=soul&limit=4&changes=true');
  const list = [...(events.data?.events ?? [])].reverse();
  if (list.length === 0) return null;
  return (
    <section class="card" aria-labelledby="recently">
      <div class="card-head">
        <h2 class="t-head" id="recently">
          Recently
        </h2>
        <a class="btn quiet sm" href="/log">
          Whole log
        </a>
      </div>
      <ul class="recent">
        {list.map((event) => (
          <li key={event.seq}>
            <EventSigil event={event} change={events.data?.changes?.[event.seq]} size={32} />
            <EventSentence event={event} change={events.data?.changes?.[event.seq]} />
            <Time at={event.time} />
          </li>
        ))}
      </ul>
    </section>
  );
}

export function Agents() {
  const query = useGet<AgentList>('/api/agents?summaries=true');
  const sessions = useGet<SessionPage>('/api/sessions?state=active&limit=200');
  const proposals = useGet<ProposalPage>('/api/proposals?state=pending');
  const conflicts = useConflicts();
  const { write } = useCan();
  const view = useStore(agentsView);
  const fresh = useFresh();
  const { query: address } = usePlace();
  const filter = address.get('q') ?? '';
  const [making, setMaking] = useState<Origin | null>(null);
  const [drawn, setDrawn] = useState(DRAWN);
  const create = () => setMaking({ kind: 'template' });
  const duplicate = (name: string) => setMaking({ kind: 'agent', name });
  useCommands(write ? [{ label: 'New agent…', key: 'n', run: create }] : []);
  return (
    <>
      <Loaded query={query} what="The agents could not be listed.">
        {({ agents }) => {
          if (agents.length === 0) return <Teach create={create} write={write} />;
          const waiting = needs(agents, sessions.data?.sessions ?? [], proposals.data?.proposals ?? [], conflicts);
          const needing = new Set(waiting.flatMap((need) => need.agent?.name ?? [])).size;
          const found = filter === '' ? agents : agents.filter((agent) => fits(agent, filter));
          const table = view === 'table' || (view === 'auto' && agents.length > MANY);
          const List = table ? Table : Cards;
          // A home with nothing but the example that came with it is as good as empty.
          const onlyExample = agents.every((agent) => agent.last_change?.origin.kind === 'seed');
          return (
            <>
              <div class="lead">
                <div class="stack-1">
                  <h1 class="t-hero">Agents</h1>
                  <p class="dim">{sentence(agents.length, needing)}</p>
                </div>
                <div class="tools">
                  <SearchField label="Filter agents" placeholder="Filter by name, role, tone" value={filter} onInput={(q) => setQuery({ q })} />
                  <Segmented class="hide-s" label="View" value={table ? 'table' : 'cards'} options={[['cards', 'Cards'], ['table', 'Table']]} onChange={(value) => agentsView.set(value)} />
                  {write && (
                    <button class="btn primary" type="button" onClick={create}>
                      <Icon name="plus" />
                      New agent
                    </button>
                  )}
                </div>
              </div>
              {waiting.length > 0 && filter === '' && <NeedsYou list={waiting} />}
              {found.length === 0 ? (
                <NothingFound query={filter} clear={() => setQuery({ q: null })} />
              ) : (
                <List agents={found.slice(0, drawn)} fresh={fresh} write={write} duplicate={duplicate} create={create} />
              )}
              {found.length > drawn && (
                <button class="btn center" type="button" onClick={() => setDrawn((n) => n + 4 * DRAWN)}>
                  Show {Math.min(4 * DRAWN, found.length - drawn)} more of {found.length}
                </button>
              )}
              {onlyExample && <Ways create={create} write={write} />}
              {filter === '' && <Recently />}
            </>
          );
        }}
      </Loaded>
      {making && <NewAgent origin={making} onClose={() => setMaking(null)} />}
    </>
  );
}
