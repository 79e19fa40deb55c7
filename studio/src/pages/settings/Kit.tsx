// The parts that the pages are made of, in the theme that is on.

import { Badge, Grade, Meter, SearchField, Segmented } from '../../components/controls.tsx';
import { Icon } from '../../components/Icon.tsx';
import { Meaning } from '../../components/Meaning.tsx';
import { Radar } from '../../components/Radar.tsx';
import { Sigil, type SigilState } from '../../components/Sigil.tsx';
import { Note } from '../../components/states.tsx';
import { Revealed } from '../../components/Text.tsx';
import type { Parts } from '../../sigil.ts';
import { Anatomy } from '../agents/Teach.tsx';

/** The parts of `examples/reviewer`. */
const REVIEWER: Parts = { identity: 'd07720cb', voice: '55869fbd', values: '2e46ff15', limits: 'd0ce3b06', work: '04b504a1', prose: '10ce9d5c' };

const COLOURS = ['paper', 'surface', 'sunken', 'line', 'edge', 'ink', 'ink2', 'ink3', 'accent', 'error', 'warn', 'ok'];
const STATES: [SigilState, string][] = [['valid', 'valid'], ['draft', 'unsaved'], ['broken', 'invalid'], ['asleep', 'switched off'], ['none', 'no soul']];

export function Kit() {
  return (
    <>
      <div class="stack-1">
        <h1 class="t-hero">The kit</h1>
        <p class="dim">The parts that the pages are made of, in the theme that is on.</p>
      </div>
      <div class="grid-2">
        <section class="card" aria-labelledby="k-sigil">
          <div class="card-head">
            <h2 class="t-head" id="k-sigil">The sigil</h2>
          </div>
          <div class="card-pad stack">
            <div class="center">
              <Anatomy />
            </div>
            <p class="dim">The shape says the kind, the colour says the soul, the petals say the text. A petal is drawn from the digest of its part alone: change a limit, and only the petal at six o'clock is another. A part of which nothing is written is a dot.</p>
          </div>
        </section>
        <section class="card" aria-labelledby="k-states">
          <div class="card-head">
            <h2 class="t-head" id="k-states">Its states, kinds and sizes</h2>
          </div>
          <div class="card-pad stack-4">
            <div class="states">
              {STATES.map(([state, label]) => (
                <div key={state}>
                  <Sigil parts={REVIEWER} hue={2} size={56} state={state} />
                  <span class="t-cap">{label}</span>
                </div>
              ))}
              <div>
                <Sigil parts={REVIEWER} hue={2} size={56} changed={['limits']} label="limits changed" />
                <span class="t-cap">limits changed</span>
              </div>
            </div>
            <div class="states">
              {(['agent', 'library', 'package'] as const).map((kind, i) => (
                <div key={kind}>
                  <Sigil parts={REVIEWER} hue={[2, 8, 5][i]} kind={kind} size={56} />
                  <span class="t-cap">{kind}</span>
                </div>
              ))}
            </div>
            <div class="sizes">
              {[20, 32, 40, 64, 96].map((size) => (
                <Sigil key={size} parts={REVIEWER} hue={2} size={size} />
              ))}
            </div>
          </div>
        </section>
      </div>
      <section class="card" aria-labelledby="k-colours">
        <div class="card-head">
          <h2 class="t-head" id="k-colours">Colours</h2>
        </div>
        <div class="card-pad grid-4">
          {COLOURS.map((colour) => (
            <div key={colour} class="swatch">
              <i class={`sw sw-${colour}`} />
              <b>{colour}</b>
            </div>
          ))}
        </div>
      </section>
      <div class="grid-2">
        <section class="card" aria-labelledby="k-voices">
          <div class="card-head">
            <h2 class="t-head" id="k-voices">Three voices</h2>
          </div>
          <div class="card-pad stack">
            <div>
              <span class="t-lab">Serif is the soul</span>
              <p class="t-title">Senior Reviewer</p>
              <p class="t-quote">Never approve what you have not read.</p>
            </div>
            <div>
              <span class="t-lab">Sans is the studio</span>
              <p class="t-head">Five agents. Three need you.</p>
              <p class="dim">Saved 12 min ago by http</p>
            </div>
            <div>
              <span class="t-lab">Mono is the bytes</span>
              <p class="mono">sha256:bd7dc6e1de7cd9dd5f4d0fda</p>
            </div>
          </div>
        </section>
        <section class="card" aria-labelledby="k-controls">
          <div class="card-head">
            <h2 class="t-head" id="k-controls">Buttons, badges, fields</h2>
          </div>
          <div class="card-pad stack">
            <div class="row wrap">
              <button class="btn primary" type="button">Save</button>
              <button class="btn" type="button">Roll back…</button>
              <button class="btn quiet" type="button">Cancel</button>
              <button class="btn danger" type="button">Delete…</button>
              <button class="btn" type="button" aria-disabled="true">Save</button>
            </div>
            <div class="row wrap">
              <Badge tone="ok" icon="check">valid</Badge>
              <Badge tone="warn" icon="warn">behind</Badge>
              <Badge tone="error" icon="error">3 errors</Badge>
              <Badge tone="accent">selected</Badge>
              <Badge tone="line">agh</Badge>
              <Grade grade="A+" />
              <Grade grade="C+" />
              <Grade grade="F" />
            </div>
            <SearchField label="Example" placeholder="Filter by name, role, tone" value="" onInput={() => undefined} />
            <Segmented label="Example" value="a" options={[['a', 'Cards'], ['b', 'Table']]} onChange={() => undefined} />
            <Meter value={0.6} hue={3} />
            <p>A hidden character is shown: <Revealed text={'pay\u200bment'} /></p>
          </div>
        </section>
      </div>
      <div class="grid-2">
        <section class="card" aria-labelledby="k-meaning">
          <div class="card-head">
            <h2 class="t-head" id="k-meaning">What a change means</h2>
          </div>
          <Meaning
            changes={[
              { change: 'removed', field: 'limit', before: 'Never push to main.', after: null },
              { change: 'changed', field: 'role', before: 'Reviewer', after: 'Senior Reviewer' },
              { change: 'added', field: 'tone', before: null, after: 'calm' },
            ]}
          />
        </section>
        <section class="card card-pad" aria-label="Radar">
          <Radar
            baseline={{ honestyHumility: 0.9, emotionality: 0.55, extraversion: 0.6, agreeableness: 0.85, conscientiousness: 0.9, openness: 0.65 }}
            effective={{ honestyHumility: 0.9, emotionality: 0.67, extraversion: 0.5, agreeableness: 0.8, conscientiousness: 0.9, openness: 0.8 }}
            hue={3}
            name="aria"
          />
        </section>
      </div>
      <div class="grid-2">
        <div class="stack-2">
          <Note tone="error" icon="error"><b>The disk is full, so nothing was saved.</b> Your text is kept in this browser. Make room, then save again.</Note>
          <Note tone="warn" icon="warn"><b>This loosens the soul.</b> A limit is gone: “Never push to main.”</Note>
          <Note tone="ok" icon="check">Saved as revision 7.</Note>
        </div>
        <div class="stack-2">
          <div class="strip"><i class="dot away" /><span class="grow">The server has not answered since 08:41. You see what was known then.</span></div>
          <div class="strip view"><Icon name="eye" /><span class="grow">You are <b>dashboard</b>, a viewer: you can see everything and change nothing.</span></div>
          <div class="row-3"><i class="sk o" /><div class="stack-2 grow"><i class="sk w1" /><i class="sk w2" /><i class="sk w3" /></div></div>
        </div>
      </div>
    </>
  );
}
