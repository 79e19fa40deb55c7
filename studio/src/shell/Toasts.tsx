// A toast stays ten seconds, longer while it has the focus or the pointer.

import { useEffect, useRef } from 'preact/hooks';
import { useStore } from '../store.ts';
import { announcement, dismiss, toasts, type Toast } from './toasts.ts';

const STAYS = 10_000;

function One({ toast }: { toast: Toast }) {
  const timer = useRef<ReturnType<typeof setTimeout> | null>(null);
  const hold = () => {
    if (timer.current) clearTimeout(timer.current);
  };
  const go = () => {
    hold();
    timer.current = setTimeout(() => dismiss(toast.id), STAYS);
  };
  useEffect(() => {
    go();
    return hold;
  }, []);
  return (
    <div class="toast" onPointerEnter={hold} onPointerLeave={go} onFocusCapture={hold} onBlurCapture={go}>
      <span>{toast.text}</span>
      {toast.action && (
        <button
          class="act plain"
          type="button"
          onClick={() => {
            dismiss(toast.id);
            void toast.action!.run();
          }}
        >
          {toast.action.label}
        </button>
      )}
    </div>
  );
}

export function Toasts() {
  const shown = useStore(toasts);
  const said = useStore(announcement);
  return (
    <>
      <div class="toasts" role="status">
        {shown.map((toast) => (
          <One key={toast.id} toast={toast} />
        ))}
      </div>
      <div class="vh" aria-live="polite">
        {said}
      </div>
    </>
  );
}
