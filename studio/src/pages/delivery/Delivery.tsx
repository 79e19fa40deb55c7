// What other runtimes really give the model of this soul, and which limits get lost on the way.

import { useEffect, useState } from 'preact/hooks';
import { ApiError, post } from '../../api/client.ts';
import type { AgentSummary, DeliveryReport, DeliveryRow } from '../../api/types.ts';
import { Badge } from '../../components/controls.tsx';
import { Failed, Loading, Note } from '../../components/states.tsx';
import { Message, Other, Revealed } from '../../components/Text.tsx';
import { setQuery, usePlace } from '../../router.ts';
import { amount, bytes, field, number } from '../../words.ts';
import { SoulFrame } from '../soul/SoulFrame.tsx';

/** The report asks for much and changes with the soul alone, so it is read once for each digest. */
function useReport(request: Record<string, unknown> | null, version: string | null): { report: DeliveryReport | null; error: ApiError | null } {
  const [state, setState] = useState<{ report: DeliveryReport | null; error: ApiError | null }>({ report: null, error: null });
  useEffect(() => {
    if (request === null) return;
    const stop = new AbortController();
    post<DeliveryReport>('/api/deliver', request, { signal: stop.signal }).then(
      (report) => setState({ report, error: null }),
      (error: unknown) => error instanceof ApiError && setState((old) => ({ ...old, error })),
    );
    return () => stop.abort();
  }, [JSON.stringify(request), version]);
  return request === null ? { report: null, error: null } : state;
}

const STATE = {
  delivered: ['ok', 'delivered'],
  cut: ['warn', 'cut'],
  dropped: ['warn', 'dropped'],
  blocked: ['error', 'blocked'],
} as const;

/** One row for each runtime; its kinds of sessions are chips. */
function byRuntime(rows: DeliveryRow[]): [string, DeliveryRow[]][] {
  const out = new Map<string, DeliveryRow[]>();
  for (const row of rows) out.set(row.runtime, [...(out.get(row.runtime) ?? []), row]);
  return [...out];
}

function Matrix({ rows, runtime, session }: { rows: DeliveryRow[]; runtime: string | null; session: string | null }) {
  const groups = byRuntime(rows);
  return (
    <section class="card" aria-labelledby="matrix">
      <div class="card-head">
        <h2 class="t-head" id="matrix">
          What each runtime delivers
        </h2>
        <span class="badge">{groups.length}</span>
      </div>
      <table class="table stacked one">
        <thead>
          <tr>
            <th>Runtime</th>
            <th>Session</th>
            <th>Sections</th>
            <th>Limits</th>
            <th class="r">Size</th>
          </tr>
        </thead>
        <tbody data-list>
          {groups.map(([name, kinds]) => {
            const row = (name === runtime && kinds.find((one) => one.session === session)) || kinds[0]!;
            return (
              <tr key={name} class={name === runtime ? 'chosen' : ''}>
                <td>
                  <b>
                    <Other text={name} />
                  </b>
                  {row.basis !== 'recorded' && (
                    <>
                      <br />
                      <span class="t-cap dimmer">{row.basis}</span>
                    </>
                  )}
                </td>
                <td>
                  <span class="chips">
                    {kinds.map((one) => (
                      <button key={one.session} class="chip" type="button" data-item aria-pressed={name === runtime && one.session === session} onClick={() => setQuery({ runtime: name, session: one.session })}>
                        {one.session}
                        {one.lost_limits.length > 0 && <span class="vh">, loses limits</span>}
                      </button>
                    ))}
                  </span>
                </td>
                <td>
                  <span class="row wrap">
                    <Badge tone="ok">{row.delivered} delivered</Badge>
                    {row.cut > 0 && <Badge tone="warn">{row.cut} cut</Badge>}
                    {row.dropped > 0 && <Badge tone="warn">{row.dropped} dropped</Badge>}
                    {row.blocked > 0 && <Badge tone="error">{row.blocked} blocked</Badge>}
                  </span>
                </td>
                <td>
                  {row.lost_limits.length > 0 ? (
                    <Badge tone="error" icon="warn">
                      {amount(row.lost_limits.length, 'limit')} lost
                    </Badge>
                  ) : (
                    <span class="dim">none lost</span>
                  )}
                </td>
                <td class="r num dim">{amount(row.est_tokens, 'token')}</td>
              </tr>
            );
          })}
        </tbody>
      </table>
    </section>
  );
}

