// The tabs of a library soul: edit, prompt, history, scan.

import { useEffect, useRef, useState } from 'preact/hooks';
import { ApiError, post, request, soulPath, url } from '../../api/client.ts';
import { invalidatePrefix, remember, useGet } from '../../api/query.ts';
import type { LibrarySoul, RollbackPlan, ScanReport } from '../../api/types.ts';
import { TextField } from '../../components/controls.tsx';
import { Sigil } from '../../components/Sigil.tsx';
import { Failed, Loaded } from '../../components/states.tsx';
import { Digest, Other, Reading } from '../../components/Text.tsx';
import { dropDraft, keepDraft, librarySubject, loadDraft } from '../../drafts.ts';
import { CodeEditor } from '../../editor/CodeEditor.tsx';
import { useCan } from '../../identity.ts';
import { shown, useCommands } from '../../keys.ts';
import { navigate, usePlace } from '../../router.ts';
import { libraryUrl, type LibraryTab } from '../../routes.ts';
import { toast } from '../../shell/toasts.ts';
import { HistoryView, type HistorySubject } from '../history/History.tsx';
import { PromptView } from '../prompt/Prompt.tsx';
import { ScanView } from '../scan/Scan.tsx';

const TABS: [LibraryTab, string][] = [['edit', 'Edit'], ['prompt', 'Prompt'], ['history', 'History'], ['scan', 'Scan']];

function Frame({ soul, tab, acts, children }: { soul: LibrarySoul; tab: LibraryTab; acts?: preact.ComponentChildren; children: preact.ComponentChildren }) {
  useCommands(TABS.map(([one, label], i) => ({ label: `${label} of ${soul.name}`, key: String(i + 1), run: () => navigate(libraryUrl(soul.id, one)) })));
  return (
    <>
      <div class="stack">
        <div class="soulhead">
          <Sigil kind="library" parts={soul.parts ?? null} digest={soul.digest} hue={soul.hue} size={64} />
          <div class="who grow">
            <h1 class="t-title clamp">
              <Other text={soul.name} />
            </h1>
            <p class="dim clamp">
              <Other text={soul.description ?? ''} />
            </p>
            <div class="facts-line">
              <span class="badge line">library</span>
              <span class="mono t-cap">{soul.id}</span>
              {soul.digest && <Digest digest={soul.digest} />}
            </div>
          </div>
          {acts && <div class="row wrap acts">{acts}</div>}
        </div>
        <nav class="tabs" aria-label="Parts of this soul">
          {TABS.map(([one, label]) => (
            <a key={one} href={libraryUrl(soul.id, one)} aria-current={one === tab ? 'page' : undefined}>
              {label}
            </a>
          ))}
        </nav>
      </div>
      {children}
    </>
  );
}

