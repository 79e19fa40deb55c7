// Two texts of one soul. Nothing is lost: what only one side touched is merged, what both touched is a question.

import type { ComponentChildren } from 'preact';
import { useEffect, useMemo, useState } from 'preact/hooks';
import { ApiError, post } from '../../api/client.ts';
import type { Merge as Merged, MergeAnswer, MergeQuestion, MergeSide, SoulChange } from '../../api/types.ts';
import { Badge, Choice } from '../../components/controls.tsx';
import { ActionDialog } from '../../components/Dialog.tsx';
import { Icon } from '../../components/Icon.tsx';
import { changeSign, itemText } from '../../components/Meaning.tsx';
import { Sigil } from '../../components/Sigil.tsx';
import { Failed, Loading } from '../../components/states.tsx';
import { Message, Other, Revealed } from '../../components/Text.tsx';
import { shown, useCommands } from '../../keys.ts';
import { PARTS } from '../../sigil.ts';
import { toast } from '../../shell/toasts.ts';
import { amount, capital, count, field, list, short } from '../../words.ts';

/** Whose texts are merged, and what becomes of the result. */
export type MergeTask = {
  /** How the texts are read: as an agent's soul, as one of the library, or on their own. */
  of: { agent?: string; soul?: string };
  kind: 'agent' | 'library';
  hue: number;
  base: string;
  ours: string;
  theirs: string;
  captions: { theirs: ComponentChildren; ours: ComponentChildren };
  /** Saves the merged text; says what was done. */
  save: (text: string) => Promise<string>;
  take: { label: string; title: string; text: string; action: string; run: () => Promise<void> | void };
  /** Goes on by hand in the editor, where there is one. */
  onEdit?: (text: string) => void;
  frame: (acts: ComponentChildren, content: ComponentChildren) => ComponentChildren;
};

function Changes({ changes }: { changes: SoulChange[] }) {
  if (changes.length === 0) return <p class="dim">Nothing changed here.</p>;
  return (
    <ul class="stack-2">
      {changes.slice(0, 8).map((change, i) => {
        const [sign, tone] = changeSign(change.change);
        return (
          <li key={i} class="row top">
            <span class={`sign ${tone}`} aria-hidden="true">
              {sign}
            </span>
            <span>
              <span class="vh">{change.change} </span>
              {field(change.field)} <b class="clamp"><Other text={itemText(change.after ?? change.before)} /></b>
            </span>
          </li>
        );
      })}
      {changes.length > 8 && <li class="dim">{changes.length - 8} more</li>}
    </ul>
  );
}

function Side({ title, caption, side, hue, tone, kind }: { title: string; caption: ComponentChildren; side: MergeSide; hue: number; tone: 'was' | 'theirs' | 'ours'; kind: 'agent' | 'library' }) {
  return (
    <section class={`card ${tone}`}>
      <div class="card-pad stack">
        <div class="row-3">
          <Sigil kind={kind} parts={side.parts} hue={hue} size={48} {...(tone === 'was' ? {} : { changed: side.changed_parts })} />
          <div>
            <h2 class="t-head">{title}</h2>
            <p class="dim t-cap">{caption}</p>
          </div>
        </div>
        {tone !== 'was' ? (
          <Changes changes={side.changes} />
        ) : (
          <ul>
            <li class="row top">
              <span class="sign same">=</span>
              <span>The text before either of you changed it</span>
            </li>
          </ul>
        )}
      </div>
    </section>
  );
}

const quote = (text: string) =>
  text.trim() === '' ? (
    <span class="dimmer">nothing</span>
  ) : (
    <span class="t-quote pre">
      <Other text={text.trimEnd()} />
    </span>
  );

