// What changed, who changed it, and how to take it back.

import { useEffect, useState } from 'preact/hooks';
import { agentPath, ApiError, get, post, url } from '../../api/client.ts';
import { invalidatePrefix, useGet } from '../../api/query.ts';
import type { AgentSummary, AuditReport, HistoryPage, Revision, RollbackPlan, SoulDiff, SoulText } from '../../api/types.ts';
import { Badge } from '../../components/controls.tsx';
import { Icon } from '../../components/Icon.tsx';
import { LineDiff } from '../../components/LineDiff.tsx';
import { loosens, Meaning } from '../../components/Meaning.tsx';
import { Sigil } from '../../components/Sigil.tsx';
import { Loaded, Failed } from '../../components/states.tsx';
import { Other, Revealed, Time } from '../../components/Text.tsx';
import { useCan } from '../../identity.ts';
import { setQuery, usePlace } from '../../router.ts';
import { changedParts, PARTS, type Parts, type SigilKind } from '../../sigil.ts';
import { amount, capital, count, partsSentence, short } from '../../words.ts';
import { historyUrl, SoulFrame } from '../soul/SoulFrame.tsx';
import { agentRollback, Rollback } from './Rollback.tsx';
import { entryOf, fits, Timeline, type Entry } from './Timeline.tsx';

/** What a history is of: an agent or a soul of the library. */
export type HistorySubject = {
  kind: SigilKind;
  name: string;
  historyPath: (cursor: string | null) => string;
  diffPath: (from: string, to: string) => string;
  /** Where the text of a revision is, and where in the answer. */
  textPath: (id: string, number: number) => string;
  textOf: (answer: unknown) => string | null;
  hasPlan: boolean;
  planRollback: (revision: Revision) => Promise<RollbackPlan>;
  rollback: (revision: Revision, plan: RollbackPlan | null) => Promise<string | null>;
};

/** The file as it is, where it is not on record. */
const FILE = 'file';

function useRevisions(subject: HistorySubject): { page: HistoryPage | undefined; error: ApiError | null; all: Revision[]; more: (() => Promise<void>) | null } {
  const first = useGet<HistoryPage>(subject.historyPath(null));
  const [older, setOlder] = useState<{ revisions: Revision[]; next: string | null } | null>(null);
  const known = first.data?.revisions ?? [];
  const seen = new Set(known.map((revision) => revision.id));
  const all = [...known, ...(older?.revisions ?? []).filter((revision) => !seen.has(revision.id))];
  const next = older ? older.next : (first.data?.next_cursor ?? null);
  return {
    page: first.data,
    error: first.error,
    all,
    more: next === null ? null : async () => {
      const page = await get<HistoryPage>(subject.historyPath(next));
      setOlder((old) => ({ revisions: [...(old?.revisions ?? []), ...page.revisions], next: page.next_cursor }));
    },
  };
}

function Compare({ subject, diff, from, to, hue, onBack }: { subject: HistorySubject; diff: SoulDiff; from: Entry | undefined; to: Entry | undefined; hue: number | undefined; onBack: (() => void) | null }) {
  const parts = (side: { parts?: Parts | null }, entry: Entry | undefined) => side.parts ?? entry?.parts ?? null;
  const a = parts(diff.from, from);
  const b = parts(diff.to, to);
  const changed = diff.changed_parts ?? changedParts(a, b);
  const same = PARTS.filter((part) => !changed.includes(part));
  const loosening = diff.changes.filter(loosens).length;
  const side = (entry: Entry | undefined, name: string, digest: string | null, of: Parts | null, mode: boolean) => (
    <div class="side">
      <Sigil kind={subject.kind} parts={of} digest={digest} hue={hue} size={56} {...(mode && changed.length > 0 && changed.length < 6 ? { changed } : {})} state={digest === null && of === null ? 'none' : 'valid'} />
      <div>
        <b>{entry?.number ? `Revision ${entry.number}` : name === 'nothing' ? 'Nothing' : 'The file, now'}</b>
        <br />
        <span class="dim t-cap">
          {entry?.at && (
            <>
              <Time at={entry.at} />, <Other text={entry.by} />
            </>
          )}
        </span>
        <br />
        {digest && <span class="digest">{short(digest)}</span>}
      </div>
    </div>
  );
  return (
    <div class="stack">
      <section class="card" aria-label="Compared">
        <div class="card-pad stack">
          <div class="versus">
            {side(from, diff.from.name, diff.from.digest, a, false)}
            <Icon name="arrow" />
            {side(to, diff.to.name, diff.to.digest, b, true)}
            {onBack && (
              <div class="row wrap end">
                <button class="btn" type="button" onClick={onBack}>
                  <Icon name="back" />
                  Roll back to {from?.number}…
                </button>
              </div>
            )}
          </div>
          {(a || b) && <p class="dim">{partsSentence(changed, same)}</p>}
        </div>
      </section>
      <section class="card" aria-labelledby="means">
        <div class="card-head">
          <h2 class="t-head" id="means">
            What it means
          </h2>
          <span class="badge">{amount(diff.changes.length, 'change')}</span>
          {loosening > 0 && (
            <Badge tone="warn" icon="warn">
              {loosening} loosen{loosening === 1 ? 's' : ''}
            </Badge>
          )}
        </div>
        <Meaning changes={diff.changes} />
      </section>
      <LineDiff text={diff.text} />
    </div>
  );
}

