// A unified diff as rows, with the words that changed marked in lines that replace each other.

export type Marked = { text: string; changed: boolean };
export type Row =
  | { kind: 'hunk'; text: string }
  | { kind: 'same' | 'added' | 'removed'; before: number | null; after: number | null; text: Marked[] };

const HUNK = /^@@ -(\d+)(?:,\d+)? \+(\d+)(?:,\d+)? @@/;

/** The rows of a unified diff; its file header is left out. */
export function rows(diff: string): Row[] {
  const out: Row[] = [];
  let before = 0;
  let after = 0;
  let inside = false;
  const lines = diff.split('\n');
  if (lines[lines.length - 1] === '') lines.pop();
  for (let i = 0; i < lines.length; i++) {
    const line = lines[i]!;
    const hunk = HUNK.exec(line);
    if (hunk) {
      inside = true;
      before = Number(hunk[1]);
      after = Number(hunk[2]);
      out.push({ kind: 'hunk', text: line });
    } else if (inside && line.startsWith('-')) {
      const removed: string[] = [];
      const added: string[] = [];
      while (lines[i]?.startsWith('-')) removed.push(lines[i++]!.slice(1));
      while (lines[i]?.startsWith('+')) added.push(lines[i++]!.slice(1));
      i--;
      // Lines are compared word by word where as many came as went; else it is unclear which replaced which.
      const pairs = removed.length === added.length ? removed.map((old, at) => words(old, added[at]!)) : null;
      removed.forEach((text, at) =>
        out.push({ kind: 'removed', before: before++, after: null, text: pairs?.[at]![0] ?? [{ text, changed: false }] }),
      );
      added.forEach((text, at) =>
        out.push({ kind: 'added', before: null, after: after++, text: pairs?.[at]![1] ?? [{ text, changed: false }] }),
      );
    } else if (inside && line.startsWith('+')) {
      out.push({ kind: 'added', before: null, after: after++, text: [{ text: line.slice(1), changed: false }] });
    } else if (inside && line.startsWith(' ')) {
      out.push({ kind: 'same', before: before++, after: after++, text: [{ text: line.slice(1), changed: false }] });
    }
  }
  return out;
}

/** What differs between two lines: the middle, by whole words, unless hardly anything is the same. */
export function words(before: string, after: string): [Marked[], Marked[]] {
  const split = (text: string) => text.split(/(?<=\s)|(?=[\s.,;:!?()"'`])/u);
  const [a, b] = [split(before), split(after)];
  let start = 0;
  while (start < a.length && start < b.length && a[start] === b[start]) start++;
  let end = 0;
  while (end < a.length - start && end < b.length - start && a[a.length - 1 - end] === b[b.length - 1 - end]) end++;
  const mark = (parts: string[]): Marked[] =>
    [
      { text: parts.slice(0, start).join(''), changed: false },
      { text: parts.slice(start, parts.length - end).join(''), changed: true },
      { text: parts.slice(parts.length - end).join(''), changed: false },
    ].filter((piece) => piece.text !== '');
  const kept = a.slice(0, start).concat(a.slice(a.length - end)).join('').trim().length;
  if (kept * 4 < Math.max(before.length, after.length)) {
    return [[{ text: before, changed: false }], [{ text: after, changed: false }]];
  }
  return [mark(a), mark(b)];
}

export function tally(all: Row[]): { added: number; removed: number } {
  let added = 0;
  let removed = 0;
  for (const row of all) {
    if (row.kind === 'added') added++;
    if (row.kind === 'removed') removed++;
  }
  return { added, removed };
}
