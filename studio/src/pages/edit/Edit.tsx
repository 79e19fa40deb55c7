// The editor of a soul: the text on the left, what the model reads on the right, problems below.

import { useMemo, useRef, useState } from 'preact/hooks';
import { agentPath } from '../../api/client.ts';
import { useGet } from '../../api/query.ts';
import type { AgentSummary, SoulText } from '../../api/types.ts';
import { Segmented } from '../../components/controls.tsx';
import { Icon } from '../../components/Icon.tsx';
import { KeptDraft } from '../../components/KeptDraft.tsx';
import { Failed, Loaded } from '../../components/states.tsx';
import { Other, Revealed, Time } from '../../components/Text.tsx';
import { agentSubject } from '../../drafts.ts';
import { CodeEditor } from '../../editor/CodeEditor.tsx';
import type { Handle, Problem } from '../../editor/editor.ts';
import { idempotencyKey, writeSoul } from '../../authoring.ts';
import { useCan } from '../../identity.ts';
import { shown, useCommands } from '../../keys.ts';
import { changedParts } from '../../sigil.ts';
import { amount, isOutside, number, who } from '../../words.ts';
import { toast } from '../../shell/toasts.ts';
import { setQuery, usePlace } from '../../router.ts';
import { agentUrl } from '../../routes.ts';
import { SoulFrame } from '../soul/SoulFrame.tsx';
import { Merge } from '../merge/Merge.tsx';
import { ModelReads } from './ModelReads.tsx';
import { Problems } from './Problems.tsx';
import { fromDiagnostics, fromFindings } from './problems.ts';
import { Notices } from './Notices.tsx';
import { type Attempt, type Outcome, useSaving } from './Save.tsx';
import { useCheck, useDraftPrompt } from './useCheck.ts';
import { useSoulDraft } from './useSoulDraft.ts';

const LARGE = 200 * 1024;

function Files({ saved, current, dirty, onOpen }: { saved: SoulText; current: string | null; dirty: boolean; onOpen: (file: string | null) => void }) {
  const own = saved.source_path.split('/').pop()!;
  return (
    <div class="files" role="tablist" aria-label="Files of the agent">
      <button type="button" role="tab" aria-selected={current === null} onClick={() => onOpen(null)}>
        {own}
        {dirty && ' •'}
      </button>
      {(saved.companions ?? []).map(({ file }) => (
        <button key={file} type="button" role="tab" aria-selected={current === file} title="Read here, edited in the folder" onClick={() => onOpen(file)}>
          <Icon name="lock" />
          <Other text={file} />
        </button>
      ))}
    </div>
  );
}

function Companion({ text }: { text: string | null }) {
  if (text === null) return <p class="card-pad dim">This file is not text, or too large to show.</p>;
  return (
    <pre class="scroll companion" tabindex={0} dir="auto">
      <Revealed text={text} />
    </pre>
  );
}

