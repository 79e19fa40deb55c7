// What an agent remembers: search, read, add, forget.

import { useState } from 'preact/hooks';
import { agentPath, url } from '../../api/client.ts';
import { useGet } from '../../api/query.ts';
import type { AgentList, MemorySearchPage, MemorySection, MemoryStatus } from '../../api/types.ts';
import { SearchField } from '../../components/controls.tsx';
import { Icon } from '../../components/Icon.tsx';
import { Loaded, Note, NothingFound } from '../../components/states.tsx';
import { Other, Revealed } from '../../components/Text.tsx';
import { useCan } from '../../identity.ts';
import { useCommands } from '../../keys.ts';
import { setQuery, usePlace, withQuery } from '../../router.ts';
import { copy } from '../../shell/toasts.ts';
import { amount, bytes, number } from '../../words.ts';
import { useLate } from '../prompt/Prompt.tsx';
import { Hit, Why } from './Hit.tsx';
import { byTerms } from './marks.ts';
import { AddNote, Forget } from './Notes.tsx';

function Marked({ text, terms }: { text: string; terms: string[] }) {
  return (
    <>
      {byTerms(text, terms).map((piece, i) =>
        piece.changed ? (
          <mark key={i}>
            <Revealed text={piece.text} />
          </mark>
        ) : (
          <Revealed key={i} text={piece.text} />
        ),
      )}
    </>
  );
}

function Section({ agent, file, line, terms, write }: { agent: string; file: string; line: number; terms: string[]; write: boolean }) {
  const [whole, setWhole] = useState(false);
  const [forgetting, setForgetting] = useState(false);
  const query = useGet<MemorySection>(url(agentPath(agent, 'memory/detail'), { file, line: whole ? null : line }));
  return (
    <Loaded query={query} what="The section could not be read." rows={1}>
      {(section) => (
        <section class="card" aria-labelledby="section">
          <div class="card-head">
            <h2 class="t-head" id="section">
              <Other text={section.heading_path[section.heading_path.length - 1] ?? section.file} />
            </h2>
            <span class="digest wraps">
              <Other text={section.file} />, lines {section.line} to {section.end_line}
            </span>
          </div>
          <div class="section" dir="auto">
            <Marked text={section.text.slice(0, 40_000)} terms={terms} />
          </div>
          <div class="card-foot">
            <button class="btn sm" type="button" onClick={() => copy(section.text, 'The section')}>
              <Icon name="copy" />
              Copy
            </button>
            <button class="btn quiet sm" type="button" onClick={() => setWhole(!whole)}>
              {whole ? 'Only the section' : 'Whole file'}
            </button>
            {write && !whole && (
              <button class="btn quiet sm end is-error" type="button" onClick={() => setForgetting(true)}>
                Forget this section…
              </button>
            )}
          </div>
          {forgetting && <Forget agent={agent} section={section} onClose={() => setForgetting(false)} />}
        </section>
      )}
    </Loaded>
  );
}

function Files({ status }: { status: MemoryStatus }) {
  return (
    <section class="card" aria-labelledby="files">
      <div class="card-head">
        <h2 class="t-head" id="files">
          Files
        </h2>
        <span class="badge">{status.files.length}</span>
      </div>
      <table class="table stacked one">
        <tbody data-list>
          {status.files.slice(0, 60).map((file) => (
            <tr key={file.file}>
              <td>
                <a class="mono" href={withQuery({ file: file.file, line: '1' })} data-item>
                  <Other text={file.file} />
                </a>
              </td>
              <td class="dim">{file.kind}</td>
              <td class="r dim num">
                {amount(file.sections, 'section')}, {bytes(file.bytes)}
              </td>
            </tr>
          ))}
        </tbody>
      </table>
      {status.files.length > 60 && <p class="omit">{number(status.files.length - 60)} more; search finds them all.</p>}
    </section>
  );
}

const DAYS = [['', 'Any time'], ['7', 'Last week'], ['30', 'Last month']] as const;

