// Problems in the text: squiggles, marks beside the lines, and the message under the line that the cursor is in and
// under those that have a fix.

import { type EditorState, type Extension, RangeSetBuilder, StateEffect, StateField, type Text } from '@codemirror/state';
import { Decoration, type DecorationSet, EditorView, GutterMarker, gutter, WidgetType } from '@codemirror/view';
import { pieces } from '../words.ts';
import { reveal } from '../text/hidden.ts';

export type Problem = {
  severity: 'error' | 'warning' | 'info';
  message: string;
  help: string | null;
  from: number;
  to: number;
  /** 1-based; 0 if it is about the whole text. */
  line: number;
  column: number;
  code: string;
  fix: { from: number; to: number; text: string; label: string } | null;
};

const replace = StateEffect.define<Problem[]>();

const NS = 'http://www.w3.org/2000/svg';
const SIGNS = {
  error: ['M2 8a6 6 0 1 0 12 0A6 6 0 1 0 2 8', 'M8 5v3.5M8 11h.01'],
  warning: ['M8 2.5 14.3 13.5H1.7z', 'M8 6.5v3M8 11.5h.01'],
  info: ['M2 8a6 6 0 1 0 12 0A6 6 0 1 0 2 8', 'M8 7.5V11M8 5h.01'],
};
const TONES = { error: 'is-error', warning: 'is-warn', info: 'is-accent' };

function sign(severity: Problem['severity']): SVGElement {
  const svg = document.createElementNS(NS, 'svg');
  svg.setAttribute('class', `ic ${TONES[severity]}`);
  svg.setAttribute('viewBox', '0 0 16 16');
  svg.setAttribute('aria-hidden', 'true');
  for (const d of SIGNS[severity]) {
    const path = document.createElementNS(NS, 'path');
    path.setAttribute('d', d);
    svg.append(path);
  }
  return svg;
}

function appendMessage(to: HTMLElement, text: string) {
  for (const piece of pieces(text)) {
    const into = piece.code ? document.createElement('code') : document.createElement('span');
    for (const part of reveal(piece.text)) {
      const span = document.createElement('bdi');
      if (part.hidden) span.className = 'hidden-char';
      span.textContent = part.text;
      into.append(span);
    }
    to.append(into);
  }
}

/** Lines with more problems than this say how many follow; fifty on one line must not push the text away. */
const UNDER_A_LINE = 3;

class Says extends WidgetType {
  constructor(
    readonly problems: Problem[],
    readonly fixKey: string,
  ) {
    super();
  }
  override eq(other: Says) {
    return JSON.stringify(other.problems) === JSON.stringify(this.problems);
  }
  override toDOM(view: EditorView) {
    const box = document.createElement('div');
    box.className = 'says-box';
    for (const problem of this.problems.slice(0, UNDER_A_LINE)) {
      const says = document.createElement('div');
      says.className = problem.severity === 'error' ? 'says e' : 'says';
      const text = document.createElement('span');
      appendMessage(text, problem.message);
      if (problem.help) {
        text.append('. ');
        const help = document.createElement('span');
        help.className = 'help';
        appendMessage(help, problem.help);
        text.append(help);
      }
      says.append(sign(problem.severity), text);
      const fix = problem.fix;
      if (fix && !view.state.readOnly) {
        const button = document.createElement('button');
        button.type = 'button';
        button.className = 'btn sm';
        button.textContent = fix.label;
        const key = document.createElement('kbd');
        key.textContent = this.fixKey;
        button.append(' ', key);
        button.onclick = () => {
          apply(view, problem);
          view.focus();
        };
        says.append(button);
      }
      box.append(says);
    }
    if (this.problems.length > UNDER_A_LINE) {
      const more = document.createElement('p');
      more.className = 'says-more t-cap dim';
      more.textContent = `${this.problems.length - UNDER_A_LINE} more on this line`;
      box.append(more);
    }
    return box;
  }
  override ignoreEvent() {
    return true;
  }
}

