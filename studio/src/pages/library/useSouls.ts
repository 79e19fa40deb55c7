// The souls of the library that are in view, by pages of fifty.

import { useEffect, useRef, useState } from 'preact/hooks';
import { get, url } from '../../api/client.ts';
import { useGet } from '../../api/query.ts';
import type { LibraryEntry, LibraryPage } from '../../api/types.ts';

export const PER_PAGE = 50;

const pagePath = (q: string, page: number) => url('/api/v1/settings/agent/souls', { q, page, perPage: PER_PAGE, selected: true });

export type Souls = {
  /** The search that these rows answer; the next one may be on its way. */
  of: string;
  first: LibraryPage | undefined;
  total: number;
  at: (index: number) => LibraryEntry | undefined;
  see: (from: number, to: number) => void;
  error: ReturnType<typeof useGet>['error'];
};

export function useSouls(q: string): Souls {
  const query = useGet<LibraryPage>(pagePath(q, 1));
  // What was found last stays until the answer to the next search is there: no empty list between two letters.
  const shown = useRef<{ q: string; page: LibraryPage | undefined }>({ q, page: undefined });
  if (query.data) shown.current = { q, page: query.data };
  const { q: of, page: first } = shown.current;
  const [, redraw] = useState(0);
  const pages = useRef(new Map<number, LibraryEntry[] | null>());
  useEffect(() => {
    pages.current = new Map();
    redraw((n) => n + 1);
  }, [first]);
  const total = first?.pagination.totalRecords ?? 0;
  return {
    of,
    first,
    total,
    error: query.error,
    at: (index) => {
      const page = Math.floor(index / PER_PAGE);
      const rows = page === 0 ? first?.souls : pages.current.get(page);
      return rows?.[index % PER_PAGE];
    },
    see: (from, to) => {
      for (let page = Math.floor(from / PER_PAGE); page <= Math.floor(Math.max(0, to - 1) / PER_PAGE); page++) {
        if (page === 0 || pages.current.has(page)) continue;
        const held = pages.current;
        held.set(page, null);
        get<LibraryPage>(pagePath(of, page + 1)).then(
          (answer) => {
            if (held !== pages.current) return;
            held.set(page, answer.souls);
            redraw((n) => n + 1);
          },
          () => held.delete(page),
        );
      }
    },
  };
}
