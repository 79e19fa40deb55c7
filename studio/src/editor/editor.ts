// CodeMirror, set up for souls. This is a chunk of its own, loaded when a text is first edited.

import { defaultKeymap, history, historyKeymap } from '@codemirror/commands';
import { syntaxHighlighting } from '@codemirror/language';
import { highlightSelectionMatches, openSearchPanel, search, searchKeymap } from '@codemirror/search';
import { Annotation, Compartment, EditorState } from '@codemirror/state';
import { drawSelection, EditorView, highlightActiveLine, highlightSpecialChars, keymap, lineNumbers } from '@codemirror/view';
import { tagHighlighter, tags } from '@lezer/highlight';
import { codePoint, HIDDEN_CHARACTERS } from '../text/hidden.ts';
import { soulLanguage } from './language.ts';
import { apply, type Problem, problemField, problemGutter, setProblems } from './problems.ts';

export type { Problem };

export type Handle = {
  /** Replaces the text as a change of others: it is not an edit of the person. */
  setText(text: string): void;
  setProblems(problems: Problem[]): void;
  setReadOnly(readOnly: boolean): void;
  goTo(problem: Problem): void;
  goToLine(line: number): void;
  applyFix(problem: Problem): void;
  fixAtCursor(): boolean;
  find(): void;
  focus(): void;
  destroy(): void;
};

export type Setup = {
  parent: HTMLElement;
  text: string;
  label: string;
  nonce: string;
  readOnly: boolean;
  fixKey: string;
  onChange: (text: string) => void;
  onCursor: (line: number, column: number) => void;
};

/** Above this size colours are left out, and the page says so. */
export const LARGE = 200 * 1024;

const fromOutside = Annotation.define<boolean>();

const highlighter = tagHighlighter([
  { tag: tags.propertyName, class: 'k' },
  { tag: tags.punctuation, class: 'p' },
  { tag: tags.comment, class: 'p' },
  { tag: tags.heading, class: 'h' },
  { tag: tags.strong, class: 'h' },
  { tag: tags.monospace, class: 's' },
]);

function chip(code: number): HTMLElement {
  const span = document.createElement('span');
  span.className = 'hidden-char';
  span.textContent = codePoint(String.fromCodePoint(code));
  return span;
}

export function createEditor(setup: Setup): Handle {
  const field = problemField(setup.fixKey);
  const readOnly = new Compartment();
  const locked = (value: boolean) => [EditorState.readOnly.of(value), EditorView.editable.of(!value)];
  const view = new EditorView({
    parent: setup.parent,
    state: EditorState.create({
      doc: setup.text,
      extensions: [
        EditorView.cspNonce.of(setup.nonce),
        readOnly.of(locked(setup.readOnly)),
        field,
        problemGutter(field),
        lineNumbers(),
        history(),
        drawSelection(),
        highlightActiveLine(),
        highlightSelectionMatches(),
        highlightSpecialChars({ render: chip, addSpecialChars: HIDDEN_CHARACTERS }),
        search({ top: true }),
        EditorView.lineWrapping,
        EditorView.perLineTextDirection.of(true),
        EditorView.contentAttributes.of({ 'aria-label': setup.label, spellcheck: 'true', tabindex: '0' }),
        setup.text.length > LARGE ? [] : [soulLanguage, syntaxHighlighting(highlighter)],
        // A browser that replaces a selection itself leaves inline styles behind, which the policy of the page forbids.
        EditorView.domEventHandlers({
          beforeinput(event, editor) {
            if (event.inputType !== 'insertText' || event.data === null || event.isComposing || editor.state.selection.main.empty || editor.state.readOnly) return false;
            editor.dispatch(editor.state.replaceSelection(event.data), { userEvent: 'input.type', scrollIntoView: true });
            event.preventDefault();
            return true;
          },
        }),
        // Tab is not bound: it leaves the editor, always.
        keymap.of([...searchKeymap, ...historyKeymap, ...defaultKeymap]),
        EditorView.updateListener.of((update) => {
          if (update.docChanged && !update.transactions.some((one) => one.annotation(fromOutside))) setup.onChange(update.state.doc.toString());
          if (update.docChanged || update.selectionSet) {
            const head = update.state.selection.main.head;
            const line = update.state.doc.lineAt(head);
            setup.onCursor(line.number, head - line.from + 1);
          }
        }),
      ],
    }),
  });
  const problems = () => view.state.field(field).problems;
  return {
    setText(text) {
      if (view.state.doc.toString() === text) return;
      view.dispatch({ changes: { from: 0, to: view.state.doc.length, insert: text }, annotations: fromOutside.of(true) });
    },
    setProblems: (list) => setProblems(view, list.map((problem) => ({ ...problem, from: Math.min(problem.from, view.state.doc.length), to: Math.min(problem.to, view.state.doc.length) }))),
    setReadOnly: (value) => view.dispatch({ effects: readOnly.reconfigure(locked(value)) }),
    goTo(problem) {
      view.dispatch({ selection: { anchor: Math.min(problem.from, view.state.doc.length) }, effects: EditorView.scrollIntoView(Math.min(problem.from, view.state.doc.length), { y: 'center' }) });
      view.focus();
    },
    goToLine(line) {
      const at = view.state.doc.line(Math.max(1, Math.min(line, view.state.doc.lines))).from;
      view.dispatch({ selection: { anchor: at }, effects: EditorView.scrollIntoView(at, { y: 'center' }) });
      view.focus();
    },
    applyFix: (problem) => apply(view, problem),
    fixAtCursor() {
      const line = view.state.doc.lineAt(view.state.selection.main.head).number;
      const fixable = problems().find((problem) => problem.fix && problem.line === line);
      if (fixable) apply(view, fixable);
      return fixable !== undefined;
    },
    find: () => void openSearchPanel(view),
    focus: () => view.focus(),
    destroy: () => view.destroy(),
  };
}
