// Every revision, newest first: which petals turned, what it means, who and when.

import type { Revision } from '../../api/types.ts';
import { Badge } from '../../components/controls.tsx';
import { Sigil } from '../../components/Sigil.tsx';
import { Other, Time } from '../../components/Text.tsx';
import type { Part, Parts, SigilKind } from '../../sigil.ts';
import { action, list, short, who } from '../../words.ts';

export type Entry = {
  id: string;
  number: number | null;
  title: string;
  parts: Parts | null;
  digest: string | null;
  changed: readonly Part[] | null;
  summary: string;
  loosens: boolean;
  by: string;
  at: string | null;
  message: string | null;
};

export function entryOf(revision: Revision): Entry {
  return {
    id: revision.id,
    number: revision.seq,
    title: action(revision.action),
    parts: revision.parts ?? null,
    digest: revision.new_digest,
    changed: revision.previous_digest === null ? null : (revision.changed_parts ?? null),
    summary: revision.summary ?? '',
    loosens: revision.loosens ?? false,
    by: who(revision.actor, revision.origin),
    at: revision.created_at,
    message: revision.message ?? revision.reason ?? null,
  };
}

export function fits(entry: Entry, filter: string): boolean {
  const text = `${entry.title} ${entry.summary} ${entry.by} ${entry.message ?? ''} ${entry.id} ${(entry.changed ?? []).join(' ')} ${entry.loosens ? 'loosens' : ''} ${entry.digest ?? ''}`.toLowerCase();
  return filter.toLowerCase().split(/\s+/).every((word) => text.includes(word));
}

type Props = { entries: Entry[]; from: string | null; to: string | null; hue: number | undefined; kind: SigilKind; onOpen: (id: string) => void; onFrom: (id: string) => void; onTo: (id: string) => void; onBack: ((id: string) => void) | null };

export function Timeline({ entries, from, to, hue, kind, onOpen, onFrom, onTo, onBack }: Props) {
  return (
    <ol class="timeline" data-list>
      {entries.map((entry) => {
        const chosen = entry.id === from || entry.id === to;
        return (
          <li key={entry.id} aria-current={chosen ? 'true' : undefined}>
            <Sigil kind={kind} parts={entry.parts} digest={entry.digest} hue={hue} size={40} {...(entry.changed ? { changed: entry.changed } : {})} state={entry.digest === null && entry.parts === null ? 'none' : 'valid'} />
            <div class="stack-1">
              <div class="row wrap">
                <b>
                  <button
                    type="button"
                    class="plain cover"
                    data-item
                    aria-keyshortcuts="f t r"
                    onClick={() => onOpen(entry.id)}
                    onKeyDown={(event) => {
                      if (event.ctrlKey || event.metaKey || event.altKey) return;
                      if (event.key === 'f') onFrom(entry.id);
                      else if (event.key === 't') onTo(entry.id);
                      else if (event.key === 'r' && onBack) onBack(entry.id);
                      else return;
                      event.preventDefault();
                    }}
                  >
                    {entry.title}
                  </button>
                </b>
                {entry.id === from && <Badge tone="accent">from</Badge>}
                {entry.id === to && <Badge tone="accent">to</Badge>}
                {entry.loosens && <Badge tone="warn">loosens</Badge>}
                <span class="end dimmer t-cap num">{entry.number}</span>
              </div>
              <span class="dim clamp">
                {entry.changed && entry.changed.length > 0 && <b>{list(entry.changed)}: </b>}
                <Other text={entry.summary} />
              </span>
              {entry.message && (
                <span class="dim t-cap clamp">
                  “<Other text={entry.message} />”
                </span>
              )}
              <span class="t-cap dimmer">
                <Other text={entry.by} />
                {entry.at && (
                  <>
                    {' · '}
                    <Time at={entry.at} />
                  </>
                )}
                {entry.digest && (
                  <>
                    {' · '}
                    <span class="mono">{short(entry.digest)}</span>
                  </>
                )}
              </span>
            </div>
          </li>
        );
      })}
    </ol>
  );
}
