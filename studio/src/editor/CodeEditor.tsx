// The place of the editor on a page. Until its chunk is there, the text is shown plain.

import { useEffect, useRef, useState } from 'preact/hooks';
import { shown } from '../keys.ts';
import type { Handle, Problem } from './editor.ts';

type Props = {
  text: string;
  label: string;
  readOnly: boolean;
  problems: Problem[];
  onChange: (text: string) => void;
  onCursor?: (line: number, column: number) => void;
  onReady: (handle: Handle | null) => void;
};

const nonce = () => document.querySelector<HTMLMetaElement>('meta[name=csp-nonce]')?.content ?? '';

export function CodeEditor({ text, label, readOnly, problems, onChange, onCursor, onReady }: Props) {
  const parent = useRef<HTMLDivElement>(null);
  const handle = useRef<Handle | null>(null);
  const latest = useRef({ text, onChange, onCursor, onReady, problems });
  latest.current = { text, onChange, onCursor, onReady, problems };
  // Texts that the editor reported and that have not come back as `text` yet. Drawing lags behind fast typing: an older
  // text that comes back must not undo the letters typed since.
  const reported = useRef<string[]>([]);
  const [state, setState] = useState<'loading' | 'ready' | 'failed'>('loading');
  useEffect(() => {
    let gone = false;
    import('./editor.ts').then(
      ({ createEditor }) => {
        if (gone) return;
        handle.current = createEditor({
          parent: parent.current!,
          text: latest.current.text,
          label,
          nonce: nonce(),
          readOnly,
          fixKey: shown('mod+.'),
          onChange: (value) => {
            reported.current.push(value);
            latest.current.onChange(value);
          },
          onCursor: (line, column) => latest.current.onCursor?.(line, column),
        });
        handle.current.setProblems(latest.current.problems);
        latest.current.onReady(handle.current);
        setState('ready');
      },
      () => setState('failed'),
    );
    return () => {
      gone = true;
      handle.current?.destroy();
      handle.current = null;
      latest.current.onReady(null);
    };
  }, []);
  useEffect(() => {
    const at = reported.current.lastIndexOf(text);
    reported.current = at < 0 ? [] : reported.current.slice(at + 1);
    if (at < 0) handle.current?.setText(text);
  }, [text]);
  useEffect(() => handle.current?.setProblems(problems), [problems]);
  useEffect(() => handle.current?.setReadOnly(readOnly), [readOnly]);
  return (
    <div class="cm scroll" ref={parent}>
      {state === 'loading' && <pre class="cm-waits">{text.slice(0, 4000)}</pre>}
      {state === 'failed' && (
        <textarea class="cm-plain" aria-label={label} readOnly={readOnly} value={text} onInput={(event) => onChange(event.currentTarget.value)} />
      )}
    </div>
  );
}
