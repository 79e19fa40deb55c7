// What a change means, field by field: what loosens the soul first, limits before the rest, removed before added.

import type { SoulChange } from '../api/types.ts';
import { field } from '../words.ts';
import { words } from '../text/diff.ts';
import { Badge } from './controls.tsx';
import { Revealed } from './Text.tsx';

type Value = SoulChange['before'];

/** The value of an item as a text. */
export function itemText(value: Value | undefined): string {
  if (value === null || value === undefined) return '';
  if (typeof value === 'string') return value;
  const inner = typeof value.value === 'string' ? value.value : JSON.stringify(value.value);
  return `${value.key}: ${inner}`;
}

export function changeSign(change: string): [string, 'add' | 'del' | 'chg'] {
  if (change === 'added') return ['+', 'add'];
  if (change === 'removed') return ['−', 'del'];
  return ['~', 'chg'];
}

const LIMITS: readonly string[] = ['limit', 'must_always', 'must_never', 'escalation'];

/** Whether a change lets the agent do more: a limit is gone or says something else, or a tool was added. */
export const loosens = (change: SoulChange) =>
  change.field === 'tool' ? change.change === 'added' : LIMITS.includes(change.field) && (change.change === 'removed' || change.change === 'changed');
const KIND = { removed: 0, changed: 1, moved: 2, added: 3 } as const;

export function inOrder(changes: SoulChange[]): SoulChange[] {
  const rank = (change: SoulChange) => (loosens(change) ? 0 : LIMITS.includes(change.field) ? 1 : 2) * 10 + KIND[change.change];
  return changes.map((change, i) => [change, i] as const).sort((a, b) => rank(a[0]) - rank(b[0]) || a[1] - b[1]).map(([change]) => change);
}

function why(change: SoulChange): string {
  const name = field(change.field);
  if (change.field === 'tool') return 'loosens: it gains a tool';
  return change.change === 'removed' ? `loosens: a ${name} is gone` : `loosens: a ${name} says something else`;
}

export function Meaning({ changes }: { changes: SoulChange[] }) {
  if (changes.length === 0) return <p class="omit">No field changed: only spacing, order or comments differ.</p>;
  return (
    <ul class="meaning">
      {inOrder(changes).map((change, i) => {
        const [sign, tone] = changeSign(change.change);
        const before = itemText(change.before);
        const after = itemText(change.after);
        const pair = change.change === 'changed' && before.length > 60 ? words(before, after) : null;
        return (
          <li key={i}>
            <span class={`sign ${tone}`} aria-hidden="true">
              {sign}
            </span>
            <span class="what">
              <span class="vh">{change.change} </span>
              {field(change.field)}
            </span>
            <div class="stack-1">
              <span class="t-quote" dir="auto">
                {before !== '' && change.change !== 'moved' && (
                  <del>{pair ? pair[0].map((one, k) => (one.changed ? <mark key={k}><Revealed text={one.text} /></mark> : <Revealed key={k} text={one.text} />)) : <Revealed text={before} />}</del>
                )}
                {change.change === 'changed' && <span aria-hidden="true"> → </span>}
                {after !== '' && (
                  <ins>{pair ? pair[1].map((one, k) => (one.changed ? <mark key={k}><Revealed text={one.text} /></mark> : <Revealed key={k} text={one.text} />)) : <Revealed text={after} />}</ins>
                )}
                {change.change === 'moved' && <span class="dimmer"> moved</span>}
              </span>
              {loosens(change) && <Badge tone="warn">{why(change)}</Badge>}
            </div>
          </li>
        );
      })}
    </ul>
  );
}
