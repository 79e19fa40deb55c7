// The reading view of a soul: headings, lists, emphasis and code. Links and pictures are their text, HTML is its text:
// nothing here can become a request.

export type Inline = { text: string; style: 'plain' | 'strong' | 'em' | 'code' };
export type Block =
  | { kind: 'heading'; level: number; text: Inline[] }
  | { kind: 'paragraph'; text: Inline[] }
  | { kind: 'list'; ordered: boolean; items: Inline[][] }
  | { kind: 'code'; text: string }
  | { kind: 'rule' };

const INLINE = /(`+)([^`]|[^`].*?[^`])\1(?!`)|\*\*([^*]+)\*\*|__([^_]+)__|\*([^*\s][^*]*)\*|\b_([^_\s][^_]*)_\b/g;

export function inline(text: string): Inline[] {
  const out: Inline[] = [];
  let from = 0;
  const plain = (piece: string) => piece && out.push({ text: piece, style: 'plain' });
  for (const match of text.matchAll(INLINE)) {
    plain(text.slice(from, match.index));
    if (match[2] !== undefined) out.push({ text: match[2], style: 'code' });
    else if (match[3] ?? match[4]) out.push({ text: (match[3] ?? match[4])!, style: 'strong' });
    else out.push({ text: (match[5] ?? match[6])!, style: 'em' });
    from = match.index + match[0].length;
  }
  plain(text.slice(from));
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
