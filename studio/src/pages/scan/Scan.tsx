// What the scanner found, in place: what it is, why it matters, what to do.

import { useState } from 'preact/hooks';
import { agentPath, get, url } from '../../api/client.ts';
import { useGet } from '../../api/query.ts';
import type { RuleList, ScannedTarget, ScanReport, SoulText } from '../../api/types.ts';
import { Badge, TextField } from '../../components/controls.tsx';
import { ActionDialog } from '../../components/Dialog.tsx';
import { Loaded, Note } from '../../components/states.tsx';
import { Message, Other } from '../../components/Text.tsx';
import { agentSubject, keepDraft, loadDraft } from '../../drafts.ts';
import { useCan } from '../../identity.ts';
import { navigate } from '../../router.ts';
import { agentUrl } from '../../routes.ts';
import { amount, bytes, capital, count } from '../../words.ts';
import { SoulFrame } from '../soul/SoulFrame.tsx';
import { FileFindings, type Actions } from './Findings.tsx';
import { groups, withAllowance, type Placed } from './findings.ts';

const FAMILIES: Record<string, string> = {
  'prompt-injection': 'Prompt injection',
  'permission-escalation': 'Permission escalation',
  'safety-boundary': 'Safety boundary',
  'identity-consistency': 'Identity consistency',
  'harmful-instruction': 'Harmful instruction',
  secrets: 'Secrets',
  unicode: 'Hidden characters',
  'package-structure': 'Package structure',
};

function Verdict({ target }: { target: ScannedTarget }) {
  const gate = groups(target).reduce((sum, group) => sum + group.gate, 0);
  const grade = target.grade ?? '–';
  const tone = grade.startsWith('A') || grade.startsWith('B') ? 'ok' : grade.startsWith('C') ? 'warn' : 'error';
  const share = target.total > 0 ? target.score / target.total : 1;
  const size = (target.sources ?? []).reduce((sum, source) => sum + source.text.length, 0);
  return (
    <section class="card verdict" aria-label="Verdict">
      <div class={`letter ${tone}`}>{grade}</div>
      <div class="stack-2">
        <h2 class="t-title">{gate > 0 ? `${capital(count(gate, 'finding'))} would stop a write` : target.findings.length > 0 ? 'Nothing that would stop a write' : 'No problems found'}</h2>
        <p class="dim">
          {target.score} of {target.total} rules found nothing.{' '}
          {gate > 0 ? 'One certain finding limits the grade to D, and this text could not be saved without a reason.' : ''}
        </p>
        <svg class="gradebar" viewBox="0 0 1000 12" preserveAspectRatio="none" aria-hidden="true">
          <rect class="gb-ok" width={Math.max(0, 1000 * share - (share < 1 ? 4 : 0))} height="12" rx="3" />
          {share < 1 && <rect class="gb-bad" x={1000 * share} width={Math.max(8, 1000 - 1000 * share)} height="12" rx="3" />}
        </svg>
      </div>
      <div class="stack-1 t-cap dim">
        <span>
          {amount(target.sources?.length ?? 1, 'file')}, {bytes(size)}
        </span>
        <span>scanned just now</span>
        <span>nothing left this machine</span>
      </div>
    </section>
  );
}

