import assert from 'node:assert/strict';
import test from 'node:test';
import { parseDraft } from '../src/drafts.ts';
import { happened } from '../src/happened.ts';
import { touched } from '../src/live/touched.ts';
import { inOrder } from '../src/components/Meaning.tsx';
import { needs, sentence } from '../src/pages/agents/needs.ts';
import { fromDiagnostics } from '../src/pages/edit/problems.ts';
import { budget, limits, preview, sentences, speaks } from '../src/pages/persona/traits.ts';
import { excerpt, groups, withAllowance } from '../src/pages/scan/findings.ts';
import type { AgentSummary, Diagnostic, ScannedTarget, SoulChange, SoulEvent } from '../src/api/types.ts';

const agent = (over: Partial<AgentSummary>): AgentSummary =>
  ({ name: 'a', source_path: 'agents/a/SOUL.md', role: null, dialect: 'agh', present: true, valid: true, validation_status: 'valid', digest: null, record: 'recorded', last_change: null, sessions: 0, sessions_behind: 0, ...over }) as AgentSummary;

test('what needs a person comes worst first', () => {
  const list = needs(
    [
      agent({ name: 'edited', record: 'changed', unrecorded_change: 'removed a limit' }),
      agent({ name: 'broken', validation_status: 'invalid', valid: false, record: 'changed', problems: { errors: 3, warnings: 0 }, first_problem: '`tools` is owned by AGENT.md' }),
      agent({ name: 'poisoned', findings: 4, worst_finding: { rule: 'SEC001', message: 'tells the agent to ignore its instructions', file: 'RULES.md', line: 14 } }),
      agent({ name: 'well' }),
    ],
    [{ id: 's', agent: 'well', state: 'active', behind: true } as never],
    [{ id: 'p', agent: 'well', state: 'pending', summary: 'added a tone', poisoned: false } as never],
    [{ itemId: 'souls/ops', status: 'conflict', conflictReason: 'both_changed' } as never, { itemId: 'agents/well', status: 'conflict', conflictReason: 'deleted_there' } as never],
  );
  assert.deepEqual(list.map((need) => need.agent?.name ?? need.soul), ['poisoned', 'broken', 'edited', 'ops', 'well', 'well', 'well']);
  assert.deepEqual(list.slice(3, 5).map((need) => [need.action, need.href]), [['Merge', '/sync?item=souls%2Fops'], ['Resolve', '/sync']]);
  assert.equal(list[0]!.title, 'Prompt injection found in poisoned');
  assert.equal(list[1]!.why, '`tools` is owned by AGENT.md, and 2 more. No session can start until this is fixed.');
});

test('the sentence on the first page', () => {
  assert.equal(sentence(5, 3), 'Five agents. Two are well, three need you.');
  assert.equal(sentence(1, 0), 'One agent. It is well.');
  assert.equal(sentence(4, 0), 'Four agents. All are well.');
  assert.equal(sentence(2, 2), 'Two agents. All need you.');
  assert.equal(sentence(500, 1), '500 agents. 499 are well, one needs you.');
});

test('a draft that cannot be read is no draft', () => {
  assert.equal(parseDraft('{'), null);
  assert.equal(parseDraft('{"text":1}'), null);
  assert.equal(parseDraft(null), null);
  assert.equal(parseDraft('{"text":"a","base":"b","at":"2026-01-01"}')?.baseDigest, null);
});

test('diagnostics: errors first, bytes become characters, other files say so', () => {
  const source = '---\nröle: x\n---\nBody\n';
  const list = [
    { code: 'part_missing', severity: 'warning', message: 'no limits' },
    { code: 'unsupported_field', severity: 'error', message: '`röle` is not a field', line: 2, column: 1, span: { start: 4, end: 9 }, fix: { span: { start: 4, end: 9 }, text: 'role' } },
    { code: 'invalid_tool', severity: 'error', message: 'bad', path: 'tools/x.yaml', line: 1 },
  ] as Diagnostic[];
  const [first, second, third] = fromDiagnostics(list, source, 'SOUL.md');
  assert.deepEqual([first!.line, second!.line, third!.severity], [0, 2, 'warning']);
  assert.equal(first!.message, 'tools/x.yaml: bad');
  assert.equal(source.slice(second!.fix!.from, second!.fix!.to), 'röle');
  assert.equal(second!.fix!.label, 'Change to role');
});

