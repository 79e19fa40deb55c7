// The parts of the frame that need no data. The build writes them into the page itself, so that there is something to
// see before the first script runs; the same components then take over what is there.

import type { ComponentChildren } from 'preact';
import { Icon, Mark } from '../components/Icon.tsx';
import { AREAS } from './areas.ts';

/** What stands at the right of a page's name in the rail. */
export type Counts = Record<string, { count: number; hot?: boolean } | undefined>;

const GROUPS = ['Souls', 'Life', 'Supply', 'Record'] as const;

export const Skip = () => (
  <a class="skip" href="#main">
    Skip to the content
  </a>
);

export function Rail({ current, counts, children }: { current: string; counts: Counts; children?: ComponentChildren }) {
  return (
    <nav class="rail" aria-label="Main">
      <a class="brand" href="/" aria-label="Soulkeeper">
        <Mark />
        <span>Soulkeeper</span>
      </a>
      {GROUPS.map((group) => {
        const areas = AREAS.filter((area) => area.group === group);
        if (areas.length === 0) return null;
        return (
          <ul key={group} aria-label={group}>
            {areas.map((area) => {
              const n = counts[area.id];
              return (
                <li key={area.id}>
                  <a class="nav" href={area.path} aria-current={current === area.id ? 'page' : undefined} title={area.label}>
                    <Icon name={area.icon} />
                    <span>{area.label}</span>
                    {n && <span class={n.hot ? 'n hot' : 'n'}>{n.count}</span>}
                  </a>
                </li>
              );
            })}
          </ul>
        );
      })}
      <div class="rail-foot">{children}</div>
    </nav>
  );
}

export const Find = ({ onClick, children }: { onClick?: () => void; children?: ComponentChildren }) => (
  <button class="find" type="button" onClick={onClick}>
    <Icon name="search" />
    <span>Search or run a command</span>
    {children}
  </button>
);

/** The page before its first script. */
export const Frame = () => (
  <div class="app">
    <Skip />
    <Rail current="" counts={{}} />
    <div class="page">
      <header class="bar">
        <nav class="crumbs" aria-label="Where you are" />
        <div class="bar-end">
          <Find />
        </div>
      </header>
      <main id="main" tabindex={-1} />
    </div>
  </div>
);