export function ScanView({ target, actions }: { target: ScannedTarget; actions: Actions }) {
  const rules = useGet<RuleList>('/api/rules');
  const family = new Map((rules.data?.rules ?? []).map((rule) => [rule.id, rule.family as string]));
  const found = new Map<string, number>();
  for (const finding of target.findings) {
    if (finding.context != null) continue;
    const of = family.get(finding.rule);
    if (of) found.set(of, (found.get(of) ?? 0) + 1);
  }
  const texts = new Map((target.sources ?? []).map((source) => [source.file, source.text]));
  const list = groups(target);
  return (
    <>
      <Verdict target={target} />
      <div class="scan">
        <div class="stack">
          {target.error && (
            <Note tone="warn" icon="warn">
              <Message text={target.error} />
            </Note>
          )}
          {list.map((group) => (
            <FileFindings key={group.file} group={group} text={texts.get(group.file)} actions={actions} />
          ))}
          {list.length === 0 && (
            <Note tone="ok" icon="shield">
              Every file that the model reads was scanned, and no rule matched.
            </Note>
          )}
        </div>
        <div class="stack">
          <section class="card" aria-labelledby="looked">
            <div class="card-head">
              <h2 class="t-head" id="looked">
                What was looked for
              </h2>
            </div>
            <table class="table">
              <tbody>
                {Object.entries(FAMILIES).map(([id, label]) => (
                  <tr key={id}>
                    <td>{label}</td>
                    <td class="r">{found.get(id) ? <Badge tone="error">{found.get(id)} found</Badge> : <span class="dimmer">no problems</span>}</td>
                  </tr>
                ))}
              </tbody>
            </table>
          </section>
          <section class="card card-pad stack-2">
            <h2 class="t-head">Allowed before</h2>
            {(target.suppressed ?? []).length === 0 ? (
              <p class="dim">Nothing. What is allowed is listed here with its reason.</p>
            ) : (
              <ul class="stack-2">
                {target.suppressed!.map((finding) => (
                  <li key={finding.fingerprint}>
                    <code class="badge">{finding.rule}</code> <span class="mono t-cap dimmer"><Other text={`${finding.file}:${finding.line}`} /></span>
                    <p class="dim">
                      <Other text={finding.suppressed ?? ''} />
                    </p>
                  </li>
                ))}
              </ul>
            )}
          </section>
          <Note icon="info">Severity says how bad it is, confidence how sure. An error of medium or high confidence stops a write.</Note>
        </div>
      </div>
    </>
  );
}

function Allow({ name, placed, source, onClose }: { name: string; placed: Placed; source: string; onClose: () => void }) {
  const [reason, setReason] = useState('');
  const run = async () => {
    const saved = await get<SoulText>(agentPath(name, 'soul/text'));
    const draft = loadDraft(agentSubject(name));
    const base = saved.text ?? '';
    // Only the draft changes: whether the text says so is decided when it is saved.
    const text = withAllowance(draft?.text ?? base, placed.finding.line, placed.finding.rule, reason);
    keepDraft(agentSubject(name), { text, base: draft?.base ?? base, baseDigest: draft ? draft.baseDigest : (saved.raw_digest ?? saved.digest), at: new Date().toISOString() });
    navigate(`${agentUrl(name)}?line=${placed.finding.line}`);
  };
  return (
    <ActionDialog title={`Allow ${placed.finding.rule} in ${source}?`} action="Write it into the draft" failed="The draft was not changed." onClose={onClose} run={run} disabled={reason.trim() === ''}>
      <p class="dim">A comment with the reason goes above line {placed.finding.line} of your draft. Nothing is saved yet.</p>
      <TextField label="Reason" value={reason} onInput={setReason} required autofocus placeholder="the page teaches what to refuse" />
    </ActionDialog>
  );
}

export function Scan({ name }: { name: string }) {
  const report = useGet<ScanReport>(url(agentPath(name, 'scan'), { sources: true }));
  const { write } = useCan();
  const [allowing, setAllowing] = useState<Placed | null>(null);
  const acts = (
    <button class="btn" type="button" onClick={report.reload}>
      Scan again
    </button>
  );
  return (
    <SoulFrame name={name} tab="scan" acts={acts}>
      {(agent) => {
        const own = agent.source_path.split('/').pop()!;
        const isOwn = (file: string) => file === agent.source_path || file === own || file.endsWith(`/${own}`);
        return (
          <Loaded query={report} what="The soul could not be scanned.">
            {({ targets }) =>
              targets[0] ? (
                <>
                  <ScanView
                    target={targets[0]}
                    actions={{
                      line: (placed) => (isOwn(placed.finding.file) ? `${agentUrl(name)}?line=${placed.finding.line}` : `${agentUrl(name)}?file=${encodeURIComponent(placed.finding.file.split('/').pop()!)}`),
                      allow: write ? (placed) => isOwn(placed.finding.file) && setAllowing(placed) : null,
                    }}
                  />
                  {allowing && <Allow name={name} placed={allowing} source={own} onClose={() => setAllowing(null)} />}
                </>
              ) : null
            }
          </Loaded>
        );
      }}
    </SoulFrame>
  );
}
