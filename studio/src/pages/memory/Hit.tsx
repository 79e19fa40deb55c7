// A section that was found, and why it ranks where it does.

import type { MemorySearchResult } from '../../api/types.ts';
import { Meter } from '../../components/controls.tsx';
import { Other, Revealed } from '../../components/Text.tsx';
import { withQuery } from '../../router.ts';
import { byHighlight } from './marks.ts';

export function Hit({ hit, best, chosen }: { hit: MemorySearchResult; best: number; chosen: boolean }) {
  const match = hit.matches?.[0];
  const title = hit.heading_path.join(' › ') || hit.file;
  return (
    <li class="hit" aria-current={chosen ? 'true' : undefined}>
      <a class="t-head" href={withQuery({ file: hit.file, line: String(hit.line) })} data-item>
        <Other text={title} />
      </a>
      <span class="score">
        {hit.score.toFixed(2)}
        <Meter value={best > 0 ? hit.score / best : 0} />
      </span>
      <p class="text clamp">
        {match
          ? byHighlight(match.text, match.highlights as unknown as [number, number][]).map((piece, i) =>
              piece.changed ? (
                <mark key={i}>
                  <Revealed text={piece.text} />
                </mark>
              ) : (
                <Revealed key={i} text={piece.text} />
              ),
            )
          : hit.snippet && <Revealed text={hit.snippet} />}
      </p>
      <p class="text t-cap dimmer">
        <span class="mono">
          <Other text={`${hit.file}:${hit.line}`} />
        </span>
      </p>
    </li>
  );
}

export function Why({ hit }: { hit: MemorySearchResult }) {
  const explain = hit.explain;
  if (!explain) return null;
  const times = (value: number) => `× ${value.toFixed(3).replace(/0$/, '')}`;
  return (
    <section class="card" aria-labelledby="why">
      <div class="card-head">
        <h2 class="t-head" id="why">
          Why it ranks here
        </h2>
        <b class="num">{hit.score.toFixed(2)}</b>
      </div>
      <table class="table">
        <tbody>
          {explain.terms.map((term, i) => (
            <tr key={term.term}>
              <td>
                <Other text={term.term} />
              </td>
              <td class="dim">in this section</td>
              <td class="r num">
                {i > 0 && '+ '}
                {term.score.toFixed(2)}
              </td>
            </tr>
          ))}
          <tr>
            <td>Coverage</td>
            <td class="dim">{explain.coverage >= 1 ? 'all words are there' : 'some words are missing'}</td>
            <td class="r num">{times(explain.coverage)}</td>
          </tr>
          <tr>
            <td>Recency</td>
            <td class="dim">newer days count more</td>
            <td class="r num">{times(explain.recency)}</td>
          </tr>
          {explain.standing !== 1 && (
            <tr>
              <td>Standing</td>
              <td class="dim">the kind of file</td>
              <td class="r num">{times(explain.standing)}</td>
            </tr>
          )}
        </tbody>
      </table>
    </section>
  );
}