test('what loosens a soul comes first, then limits, removed before added', () => {
  const change = (field: string, kind: string) => ({ field, change: kind, before: null, after: null }) as SoulChange;
  const ordered = inOrder([change('role', 'changed'), change('limit', 'added'), change('tone', 'removed'), change('limit', 'removed')]);
  assert.deepEqual(ordered.map((one) => `${one.field} ${one.change}`), ['limit removed', 'limit added', 'tone removed', 'role changed']);
});

test('a step is shortened by the budget, the bound and the range', () => {
  const most = limits([]);
  assert.deepEqual(preview(0.6, 0.6, 0.1, 0.15, most), { result: 0.7, delta: 0.7 - 0.6, cutBy: null });
  assert.equal(preview(0.6, 0.6, 0.3, 0.15, most).cutBy, 'budget');
  assert.equal(preview(0.85, 0.6, 0.1, 0.15, most).cutBy, 'bound');
  assert.equal(preview(0.95, 0.9, 0.1, 0.15, most).cutBy, 'range');
  assert.equal(limits([{ key: 'persona.max_total_delta', value: '0.2' }]).total, 0.2);
  assert.ok(Math.abs(budget([{ session: 'studio', trait: 'openness', delta: 0.1 }, { session: 'b', trait: 'openness', delta: 0.1 }] as never, 'studio', 'openness', most) - 0.05) < 1e-9);
});

test('a sentence appears when .65 is crossed', () => {
  assert.equal(speaks(0.65), false);
  assert.equal(speaks(0.6500000000000001), false);
  assert.equal(speaks(0.66), true);
  assert.equal(speaks(0.34), true);
  const said = sentences('<<<soul:begin traits>>>\n- Be plain.\n- Look for the unusual.\nYour mood: x\n<<<soul:end traits>>>', { honestyHumility: 0.9, extraversion: 0.5, openness: 0.8 });
  assert.deepEqual(said, { honestyHumility: 'Be plain.', openness: 'Look for the unusual.' });
});

test('a second finding on one line is folded, lowered ones come last', () => {
  const finding = (rule: string, line: number, confidence: string, context: string | null = null) => ({ rule, severity: 'error', confidence, file: 'SOUL.md', line, column: 1, message: '', excerpt: '', why: '', help: '', fingerprint: rule + line, context });
  const target = { path: '-', score: 1, total: 2, grade: 'D', passed: false, findings: [finding('SEC001', 2, 'low', 'defensive'), finding('SK110', 5, 'medium'), finding('SEC001', 5, 'high')] } as unknown as ScannedTarget;
  const [group] = groups(target);
  assert.deepEqual(group!.lines.map((line) => [line.line, line.more.length]), [[5, 1], [2, 0]]);
  assert.equal(group!.gate, 2);
  assert.deepEqual(excerpt('a\nb\nc\nd', 3).map((line) => line.text), ['a', 'b', 'c']);
});

test('an allowance is a comment above the line, in YAML inside the frontmatter', () => {
  assert.equal(withAllowance('---\nrole: x\n---\nBody', 4, 'SEC001', 'taught -- here'), '---\nrole: x\n---\n<!-- soul: allow SEC001 -- taught – here -->\nBody');
  assert.equal(withAllowance('---\nrole: x\n---\nBody', 2, 'SK1', 'y'), '---\n# soul: allow SK1 -- y\nrole: x\n---\nBody');
});

test('events are sentences, and name what they make out of date', () => {
  const event = { seq: 1, time: '', kind: 'soul.put', scope: 'home', agent: 'reviewer', soul: null, digest: null, revision: 'rev_1', session: null, task: null, run: null, actor: { kind: 'token', ref: 'linter' }, origin: { kind: 'http', ref: 'write' } } as unknown as SoulEvent;
  const change = { summary: 'removed a limit', parts: null, changed_parts: ['limits' as const], loosens: true, hue: 2 };
  assert.deepEqual(happened(event, change), { subject: 'reviewer', text: 'was changed by linter (token)', detail: 'removed a limit', id: 'rev_1' });
  assert.ok(touched(event).includes('/api/agents'));
  assert.ok(touched({ kind: 'persona.adapt', agent: 'a b', soul: null, session: null }).includes('/api/agents/a%20b/'));
  assert.ok(!touched({ kind: 'persona.adapt', agent: 'a', soul: null, session: null }).includes('/api/audit/verify'));
});