/** The first revision has nothing before it, so it is shown as it is. */
function FirstText({ subject, entry, path, hue }: { subject: HistorySubject; entry: Entry | undefined; path: string | null; hue: number | undefined }) {
  const answer = useGet<unknown>(path).data;
  const text = answer === undefined ? null : subject.textOf(answer);
  return (
    <div class="stack">
      <section class="card card-pad" aria-label="Compared">
        <div class="side row-3">
          <Sigil kind={subject.kind} parts={entry?.parts ?? null} digest={entry?.digest ?? null} hue={hue} size={56} />
          <div>
            <b>The first text</b>
            <p class="dim">Nothing was recorded before it.</p>
          </div>
        </div>
      </section>
      {text && (
        <section class="card" aria-label="The first text">
          <pre class="section" dir="auto">
            <Revealed text={text} />
          </pre>
        </section>
      )}
    </div>
  );
}

export function HistoryView({ subject, unrecorded, current, loose = false }: { subject: HistorySubject; unrecorded: string | null; current: { digest: string | null; parts: Parts | null } | null; loose?: boolean }) {
  const { query } = usePlace();
  const { write } = useCan();
  const { page, error, all, more } = useRevisions(subject);
  const [rolling, setRolling] = useState<Revision | null>(null);
  const filter = query.get('q') ?? '';
  const onlyLoose = query.get('loosens') !== null || loose;
  const entries: Entry[] = all.map(entryOf);
  if (unrecorded !== null) {
    entries.unshift({
      id: FILE,
      number: null,
      title: 'Edited outside Soulkeeper',
      parts: page?.current_parts ?? current?.parts ?? null,
      digest: current?.digest ?? null,
      changed: page?.current_parts && all[0]?.parts ? changedParts(all[0].parts, page.current_parts) : null,
      summary: unrecorded,
      loosens: false,
      by: 'not on record yet',
      at: null,
      message: null,
    });
  }
  const to = query.get('to') ?? entries[0]?.id ?? null;
  const at = entries.findIndex((entry) => entry.id === to);
  const from = query.get('from') ?? entries[at + 1]?.id ?? null;
  const diff = useGet<SoulDiff>(to === null || from === null ? null : subject.diffPath(from, to));
  const hue = page?.hue;
  const shown = entries.filter((entry) => (filter === '' || fits(entry, filter)) && (!onlyLoose || entry.loosens));
  // A link may name a revision that is not on the first page.
  useEffect(() => {
    if (to !== null && at < 0 && more && all.length < 2000) void more();
  }, [to, at, all.length]);
  if (error) return <Failed error={error} what="The history could not be read." />;
  if (!page) return null;
  if (entries.length === 0) return null;
  const back = (id: string) => {
    const revision = all.find((one) => one.id === id);
    if (revision && write) setRolling(revision);
  };
  const open = (id: string) => {
    const next = entries[entries.findIndex((entry) => entry.id === id) + 1];
    setQuery({ to: id, from: next?.id ?? null, show: 'compare' });
  };
  return (
    <div class={query.get('show') === 'compare' ? 'history comparing' : 'history'}>
      <section class="card timeline-pane" aria-labelledby="revisions">
        <div class="card-head">
          <h2 class="t-head" id="revisions">
            {capital(count(all[0]?.seq ?? 0, 'revision'))}
          </h2>
          <label class="field hide-s">
            <span class="vh">Filter the revisions</span>
            <input type="search" data-search placeholder="who, what, field" value={filter} onInput={(event) => setQuery({ q: event.currentTarget.value })} />
          </label>
          <button class="chip" type="button" aria-pressed={onlyLoose} onClick={() => setQuery({ loosens: onlyLoose ? null : '1' })}>
            loosens
          </button>
        </div>
        <Timeline entries={shown} from={from} to={to} hue={hue} kind={subject.kind} onOpen={open} onFrom={(id) => setQuery({ from: id })} onTo={(id) => setQuery({ to: id })} onBack={write ? back : null} />
        {shown.length === 0 && <p class="omit">No revision matches.</p>}
        {more && (
          <div class="card-foot">
            <button class="btn quiet sm" type="button" onClick={() => void more()}>
              Earlier
            </button>
          </div>
        )}
      </section>
      <div class="compare-pane">
        <button class="btn quiet only-s" type="button" onClick={() => setQuery({ show: null })}>
          <Icon name="back" />
          All revisions
        </button>
        {from === null && to !== null && <FirstText subject={subject} entry={entries[at]} path={to === FILE || !entries[at]?.number ? null : subject.textPath(to, entries[at].number)} hue={hue} />}
        {from !== null && <Loaded query={diff} what="The two texts could not be compared.">
          {(found) => (
            <Compare
              subject={subject}
              diff={found}
              from={entries.find((entry) => entry.id === from)}
              to={entries.find((entry) => entry.id === to)}
              hue={hue}
              onBack={write && from !== null && from !== FILE && all.some((one) => one.id === from && one.new_digest !== null) ? () => back(from) : null}
            />
          )}
        </Loaded>}
      </div>
      {rolling && <Rollback subject={subject} revision={rolling} newest={all[0]?.seq ?? 0} hue={hue} onClose={() => setRolling(null)} />}
    </div>
  );
}

