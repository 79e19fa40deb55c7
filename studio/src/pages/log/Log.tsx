// Everything that happened, newest first.

import { useEffect, useState } from 'preact/hooks';
import { get, url } from '../../api/client.ts';
import { useGet } from '../../api/query.ts';
import type { AuditReport, EventChange, EventPage, SoulEvent } from '../../api/types.ts';
import { Badge, SearchField } from '../../components/controls.tsx';
import { EventSentence, EventSigil } from '../../components/EventLine.tsx';
import { Loaded, NothingFound } from '../../components/states.tsx';
import { useNow } from '../../components/useNow.ts';
import { happened } from '../../happened.ts';
import { setQuery, usePlace } from '../../router.ts';
import { amount, clock, day, exact, shortId } from '../../words.ts';

/** A screen of it first, and more at once when it is asked for. */
const FIRST = 25;
const MORE = 100;
const KINDS = [['', 'All'], ['soul', 'Souls'], ['persona', 'Persona'], ['session', 'Sessions'], ['run', 'Runs'], ['proposal', 'Proposals'], ['memory', 'Memory'], ['sync', 'Sync']] as const;

type Changes = Record<string, EventChange>;

function fits(event: SoulEvent, changes: Changes, filter: string): boolean {
  const { subject, text, detail, id } = happened(event, changes[event.seq]);
  const all = `${subject} ${text} ${detail} ${id} ${event.kind} ${event.actor.ref} ${event.seq}`.toLowerCase();
  return filter.toLowerCase().split(/\s+/).every((word) => all.includes(word));
}

function Days({ events, changes }: { events: SoulEvent[]; changes: Changes }) {
  const now = useNow();
  const days: { label: string; events: SoulEvent[] }[] = [];
  for (const event of events) {
    const label = day(new Date(event.time), now);
    const last = days[days.length - 1];
    if (last?.label === label) last.events.push(event);
    else days.push({ label, events: [event] });
  }
  return (
    <div data-list>
      {days.map(({ label, events: list }, i) => (
        <section key={label} aria-label={label}>
          <h2 class={i === 0 ? 'day round' : 'day'}>{label}</h2>
          <ol>
            {list.map((event) => {
              const time = new Date(event.time);
              const { id } = happened(event);
              return (
                <li key={event.seq} class="logline">
                  <time dateTime={event.time} title={exact(time)}>
                    {clock(time)}:{String(time.getSeconds()).padStart(2, '0')}
                  </time>
                  <EventSigil event={event} change={changes[event.seq]} size={32} />
                  <EventSentence event={event} change={changes[event.seq]} />
                  <span class="t-cap dimmer mono" title={id}>
                    {shortId(id)}
                  </span>
                </li>
              );
            })}
          </ol>
        </section>
      ))}
    </div>
  );
}

export function Log() {
  const { query } = usePlace();
  const kind = query.get('kind') ?? '';
  const agent = query.get('agent');
  const loosens = query.get('loosens') !== null;
  const filter = query.get('q') ?? '';
  const path = (before: number | null) => url('/api/events', { limit: before === null ? FIRST : MORE, kind, agent, before, changes: true });
  const first = useGet<EventPage>(path(null));
  const audit = useGet<AuditReport>('/api/audit/verify');
  const [older, setOlder] = useState<{ events: SoulEvent[]; changes: Changes; previous: number | null } | null>(null);
  // New rows above the fold wait behind a button, so that nothing moves under the eye.
  const [top, setTop] = useState<number | null>(null);
  useEffect(() => {
    setOlder(null);
    setTop(null);
  }, [kind, agent]);
  const newest = first.data?.events[first.data.events.length - 1]?.seq ?? null;
  useEffect(() => {
    if (newest !== null && (top === null || window.scrollY < 120)) setTop(newest);
  }, [newest]);
  const previous = older ? older.previous : (first.data?.previous ?? null);
  const earlier = async () => {
    const page = await get<EventPage>(path(previous));
    setOlder((old) => ({ events: [...page.events, ...(old?.events ?? [])], changes: { ...old?.changes, ...page.changes }, previous: page.previous ?? null }));
  };
  const zone = new Date().getTimezoneOffset() / -60;
  return (
    <>
      <div class="lead">
        <div class="stack-1">
          <h1 class="t-hero">Log</h1>
          <p class="dim">Everything that happened, newest first.</p>
        </div>
        <div class="tools">
          <SearchField label="Filter the log" placeholder="Who, what, id" value={filter} onInput={(q) => setQuery({ q })} />
        </div>
      </div>
      <div class="row wrap">
        <div class="chips" role="group" aria-label="Filters">
          {KINDS.map(([value, label]) => (
            <button key={value} class="chip" type="button" aria-pressed={kind === value} onClick={() => setQuery({ kind: value })}>
              {label}
            </button>
          ))}
          <button class="chip" type="button" aria-pressed={loosens} onClick={() => setQuery({ loosens: loosens ? null : '1' })}>
            Only what loosens
          </button>
          {agent && (
            <button class="chip" type="button" aria-pressed="true" onClick={() => setQuery({ agent: null })}>
              {agent} ✕
            </button>
          )}
        </div>
        {audit.data && (
          <span class="end">
            <Badge tone={audit.data.ok ? 'ok' : 'error'} icon="chain">
              {audit.data.ok ? `${amount(audit.data.revisions, 'revision')} intact` : 'record damaged'}
            </Badge>
          </span>
        )}
      </div>
      <Loaded query={first} what="The log could not be read.">
        {(page) => {
          const all = [...(older?.events ?? []), ...page.events].filter((event, i, list) => list.findIndex((one) => one.seq === event.seq) === i);
          const changes = { ...older?.changes, ...page.changes };
          const fitting = all.filter((event) => (filter === '' || fits(event, changes, filter)) && (!loosens || changes[event.seq]?.loosens)).reverse();
          const waiting = fitting.filter((event) => top !== null && event.seq > top).length;
          const shown = fitting.filter((event) => top === null || event.seq <= top);
          if (fitting.length === 0) return <NothingFound query={[filter, kind, loosens ? 'loosens' : ''].filter(Boolean).join(', ') || 'the log'} clear={() => setQuery({ q: null, kind: null, loosens: null, agent: null })} />;
          return (
            <section class="card" aria-label="Events">
              {waiting > 0 && (
                <div class="card-head">
                  <button class="btn sm" type="button" onClick={() => setTop(newest)}>
                    {waiting} new
                  </button>
                </div>
              )}
              <Days events={shown} changes={changes} />
              <div class="card-foot">
                {previous !== null && previous !== undefined && (
                  <button class="btn quiet sm" type="button" onClick={() => void earlier()}>
                    Earlier
                  </button>
                )}
                <span class="end t-cap dimmer">Times are in your zone, UTC{zone >= 0 ? '+' : '−'}{Math.abs(zone)}</span>
              </div>
            </section>
          );
        }}
      </Loaded>
    </>
  );
}
