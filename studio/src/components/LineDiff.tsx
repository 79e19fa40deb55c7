// Line by line, in one column or two, with the changed words marked.

import { useMemo, useState } from 'preact/hooks';
import { rows, tally, type Marked, type Row } from '../text/diff.ts';
import { Segmented } from './controls.tsx';
import { Revealed } from './Text.tsx';

function Words({ text }: { text: Marked[] }) {
  return (
    <span dir="auto">
      {text.map((piece, i) =>
        piece.changed ? (
          <mark key={i}>
            <Revealed text={piece.text} />
          </mark>
        ) : (
          <Revealed key={i} text={piece.text} />
        ),
      )}
    </span>
  );
}

const SIGNS = { same: ['', ' ', ''], added: ['a', '+', 'added '], removed: ['d', '−', 'removed '] } as const;

function Line({ row }: { row: Exclude<Row, { kind: 'hunk' }> }) {
  const [tone, sign, said] = SIGNS[row.kind];
  return (
    <div class={`dl ${tone}`}>
      <span>{row.before}</span>
      <span>{row.after}</span>
      <span aria-hidden="true">{sign}</span>
      <span>
        {said && <span class="vh">{said}</span>}
        <Words text={row.text} />
      </span>
    </div>
  );
}

type Pair = { hunk: string } | { left: Exclude<Row, { kind: 'hunk' }> | null; right: Exclude<Row, { kind: 'hunk' }> | null };

/** Removed and added lines beside each other. */
function pairs(all: Row[]): Pair[] {
  const out: Pair[] = [];
  for (let i = 0; i < all.length; i++) {
    const row = all[i]!;
    if (row.kind === 'hunk') out.push({ hunk: row.text });
    else if (row.kind === 'same') out.push({ left: row, right: row });
    else {
      const left: Exclude<Row, { kind: 'hunk' }>[] = [];
      const right: Exclude<Row, { kind: 'hunk' }>[] = [];
      for (; i < all.length; i++) {
        const next = all[i]!;
        if (next.kind === 'removed') left.push(next);
        else if (next.kind === 'added') right.push(next);
        else break;
      }
      i--;
      for (let k = 0; k < Math.max(left.length, right.length); k++) out.push({ left: left[k] ?? null, right: right[k] ?? null });
    }
  }
  return out;
}

function Two({ all }: { all: Row[] }) {
  return (
    <div class="diff two">
      {pairs(all).map((pair, i) =>
        'hunk' in pair ? (
          <div key={i} class="hunk">
            {pair.hunk}
          </div>
        ) : (
          <div key={i} class="dl2">
            <span class={pair.left?.kind === 'removed' ? 'd' : ''}>
              <span class="no">{pair.left?.before}</span>
              {pair.left && (
                <span>
                  {pair.left.kind === 'removed' && <span class="vh">removed </span>}
                  <Words text={pair.left.text} />
                </span>
              )}
            </span>
            <span class={pair.right?.kind === 'added' ? 'a' : ''}>
              <span class="no">{pair.right?.after}</span>
              {pair.right && (
                <span>
                  {pair.right.kind === 'added' && <span class="vh">added </span>}
                  <Words text={pair.right.text} />
                </span>
              )}
            </span>
          </div>
        ),
      )}
    </div>
  );
}

export function LineDiff({ text }: { text: string }) {
  const all = useMemo(() => rows(text), [text]);
  const { added, removed } = tally(all);
  const [columns, setColumns] = useState<'one' | 'two'>('one');
  return (
    <section class="card" aria-labelledby="lines">
      <div class="card-head">
        <h2 class="t-head" id="lines">
          Line by line
        </h2>
        <span class="dim t-cap num">
          <span class="is-ok">+{added}</span> <span class="is-error">−{removed}</span>
        </span>
        <Segmented class="hide-s" label="Columns" value={columns} options={[['one', 'One column'], ['two', 'Two']]} onChange={setColumns} />
      </div>
      {all.length === 0 ? (
        <p class="omit">The lines are the same.</p>
      ) : columns === 'two' ? (
        <Two all={all} />
      ) : (
        <div class="diff">
          {all.map((row, i) =>
            row.kind === 'hunk' ? (
              <div key={i} class="hunk">
                {row.text}
              </div>
            ) : (
              <Line key={i} row={row} />
            ),
          )}
        </div>
      )}
    </section>
  );
}
