// The findings of one file, in place.

import { useState } from 'preact/hooks';
import { Badge } from '../../components/controls.tsx';
import { Icon } from '../../components/Icon.tsx';
import { Message, Other, Revealed } from '../../components/Text.tsx';
import { excerpt, type Group, type Placed } from './findings.ts';

const CONTEXTS: Record<string, string> = {
  negated: 'The sentence forbids it.',
  defensive: 'The sentence reports or refuses it.',
  quoted: 'It is a quotation.',
  fenced: 'It is in a code block.',
  example: 'It is an example.',
  fiction: 'It is part of a story.',
  apart: 'Its parts are far from each other.',
};

/** What can be done with a finding. */
export type Actions = { line: ((finding: Placed) => string) | null; allow: ((placed: Placed) => void) | null };

function Excerpt({ placed, text }: { placed: Placed; text: string | undefined }) {
  const { finding, mark } = placed;
  if (text === undefined) {
    return (
      <div class="excerpt code">
        <div class="ln">
          <span class="mk" />
          <span class="no">{finding.line}</span>
          <code>
            <mark>
              <Revealed text={finding.excerpt} />
            </mark>
          </code>
        </div>
      </div>
    );
  }
  return (
    <div class="excerpt code">
      {excerpt(text, finding.line).map((line) => {
        const here = line.number === finding.line;
        const from = mark ? Math.max(0, Math.min(line.text.length, mark.from - line.from)) : 0;
        const to = mark ? Math.max(from, Math.min(line.text.length, mark.to - line.from)) : line.text.length;
        // A line of 32 KB is shown around what was found.
        const start = Math.max(0, from - 200);
        const stop = Math.min(line.text.length, to + 200);
        return (
          <div key={line.number} class="ln">
            <span class="mk">{here && <Icon name={placed.gate ? 'error' : 'warn'} tone={placed.gate ? 'error' : 'warn'} />}</span>
            <span class="no">{line.number}</span>
            <code dir="auto">
              {here ? (
                <>
                  {start > 0 && '…'}
                  <Revealed text={line.text.slice(start, from)} />
                  <mark class={placed.gate ? '' : 'w'}>
                    <Revealed text={line.text.slice(from, Math.min(to, from + 400))} />
                  </mark>
                  <Revealed text={line.text.slice(Math.min(to, from + 400), stop)} />
                  {stop < line.text.length && '…'}
                </>
              ) : (
                <Revealed text={line.text.slice(0, 240)} />
              )}
            </code>
          </div>
        );
      })}
    </div>
  );
}

function FindingView({ placed, text, actions }: { placed: Placed; text: string | undefined; actions: Actions }) {
  const { finding, gate, lowered } = placed;
  const href = actions.line?.(placed);
  return (
    <article class="finding" aria-label={`${finding.rule}, line ${finding.line}`}>
      <div class="row wrap">
        <code class={gate ? 'badge error' : 'badge warn'}>{finding.rule}</code>
        <b>
          <Message text={finding.message} />
        </b>
        <span class="dimmer t-cap">
          {finding.severity}, {finding.confidence} confidence
        </span>
        <span class="end">{gate ? <Badge tone="error" icon="error">stops a write</Badge> : lowered ? <Badge tone="line">lowered</Badge> : null}</span>
      </div>
      <Excerpt placed={placed} text={text} />
      <p class="dim">
        {lowered ? CONTEXTS[finding.context!] : <Message text={finding.why} />} <b class="fix">What to do:</b> <Message text={finding.help} />.
      </p>
      <div class="row wrap">
        {href && (
          <a class="btn sm" href={href}>
            Go to the line
          </a>
        )}
        {actions.allow && href && (
          <button class="btn quiet sm" type="button" onClick={() => actions.allow!(placed)}>
            Allow it with a reason…
          </button>
        )}
        <a class="btn quiet sm" href={`/docs/rules.md#${finding.rule.toLowerCase()}`}>
          About {finding.rule}
        </a>
      </div>
    </article>
  );
}

export function FileFindings({ group, text, actions }: { group: Group; text: string | undefined; actions: Actions }) {
  const [open, setOpen] = useState<ReadonlySet<string>>(new Set());
  return (
    <section class="card" aria-label={group.file}>
      <div class="card-head">
        <h2 class="t-head">
          <code>
            <Other text={group.file} />
          </code>
        </h2>
        {group.gate > 0 && <Badge tone="error">{group.gate}</Badge>}
        {group.lowered > 0 && <Badge tone="line">{group.lowered} lowered</Badge>}
      </div>
      {group.lines.map(({ line, first, more }) => (
        <>
          <FindingView key={first.finding.fingerprint} placed={first} text={text} actions={actions} />
          {more.map((placed) => {
            const id = `${line} ${placed.finding.fingerprint}`;
            if (open.has(id)) return <FindingView key={id} placed={placed} text={text} actions={actions} />;
            return (
              <div key={id} class="finding more">
                <div class="row wrap">
                  <code class={placed.gate ? 'badge error' : 'badge warn'}>{placed.finding.rule}</code>
                  <b>
                    <Message text={placed.finding.message} />
                  </b>
                  <span class="dimmer t-cap">
                    {placed.finding.severity}, {placed.finding.confidence} confidence, the same line
                  </span>
                  <button class="btn quiet sm end" type="button" onClick={() => setOpen((old) => new Set(old).add(id))}>
                    Show
                  </button>
                </div>
              </div>
            );
          })}
        </>
      ))}
    </section>
  );
}