function Workbench({ name, agent, saved }: { name: string; agent: AgentSummary | null; saved: SoulText }) {
  const { me, write } = useCan();
  const { query } = usePlace();
  const draft = useSoulDraft(agentSubject(name), { text: saved.text, digest: saved.raw_digest ?? saved.digest });
  const [merging, setMerging] = useState(false);
  const put = async ({ text, base, key, force }: Attempt): Promise<Outcome> => {
    const change = await writeSoul(name, {
      body: text,
      idempotency_key: key,
      ...(base.present && base.digest ? { expected_digest: base.digest } : { create: true }),
      ...(force ? { force } : {}),
    });
    const digest = change.revision.raw_digest ?? change.soul.raw_digest ?? change.soul.digest;
    return { base: { text, digest, present: true }, said: change.unchanged ? 'Nothing had changed' : `Saved as revision ${change.revision.seq}`, see: agentUrl(name, 'history') };
  };
  const saving = useSaving(draft, put, () => setMerging(true));
  const check = useCheck(name, draft.text, draft.text !== '' || draft.base.present);
  const current = check?.text === draft.text ? check : null;
  const valid = check?.valid ?? true;
  const prompt = useDraftPrompt(name, draft.text, draft.dirty, check ? check.valid : null, saved.raw_digest ?? null);
  const [cursor, setCursor] = useState({ line: 1, column: 1 });
  const [pane, setPane] = useState<'write' | 'problems' | 'prompt'>('write');
  const editor = useRef<Handle | null>(null);
  const file = query.get('file');
  const companion = saved.companions?.find((one) => one.file === file) ?? null;
  const source = saved.source_path.split('/').pop() ?? null;

  const problems = useMemo((): Problem[] => {
    const refused = saving.refusal?.kind === 'poisoned' ? fromFindings(saving.refusal.findings, draft.text, source) : [];
    if (!check) return refused;
    // An older answer still shows what is wrong, but its offsets no longer fit: the editor moves what it has.
    return [...refused, ...fromDiagnostics(check.diagnostics, check.text, source)];
  }, [check, saving.refusal]);
  const errors = check?.diagnostics.filter((one) => one.severity === 'error').length ?? 0;
  const blocked = errors > 0 || !draft.dirty || saving.busy;

  const go = (problem: Problem) => {
    // At once: the next key may be the one that applies the fix at the cursor.
    editor.current?.goTo(problem);
    if (companion === null && pane === 'write') return;
    setQuery({ file: null });
    setPane('write');
    // What is not drawn takes no focus.
    requestAnimationFrame(() => editor.current?.goTo(problem));
  };
  const step = (by: number) => {
    const placed = problems.filter((problem) => problem.line > 0).sort((a, b) => a.from - b.from);
    if (placed.length === 0) return;
    const at = placed.findIndex((problem) => problem.line > cursor.line || (problem.line === cursor.line && problem.column > cursor.column));
    const before = placed.findLastIndex((problem) => problem.line < cursor.line || (problem.line === cursor.line && problem.column < cursor.column));
    go(by > 0 ? placed[at < 0 ? 0 : at]! : placed[before < 0 ? placed.length - 1 : before]!);
  };
  const save = () => {
    if (!blocked && write) void saving.save();
  };
  useCommands(
    write
      ? [
          { label: 'Save', key: 'mod+s', run: save },
          { label: 'Next problem', key: 'F8', run: () => step(1) },
          { label: 'Previous problem', key: 'shift+F8', run: () => step(-1) },
          { label: 'Apply the fix at the cursor', key: 'mod+.', run: () => void editor.current?.fixAtCursor() },
          { label: 'Find in the text', run: () => editor.current?.find() },
        ]
      : [],
  );

  // Only what changed is drawn again: a key must not cost the drawing of the whole prompt.
  const reads = useMemo(() => <ModelReads agent={name} shown={prompt} dirty={draft.dirty} valid={valid} />, [name, prompt, draft.dirty, valid]);
  const changed = draft.dirty && check?.parts && saved.parts ? changedParts(saved.parts, check.parts) : [];
  const head = { dirty: draft.dirty, valid, parts: check?.parts ?? null, changed, errors, kept: draft.kept };
  const last = agent?.last_change;
  if (merging && draft.dirty) {
    return (
      <Merge
        of={{ agent: name }}
        kind="agent"
        hue={saved.hue}
        base={draft.base.text}
        ours={draft.text}
        theirs={saved.text ?? ''}
        captions={{
          theirs: last && !isOutside(last.actor, last.origin) ? <>saved by <Other text={who(last.actor, last.origin)} />, <Time at={last.created_at} /></> : 'edited in the file',
          ours: 'not saved, kept in this browser',
        }}
        save={async (text) => {
          const change = await writeSoul(name, { body: text, idempotency_key: idempotencyKey(), ...(saved.raw_digest ? { expected_digest: saved.raw_digest } : { create: true }) });
          draft.rebase({ text, digest: change.revision.raw_digest, present: true });
          setMerging(false);
          return `The merged text was saved as revision ${change.revision.seq}`;
        }}
        take={{
          label: 'Take theirs, drop mine…',
          title: 'Take their text and drop yours?',
          text: 'Your unsaved changes are removed from this browser. This cannot be undone.',
          action: 'Drop my draft',
          run: () => {
            draft.discard();
            setMerging(false);
          },
        }}
        onEdit={(text) => {
          draft.rebase({ text: saved.text ?? '', digest: saved.raw_digest ?? saved.digest, present: saved.text !== null }, text);
          setMerging(false);
        }}
        frame={(acts, content) => (
          <SoulFrame name={name} tab="edit" acts={acts}>
            {() => content}
          </SoulFrame>
        )}
      />
    );
  }
  const discard = () => {
    const { text, base } = draft;
    draft.discard();
    saving.clear();
    toast('The draft was discarded', { label: 'Undo', run: () => draft.rebase(base, text) });
  };
  const acts = write && (
    <>
      {draft.dirty && (
        <button class="btn quiet" type="button" onClick={discard}>
          <Icon name="back" />
          Discard
        </button>
      )}
      <button class={blocked ? 'btn' : 'btn primary'} type="button" aria-disabled={blocked} onClick={save}>
        {draft.base.present ? 'Save' : 'Save the new soul'} <kbd>{shown('mod+s')}</kbd>
      </button>
      <p class="why t-cap" role="status">
        {errors > 0 && draft.dirty ? <span class="is-error">{amount(errors, 'error')} {errors === 1 ? 'keeps' : 'keep'} this from being saved</span> : ''}
      </p>
    </>
  );
  return (
    <SoulFrame name={name} tab="edit" acts={acts} draft={head}>
      {() => (
        <div class="bench">
          <Notices
            draft={draft}
            saving={saving}
            present={saved.text !== null}
            changed={agent?.last_change && agent.record === 'recorded' && !isOutside(agent.last_change.actor, agent.last_change.origin) ? { by: who(agent.last_change.actor, agent.last_change.origin), at: agent.last_change.created_at } : null}
            history={agentUrl(name, 'history')}
            save={save}
            onMerge={() => setMerging(true)}
          />
          <Segmented
            class="only-s pane-switch"
            label="Part of the editor"
            value={pane}
            options={[['write', 'Write'], ['problems', problems.length > 0 ? `Problems ${problems.length}` : 'Problems'], ['prompt', 'Prompt']]}
            onChange={setPane}
          />
          <div class={`workbench on-${pane}`}>
            <section class="card pane text" aria-label="Text of the soul">
              <Files saved={saved} current={companion?.file ?? null} dirty={draft.dirty} onOpen={(next) => setQuery({ file: next })} />
              {draft.text.length > LARGE && <p class="omit">The text is over 200 KB, so it is shown without colours.</p>}
              {companion && <Companion text={companion.text} />}
              <div class={companion ? 'hidden' : 'fill'}>
                <CodeEditor
                  text={draft.text}
                  epoch={draft.epoch}
                  label={saved.source_path}
                  readOnly={me === null ? null : !write}
                  problems={problems}
                  onChange={draft.edit}
                  onCursor={(line, column) => setCursor({ line, column })}
                  onReady={(handle) => {
                    editor.current = handle;
                    const line = Number(query.get('line'));
                    if (handle && line > 0) handle.goToLine(line);
                  }}
                />
              </div>
              <Problems problems={problems} onGo={go} onFix={(problem) => editor.current?.applyFix(problem)} next={() => step(1)} readOnly={!write} />
              <div class="panefoot">
                <span class="num">
                  Line {cursor.line}, column {cursor.column}
                </span>
                <span class="num">
                  {check?.body !== null && check?.limit ? `body ${number(check?.body ?? 0)} of ${number(check.limit)}` : number(new TextEncoder().encode(draft.text).length)} bytes
                </span>
                <span>{check?.dialect ?? saved.dialect ?? ''}</span>
                <span class="end">{current ? `checked in ${Math.max(1, Math.round(current.took))} ms` : 'checking…'}</span>
              </div>
            </section>
            {reads}
          </div>
        </div>
      )}
    </SoulFrame>
  );
}

export const textUrl = (name: string) => agentPath(name, 'soul/text?companions=true');

export function Edit({ name, agent }: { name: string; agent: AgentSummary | null }) {
  const saved = useGet<SoulText>(textUrl(name));
  if (saved.error && saved.error.status === 404) return <SoulFrame name={name} tab="edit">{() => null}</SoulFrame>;
  if (saved.error && !saved.data) {
    return (
      <>
        <Failed error={saved.error} what="The text could not be read." retry={saved.error.passing ? saved.reload : undefined} />
        <KeptDraft agent={name} create={false} />
      </>
    );
  }
  return (
    <Loaded query={saved} what="The text could not be read.">
      {(text) => <Workbench key={name} name={name} agent={agent} saved={text} />}
    </Loaded>
  );
}
