// Changes that agents propose, for a person to accept or reject.

import { useState } from 'preact/hooks';
import { post, url } from '../../api/client.ts';
import { invalidatePrefix, useGet } from '../../api/query.ts';
import type { AgentList, Proposal, ProposalAnswer, ProposalPage } from '../../api/types.ts';
import { Badge, Segmented, TextField } from '../../components/controls.tsx';
import { ActionDialog } from '../../components/Dialog.tsx';
import { Icon } from '../../components/Icon.tsx';
import { LineDiff } from '../../components/LineDiff.tsx';
import { Meaning } from '../../components/Meaning.tsx';
import { Sigil } from '../../components/Sigil.tsx';
import { Loaded, Note } from '../../components/states.tsx';
import { Message, Other, Time } from '../../components/Text.tsx';
import { useCan } from '../../identity.ts';
import { mine } from '../../authoring.ts';
import { navigate, usePlace } from '../../router.ts';
import { toast } from '../../shell/toasts.ts';
import { amount, capital, count, who } from '../../words.ts';

type State = 'pending' | 'accepted' | 'rejected';

function Review({ answer, accept, onClose }: { answer: ProposalAnswer; accept: boolean; onClose: () => void }) {
  const { proposal } = answer;
  const [message, setMessage] = useState('');
  // A message lets a text pass that the scanner refuses, so nobody gives one without having seen the findings.
  const despite = accept && proposal.poisoned;
  const reasoned = !accept || despite;
  const run = async () => {
    const done = await post<ProposalAnswer>(`/api/proposals/${proposal.id}/review`, accept ? { accept: true, ...(message.trim() ? { message: message.trim() } : {}) } : { reject: message.trim() });
    if (done.change) mine.add(done.change.revision.id);
    invalidatePrefix('/api/');
    toast(accept ? `${proposal.agent} was changed as proposed` : 'The proposal was rejected');
    navigate('/proposals');
  };
  return (
    <ActionDialog
      title={despite ? `Accept this change of ${proposal.agent} despite the findings?` : accept ? `Accept this change of ${proposal.agent}?` : 'Reject this proposal?'}
      action={accept ? 'Accept the change' : 'Reject it'}
      failed={accept ? 'The soul was not changed.' : 'The proposal was not rejected.'}
      danger={!accept || despite}
      onClose={onClose}
      run={run}
      disabled={reasoned && message.trim() === ''}
    >
      {accept && <p class="dim">It becomes a new revision in your name. You can roll it back.</p>}
      {despite && (
        <ul class="stack-1">
          {(proposal.findings ?? []).slice(0, 5).map((finding) => (
            <li key={finding.fingerprint}>
              <code>{finding.rule}</code> <Message text={finding.message} /> (line {finding.line})
            </li>
          ))}
        </ul>
      )}
      <TextField label={reasoned ? 'Reason' : 'Message'} value={message} onInput={setMessage} required={reasoned} autofocus placeholder={!accept ? 'what the proposer should know' : despite ? 'why this text is right all the same' : 'optional'} hint="It goes on record." />
    </ActionDialog>
  );
}

function Detail({ id }: { id: string }) {
  const query = useGet<ProposalAnswer>(`/api/proposals/${encodeURIComponent(id)}`);
  const { write } = useCan();
  const [reviewing, setReviewing] = useState<'accept' | 'reject' | null>(null);
  return (
    <Loaded query={query} what="The proposal could not be read.">
      {(answer) => {
        const { proposal, diff } = answer;
        const pending = proposal.state === 'pending';
        const conflicts = answer.conflicts ?? [];
        const errors = (proposal.diagnostics ?? []).filter((one) => one.severity === 'error');
        return (
          <div class="stack">
            <section class="card" aria-label="Proposal">
              <div class="card-head">
                <h2 class="t-head">
                  <Other text={capital(proposal.summary)} />
                </h2>
                <Badge tone={pending ? 'accent' : proposal.state === 'accepted' ? 'ok' : 'line'}>{proposal.state}</Badge>
              </div>
              <div class="card-pad stack-2">
                {proposal.reason && (
                  <p class="t-quote">
                    “<Other text={proposal.reason} />”
                  </p>
                )}
                {proposal.evidence && (
                  <p class="dim">
                    Evidence: <Other text={proposal.evidence} />
                  </p>
                )}
                <p class="dim t-cap">
                  <Other text={who(proposal.proposer)} />, <Time at={proposal.created_at} />
                  {proposal.reviewed_at && proposal.reviewer && (
                    <>
                      {' · '}
                      {proposal.state} by <Other text={who(proposal.reviewer)} /> <Time at={proposal.reviewed_at} />
                      {proposal.review_message && (
                        <>
                          : “<Other text={proposal.review_message} />”
                        </>
                      )}
                    </>
                  )}
                </p>
              </div>
              {pending && write && (
                <div class="card-foot">
                  <span class="end row">
                    <button class="btn" type="button" onClick={() => setReviewing('reject')}>
                      Reject…
                    </button>
                    <button class="btn primary" type="button" aria-disabled={errors.length > 0 || conflicts.length > 0} onClick={() => errors.length === 0 && conflicts.length === 0 && setReviewing('accept')}>
                      Accept…
                    </button>
                  </span>
                </div>
              )}
            </section>
            {proposal.poisoned && (
              <Note tone="error" icon="warn">
                <b>The scanner found problems in the proposed text.</b>{' '}
                {(proposal.findings ?? []).slice(0, 3).map((finding) => (
                  <span key={finding.fingerprint}>
                    <code>{finding.rule}</code> <Message text={finding.message} /> (line {finding.line}).{' '}
                  </span>
                ))}
              </Note>
            )}
            {errors.map((one, i) => (
              <Note key={i} tone="error" icon="error">
                <Message text={one.message} />
              </Note>
            ))}
            {answer.merged && (
              <Note tone="accent" icon="merge">
                The soul changed since this was proposed. The two changes fit together, and are shown merged.
              </Note>
            )}
            {(answer.protected ?? []).length > 0 && (
              <Note tone="warn" icon="lock">
                It changes what is protected: {answer.protected!.join(', ')}.
              </Note>
            )}
            {conflicts.map((conflict, i) => (
              <section key={i} class="card theirs" aria-label={`Conflict in ${conflict.place}`}>
                <div class="card-pad stack-2">
                  <h3 class="t-head">
                    Conflict in <Other text={conflict.place} />
                  </h3>
                  <dl class="facts">
                    <dt>Began with</dt>
                    <dd class="t-quote"><Other text={conflict.base || '–'} /></dd>
                    <dt>Now</dt>
                    <dd class="t-quote"><Other text={conflict.current || '–'} /></dd>
                    <dt>Proposed</dt>
                    <dd class="t-quote"><Other text={conflict.proposed || '–'} /></dd>
                  </dl>
                </div>
              </section>
            ))}
            <section class="card" aria-labelledby="proposal-means">
              <div class="card-head">
                <h2 class="t-head" id="proposal-means">
                  What it means
                </h2>
                <span class="badge">{amount(diff.changes.length, 'change')}</span>
              </div>
              <Meaning changes={diff.changes} />
            </section>
            <LineDiff text={diff.text} />
            {reviewing && <Review answer={answer} accept={reviewing === 'accept'} onClose={() => setReviewing(null)} />}
          </div>
        );
      }}
    </Loaded>
  );
}

