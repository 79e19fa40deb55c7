// Unsaved text of a soul whose page cannot be shown: it must stay within reach.

import { useEffect, useState } from 'preact/hooks';
import { ApiError } from '../api/client.ts';
import { writeSoul } from '../authoring.ts';
import { agentSubject, dropDraft, loadDraft } from '../drafts.ts';
import { copy } from '../shell/toasts.ts';
import { Failed } from './states.tsx';
import { Revealed, Time } from './Text.tsx';

export function KeptDraft({ agent, create }: { agent: string; /** Whether the soul may be created with it. */ create: boolean }) {
  const [error, setError] = useState<ApiError | null>(null);
  const [draft, setDraft] = useState(() => loadDraft(agentSubject(agent)));
  // An editor that leaves for this page keeps what was typed last, after this page was drawn.
  useEffect(() => setDraft(loadDraft(agentSubject(agent))), [agent]);
  if (!draft) return null;
  const make = async () => {
    try {
      await writeSoul(agent, { body: draft.text, create: true });
      dropDraft(agentSubject(agent));
      location.reload();
    } catch (cause) {
      if (!(cause instanceof ApiError)) throw cause;
      setError(cause);
    }
  };
  return (
    <section class="card kept-draft" aria-labelledby="kept">
      <div class="card-head">
        <h2 class="t-head" id="kept">
          Your unsaved text
        </h2>
        <span class="dim t-cap">
          kept in this browser, <Time at={draft.at} />
        </span>
      </div>
      <pre class="scroll companion" tabindex={0} dir="auto">
        <Revealed text={draft.text} />
      </pre>
      {error && (
        <div class="card-pad">
          <Failed error={error} what="The soul was not saved. Your text is kept." />
        </div>
      )}
      <div class="card-foot">
        <span class="end row">
          <button class="btn" type="button" onClick={() => void copy(draft.text, 'The text')}>
            Copy it
          </button>
          {create && (
            <button class="btn primary" type="button" onClick={() => void make()}>
              Create the agent with it
            </button>
          )}
        </span>
      </div>
    </section>
  );
}