function Unrecorded({ agent }: { agent: AgentSummary }) {
  const { write } = useCan();
  const [error, setError] = useState<ApiError | null>(null);
  const record = async () => {
    try {
      await post(agentPath(agent.name, 'soul/record'), {});
      invalidatePrefix('/api/');
    } catch (cause) {
      if (!(cause instanceof ApiError)) throw cause;
      setError(cause);
    }
  };
  const first = agent.record === 'unrecorded';
  if (!agent.present) return null;
  return (
    <>
      {error && <Failed error={error} what="It was not recorded." />}
      <div class="strip" role="status">
        <Icon name="info" />
        <span class="grow">{first ? 'This soul is not on record yet. Record it to see what changes from here on.' : 'The file was edited outside Soulkeeper. The edit is not on record yet.'}</span>
        {write && (
          <button class="btn sm" type="button" onClick={() => void record()}>
            Record it as mine
          </button>
        )}
      </div>
    </>
  );
}

export function History({ name }: { name: string }) {
  const audit = useGet<AuditReport>('/api/audit/verify');
  const subject: HistorySubject = {
    kind: 'agent',
    name,
    historyPath: (cursor) => cursor === null ? historyUrl(name) : url(agentPath(name, 'soul/history'), { limit: 50, cursor }),
    diffPath: (from, to) => url(agentPath(name, 'soul/diff'), { from, to }),
    textPath: (id) => url(agentPath(name, 'soul/text'), { revision_id: id }),
    textOf: (answer) => (answer as SoulText).text,
    hasPlan: true,
    ...agentRollback(name, agentPath(name, 'soul/rollback')),
  };
  const head = audit.data?.heads.find((one) => one.name === name && one.kind === 'agent');
  const acts = audit.data && head && (
    <Badge tone={audit.data.ok ? 'ok' : 'error'} icon="chain">
      {audit.data.ok ? `record intact, head ${short(head.chain)}` : 'record damaged'}
    </Badge>
  );
  return (
    <SoulFrame name={name} tab="history" acts={acts}>
      {(agent) => (
        <>
          {(agent.record === 'changed' || agent.record === 'unrecorded') && <Unrecorded agent={agent} />}
          <HistoryView subject={subject} unrecorded={agent.record === 'changed' ? (agent.unrecorded_change ?? 'the file differs from the record') : null} current={{ digest: agent.digest, parts: agent.parts ?? null }} />
        </>
      )}
    </SoulFrame>
  );
}

