// Findings in the order in which they are read: by file, at the gate first, the lowered ones last; a second finding on
// one line is folded into the first.

import type { Finding, ScannedTarget } from '../../api/types.ts';
import { fromBytes } from '../../text/offsets.ts';

export type Placed = { finding: Finding; gate: boolean; lowered: boolean; mark: { from: number; to: number } | null };
export type Group = { file: string; lines: { line: number; first: Placed; more: Placed[] }[]; gate: number; lowered: number };

/** What stops a write: an error of medium or high confidence. */
export const atGate = (finding: Finding) => finding.severity === 'error' && finding.confidence !== 'low';

export function groups(target: ScannedTarget): Group[] {
  const texts = new Map((target.sources ?? []).map((source) => [source.file, source.text]));
  const offsets = new Map([...texts].map(([file, text]) => [file, fromBytes(text)]));
  const byFile = new Map<string, Placed[]>();
  target.findings.forEach((finding, i) => {
    const span = target.spans?.[i];
    const at = offsets.get(finding.file);
    const mark = span && at ? { from: at(span.start), to: at(span.end) } : null;
    const placed = { finding, gate: atGate(finding), lowered: finding.context != null, mark };
    byFile.set(finding.file, [...(byFile.get(finding.file) ?? []), placed]);
  });
  const rank = (one: Placed) => (one.gate ? 0 : one.lowered ? 2 : 1);
  return [...byFile]
    .map(([file, all]) => {
      const lines = new Map<number, Placed[]>();
      for (const one of all) lines.set(one.finding.line, [...(lines.get(one.finding.line) ?? []), one]);
      const folded = [...lines].map(([line, list]) => {
        const [first, ...more] = list.sort((a, b) => rank(a) - rank(b)) as [Placed, ...Placed[]];
        return { line, first, more };
      });
      folded.sort((a, b) => rank(a.first) - rank(b.first) || a.line - b.line);
      return { file, lines: folded, gate: all.filter((one) => one.gate).length, lowered: all.filter((one) => one.lowered).length };
    })
    .sort((a, b) => b.gate - a.gate || a.file.localeCompare(b.file));
}

export type Excerpt = { number: number; text: string; from: number }[];

/** The line of a finding with two lines before it. */
export function excerpt(text: string, line: number): Excerpt {
  const lines = text.split('\n');
  let at = 0;
  const out: Excerpt = [];
  for (let i = 0; i < Math.min(line, lines.length); i++) {
    if (i >= line - 3) out.push({ number: i + 1, text: lines[i]!, from: at });
    at += lines[i]!.length + 1;
  }
  return out;
}

/** The text with a comment above `line` that lets `rule` pass. In frontmatter it is a comment of YAML. */
export function withAllowance(text: string, line: number, rule: string, reason: string): string {
  const lines = text.split('\n');
  const end = lines[0]?.trim() === '---' ? lines.indexOf('---', 1) : -1;
  const inside = end > 0 && line - 1 < end;
  const clean = reason.replace(/[\r\n]+/g, ' ').replaceAll('--', '–').trim();
  const indent = /^\s*/.exec(lines[line - 1] ?? '')?.[0] ?? '';
  const comment = inside ? `${indent}# soul: allow ${rule} -- ${clean}` : `<!-- soul: allow ${rule} -- ${clean} -->`;
  lines.splice(Math.max(0, line - 1), 0, comment);
  return lines.join('\n');
}
