// A list of thousands of rows of one height: only those in view are in the document.

import type { ComponentChildren } from 'preact';
import { useEffect, useRef, useState } from 'preact/hooks';

type Props = {
  label: string;
  total: number;
  rowHeight: number;
  /** Rows kept above and below what is seen. */
  spare?: number;
  onRange: (first: number, last: number) => void;
  row: (index: number) => ComponentChildren;
};

export function VirtualList({ label, total, rowHeight, spare = 20, onRange, row }: Props) {
  const box = useRef<HTMLDivElement>(null);
  const [top, setTop] = useState(0);
  const [height, setHeight] = useState(600);
  useEffect(() => {
    const element = box.current!;
    const measure = () => setHeight(element.clientHeight);
    measure();
    const observer = new ResizeObserver(measure);
    observer.observe(element);
    return () => observer.disconnect();
  }, []);
  useEffect(() => {
    // Another search begins at its top.
    if (box.current && box.current.scrollTop > total * rowHeight) box.current.scrollTop = 0;
  }, [total]);
  const first = Math.max(0, Math.floor(top / rowHeight) - spare);
  const last = Math.min(total, Math.ceil((top + height) / rowHeight) + spare);
  useEffect(() => onRange(first, last), [first, last, total]);
  const rows = [];
  for (let i = first; i < last; i++) {
    rows.push(
      <li key={i} class="v-row" style={{ top: `${i * rowHeight}px`, height: `${rowHeight}px` }} aria-setsize={total} aria-posinset={i + 1}>
        {row(i)}
      </li>,
    );
  }
  return (
    <div class="v-box" ref={box} onScroll={(event) => setTop(event.currentTarget.scrollTop)} tabindex={0} role="group" aria-label={label}>
      <ul class="v-list" data-list style={{ height: `${total * rowHeight}px` }}>
        {rows}
      </ul>
    </div>
  );
}
