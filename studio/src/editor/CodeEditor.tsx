// The place of the editor on a page. Until its chunk is there, the text is shown plain.

import { useEffect, useLayoutEffect, useRef, useState } from 'preact/hooks';
import { shown } from '../keys.ts';
import type { Handle, Problem } from './editor.ts';

type Props = {
  text: string;
  /** Changes when `text` was replaced by something else than a key in this editor; only then the editor takes it over. */
  epoch: number;
  label: string;
  /** Null while it is unknown who is behind the page: the text is shown, and the editor waits. */
  readOnly: boolean | null;
  problems: Problem[];
  onChange: (text: string) => void;
  onCursor?: (line: number, column: number) => void;
  onReady: (handle: Handle | null) => void;
};

const nonce = () => document.querySelector<HTMLMetaElement>('meta[name=csp-nonce]')?.content ?? '';

export function CodeEditor({ text, epoch, label, readOnly, problems, onChange, onCursor, onReady }: Props) {
  const parent = useRef<HTMLDivElement>(null);
  const handle = useRef<Handle | null>(null);
  // The chunk arrives later than the first drawing: what the editor begins with is what holds then.
  const latest = useRef({ text, readOnly, onChange, onCursor, onReady, problems });
  latest.current = { text, readOnly, onChange, onCursor, onReady, problems };
  const known = readOnly !== null;
  const [state, setState] = useState<'loading' | 'ready' | 'failed'>('loading');
  useEffect(() => {
    if (!known) return;
    let gone = false;
    import('./editor.ts').then(
      ({ createEditor }) => {
        if (gone) return;
        handle.current = createEditor({
          parent: parent.current!,
          text: latest.current.text,
          label,
          nonce: nonce(),
          readOnly: latest.current.readOnly ?? true,
          fixKey: shown('mod+.'),
          onChange: (value) => latest.current.onChange(value),
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
  }, [known]);
  // Drawing lags behind typing, so `text` may be older than what is in the editor: it is written there in the same moment
  // in which it was replaced, and never because it came back.
  useLayoutEffect(() => handle.current?.setText(text), [epoch]);
  // In the same moment in which the page counts them: a key that applies a fix must find it.
  useLayoutEffect(() => handle.current?.setProblems(problems), [problems]);
  useLayoutEffect(() => handle.current?.setReadOnly(readOnly ?? true), [readOnly]);
  return (
    <div class="cm scroll" ref={parent}>
      {state === 'loading' && <pre class="cm-waits">{text.slice(0, 4000)}</pre>}
      {state === 'failed' && (
        <textarea class="cm-plain" aria-label={label} readOnly={readOnly ?? true} value={text} onInput={(event) => onChange(event.currentTarget.value)} />
      )}
    </div>
  );
}
