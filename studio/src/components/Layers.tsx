// The prompt: a bar of tokens, and its layers with source and size.

import { useState } from 'preact/hooks';
import type { PromptLayer } from '../api/types.ts';
import { amount, bytes, number } from '../words.ts';
import { Badge } from './controls.tsx';
import { Other, Revealed } from './Text.tsx';

const GAP = 4;
const KNOWN = ['opening', 'safety', 'base', 'identity', 'style', 'limits', 'traits', 'procedures', 'user', 'memory', 'situation', 'task'];

/** The class that gives a layer its colour. */
export const layerClass = (name: string) => `ly-${KNOWN.includes(name) ? name : 'base'}`;

export const said = (layers: PromptLayer[]) => layers.filter((layer) => !layer.omitted);
export const tokens = (layers: PromptLayer[]) => layers.reduce((sum, layer) => sum + (layer.omitted ? 0 : layer.est_tokens), 0);

export function TokenBar({ layers }: { layers: PromptLayer[] }) {
  const shown = said(layers).filter((layer) => layer.est_tokens > 0);
  const total = tokens(shown) || 1;
  const room = 1000 - GAP * Math.max(0, shown.length - 1);
  let x = 0;
  return (
    <svg class="tokens" viewBox="0 0 1000 16" preserveAspectRatio="none" role="img" aria-label={`Tokens by layer, ${number(tokens(shown))} in all`}>
      {shown.map((layer) => {
        const width = Math.max(2, (room * layer.est_tokens) / total);
        const rect = (
          <rect key={layer.name} class={layerClass(layer.name)} x={x} width={width} height="16" rx="3">
            <title>
              {layer.name}: {amount(layer.est_tokens, 'token')}
            </title>
          </rect>
        );
        x += width + GAP;
        return rect;
      })}
    </svg>
  );
}

/** Written by the author of the soul, not by the keeper or by memory. */
const OWN = ['identity', 'style', 'limits', 'traits'];

export function Layers({ layers, markers = false, fold = false }: { layers: PromptLayer[]; markers?: boolean; fold?: boolean }) {
  const [open, setOpen] = useState<ReadonlySet<string>>(new Set());
  const omitted = layers.filter((layer) => layer.omitted).map((layer) => layer.name);
  return (
    <>
      {said(layers).map((layer) => {
        const shut = fold && !OWN.includes(layer.name) && !open.has(layer.name);
        const text = markers ? layer.text : layer.text.replace(/^<<<soul:begin [^\n]*>>>\n/, '').replace(/\n?<<<soul:end [^\n]*>>>\s*$/, '');
        const cap = (
          <div class="cap">
            <b>{layer.name}</b>
            <span class="dimmer t-cap">
              <Other text={layer.source} />
              {markers && ` · ${bytes(layer.bytes)}`}
            </span>
            {layer.truncated && <Badge tone="warn">cut short</Badge>}
            <span class="tok">{amount(layer.est_tokens, 'token')}</span>
          </div>
        );
        return (
          <div key={layer.name} class={`layer ${layerClass(layer.name)}${shut ? ' shut' : ''}`}>
            <span class="edge" />
            <div>
              {fold && !OWN.includes(layer.name) ? (
                <button
                  type="button"
                  class="plain fold"
                  aria-expanded={!shut}
                  onClick={() => setOpen((old) => (old.has(layer.name) ? new Set([...old].filter((one) => one !== layer.name)) : new Set(old).add(layer.name)))}
                >
                  {cap}
                </button>
              ) : (
                cap
              )}
              {!shut && (
                <pre dir="auto">
                  <Revealed text={text} />
                </pre>
              )}
            </div>
          </div>
        );
      })}
      {omitted.length > 0 && <p class="omit">Empty layers: {omitted.join(', ')}</p>}
    </>
  );
}
