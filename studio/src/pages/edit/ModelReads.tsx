// What the model reads, beside the text that it comes from.

import type { DraftPrompt } from './useCheck.ts';
import { Icon } from '../../components/Icon.tsx';
import { Layers, TokenBar, tokens } from '../../components/Layers.tsx';
import { Message } from '../../components/Text.tsx';
import { copy } from '../../shell/toasts.ts';
import { agentUrl } from '../../routes.ts';
import { amount } from '../../words.ts';

export function ModelReads({ agent, shown, dirty, valid }: { agent: string; shown: DraftPrompt; dirty: boolean; valid: boolean }) {
  const { prompt, of } = shown;
  return (
    <section class="card pane reads" aria-labelledby="reads">
      <div class="card-head">
        <h2 class="t-head" id="reads">
          What the model reads
        </h2>
        {prompt && <span class="num dim">{amount(tokens(prompt.layers), 'token')}</span>}
      </div>
      {prompt ? (
        <>
          <div class="card-pad stack-2 rule-bottom">
            <TokenBar layers={prompt.layers} />
            {dirty && !valid && <p class="dim t-cap">The draft is invalid, so it has no prompt. This is the saved text, as a session would get it now.</p>}
            {dirty && valid && of === 'draft' && <p class="dim t-cap">The draft, as a session would get it once it is saved.</p>}
            {(prompt.diagnostics ?? []).map((one, i) => (
              <p key={i} class="t-cap is-warn">
                <Message text={one.message} />
              </p>
            ))}
          </div>
          <div class="scroll" tabindex={0} role="group" aria-label="Layers">
            <Layers layers={prompt.layers} fold />
          </div>
          <div class="card-foot">
            <button class="btn sm" type="button" onClick={() => copy(prompt.text, 'The prompt')}>
              <Icon name="copy" />
              Copy the exact text
            </button>
            <a class="btn quiet sm" href={agentUrl(agent, 'prompt')}>
              Open in full
            </a>
          </div>
        </>
      ) : (
        <p class="card-pad dim">{valid ? 'Reading…' : 'An invalid soul has no prompt, and no session can start on it. Fix the errors first.'}</p>
      )}
    </section>
  );
}