function Edit({ soul }: { soul: LibrarySoul }) {
  const { write } = useCan();
  const subject = librarySubject(soul.id);
  const [base, setBase] = useState(soul);
  const [name, setName] = useState(soul.name);
  const [description, setDescription] = useState(soul.description ?? '');
  const [text, setText] = useState(() => loadDraft(subject)?.text ?? soul.content ?? '');
  const [error, setError] = useState<ApiError | null>(null);
  const dirty = text !== (base.content ?? '') || name !== base.name || description !== (base.description ?? '');
  const latest = useRef({ dirty, text });
  latest.current = { dirty, text };
  useEffect(() => {
    if (text === (base.content ?? '')) dropDraft(subject);
    else keepDraft(subject, { text, base: base.content ?? '', baseDigest: base.digest, at: new Date().toISOString() });
  }, [text, base]);
  // Others changed it while nothing was written here.
  useEffect(() => {
    if (latest.current.dirty || soul.digest === base.digest) return;
    setBase(soul);
    setName(soul.name);
    setDescription(soul.description ?? '');
    setText(soul.content ?? '');
  }, [soul]);
  useEffect(() => {
    if (!dirty) return;
    const guard = (event: BeforeUnloadEvent) => event.preventDefault();
    addEventListener('beforeunload', guard);
    return () => removeEventListener('beforeunload', guard);
  }, [dirty]);
  const save = async (digest = base.digest) => {
    if (!dirty || !write) return;
    try {
      const saved = await request<LibrarySoul>('PATCH', soulPath(soul.id), { name, description, content: text, ...(digest ? { expectedDigest: digest } : {}) });
      dropDraft(subject);
      setBase({ ...soul, ...saved, content: text, name, description });
      setError(null);
      remember(soulPath(soul.id), { ...soul, ...saved, content: text });
      invalidatePrefix('/api/v1/settings/agent', '/api/events', '/api/audit/verify');
      toast(`${name} was saved`);
    } catch (cause) {
      if (!(cause instanceof ApiError)) throw cause;
      setError(cause);
    }
  };
  useCommands(write ? [{ label: 'Save', key: 'mod+s', run: () => void save() }] : []);
  const acts = write && (
    <button class={dirty ? 'btn primary' : 'btn'} type="button" aria-disabled={!dirty} onClick={() => void save()}>
      Save <kbd>{shown('mod+s')}</kbd>
    </button>
  );
  return (
    <Frame soul={base} tab="edit" acts={acts}>
      {error && <Failed error={error} what="The soul was not saved. Your text is kept in this browser." retry={error.passing ? () => void save() : undefined} />}
      {error?.status === 409 && (
        <div class="strip" role="status">
          <span class="grow">This soul was saved while you were writing. Their text is in the history.</span>
          <a class="btn sm" href={libraryUrl(soul.id, 'history')}>
            Compare
          </a>
          <button class="btn sm" type="button" onClick={() => void save(error.body?.error.current_digest ?? null)}>
            Save mine over it
          </button>
        </div>
      )}
      <div class="workbench">
        <section class="card pane" aria-label="Text of the soul">
          <div class="card-pad stack rule-bottom">
            <div class="grid-2">
              <TextField label="Name" value={name} onInput={setName} />
              <TextField label="What it is for" value={description} onInput={setDescription} />
            </div>
          </div>
          <CodeEditor text={text} label={`souls/${soul.id}.md`} readOnly={!write} problems={[]} onChange={setText} onReady={() => undefined} />
        </section>
        <section class="card" aria-labelledby="as-it-reads">
          <div class="card-head">
            <h2 class="t-head" id="as-it-reads">
              As it reads
            </h2>
          </div>
          <Reading text={text} />
        </section>
      </div>
    </Frame>
  );
}

function Scan({ soul }: { soul: LibrarySoul }) {
  const report = useGet<ScanReport>(url(soulPath(soul.id, 'scan'), { sources: true }));
  return (
    <Frame soul={soul} tab="scan">
      <Loaded query={report} what="The soul could not be scanned.">
        {({ targets }) => (targets[0] ? <ScanView target={targets[0]} actions={{ line: null, allow: null }} /> : null)}
      </Loaded>
    </Frame>
  );
}

function History({ soul }: { soul: LibrarySoul }) {
  const subject: HistorySubject = {
    kind: 'library',
    name: soul.name,
    historyPath: (cursor) => url(soulPath(soul.id, 'history'), { limit: 50, cursor }),
    diffPath: (from, to) => url(soulPath(soul.id, 'diff'), { from, to }),
    textPath: () => null,
    hasPlan: false,
    planRollback: () => new Promise<RollbackPlan>(() => undefined),
    rollback: async (revision) => {
      await post(soulPath(soul.id, 'rollback'), { revisionId: revision.id });
      return null;
    },
  };
  return (
    <Frame soul={soul} tab="history">
      <HistoryView subject={subject} unrecorded={null} current={null} />
    </Frame>
  );
}

function Prompt({ soul }: { soul: LibrarySoul }) {
  const { query } = usePlace();
  return (
    <Frame soul={soul} tab="prompt">
      <PromptView path={(more) => url(soulPath(soul.id, 'prompt'), more)} sessions={[]} query={query} />
    </Frame>
  );
}

export function LibrarySoulPage({ id, tab }: { id: string; tab: LibraryTab }) {
  const query = useGet<LibrarySoul>(soulPath(id));
  return (
    <Loaded query={query} what="This soul could not be read.">
      {(soul) => {
        switch (tab) {
          case 'edit':
            return <Edit key={id} soul={soul} />;
          case 'history':
            return <History soul={soul} />;
          case 'prompt':
            return <Prompt soul={soul} />;
          case 'scan':
            return <Scan soul={soul} />;
        }
      }}
    </Loaded>
  );
}