function Page({ agent, agents }: { agent: string; agents: AgentList['agents'] }) {
  const { query } = usePlace();
  const { write } = useCan();
  const [adding, setAdding] = useState(false);
  const q = query.get('q') ?? '';
  const days = query.get('days') ?? '';
  const collapse = query.get('collapse') !== null;
  const late = useLate(q.trim(), 120);
  const since = days ? new Date(Date.now() - Number(days) * 86_400_000).toISOString().slice(0, 10) : null;
  const status = useGet<MemoryStatus>(agentPath(agent, 'memory/status'));
  const results = useGet<MemorySearchPage>(late === '' ? null : url(agentPath(agent, 'memory/search'), { query: late, limit: 30, explain: true, since, collapse: collapse || null }));
  const hits = late === '' ? [] : (results.data?.results ?? []);
  const file = query.get('file') ?? hits[0]?.file ?? null;
  const line = Number(query.get('line') ?? hits[0]?.line ?? 1);
  const chosen = hits.find((hit) => hit.file === file && hit.line === line) ?? null;
  const terms = [...new Set(hits.flatMap((hit) => hit.explain?.terms.map((term) => term.term) ?? []))];
  useCommands(write ? [{ label: 'Add a note…', key: 'n', run: () => setAdding(true) }] : []);
  const known = agents.find((one) => one.name === agent);
  return (
    <>
      <div class="lead">
        <div class="stack-1">
          <h1 class="t-hero">Memory</h1>
          <p class="dim">
            What <Other text={known?.display_name ?? agent} /> remembers
            {status.data && `: ${amount(status.data.files.length, 'file')}, ${amount(status.data.sections, 'section')}`}.
          </p>
        </div>
        <div class="tools">
          <label>
            <span class="vh">Agent</span>
            <select class="field" value={agent} onChange={(event) => setQuery({ agent: event.currentTarget.value, file: null, line: null })}>
              {agents.map((one) => (
                <option key={one.name}>{one.name}</option>
              ))}
            </select>
          </label>
          {write && (
            <button class="btn" type="button" onClick={() => setAdding(true)}>
              <Icon name="plus" />
              Add a note…
            </button>
          )}
        </div>
      </div>
      <div class="stack-2">
        <SearchField big label="Search the memory" placeholder="What should it remember?" value={q} onInput={(value) => setQuery({ q: value, file: null, line: null })} />
        <div class="row wrap">
          <div class="chips" role="group" aria-label="Filters">
            {DAYS.map(([value, label]) => (
              <button key={value} class="chip" type="button" aria-pressed={days === value} onClick={() => setQuery({ days: value })}>
                {label}
              </button>
            ))}
            <button class="chip" type="button" aria-pressed={collapse} onClick={() => setQuery({ collapse: collapse ? null : '1' })}>
              Hide near-duplicates
            </button>
          </div>
          {results.data && late !== '' && (
            <span class="end t-cap dimmer" role="status">
              {amount(results.data.results.length, 'section')} in {(results.data.took_us / 1000).toFixed(1)} ms
            </span>
          )}
        </div>
      </div>
      {(results.data?.warnings ?? []).map((warning) => (
        <Note key={warning} tone="warn" icon="warn">
          {warning}
        </Note>
      ))}
      {late !== '' && results.data && hits.length === 0 && <NothingFound query={late} clear={() => setQuery({ q: null })} />}
      <div class="memory">
        {late === '' ? (
          <Loaded query={status} what="The memory could not be read.">
            {(found) =>
              found.files.length === 0 ? (
                <div class="card card-pad stack-2">
                  <h2 class="t-head">Nothing is remembered yet</h2>
                  <p class="dim">Notes go into MEMORY.md and the folder memory/ beside the soul, as Markdown.</p>
                </div>
              ) : (
                <Files status={found} />
              )
            }
          </Loaded>
        ) : (
          hits.length > 0 && (
            <section class="card" aria-label="Results">
              <ol data-list>
                {hits.map((hit) => (
                  <Hit key={`${hit.file}:${hit.line}`} hit={hit} best={hits[0]!.score} chosen={hit === chosen} />
                ))}
              </ol>
            </section>
          )
        )}
        <div class="stack">
          {file !== null && <Section key={`${agent} ${file} ${line}`} agent={agent} file={file} line={line} terms={terms} write={write} />}
          {chosen && <Why hit={chosen} />}
          <Note icon="info">The prompt has the headings of all this. The model asks for a section when it needs one.</Note>
        </div>
      </div>
      {adding && <AddNote agent={agent} onClose={() => setAdding(false)} />}
    </>
  );
}

export function Memory() {
  const { query } = usePlace();
  const list = useGet<AgentList>('/api/agents?summaries=true');
  return (
    <Loaded query={list} what="The agents could not be listed.">
      {({ agents }) => {
        const agent = query.get('agent') ?? agents[0]?.name;
        if (agent === undefined) {
          return (
            <div class="blank">
              <h1 class="t-hero">Memory</h1>
              <p class="dim">Memory belongs to an agent. Create one first.</p>
              <a class="btn primary" href="/">
                Create an agent
              </a>
            </div>
          );
        }
        return <Page key={agent} agent={agent} agents={agents} />;
      }}
    </Loaded>
  );
}
