// A list of thousands of rows of one height: only those in view are in the document.

import type { ComponentChildren } from 'preact';
import { useEffect, useLayoutEffect, useRef, useState } from 'preact/hooks';

type Props<T> = {
  label: string;
  total: number;
  rowHeight: number;
  /** Rows kept above and below what is seen. */
  spare?: number;
  onRange: (first: number, last: number) => void;
  /** What is in a row; the same value is drawn once. */
  item: (index: number) => T | undefined;
  row: (item: T | undefined, index: number) => ComponentChildren;
  /** What rows depend on besides their item. */
  version?: string;
};

/** Rows come and go by so many at once, so that most steps of a scroll draw nothing. */
const STEP = 8;

export function VirtualList<T>({ label, total, rowHeight, spare = 16, onRange, item, row, version = '' }: Props<T>) {
  const box = useRef<HTMLDivElement>(null);
  // The first row in view, in steps.
  const [at, setAt] = useState(0);
  const [height, setHeight] = useState(600);
  // Known from its events: asking the box itself would lay out all rows that were just drawn.
  const top = useRef(0);
  const look = () => setAt(Math.floor(top.current / rowHeight / STEP) * STEP);
  const scrolled = () => {
    top.current = box.current!.scrollTop;
    look();
  };
  useEffect(() => {
    const element = box.current!;
    const measure = () => setHeight(element.clientHeight);
    measure();
    const observer = new ResizeObserver(measure);
    observer.observe(element);
    return () => observer.disconnect();
  }, []);
  useLayoutEffect(() => {
    // Another search begins at its top.
    if (top.current > total * rowHeight) {
      top.current = 0;
      box.current!.scrollTop = 0;
    }
    look();
  }, [total]);
  const first = Math.max(0, at - spare);
  const last = Math.min(total, at + Math.ceil(height / rowHeight) + STEP + spare);
  useEffect(() => onRange(first, last), [first, last, total]);
  // A row that is drawn is kept as it is: the same element is not compared again.
  const drawn = useRef(new Map<number, { item: T | undefined; version: string; element: ComponentChildren }>());
  const kept: typeof drawn.current = new Map();
  const rows = [];
  for (let i = first; i < last; i++) {
    const of = item(i);
    const old = drawn.current.get(i);
    const entry =
      old && old.item === of && old.version === version
        ? old
        : {
            item: of,
            version,
            element: (
              <li key={i} class="v-row" style={{ top: `${i * rowHeight}px`, height: `${rowHeight}px` }} aria-setsize={total} aria-posinset={i + 1}>
                {row(of, i)}
              </li>
            ),
          };
    kept.set(i, entry);
    rows.push(entry.element);
  }
  drawn.current = kept;
  return (
    <div class="v-box" ref={box} onScroll={scrolled} tabindex={0} role="group" aria-label={label}>
      <ul class="v-list" data-list style={{ height: `${total * rowHeight}px` }}>
        {rows}
      </ul>
    </div>
  );
}
