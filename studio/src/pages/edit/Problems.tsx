// The problems of the text, errors first; each leads to its place, and some can be fixed from here.

import type { Problem } from '../../editor/problems.ts';
import { Badge } from '../../components/controls.tsx';
import { Icon } from '../../components/Icon.tsx';
import { Message } from '../../components/Text.tsx';
import { amount } from '../../words.ts';

const ICONS = { error: ['error', 'error'], warning: ['warn', 'warn'], info: ['info', 'accent'] } as const;

/** More than this many rows are folded. */
const SHOWN = 50;

export function Problems({ problems, onGo, onFix, next, readOnly }: { problems: Problem[]; onGo: (problem: Problem) => void; onFix: (problem: Problem) => void; next: () => void; readOnly: boolean }) {
  const errors = problems.filter((problem) => problem.severity === 'error').length;
  const warnings = problems.filter((problem) => problem.severity === 'warning').length;
  return (
    <section class="problem-pane" aria-labelledby="problems">
      <div class="card-head rule-top">
        <h2 class="t-head" id="problems">
          Problems
        </h2>
        <span class="row" role="status">
          {errors > 0 && (
            <Badge tone="error" icon="error">
              {amount(errors, 'error')}
            </Badge>
          )}
          {warnings > 0 && (
            <Badge tone="warn" icon="warn">
              {amount(warnings, 'warning')}
            </Badge>
          )}
          {problems.length === 0 && (
            <Badge tone="ok" icon="check">
              no problems found
            </Badge>
          )}
        </span>
        {problems.length > 0 && (
          <button class="btn quiet sm hide-s" type="button" onClick={next}>
            Next <kbd>F8</kbd>
          </button>
        )}
      </div>
      {problems.length > 0 && (
        <ul class="problems">
          {problems.slice(0, SHOWN).map((problem, i) => {
            const [icon, tone] = ICONS[problem.severity];
            return (
              <li key={i}>
                <Icon name={icon} tone={tone} />
                {problem.line > 0 ? (
                  <button class="where plain" type="button" aria-label={`${problem.line}:${problem.column}, go to the line`} onClick={() => onGo(problem)}>
                    {problem.line}:{problem.column}
                  </button>
                ) : (
                  <span class="where">text</span>
                )}
                <span class="msg">
                  <span class="vh">{problem.severity}: </span>
                  <Message text={problem.message} />
                  {problem.line === 0 && problem.help && (
                    <span class="dim">
                      {' '}
                      · <Message text={problem.help} />
                    </span>
                  )}{' '}
                  <span class="dimmer t-cap mono code-name">{problem.code}</span>
                </span>
                {problem.fix && !readOnly ? (
                  <button class="btn sm" type="button" aria-label={`${problem.fix.label}: ${problem.message}`} onClick={() => onFix(problem)}>
                    Fix
                  </button>
                ) : (
                  <span />
                )}
              </li>
            );
          })}
        </ul>
      )}
      {problems.length > SHOWN && <p class="omit">{problems.length - SHOWN} more are not listed.</p>}
    </section>
  );
}
