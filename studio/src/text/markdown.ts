// The reading view of a soul: headings, lists, emphasis and code. Links and pictures are their text, HTML is its text:
// nothing here can become a request.

export type Inline = { text: string; style: 'plain' | 'strong' | 'em' | 'code' };
export type Block =
  | { kind: 'heading'; level: number; text: Inline[] }
  | { kind: 'paragraph'; text: Inline[] }
  | { kind: 'list'; ordered: boolean; items: Inline[][] }
  | { kind: 'code'; text: string }
  | { kind: 'rule' };

const EMPHASIS = /\*\*([^*]+)\*\*|__([^_]+)__|\*([^*\s][^*]*)\*|\b_([^_\s][^_]*)_\b/g;

function emphasis(text: string, out: Inline[]) {
  let from = 0;
  const plain = (piece: string) => piece && out.push({ text: piece, style: 'plain' });
  for (const match of text.matchAll(EMPHASIS)) {
    plain(text.slice(from, match.index));
    const strong = match[1] ?? match[2];
    out.push(strong === undefined ? { text: (match[3] ?? match[4])!, style: 'em' } : { text: strong, style: 'strong' });
    from = match.index + match[0].length;
  }
  plain(text.slice(from));
}

/** The pieces of a line. Code goes from one run of backticks to the next of the same length, found without going back. */
export function inline(text: string): Inline[] {
  const out: Inline[] = [];
  const runs = [...text.matchAll(/`+/g)].map((match) => ({ at: match.index, size: match[0].length }));
  const next = new Map<number, number>();
  const close: (number | undefined)[] = [];
  for (let i = runs.length - 1; i >= 0; i--) {
    close[i] = next.get(runs[i]!.size);
    next.set(runs[i]!.size, i);
  }
  let from = 0;
  for (let i = 0; i < runs.length; i++) {
    const end = close[i];
    if (end === undefined) continue;
    const { at, size } = runs[i]!;
    emphasis(text.slice(from, at), out);
    out.push({ text: text.slice(at + size, runs[end]!.at), style: 'code' });
    from = runs[end]!.at + size;
    i = end;
  }
  emphasis(text.slice(from), out);
  return out;
}

export function blocks(source: string): Block[] {
  const out: Block[] = [];
  const lines = source.split(/\r?\n/);
  let paragraph: string[] = [];
  const flush = () => {
    if (paragraph.length > 0) out.push({ kind: 'paragraph', text: inline(paragraph.join(' ')) });
    paragraph = [];
  };
  for (let i = 0; i < lines.length; i++) {
    const line = lines[i]!;
    const fence = /^ {0,3}(`{3,}|~{3,})/.exec(line);
    const heading = /^ {0,3}(#{1,6})(?:\s+(.*?))?\s*#*\s*$/.exec(line);
    const item = /^\s{0,3}(?:([-*+])|(\d{1,9})[.)])\s+(.*)$/.exec(line);
    if (fence) {
      flush();
      const text: string[] = [];
      while (++i < lines.length && !lines[i]!.trimStart().startsWith(fence[1]!)) text.push(lines[i]!);
      out.push({ kind: 'code', text: text.join('\n') });
    } else if (heading) {
      flush();
      out.push({ kind: 'heading', level: heading[1]!.length, text: inline(heading[2] ?? '') });
    } else if (/^ {0,3}([-*_])(?:\s*\1){2,}\s*$/.test(line)) {
      flush();
      out.push({ kind: 'rule' });
    } else if (item) {
      flush();
      const ordered = item[2] !== undefined;
      const last = out[out.length - 1];
      const open = last?.kind === 'list' && last.ordered === ordered && lines[i - 1]?.trim() !== '' ? last : null;
      const into: Extract<Block, { kind: 'list' }> = open ?? { kind: 'list', ordered, items: [] };
      if (!open) out.push(into);
      let text = item[3]!;
      while (/^\s{2,}\S/.test(lines[i + 1] ?? '') && !/^\s*([-*+]|\d+[.)])\s/.test(lines[i + 1]!)) text += ` ${lines[++i]!.trim()}`;
      into.items.push(inline(text));
    } else if (line.trim() === '') flush();
    else paragraph.push(line.trim());
  }
  flush();
  return out;
}

/** A text without its YAML frontmatter. */
export function withoutFrontmatter(text: string): string {
  const match = /^\uFEFF?---\r?\n[\s\S]*?\r?\n---[ \t]*(?:\r?\n|$)/.exec(text);
  return match ? text.slice(match[0].length) : text;
}