class Sign extends GutterMarker {
  constructor(readonly severity: Problem['severity']) {
    super();
  }
  override eq(other: Sign) {
    return other.severity === this.severity;
  }
  override toDOM() {
    return sign(this.severity);
  }
}
const MARKERS = { error: new Sign('error'), warning: new Sign('warning'), info: new Sign('info') };
const WORSE = { error: 2, warning: 1, info: 0 };

function byLine(problems: Problem[], doc: Text): Map<number, Problem[]> {
  const lines = new Map<number, Problem[]>();
  for (const problem of problems) {
    if (problem.line < 1) continue;
    const line = Math.min(problem.line, doc.lines);
    lines.set(line, [...(lines.get(line) ?? []), problem]);
  }
  return lines;
}

function decorate(state: EditorState, problems: Problem[], fixKey: string): DecorationSet {
  const cursor = state.doc.lineAt(state.selection.main.head).number;
  const marks = problems
    .filter((problem) => problem.to > problem.from && problem.to <= state.doc.length)
    .map((problem) => Decoration.mark({ class: problem.severity === 'error' ? 'sq e' : 'sq' }).range(problem.from, problem.to));
  const widgets = [...byLine(problems, state.doc)]
    .map(([line, all]) => [line, line === cursor ? all : all.filter((problem) => problem.fix)] as const)
    .filter(([, all]) => all.length > 0)
    .map(([line, all]) => Decoration.widget({ widget: new Says(all, fixKey), block: true, side: 1 }).range(state.doc.line(line).to));
  return Decoration.set([...marks, ...widgets], true);
}

type Shown = { problems: Problem[]; decorations: DecorationSet };

/** Problems keep their place while the text around them changes, until the next check answers. */
function moved(problems: Problem[], changes: { mapPos(at: number, side?: number): number }, doc: Text): Problem[] {
  return problems.map((problem) => {
    if (problem.line < 1) return problem;
    const from = Math.min(changes.mapPos(problem.from, 1), doc.length);
    const to = Math.max(from, Math.min(changes.mapPos(problem.to, -1), doc.length));
    return { ...problem, from, to, line: doc.lineAt(from).number, fix: null };
  });
}

export function problemField(fixKey: string): StateField<Shown> {
  return StateField.define<Shown>({
    create: () => ({ problems: [], decorations: Decoration.none }),
    update(shown, transaction) {
      let problems = shown.problems;
      let redraw = transaction.selection !== undefined && transaction.startState.doc.lineAt(transaction.startState.selection.main.head).number !== transaction.state.doc.lineAt(transaction.state.selection.main.head).number;
      if (transaction.docChanged) {
        problems = moved(problems, transaction.changes, transaction.state.doc);
        redraw = true;
      }
      for (const effect of transaction.effects) {
        if (!effect.is(replace)) continue;
        problems = effect.value;
        redraw = true;
      }
      return redraw ? { problems, decorations: decorate(transaction.state, problems, fixKey) } : shown;
    },
    provide: (field) => EditorView.decorations.from(field, (shown) => shown.decorations),
  });
}

export function problemGutter(field: StateField<Shown>): Extension {
  return gutter({
    class: 'cm-marks',
    markers(view) {
      const lines = [...byLine(view.state.field(field).problems, view.state.doc)].sort((a, b) => a[0] - b[0]);
      const builder = new RangeSetBuilder<GutterMarker>();
      for (const [line, all] of lines) {
        const worst = all.reduce((a, b) => (WORSE[b.severity] > WORSE[a.severity] ? b : a));
        const at = view.state.doc.line(line).from;
        builder.add(at, at, MARKERS[worst.severity]);
      }
      return builder.finish();
    },
    initialSpacer: () => MARKERS.error,
  });
}

export const setProblems = (view: EditorView, problems: Problem[]) => view.dispatch({ effects: replace.of(problems) });

export function apply(view: EditorView, problem: Problem) {
  const fix = problem.fix;
  if (!fix || fix.to > view.state.doc.length) return;
  view.dispatch({ changes: { from: fix.from, to: fix.to, insert: fix.text }, selection: { anchor: fix.from + fix.text.length }, scrollIntoView: true, userEvent: 'input.fix' });
}