function Row({ proposal, chosen }: { proposal: Proposal; chosen: boolean }) {
  const agent = useGet<AgentList>('/api/agents?summaries=true').data?.agents.find((one) => one.name === proposal.agent);
  return (
    <li class="pick" aria-current={chosen ? 'true' : undefined}>
      <Sigil parts={agent?.parts ?? null} digest={agent?.digest ?? proposal.base_digest} hue={agent?.hue} size={40} />
      <div class="pick-text">
        <a class="t-name" href={`/proposals/${proposal.id}${location.search}`} data-item>
          <Other text={proposal.agent} />
        </a>
        <span class="dim">
          <Other text={proposal.summary} />
        </span>
        <span class="t-cap dimmer">
          <Other text={who(proposal.proposer)} />, <Time at={proposal.created_at} />
        </span>
      </div>
      {proposal.poisoned ? <Badge tone="error" icon="warn">findings</Badge> : <span />}
    </li>
  );
}

export function Proposals({ id }: { id: string | null }) {
  const { query } = usePlace();
  const state = (query.get('state') as State | null) ?? 'pending';
  const list = useGet<ProposalPage>(url('/api/proposals', { state }));
  const first = id ?? list.data?.proposals[0]?.id ?? null;
  const waiting = list.data?.proposals.length ?? 0;
  return (
    <>
      <div class="lead">
        <div class="stack-1">
          <h1 class="t-hero">Proposals</h1>
          <p class="dim">{state === 'pending' && list.data ? `${capital(count(waiting, 'change waits', 'changes wait'))} for a person.` : 'Changes that agents asked for.'} An agent never changes its own soul.</p>
        </div>
        <div class="tools">
          <Segmented label="Which proposals" value={state} options={[['pending', 'Pending'], ['accepted', 'Accepted'], ['rejected', 'Rejected']]} onChange={(value) => navigate(`/proposals${value === 'pending' ? '' : `?state=${value}`}`)} />
        </div>
      </div>
      <Loaded query={list} what="The proposals could not be listed.">
        {(page) =>
          page.proposals.length === 0 && id === null ? (
            <div class="blank">
              <Sigil hue={0} size={96} state="none" />
              <div class="stack-2">
                <h2 class="t-title">{state === 'pending' ? 'Nothing waits for you' : 'None yet'}</h2>
                <p class="dim measure">An agent that learned something proposes a change of its soul. You see here what it would mean, and decide.</p>
              </div>
            </div>
          ) : (
            <div class={id === null ? 'stripe' : 'stripe one-open'}>
              <section class="card soul-list" aria-label="List">
                <ul data-list>
                  {page.proposals.map((proposal) => (
                    <Row key={proposal.id} proposal={proposal} chosen={proposal.id === first} />
                  ))}
                </ul>
              </section>
              <div class="soul-open">
                <button class="btn quiet only-s" type="button" onClick={() => navigate('/proposals')}>
                  <Icon name="back" />
                  All proposals
                </button>
                {first !== null && <Detail key={first} id={first} />}
              </div>
            </div>
          )
        }
      </Loaded>
    </>
  );
}

