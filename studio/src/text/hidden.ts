// Text of others, made visible: control, zero-width and bidirectional characters become chips with their code point.

const HIDDEN =
  /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u00ad\u034f\u061c\u115f\u1160\u17b4\u17b5\u180e\u200b-\u200f\u202a-\u202e\u2060-\u206f\u3164\ufe00-\ufe0f\ufeff\uffa0\ufff9-\ufffb]|[\u{e0000}-\u{e0fff}]|[\u{1d173}-\u{1d17a}]/u;
const ALL = new RegExp(HIDDEN.source, 'gu');

export type Piece = { text: string; hidden: boolean };

export const hasHidden = (text: string) => HIDDEN.test(text);

/** "U+200B". */
export const codePoint = (character: string) =>
  `U+${character.codePointAt(0)!.toString(16).toUpperCase().padStart(4, '0')}`;

/** The text in pieces; each hidden character is a piece of its own, as its code point. */
export function reveal(text: string): Piece[] {
  if (!hasHidden(text)) return text === '' ? [] : [{ text, hidden: false }];
  const out: Piece[] = [];
  let from = 0;
  for (const match of text.matchAll(ALL)) {
    if (match.index > from) out.push({ text: text.slice(from, match.index), hidden: false });
    out.push({ text: codePoint(match[0]), hidden: true });
    from = match.index + match[0].length;
  }
  if (from < text.length) out.push({ text: text.slice(from), hidden: false });
  return out;
}

export { ALL as HIDDEN_CHARACTERS };
