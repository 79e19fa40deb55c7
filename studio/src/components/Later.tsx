// A page of the chunk that is fetched after the first one.

import type { ComponentType } from 'preact';
import { useLayoutEffect, useState } from 'preact/hooks';
import { Icon } from './Icon.tsx';

type Pages = typeof import('../pages/later.ts');

let pages: Pages | null = null;
const load = () => import('../pages/later.ts').then((found) => (pages = found));

/** Fetches the chunk when the first page has been drawn. */
export function prefetchLater() {
  const idle = window.requestIdleCallback ?? ((run: () => void) => setTimeout(run, 500));
  idle(() => void load().catch(() => undefined));
}

export function later<K extends keyof Pages>(name: K): Pages[K] {
  return function Later(props: object) {
    const [, redraw] = useState(0);
    const [failed, setFailed] = useState(false);
    // With the drawing and not after it: the chunk may arrive in between, and nothing would draw the page then.
    useLayoutEffect(() => {
      if (pages === null) load().then(() => redraw(1), () => setFailed(true));
    }, []);
    if (failed) {
      return (
        <div class="note error" role="alert">
          <Icon name="error" />
          <span class="grow">This page could not be fetched. Is `soul serve` running?</span>
          <button class="btn sm" type="button" onClick={() => location.reload()}>
            Reload
          </button>
        </div>
      );
    }
    if (pages === null) return null;
    const Page = pages[name] as ComponentType<object>;
    return <Page {...props} />;
  } as unknown as Pages[K];
}
