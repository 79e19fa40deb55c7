// Tasks: waiting, claimed, done; each run records the soul that claimed it.

import { useState } from 'preact/hooks';
import { post } from '../../api/client.ts';
import { invalidatePrefix, useGet } from '../../api/query.ts';
import type { AgentList, TaskPage } from '../../api/types.ts';
import { Badge, TextField } from '../../components/controls.tsx';
import { ActionDialog } from '../../components/Dialog.tsx';
import { Icon } from '../../components/Icon.tsx';
import { Loaded } from '../../components/states.tsx';
import { Other, Time } from '../../components/Text.tsx';
import { useCan } from '../../identity.ts';
import { short, shortId } from '../../words.ts';

const TONES = { queued: 'line', claimed: 'accent', done: 'ok', failed: 'error' } as const;

function AddTask({ onClose }: { onClose: () => void }) {
  const agents = useGet<AgentList>('/api/agents?summaries=true').data?.agents ?? [];
  const [agent, setAgent] = useState('');
  const [payload, setPayload] = useState('{}');
  let parsed: unknown;
  let wrong = false;
  try {
    parsed = JSON.parse(payload);
  } catch {
    wrong = true;
  }
  const run = async () => {
    await post('/api/tasks', { ...(agent ? { agent } : {}), payload: parsed });
    invalidatePrefix('/api/tasks', '/api/events');
  };
  return (
    <ActionDialog title="Add a task" action="Add the task" failed="The task was not added." onClose={onClose} run={run} disabled={wrong}>
      <label class="stack-1">
        <span class="t-lab">For</span>
        <select class="field" value={agent} onChange={(event) => setAgent(event.currentTarget.value)}>
          <option value="">any session</option>
          {agents.map((one) => (
            <option key={one.name}>{one.name}</option>
          ))}
        </select>
      </label>
      <TextField label="Payload" value={payload} onInput={setPayload} mono hint={wrong ? 'This is not JSON yet.' : 'JSON that the session receives'} />
    </ActionDialog>
  );
}

export function Tasks() {
  const tasks = useGet<TaskPage>('/api/tasks?limit=100');
  const { write } = useCan();
  const [adding, setAdding] = useState(false);
  const list = tasks.data?.tasks ?? [];
  const waiting = list.filter((task) => task.state === 'queued').length;
  const claimed = list.filter((task) => task.state === 'claimed').length;
  return (
    <section class="card" aria-labelledby="tasks">
      <div class="card-head">
        <h2 class="t-head" id="tasks">
          Tasks
        </h2>
        {waiting > 0 && <Badge tone="line">{waiting} waiting</Badge>}
        {claimed > 0 && <Badge tone="accent">{claimed} claimed</Badge>}
        {write && (
          <button class="btn sm" type="button" onClick={() => setAdding(true)}>
            <Icon name="plus" />
            Add…
          </button>
        )}
      </div>
      <Loaded query={tasks} what="The tasks could not be listed.">
        {(page) =>
          page.tasks.length === 0 ? (
            <p class="omit">No task is waiting.</p>
          ) : (
            <table class="table stacked one">
              <thead>
                <tr>
                  <th>State</th>
                  <th>Payload</th>
                  <th>For</th>
                  <th>Run</th>
                  <th class="r">Added</th>
                </tr>
              </thead>
              <tbody>
                {[...page.tasks].reverse().map((task) => (
                  <tr key={task.id}>
                    <td>
                      <Badge tone={TONES[task.state]}>{task.state}</Badge>
                    </td>
                    <td class="mono">
                      <span class="clamp"><Other text={JSON.stringify(task.payload ?? null)} /></span>
                    </td>
                    <td>{task.agent ? <Other text={task.agent} /> : <span class="dim">any session</span>}</td>
                    <td class="dim">
                      {task.run ? (
                        <>
                          by <span class="mono" title={task.run.session_id}>{shortId(task.run.session_id)}</span>
                          {task.run.soul_digest && (
                            <>
                              {' '}
                              as <span class="digest">{short(task.run.soul_digest)}</span>
                            </>
                          )}
                        </>
                      ) : task.state === 'queued' ? (
                        'waits for a session'
                      ) : (
                        ''
                      )}
                    </td>
                    <td class="r dim">
                      <Time at={task.created_at} />
                    </td>
                  </tr>
                ))}
              </tbody>
            </table>
          )
        }
      </Loaded>
      {adding && <AddTask onClose={() => setAdding(false)} />}
    </section>
  );
}
