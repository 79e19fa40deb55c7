// Diagnostics and findings of the engine as problems of the editor.

import type { Diagnostic, Finding } from '../../api/types.ts';
import type { Problem } from '../../editor/problems.ts';
import { fromBytes } from '../../text/offsets.ts';

const ORDER = { error: 0, warning: 1, info: 2 };

function label(text: string, at: (byte: number) => number, source: string, fix: { span: { start: number; end: number }; text: string }): string {
  const next = fix.text.trim();
  const old = source.slice(at(fix.span.start), at(fix.span.end)).trim();
  if (next === '') return old === '' ? 'Fix' : 'Remove it';
  if (next.length > 24 || next.includes('\n')) return 'Fix';
  return text.includes('missing') && old === '' ? `Add ${next}` : `Change to ${next}`;
}

/** Problems of `source`, errors first and then by line. Those of other files say so in their message. */
export function fromDiagnostics(diagnostics: Diagnostic[], source: string, file: string | null): Problem[] {
  const at = fromBytes(source);
  const lineStarts = [0];
  for (let i = 0; i < source.length; i++) if (source[i] === '\n') lineStarts.push(i + 1);
  return diagnostics
    .map((one): Problem => {
      const place = one.file ?? one.path ?? null;
      const here = place === null || file === null || place === file || file.endsWith(`/${place}`) || place.endsWith(`/${file}`);
      const line = here ? (one.line ?? 0) : 0;
      const start = lineStarts[Math.max(0, Math.min(line, lineStarts.length) - 1)] ?? 0;
      const end = (lineStarts[Math.min(line, lineStarts.length)] ?? source.length + 1) - 1;
      const from = here && one.span ? at(one.span.start) : start;
      const to = here && one.span ? at(one.span.end) : line > 0 ? end : start;
      return {
        severity: one.severity,
        message: here ? one.message : `${place}: ${one.message}`,
        help: one.help ?? null,
        from,
        // A squiggle over a whole body would mark everything and show nothing.
        to: source.slice(from, to).includes('\n') ? Math.min(to, Math.max(from, end)) : to,
        line,
        column: one.column ?? 1,
        code: one.code,
        fix: here && one.fix ? { from: at(one.fix.span.start), to: at(one.fix.span.end), text: one.fix.text, label: label(one.message, at, source, one.fix) } : null,
      };
    })
    .sort((a, b) => ORDER[a.severity] - ORDER[b.severity] || a.line - b.line || a.from - b.from);
}

/** What the scanner refused, in place. */
export function fromFindings(findings: Finding[], source: string, file: string | null): Problem[] {
  const lines = source.split('\n');
  const starts: number[] = [];
  lines.reduce((sum, line) => (starts.push(sum), sum + line.length + 1), 0);
  return findings.map((finding): Problem => {
    const here = file === null || file === finding.file || file.endsWith(`/${finding.file}`) || finding.file.endsWith(`/${file}`) || finding.file === 'SOUL.md';
    const line = here ? Math.min(finding.line, lines.length) : 0;
    const start = starts[line - 1] ?? 0;
    const from = start + Math.max(0, finding.column - 1);
    return {
      severity: 'error',
      message: here ? finding.message : `${finding.file} line ${finding.line}: ${finding.message}`,
      help: finding.help,
      from: line > 0 ? Math.min(from, source.length) : 0,
      to: line > 0 ? Math.min(start + (lines[line - 1]?.length ?? 0), source.length) : 0,
      line,
      column: finding.column,
      code: finding.rule,
      fix: null,
    };
  });
}