function Question({ question, answer, onAnswer }: { question: MergeQuestion; answer: MergeAnswer | undefined; onAnswer: (answer: MergeAnswer) => void }) {
  const chosen = answer === undefined ? null : typeof answer === 'object' ? 'hand' : answer;
  const [hand, setHand] = useState(typeof answer === 'object' ? answer.text : question.ours);
  const loosens = (side: 'ours' | 'theirs') => question.loosens.includes(side) && <Badge tone="warn">loosens</Badge>;
  return (
    <section class="card" aria-label={`Decide: ${question.name}`}>
      <div class="card-head">
        <h2 class="t-head">
          To decide: <Other text={field(question.name)} />
        </h2>
        {chosen === null ? <Badge tone="warn">open</Badge> : <Badge tone="ok" icon="check">decided</Badge>}
      </div>
      <div class="card-pad stack">
        <div class="dim">Both began with {quote(question.base)}</div>
        <Choice
          label={`Which ${question.name}`}
          class="choice"
          value={chosen}
          onChange={(value) => onAnswer(value === 'hand' ? { text: hand } : (value as MergeAnswer))}
          options={[
            { value: 'theirs', title: 'Theirs', text: <>{quote(question.theirs)}{loosens('theirs')}</> },
            { value: 'ours', title: 'Yours', text: <>{quote(question.ours)}{loosens('ours')}</> },
            ...(question.both === null ? [] : [{ value: 'both', title: 'Both', text: quote(question.both) }]),
            { value: 'hand', title: 'By hand', text: <span class="dim">write what it should say</span> },
          ]}
        />
        {chosen === 'hand' && (
          <label class="stack-1">
            <span class="t-lab">Your words</span>
            <span class="field">
              <textarea
                class="mono"
                value={hand}
                onInput={(event) => {
                  const text = event.currentTarget.value;
                  setHand(text);
                  onAnswer({ text: text.endsWith('\n') ? text : `${text}\n` });
                }}
              />
            </span>
          </label>
        )}
      </div>
    </section>
  );
}

const countErrors = (merge: Merged | null) => merge?.diagnostics.filter((one) => one.severity === 'error').length ?? 0;

const ORIGINS = { both: ['', ''], ours: ['from-m', 'yours'], theirs: ['from-t', 'theirs'], question: ['on-warn', 'to decide'], base: ['', 'as before'], hand: ['from-m', 'by hand'] } as const;

