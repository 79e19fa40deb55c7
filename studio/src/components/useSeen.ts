// Whether an element has come into view; what is never seen is never asked for.

import type { RefObject } from 'preact';
import { useEffect, useRef, useState } from 'preact/hooks';

export function useSeen<T extends Element>(): [boolean, RefObject<T | null>] {
  const ref = useRef<T>(null);
  const [seen, setSeen] = useState(false);
  useEffect(() => {
    const observer = new IntersectionObserver((entries) => {
      if (!entries.some((entry) => entry.isIntersecting)) return;
      setSeen(true);
      observer.disconnect();
    });
    observer.observe(ref.current!);
    return () => observer.disconnect();
  }, []);
  return [seen, ref];
}
