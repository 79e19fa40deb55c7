// The tabs of a library soul: edit, prompt, history, scan.

import type { ComponentChildren } from 'preact';
import { useState } from 'preact/hooks';
import { post, request, soulPath, url } from '../../api/client.ts';
import { supersede, useGet } from '../../api/query.ts';
import type { HistoryPage, LibrarySoul, RollbackPlan, ScanReport } from '../../api/types.ts';
import { mine } from '../../authoring.ts';
import { TextField } from '../../components/controls.tsx';
import { Icon } from '../../components/Icon.tsx';
import { Sigil } from '../../components/Sigil.tsx';
import { Loaded } from '../../components/states.tsx';
import { Digest, Other, Reading, Time } from '../../components/Text.tsx';
import { librarySubject } from '../../drafts.ts';
import { CodeEditor } from '../../editor/CodeEditor.tsx';
import { useCan } from '../../identity.ts';
import { shown, useCommands } from '../../keys.ts';
import { navigate, usePlace } from '../../router.ts';
import { libraryUrl, type LibraryTab } from '../../routes.ts';
import { hue } from '../../sigil.ts';
import { composeLibrary, type LibraryText, splitLibrary } from '../../text/library.ts';
import { isOutside, who } from '../../words.ts';
import { Notices } from '../edit/Notices.tsx';
import { type Outcome, useSaving } from '../edit/Save.tsx';
import { type Base, useSoulDraft } from '../edit/useSoulDraft.ts';
import { HistoryView, type HistorySubject } from '../history/History.tsx';
import { Merge } from '../merge/Merge.tsx';
import { PromptView } from '../prompt/Prompt.tsx';
import { ScanView } from '../scan/Scan.tsx';

const TABS: [LibraryTab, string][] = [['edit', 'Edit'], ['prompt', 'Prompt'], ['history', 'History'], ['scan', 'Scan']];

