// Which words of a section were searched for.

import type { Marked } from '../../text/diff.ts';

/** The text in pieces, by the places that the search names, in characters. */
export function byHighlight(text: string, highlights: [number, number][]): Marked[] {
  const characters = [...text];
  const out: Marked[] = [];
  let from = 0;
  for (const [start, end] of [...highlights].sort((a, b) => a[0] - b[0])) {
    if (start < from || end <= start) continue;
    if (start > from) out.push({ text: characters.slice(from, start).join(''), changed: false });
    out.push({ text: characters.slice(start, end).join(''), changed: true });
    from = end;
  }
  if (from < characters.length) out.push({ text: characters.slice(from).join(''), changed: false });
  return out;
}

const escape = (term: string) => term.replace(/[.*+?^${}()|[\]\\]/g, '\\$&');

/** The text in pieces, by words that begin with one of the terms: terms are stems. */
export function byTerms(text: string, terms: string[]): Marked[] {
  const useful = terms.filter((term) => term.length > 1).map(escape);
  if (useful.length === 0) return [{ text, changed: false }];
  const pattern = new RegExp(`(?<![\\p{L}\\p{N}])(?:${useful.join('|')})[\\p{L}\\p{N}]*`, 'giu');
  const out: Marked[] = [];
  let from = 0;
  for (const match of text.matchAll(pattern)) {
    if (match.index > from) out.push({ text: text.slice(from, match.index), changed: false });
    out.push({ text: match[0], changed: true });
    from = match.index + match[0].length;
  }
  if (from < text.length) out.push({ text: text.slice(from), changed: false });
  return out;
}
