// The exact text that reaches the model: for the file as it is, or for one of its sessions.

import { useEffect, useState } from 'preact/hooks';
import { agentPath, url } from '../../api/client.ts';
import { useGet } from '../../api/query.ts';
import type { Prompt as PromptText, SessionPage } from '../../api/types.ts';
import { Choice, Segmented, TextField } from '../../components/controls.tsx';
import { Icon } from '../../components/Icon.tsx';
import { layerClass, Layers, said, TokenBar, tokens } from '../../components/Layers.tsx';
import { Loaded, Note } from '../../components/states.tsx';
import { Message, Revealed, Time } from '../../components/Text.tsx';
import { copy } from '../../shell/toasts.ts';
import { setQuery, usePlace } from '../../router.ts';
import { amount, bytes, number, shortId } from '../../words.ts';
import { SoulFrame } from '../soul/SoulFrame.tsx';

/** Values that follow a field after the last key. */
export function useLate(value: string, milliseconds = 300): string {
  const [late, setLate] = useState(value);
  useEffect(() => {
    const timer = setTimeout(() => setLate(value), milliseconds);
    return () => clearTimeout(timer);
  }, [value]);
  return late;
}

type View = 'layers' | 'text' | 'identity';

function Text({ prompt, view }: { prompt: PromptText; view: View }) {
  if (view === 'layers') return <Layers layers={prompt.layers} markers />;
  const text = view === 'text' ? prompt.text : (prompt.layers.find((layer) => layer.name === 'identity')?.text ?? '');
  return (
    <pre class="section" dir="auto">
      <Revealed text={text} />
    </pre>
  );
}

function Size({ prompt }: { prompt: PromptText }) {
  const total = tokens(prompt.layers);
  const size = new TextEncoder().encode(prompt.text).length;
  return (
    <section class="card">
      <div class="card-head">
        <h2 class="t-head">
          {amount(total, 'token')}, {bytes(size)}
        </h2>
      </div>
      <div class="card-pad stack">
        <TokenBar layers={prompt.layers} />
        <table class="legend">
          <tbody>
            {said(prompt.layers).map((layer) => (
              <tr key={layer.name} class={layerClass(layer.name)}>
                <td>
                  <svg class="ic" viewBox="0 0 16 16" aria-hidden="true">
                    <rect class="lyk" x="2" y="2" width="12" height="12" rx="3" />
                  </svg>
                </td>
                <td>{layer.name}</td>
                <td class="r num">{number(layer.est_tokens)}</td>
                <td class="r num dimmer">{total > 0 ? Math.round((100 * layer.est_tokens) / total) : 0} %</td>
              </tr>
            ))}
          </tbody>
        </table>
        <p class="t-cap dimmer">Tokens are an estimate: a quarter of the bytes.</p>
      </div>
    </section>
  );
}

function Warnings({ prompt }: { prompt: PromptText }) {
  const cut = prompt.layers.filter((layer) => layer.truncated);
  const notes = prompt.diagnostics ?? [];
  if (cut.length === 0 && notes.length === 0) {
    return (
      <Note tone="ok" icon="shield">
        No line imitates a marker, and no layer is cut short.
      </Note>
    );
  }
  return (
    <>
      {cut.map((layer) => (
        <Note key={layer.name} tone="warn" icon="warn">
          <b>The layer {layer.name} is cut short.</b> The model does not see all of <code>{layer.source}</code>.
        </Note>
      ))}
      {notes.map((note, i) => (
        <Note key={i} tone="warn" icon="warn">
          <Message text={note.message} />
        </Note>
      ))}
    </>
  );
}

/** `path` answers the prompt; it may also be that of a session. */
export function PromptView({ path, sessions, query: address }: { path: (query: Record<string, string | null>) => string; sessions: SessionPage['sessions']; query: URLSearchParams }) {
  const session = address.get('as');
  const view = (address.get('view') as View | null) ?? 'layers';
  const situation = useLate(address.get('situation') ?? '');
  const task = useLate(address.get('task') ?? '');
  const from = session ? url(`/api/sessions/${encodeURIComponent(session)}/prompt`, { situation, task }) : path({ situation, task });
  const query = useGet<PromptText>(from);
  return (
    <Loaded query={query} what="There is no prompt to show.">
      {(prompt) => (
        <div class="workbench flip">
          <section class="card" aria-labelledby="bytes">
            <div class="card-head">
              <h2 class="t-head" id="bytes">
                The text, to the byte
              </h2>
              <Segmented label="View" value={view} options={[['layers', 'Layers'], ['text', 'One text'], ['identity', 'Identity alone']]} onChange={(value) => setQuery({ view: value === 'layers' ? null : value })} />
              <button class="btn sm" type="button" onClick={() => copy(view === 'identity' ? (prompt.layers.find((layer) => layer.name === 'identity')?.text ?? '') : prompt.text, 'The prompt')}>
                <Icon name="copy" />
                Copy
              </button>
            </div>
            <Text prompt={prompt} view={view} />
          </section>
          <div class="stack">
            <Size prompt={prompt} />
            <section class="card card-pad stack">
              <h2 class="t-head">For whom</h2>
              <Choice
                label="For whom"
                value={session ?? 'file'}
                onChange={(value) => setQuery({ as: value === 'file' ? null : value })}
                options={[
                  { value: 'file', title: 'The file, now', text: <span class="dim t-cap">what a session gets that starts now</span> },
                  ...sessions.slice(0, 6).map((one) => ({
                    value: one.id,
                    title: <>Session <span class="mono">{shortId(one.id)}</span></>,
                    text: (
                      <span class="dim t-cap">
                        from its snapshot, bound <Time at={one.captured_at} />
                        {one.behind ? '; the file has changed since' : '; the same soul as the file'}
                      </span>
                    ),
                  })),
                ]}
              />
              <TextField label="Situation" value={address.get('situation') ?? ''} placeholder="What is going on" onInput={(value) => setQuery({ situation: value })} />
              <TextField label="Task" value={address.get('task') ?? ''} placeholder="What is to be done" onInput={(value) => setQuery({ task: value })} />
            </section>
            <Warnings prompt={prompt} />
          </div>
        </div>
      )}
    </Loaded>
  );
}

export function Prompt({ name }: { name: string }) {
  const { query } = usePlace();
  const sessions = useGet<SessionPage>(url('/api/sessions', { agent: name, state: 'active', limit: 20 }));
  return (
    <SoulFrame name={name} tab="prompt">
      {() => <PromptView path={(more) => url(agentPath(name, 'prompt'), more)} sessions={sessions.data?.sessions ?? []} query={query} />}
    </SoulFrame>
  );
}