function Detail({ report }: { report: DeliveryReport }) {
  return (
    <div class="split">
      <section class="card" aria-labelledby="delivered-text">
        <div class="card-head">
          <h2 class="t-head" id="delivered-text">
            What <Other text={report.runtime ?? ''} /> gives the model
          </h2>
          <span class="dim t-cap">
            {bytes(report.bytes ?? 0)}, {number(report.chars ?? 0)} {report.unit ?? 'characters'}
          </span>
        </div>
        <pre class="section limited" tabindex={0} dir="auto">
          <Revealed text={(report.text ?? '').slice(0, 60_000)} />
        </pre>
      </section>
      <div class="stack">
        {(report.warnings ?? []).map((warning, i) => (
          <Note key={i} tone="warn" icon="warn">
            <Message text={warning} />
          </Note>
        ))}
        {(report.lost_limits ?? []).length > 0 && (
          <section class="card" aria-labelledby="lost">
            <div class="card-head">
              <h2 class="t-head is-error" id="lost">
                Limits that the model never sees
              </h2>
            </div>
            <ul class="list">
              {report.lost_limits!.map((limit, i) => (
                <li key={i} class="stack-1">
                  <span class="t-quote">
                    <Other text={limit.text.replace(/^[-*]\s*/, '')} />
                  </span>
                  <span class="t-cap dimmer">
                    <span class="mono"><Other text={`${limit.file}:${limit.line}`} /></span> · <Message text={limit.reason} />
                  </span>
                </li>
              ))}
            </ul>
          </section>
        )}
        <section class="card" aria-labelledby="sections">
          <div class="card-head">
            <h2 class="t-head" id="sections">
              Sections
            </h2>
          </div>
          <ul class="list">
            {(report.sections ?? []).map((section, i) => {
              const [tone, word] = STATE[section.state];
              return (
                <li key={i} class="stack-1">
                  <span class="row">
                    <b class="clamp">
                      <Other text={section.heading ?? (section.field ? field(section.field) : section.file)} />
                    </b>
                    <span class="end">
                      <Badge tone={tone}>{word}</Badge>
                    </span>
                  </span>
                  <span class="t-cap dimmer">
                    <span class="mono"><Other text={section.file} /></span>
                    {section.reason && (
                      <>
                        {' · '}
                        <Message text={section.reason} />
                      </>
                    )}
                  </span>
                </li>
              );
            })}
          </ul>
        </section>
      </div>
    </div>
  );
}

function Page({ agent }: { agent: AgentSummary }) {
  const { query } = usePlace();
  const matrix = useReport({ agent: agent.name, all: true }, agent.digest);
  const rows = matrix.report?.matrix ?? [];
  const runtime = query.get('runtime') ?? rows[0]?.runtime ?? null;
  const session = query.get('session') ?? rows[0]?.session ?? null;
  const detail = useReport(runtime ? { agent: agent.name, runtime, session_kind: session } : null, agent.digest);
  if (matrix.error) return <Failed error={matrix.error} what="Delivery could not be computed." />;
  if (!matrix.report) return <Loading />;
  const runtimes = byRuntime(rows);
  const losing = runtimes.filter(([, kinds]) => kinds[0]!.lost_limits.length > 0).length;
  return (
    <>
      <Note tone={losing > 0 ? 'warn' : 'ok'} icon={losing > 0 ? 'warn' : 'shield'}>
        {losing > 0 ? (
          <>
            <b>{losing} of {runtimes.length} runtimes lose a limit of this soul.</b> The model then behaves as if it had never been written.
          </>
        ) : (
          'Every runtime delivers all limits of this soul.'
        )}
      </Note>
      <Matrix rows={rows} runtime={runtime} session={session} />
      {detail.error && <Failed error={detail.error} what="This runtime could not be shown." />}
      {detail.report && <Detail report={detail.report} />}
    </>
  );
}

export function Delivery({ name }: { name: string }) {
  return (
    <SoulFrame name={name} tab="delivery">
      {(agent) => (agent.present ? <Page agent={agent} /> : <Note icon="info">Without a soul there is nothing to deliver.</Note>)}
    </SoulFrame>
  );
}
