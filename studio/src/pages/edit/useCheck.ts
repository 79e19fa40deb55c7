// Checks a draft while it is written: validity soon after the last key, the prompt a little later and only if valid.

import { useEffect, useRef, useState } from 'preact/hooks';
import { agentPath, ApiError, get, post } from '../../api/client.ts';
import type { Diagnostic, InspectedSoul, Prompt } from '../../api/types.ts';
import type { Parts } from '../../sigil.ts';

export type Check = { text: string; valid: boolean; diagnostics: Diagnostic[]; parts: Parts | null; took: number; dialect: string | null; limit: number | null; /** Bytes of the body, which the limit is for. */ body: number | null };

export const VALIDATE_AFTER = 150;
const PROMPT_AFTER = 400;

async function validate(agent: string, body: string, signal: AbortSignal): Promise<Check> {
  const begun = performance.now();
  const from = (soul: InspectedSoul | undefined, valid: boolean, diagnostics: Diagnostic[]): Check => ({
    text: body,
    valid,
    diagnostics,
    parts: soul?.parts ?? null,
    took: performance.now() - begun,
    dialect: soul?.dialect ?? null,
    limit: soul?.limits.max_body_bytes ?? null,
    body: typeof soul?.body === 'string' ? new TextEncoder().encode(soul.body).length : null,
  });
  try {
    const soul = await post<InspectedSoul>(agentPath(agent, 'soul/validate'), { body }, { signal });
    return from(soul, soul.valid, soul.diagnostics);
  } catch (error) {
    // An invalid text is an answer, not a failure.
    if (error instanceof ApiError && error.status === 422) {
      const soul = error.body?.soul as InspectedSoul | undefined;
      return from(soul, false, error.body?.diagnostics ?? soul?.diagnostics ?? (error.body?.error.diagnostics as Diagnostic[] | undefined) ?? []);
    }
    throw error;
  }
}

export function useCheck(agent: string, text: string, enabled: boolean): Check | null {
  const [check, setCheck] = useState<Check | null>(null);
  const first = useRef(true);
  useEffect(() => {
    if (!enabled) return;
    const stop = new AbortController();
    const timer = setTimeout(
      () => {
        validate(agent, text, stop.signal).then(setCheck, () => undefined);
      },
      first.current ? 0 : VALIDATE_AFTER,
    );
    first.current = false;
    return () => {
      clearTimeout(timer);
      stop.abort();
    };
  }, [agent, text, enabled]);
  return check;
}

export type DraftPrompt = { prompt: Prompt | null; of: 'draft' | 'saved' };

/** The prompt of the draft if it is valid, else of the saved text. `version` changes when the file does. */
export function useDraftPrompt(agent: string, text: string, dirty: boolean, valid: boolean | null, version: string | null): DraftPrompt {
  const [shown, setShown] = useState<DraftPrompt>({ prompt: null, of: 'saved' });
  const first = useRef(true);
  useEffect(() => {
    if (valid === null) return;
    const stop = new AbortController();
    const draft = dirty && valid;
    const timer = setTimeout(
      () => {
        const ask = draft
          ? post<Prompt>(agentPath(agent, 'prompt'), { body: text }, { signal: stop.signal })
          : get<Prompt>(agentPath(agent, 'prompt'), { signal: stop.signal });
        ask.then(
          (prompt) => setShown({ prompt, of: draft ? 'draft' : 'saved' }),
          (error: unknown) => {
            // An invalid file has no prompt at all.
            if (error instanceof ApiError && error.status >= 400) setShown({ prompt: null, of: 'saved' });
          },
        );
      },
      first.current ? 0 : PROMPT_AFTER,
    );
    first.current = false;
    return () => {
      clearTimeout(timer);
      stop.abort();
    };
    // While the draft is invalid the saved prompt stays, whatever is typed.
  }, [agent, dirty && valid ? text : '', dirty, valid, version]);
  return shown;
}