function Frame({ soul, tab, acts, dirty = false, children }: { soul: LibrarySoul; tab: LibraryTab; acts?: ComponentChildren; dirty?: boolean; children: ComponentChildren }) {
  useCommands(TABS.map(([one, label], i) => ({ label: `${label} of ${soul.name}`, key: String(i + 1), run: () => navigate(libraryUrl(soul.id, one)) })));
  return (
    <>
      <div class="stack">
        <div class="soulhead">
          <Sigil kind="library" parts={soul.parts ?? null} digest={soul.digest} hue={soul.hue} size={64} {...(dirty ? { state: 'draft' as const } : {})} />
          <div class="who grow">
            <h1 class="t-title clamp">
              <Other text={soul.name} />
            </h1>
            <p class="dim clamp">
              <Other text={soul.description ?? ''} />
            </p>
            <div class="facts-line">
              {dirty && <span class="badge warn">unsaved</span>}
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

const savedOf = (soul: LibrarySoul) => composeLibrary({ name: soul.name, description: soul.description ?? '', content: soul.content ?? '' });

/** `gone` says that the soul was deleted while it was shown. */
function Edit({ soul, gone }: { soul: LibrarySoul; gone: boolean }) {
  const { me, write } = useCan();
  const draft = useSoulDraft(librarySubject(soul.id), gone ? { text: null, digest: null } : { text: savedOf(soul), digest: soul.digest });
  const fields = splitLibrary(draft.text);
  const edit = (changes: Partial<LibraryText>) => draft.edit((text) => composeLibrary({ ...splitLibrary(text), ...changes }));
  const [merging, setMerging] = useState(false);
  const history = useGet<HistoryPage>(draft.behind || merging ? soulPath(soul.id, 'history?limit=1') : null).data?.revisions[0];
  const put = async ({ text, base, force }: { text: string; base: Base; force: string | null }): Promise<Outcome> => {
    const { content, ...rest } = splitLibrary(text);
    const body = { ...rest, content, ...(force ? { force } : {}) };
    const saved = base.present
      ? await request<LibrarySoul>('PATCH', soulPath(soul.id), { ...body, ...(base.digest ? { expectedDigest: base.digest } : {}) })
      : await post<LibrarySoul>('/api/v1/settings/agent/souls', { ...body, id: soul.id });
    if (saved.revisionId) mine.add(saved.revisionId);
    supersede('/api/v1/settings/agent', '/api/events', '/api/audit/verify');
    return { base: { text, digest: saved.digest, present: true }, said: `${rest.name} was saved`, see: libraryUrl(soul.id, 'history') };
  };
  const saving = useSaving(draft, put, () => setMerging(true));
  const blocked = !draft.dirty || saving.busy || fields.name.trim() === '' || fields.content.trim() === '';
  const save = () => {
    if (!blocked && write) void saving.save();
  };
  useCommands(write ? [{ label: 'Save', key: 'mod+s', run: save }] : []);
  if (gone && !draft.dirty) return <Gone id={soul.id} />;
  const shownSoul = { ...soul, name: fields.name || soul.name, description: fields.description };
  if (merging && draft.dirty && !gone) {
    const theirs = savedOf(soul);
    return (
      <Merge
        of={{ soul: soul.id }}
        kind="library"
        hue={soul.hue}
        base={draft.base.text}
        ours={draft.text}
        theirs={theirs}
        captions={{
          theirs: history && !isOutside(history.actor, history.origin) ? <>saved by <Other text={who(history.actor, history.origin)} />, <Time at={history.created_at} /></> : 'edited in the file',
          ours: 'not saved, kept in this browser',
        }}
        save={async (text) => {
          const { base } = await put({ text, base: { text: theirs, digest: soul.digest, present: true }, force: null });
          draft.rebase(base);
          setMerging(false);
          return 'The merged text was saved';
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
          draft.rebase({ text: theirs, digest: soul.digest, present: true }, text);
          setMerging(false);
        }}
        frame={(acts, content) => (
          <Frame soul={soul} tab="edit" acts={acts}>
            {content}
          </Frame>
        )}
      />
    );
  }
  const acts = write && (
    <>
      {draft.dirty && (
        <button class="btn quiet" type="button" onClick={() => { draft.discard(); saving.clear(); }}>
          <Icon name="back" />
          Discard
        </button>
      )}
      <button class={blocked ? 'btn' : 'btn primary'} type="button" aria-disabled={blocked} onClick={save}>
        {draft.base.present ? 'Save' : 'Save the new soul'} <kbd>{shown('mod+s')}</kbd>
      </button>
    </>
  );
  return (
    <Frame soul={shownSoul} tab="edit" acts={acts} dirty={draft.dirty}>
      <Notices
        draft={draft}
        saving={saving}
        present={!gone}
        changed={history && !isOutside(history.actor, history.origin) ? { by: who(history.actor, history.origin), at: history.created_at } : null}
        history={libraryUrl(soul.id, 'history')}
        save={save}
        onMerge={() => setMerging(true)}
      />
      <div class="workbench">
        <section class="card pane" aria-label="Text of the soul">
          <div class="card-pad stack rule-bottom">
            <div class="grid-2">
              <TextField label="Name" value={fields.name} onInput={(name) => edit({ name })} />
              <TextField label="What it is for" value={fields.description} onInput={(description) => edit({ description })} />
            </div>
          </div>
          <CodeEditor text={fields.content} epoch={draft.epoch} label={`souls/${soul.id}.md`} readOnly={me === null ? null : !write} problems={[]} onChange={(content) => edit({ content })} onReady={() => undefined} />
        </section>
        <section class="card" aria-labelledby="as-it-reads">
          <div class="card-head">
            <h2 class="t-head" id="as-it-reads">
              As it reads
            </h2>
          </div>
          <Reading text={fields.content} />
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
    historyPath: (cursor) => url(soulPath(soul.id, 'history'), { limit: cursor === null ? 20 : 50, cursor }),
    diffPath: (from, to) => url(soulPath(soul.id, 'diff'), { from, to }),
    textPath: (_, number) => url(soulPath(soul.id, 'history'), { limit: 1, bodies: true, cursor: number + 1 }),
    textOf: (answer) => (answer as HistoryPage).revisions[0]?.body ?? null,
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

/** A soul that was deleted still has its revisions, and comes back from there. */
function Gone({ id }: { id: string }) {
  return (
    <div class="blank">
      <Sigil kind="library" hue={hue('home', 'library', id)} size={96} state="none" />
      <h1 class="t-hero">This soul is not in the library</h1>
      <p class="dim">
        <Other text={id} /> was deleted, or never there. What was recorded of it is in its history, and can be restored.
      </p>
      <div class="row">
        <a class="btn primary" href={libraryUrl(id, 'history')}>
          See its history
        </a>
        <a class="btn" href="/library">
          Go to the library
        </a>
      </div>
    </div>
  );
}

export function LibrarySoulPage({ id, tab }: { id: string; tab: LibraryTab }) {
  const query = useGet<LibrarySoul>(soulPath(id));
  const gone = query.error?.status === 404;
  if (gone && tab === 'history') return <History soul={query.data ?? ({ id, name: id, digest: null, parts: null, hue: hue('home', 'library', id), rawDigest: null } as unknown as LibrarySoul)} />;
  if (gone && (query.data === undefined || tab !== 'edit')) return <Gone id={id} />;
  return (
    <Loaded query={query} what="This soul could not be read.">
      {(soul) => {
        switch (tab) {
          case 'edit':
            return <Edit key={id} soul={soul} gone={gone} />;
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
