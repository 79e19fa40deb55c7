// One dialog at a time: the browser's own, which keeps the focus inside and gives it back.

import type { ComponentChildren } from 'preact';
import { useId, useLayoutEffect, useRef, useState } from 'preact/hooks';
import { ApiError } from '../api/client.ts';
import { Failed } from './states.tsx';

export function Dialog({ title, onClose, children, wide = false }: { title: string; onClose: () => void; children: ComponentChildren; wide?: boolean }) {
  const ref = useRef<HTMLDialogElement>(null);
  const id = useId();
  // Before the next key arrives, which belongs to the dialog.
  useLayoutEffect(() => {
    const dialog = ref.current!;
    if (!dialog.open) dialog.showModal();
    return () => dialog.close();
  }, []);
  return (
    <dialog
      ref={ref}
      class={wide ? 'sheet wide' : 'sheet'}
      aria-labelledby={id}
      onCancel={(event) => {
        event.preventDefault();
        onClose();
      }}
      onClick={(event) => event.target === ref.current && onClose()}
    >
      <div class="sheet-in">
        <h2 class="t-title card-pad" id={id}>
          {title}
        </h2>
        {children}
      </div>
    </dialog>
  );
}

/** A dialog that does one thing, and stays open with the reason if that fails. */
export function ActionDialog({ title, action, failed, onClose, run, danger = false, disabled = false, wide = false, dismissible = true, children }: {
  title: string;
  /** The label of the button: a verb and its object. */
  action: string;
  /** What did not happen, if it fails. */
  failed: string;
  onClose: () => void;
  run: () => Promise<void>;
  danger?: boolean;
  disabled?: boolean;
  wide?: boolean;
  /** False where nothing can be done without it. */
  dismissible?: boolean;
  children?: ComponentChildren;
}) {
  const [error, setError] = useState<ApiError | null>(null);
  const [busy, setBusy] = useState(false);
  const submit = async () => {
    if (busy || disabled) return;
    setBusy(true);
    setError(null);
    try {
      await run();
      onClose();
    } catch (cause) {
      if (!(cause instanceof ApiError)) throw cause;
      setError(cause);
      setBusy(false);
    }
  };
  return (
    <Dialog title={title} onClose={onClose} wide={wide}>
      <form
        onSubmit={(event) => {
          event.preventDefault();
          void submit();
        }}
      >
        <div class="card-pad stack sheet-body">
          {children}
          {error && <Failed error={error} what={failed} />}
        </div>
        <div class="card-foot">
          <span class="end row">
            {dismissible && (
              <button class="btn quiet" type="button" onClick={onClose}>
                Cancel
              </button>
            )}
            <button class={danger ? 'btn danger' : 'btn primary'} type="submit" aria-disabled={disabled || busy}>
              {action}
            </button>
          </span>
        </div>
      </form>
    </Dialog>
  );
}