export function Merge({ of, kind, hue, base, ours, theirs, captions, save: keep, take, onEdit, frame }: MergeTask) {
  const [answers, setAnswers] = useState<Record<string, MergeAnswer>>({});
  const [merge, setMerge] = useState<Merged | null>(null);
  const [error, setError] = useState<ApiError | null>(null);
  const [dropping, setDropping] = useState(false);
  const [busy, setBusy] = useState(false);
  const request = useMemo(() => ({ ...of, base, ours, theirs, answers }), [base, ours, theirs, answers]);
  /** What the merge on the page was made of. */
  const [merged, setMerged] = useState<typeof request | null>(null);
  const show = (answer: Merged) => {
    setMerge(answer);
    setMerged(request);
    setError((old) => (old?.status === 409 ? old : null));
  };
  useEffect(() => {
    let gone = false;
    const timer = setTimeout(() => {
      post<Merged>('/api/merge', request).then(
        (answer) => !gone && show(answer),
        (cause: unknown) => !gone && cause instanceof ApiError && setError(cause),
      );
    }, merge ? 120 : 0);
    return () => {
      gone = true;
      clearTimeout(timer);
    };
    // A further save of theirs begins anew; the answers are kept.
  }, [request]);

  const errors = countErrors(merge);
  const blocked = !merge || merge.undecided > 0 || errors > 0 || busy;
  const save = async () => {
    if (blocked) return;
    setBusy(true);
    setError(null);
    try {
      let latest = merge;
      // The last words are not merged yet: whoever saves right after typing must not lose them.
      if (merged !== request) {
        latest = await post<Merged>('/api/merge', request);
        show(latest);
      }
      if (latest.undecided === 0 && countErrors(latest) === 0) toast(await keep(latest.text));
    } catch (cause) {
      if (!(cause instanceof ApiError)) throw cause;
      // Another save came first. The page asks for the text again, and the merge begins anew by itself.
      setError(cause.status === 409 ? new ApiError(409, cause.code, 'the soul was saved once more meanwhile; the merge begins anew, and your answers are kept', null, cause.body) : cause);
    }
    setBusy(false);
  };
  useCommands([{ label: 'Save the merged text', key: 'mod+s', run: () => void save() }]);
  const same = merge ? PARTS.filter((part) => !merge.ours.changed_parts.includes(part) && !merge.theirs.changed_parts.includes(part)) : [];
  const acts = (
    <>
      <button class="btn quiet" type="button" onClick={() => setDropping(true)}>
        {take.label}
      </button>
      <button class={blocked ? 'btn' : 'btn primary'} type="button" aria-disabled={blocked} onClick={() => void save()}>
        Save the merged text <kbd>{shown('mod+s')}</kbd>
      </button>
      <p class="why t-cap" role="status">
        {merge && merge.undecided > 0 ? `${amount(merge.undecided, 'decision')} left` : errors > 0 ? <span class="is-error">{amount(errors, 'error')} in the merged text</span> : ''}
      </p>
    </>
  );
  return frame(
    acts,
    <div class="merge">
      {error && <Failed error={error} what="The merged text was not saved. Both texts are safe." />}
      {!merge && !error && <Loading />}
      {merge && (
        <>
          <div class="note accent" role="status">
            <Icon name="info" />
            <span>
              <b>Nothing is lost.</b> Both texts are here. What only one of you touched is merged;{' '}
              {merge.questions.length === 0 ? 'nothing is left to decide.' : `${count(merge.questions.length, 'place was', 'places were')} touched by both, for you to decide.`}
            </span>
          </div>
          <div class="three">
            <Side title="What both began with" tone="was" kind={kind} hue={hue} side={merge.base} caption={merge.base.digest ? <span class="mono">{short(merge.base.digest)}</span> : base === '' ? 'nothing' : 'an invalid text'} />
            <Side title="Theirs" tone="theirs" kind={kind} hue={hue} side={merge.theirs} caption={captions.theirs} />
            <Side title="Yours" tone="ours" kind={kind} hue={hue} side={merge.ours} caption={captions.ours} />
          </div>
          {merge.questions.map((question) => (
            <Question key={question.id} question={question} answer={answers[question.id]} onAnswer={(answer) => setAnswers((old) => ({ ...old, [question.id]: answer }))} />
          ))}
          <div class="split">
            <section class="card" aria-labelledby="merged">
              <div class="card-head">
                <h2 class="t-head" id="merged">
                  The merged text
                </h2>
                {merge.valid ? <Badge tone="ok" icon="check">valid</Badge> : <Badge tone="error" icon="error">invalid</Badge>}
                {onEdit && (
                  <button class="btn quiet sm" type="button" onClick={() => onEdit(merge.text)}>
                    Edit by hand
                  </button>
                )}
              </div>
              <div class="code">
                {merge.lines.map((line, i) => {
                  const [tone, tag] = ORIGINS[line.origin];
                  return (
                    <div key={i} class={`ln ${tone}`}>
                      <span class="mk" />
                      <span class="no">{i + 1}</span>
                      <code dir="auto">
                        <Revealed text={line.text} />
                        {tag && <span class="tag">{tag}</span>}
                      </code>
                    </div>
                  );
                })}
              </div>
              {merge.diagnostics.filter((one) => one.severity === 'error').map((one, i) => (
                <p key={i} class="omit is-error">
                  <Message text={one.message} />
                </p>
              ))}
            </section>
            <section class="card" aria-labelledby="by-itself">
              <div class="card-head">
                <h2 class="t-head" id="by-itself">
                  Merged automatically
                </h2>
                <span class="badge">{merge.merged.length}</span>
              </div>
              <ul class="meaning">
                {merge.merged.map((change, i) => {
                  const [sign, tone] = changeSign(change.change);
                  return (
                    <li key={i}>
                      <span class={`sign ${tone}`} aria-hidden="true">{sign}</span>
                      <span class="what">{field(change.field)}</span>
                      <div class="stack-1">
                        <span class="t-quote"><Other text={itemText(change.after ?? change.before)} /></span>
                        <span class="t-cap dimmer">{change.side === 'ours' ? 'yours; they did not touch it' : 'theirs; you did not touch it'}</span>
                      </div>
                    </li>
                  );
                })}
              </ul>
              {same.length > 0 && <p class="omit">{capital(list(same))} {same.length === 1 ? 'is' : 'are'} the same in all three.</p>}
            </section>
          </div>
        </>
      )}
      {dropping && (
        <ActionDialog title={take.title} action={take.action} failed="Nothing was changed." danger onClose={() => setDropping(false)} run={async () => take.run()}>
          <p class="dim">{take.text}</p>
        </ActionDialog>
      )}
    </div>,
  );
}
