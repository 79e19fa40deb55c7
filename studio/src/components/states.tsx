// Loading, failing, empty: what a page shows when it has nothing else to show.

import type { ComponentChildren } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import type { ApiError } from '../api/client.ts';
import type { Query } from '../api/query.ts';
import { Icon, type IconName } from './Icon.tsx';
import { Message } from './Text.tsx';

/** Nothing for 150 ms, then grey shapes: a fast answer must not flicker. */
export function Loading({ rows = 3 }: { rows?: number }) {
  const [late, setLate] = useState(false);
  useEffect(() => {
    const timer = setTimeout(() => setLate(true), 150);
    return () => clearTimeout(timer);
  }, []);
  if (!late) return <div aria-busy="true" />;
  return (
    <div class="card card-pad stack" role="status" aria-busy="true" aria-label="Loading">
      {Array.from({ length: rows }, (_, i) => (
        <div key={i} class="row-3">
          <i class="sk o" />
          <div class="stack-2 grow">
            <i class="sk w1" />
            <i class="sk w2" />
          </div>
        </div>
      ))}
    </div>
  );
}

const SAFE: Record<number, string> = {
  0: 'The server does not answer. Nothing is lost; what you write stays in this browser.',
  507: 'The disk is full. Nothing was changed.',
  503: 'The server is busy or shutting down. Nothing was changed.',
};

/** What did not happen, what is safe, what to do. */
export function Failed({ error, what, retry }: { error: ApiError; what: string; retry?: (() => void) | undefined }) {
  return (
    <div class="note error" role="alert">
      <Icon name="error" />
      <div class="stack-1 grow">
        <b>{what}</b>
        <span>{SAFE[error.status] ?? <Message text={error.message} />}</span>
        {error.hint && (
          <span class="dim">
            <Message text={error.hint} />
          </span>
        )}
        <code class="t-cap dimmer">{error.code}</code>
      </div>
      {retry && (
        <button class="btn sm" type="button" onClick={retry}>
          Retry
        </button>
      )}
    </div>
  );
}

/** The answer to a query, or what is shown instead. */
export function Loaded<T>({ query, what, rows, children }: { query: Query<T>; what: string; rows?: number; children: (data: T) => ComponentChildren }) {
  if (query.data !== undefined) return <>{children(query.data)}</>;
  if (query.error) return <Failed error={query.error} what={what} retry={query.error.passing ? query.reload : undefined} />;
  return <Loading {...(rows === undefined ? {} : { rows })} />;
}

export function Note({ tone, icon, children }: { tone?: 'error' | 'warn' | 'ok' | 'accent'; icon: IconName; children: ComponentChildren }) {
  return (
    <div class={tone ? `note ${tone}` : 'note'}>
      <Icon name={icon} />
      <div class="grow">{children}</div>
    </div>
  );
}

/** Nothing found: what was searched, and one button that clears it. */
export function NothingFound({ query, clear }: { query: string; clear: () => void }) {
  return (
    <div class="card card-pad stack-2 center" role="status">
      <p class="dim">
        Nothing matches “<bdi>{query}</bdi>”.
      </p>
      <button class="btn" type="button" onClick={clear}>
        Clear the filter
      </button>
    </div>
  );
}
