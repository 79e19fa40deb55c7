// The face of a soul. Hidden from readers unless `label` says what the picture alone would say.

import { useRef } from 'preact/hooks';
import { dot, hex, PARTS, petal, slices, type Part, type Parts, type SigilKind } from '../sigil.ts';
import { list } from '../words.ts';

export type SigilState = 'valid' | 'draft' | 'broken' | 'asleep' | 'none';

type Props = {
  parts?: Parts | null;
  /** Used where the parts are not known. */
  digest?: string | null;
  hue: number | undefined;
  kind?: SigilKind;
  size: number;
  state?: SigilState;
  /** Diff mode: these petals in full colour, the others pale. */
  changed?: readonly Part[];
  label?: string;
};

function Rim({ kind }: { kind: SigilKind }) {
  if (kind === 'library') return <rect class="sg-rim" x="-31" y="-31" width="62" height="62" rx="16" />;
  if (kind === 'package') {
    return <polygon class="sg-rim" points="0,-31 26.85,-15.5 26.85,15.5 0,31 -26.85,15.5 -26.85,-15.5" />;
  }
  return <circle class="sg-rim" r="31" />;
}

export function Sigil({ parts, digest, hue, kind = 'agent', size, state = 'valid', changed, label }: Props) {
  const known: Parts | null = parts ?? (digest ? slices(digest) : null);
  const empty = state === 'none' || known === null;
  const shown = empty && state === 'valid' ? 'none' : state;
  // Only a petal that turned before the reader's eyes grows: thousands of rows of a list appear at once.
  const first = useRef(known);
  first.current ??= known;
  const petals = PARTS.map((part, i) => {
    const pale = changed !== undefined && !changed.includes(part) ? ' off' : '';
    const of = empty ? null : known[part];
    if (of === null || of === undefined) {
      const [cx, cy] = dot(i);
      return <circle key={part} class={`sg-e${pale}`} cx={cx} cy={cy} r="2.2" />;
    }
    const { outline, mark } = petal(hex(of));
    const turned = first.current && first.current[part] !== of ? ' turned' : '';
    return (
      // The key is the text of the part: a petal that turned is a new element.
      <g key={`${part} ${of}`} class={`sg-p${pale}${turned}`} transform={`rotate(${60 * i})`}>
        <path d={outline} />
        {mark && size > 24 && ('circle' in mark ? <circle class="sg-k" cy={mark.circle.cy} r={mark.circle.r} /> : <path class="sg-s" d={mark.path} />)}
      </g>
    );
  });
  return (
    <svg
      class={`sg hue-${hue ?? 0}${shown === 'valid' ? '' : ` sg-${shown}`}`}
      viewBox="-33 -33 66 66"
      width={size}
      height={size}
      {...(label === undefined ? { 'aria-hidden': 'true' } : { role: 'img', 'aria-label': label })}
    >
      <Rim kind={kind} />
      {kind === 'package' ? <g transform="scale(.88)">{petals}</g> : petals}
    </svg>
  );
}

/** "values and limits changed", as the label of a sigil in diff mode. */
export const changedLabel = (changed: readonly Part[]) => (changed.length === 0 ? 'nothing changed' : `${list(changed)} changed`);
