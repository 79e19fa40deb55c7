// The first page of an empty machine: what a soul is, and three ways on.

import { useState } from 'preact/hooks';
import type { LibraryPage } from '../../api/types.ts';
import { useGet } from '../../api/query.ts';
import { Dialog } from '../../components/Dialog.tsx';
import { Icon } from '../../components/Icon.tsx';
import { copy } from '../../shell/toasts.ts';
import { capital, count } from '../../words.ts';

const LABELS = [
  ['identity', 'name, role', 0, -108, 'middle', [0, -68, 0, -88]],
  ['voice', 'tone, style', 86, -50, 'start', [60, -34, 80, -46]],
  ['values', 'principles, traits', 86, 46, 'start', [60, 34, 80, 44]],
  ['limits', 'what it must never do', 0, 98, 'middle', [0, 68, 0, 82]],
  ['work', 'tools, other people', -86, 46, 'end', [-60, 34, -80, 44]],
  ['prose', 'the text itself', -86, -50, 'end', [-60, -34, -80, -46]],
] as const;

const GHOSTS = [
  'M0 -5.6C5.32 -9.84 5.32 -16.4 0 -21.1C-5.32 -16.4 -5.32 -9.84 0 -5.6Z',
  'M0 -5.6L8.82 -19.08Q9 -26.9 4.41 -26.4Q1.24 -26.5 0 -22.5Q-1.24 -26.5 -4.41 -26.4Q-9 -26.9 -8.82 -19.08Z',
  'M0 -5.6C6.3 -11.28 6.3 -18.8 0 -24.1C-6.3 -18.8 -6.3 -11.28 0 -5.6Z',
  'M0 -5.6C6.3 -11.28 6.3 -18.8 0 -24.1C-6.3 -18.8 -6.3 -11.28 0 -5.6Z',
  'M0 -5.6L8.82 -19.08L5.82 -26.1L-5.82 -26.1L-8.82 -19.08Z',
  'M0 -5.6L7.64 -17.03Q7.48 -24.1 0 -23.5Q-7.48 -24.1 -7.64 -17.03Z',
];

/** The anatomy of a sigil, with the ghost of a flower or a real one inside. */
export function Anatomy() {
  return (
    <svg class="anat sg hue-2 sg-none" viewBox="-208 -122 416 244" role="img" aria-label="A sigil has six petals: identity, voice, values, limits, work and prose">
      <g transform="scale(2.1)">
        <circle class="sg-rim" r="31" />
        {GHOSTS.map((d, i) => (
          <g key={i} class="sg-ghost" transform={`rotate(${60 * i})`}>
            <path d={d} />
          </g>
        ))}
      </g>
      {LABELS.map(([name, text, x, y, anchor, [x1, y1, x2, y2]]) => (
        <g key={name}>
          <line class="an-l" x1={x1} y1={y1} x2={x2} y2={y2} />
          <text class="an-t" x={x} y={y} text-anchor={anchor}>
            {name}
          </text>
          <text class="an-s" x={x} y={y + 15} text-anchor={anchor}>
            {text}
          </text>
        </g>
      ))}
    </svg>
  );
}

export function Command({ text }: { text: string }) {
  return (
    <div class="cmd">
      <span>{text}</span>
      <button class="btn quiet sm icon" type="button" aria-label="Copy the command" onClick={() => copy(text, 'The command')}>
        <Icon name="copy" />
      </button>
    </div>
  );
}

function Existing({ onClose }: { onClose: () => void }) {
  return (
    <Dialog title="Agents that you already have" onClose={onClose}>
      <div class="card-pad stack sheet-body">
        <p>
          An agent is a folder with a <code>SOUL.md</code> in it. Put yours into <code>~/.soul/agents/</code>, or start the service in the
          project that has them: folders of AGH, AgentOS and OpenClaw are read where they are.
        </p>
        <Command text="cp -r ~/my-agents/reviewer ~/.soul/agents/" />
        <Command text="cd ~/my-project && soul serve" />
        <p class="dim">A SOUL.md of another system stays as it is. Convert a copy, and see what is kept:</p>
        <Command text="soul convert SOUL.md --to agh -o reviewer" />
        <p class="t-cap dimmer">This page notices new agents by itself.</p>
      </div>
      <div class="card-foot">
        <a class="btn quiet" href="/docs/workspaces.md">
          Read about folders
        </a>
        <button class="btn end" type="button" onClick={onClose}>
          Close
        </button>
      </div>
    </Dialog>
  );
}

export function Ways({ create, write }: { create: () => void; write: boolean }) {
  const [how, setHow] = useState(false);
  const souls = useGet<LibraryPage>('/api/v1/settings/agent/souls?perPage=1').data?.pagination.totalRecords ?? 0;
  return (
    <>
      <div class="ways">
        <section class="card card-pad stack-2">
          <h2 class="t-head">Write one</h2>
          <p class="dim">Give it a name and begin with a template. The rest can wait.</p>
          <div>
            {write && (
              <button class="btn primary" type="button" onClick={create}>
                <Icon name="plus" />
                New agent
              </button>
            )}
          </div>
        </section>
        <section class="card card-pad stack-2">
          <h2 class="t-head">Take one from the library</h2>
          <p class="dim">
            {capital(count(souls, 'soul'))} {souls === 1 ? 'is' : 'are'} there. A copy becomes the agent's own.
          </p>
          <div>
            <a class="btn" href="/library">
              Open the library
            </a>
          </div>
        </section>
        <section class="card card-pad stack-2">
          <h2 class="t-head">You already have some</h2>
          <p class="dim">Agents of AGH, AgentOS and OpenClaw are read where they are.</p>
          <div>
            <button class="btn" type="button" onClick={() => setHow(true)}>
              Show me how
            </button>
          </div>
        </section>
      </div>
      {how && <Existing onClose={() => setHow(false)} />}
    </>
  );
}

export function Teach({ create, write }: { create: () => void; write: boolean }) {
  return (
    <div class="blank">
      <Anatomy />
      <div class="stack-2">
        <h1 class="t-hero">No agents yet</h1>
        <p class="dim measure">
          An agent is a folder with a SOUL.md in it. Once there is one, you see here who it is, what changed, what the model reads, and what
          is wrong. Each part of a soul is a petal of its sigil: write a limit, and only that petal grows.
        </p>
      </div>
      <Ways create={create} write={write} />
      <div class="stack-2">
        <span class="t-lab">Or from a shell</span>
        <Command text="soul new reviewer" />
        <p class="t-cap dimmer">This page notices by itself.</p>
      </div>
    </div>
  );
}
