// A new agent: from a template, from a library soul, or as a copy of another agent.

import { useState } from 'preact/hooks';
import { agentPath, get, post, soulPath } from '../../api/client.ts';
import { invalidatePrefix, useGet } from '../../api/query.ts';
import type { LibraryPage, LibrarySoul, SoulText } from '../../api/types.ts';
import { mine, writeSoul } from '../../authoring.ts';
import { ActionDialog } from '../../components/Dialog.tsx';
import { TextField } from '../../components/controls.tsx';
import { navigate } from '../../router.ts';
import { agentUrl } from '../../routes.ts';

const TEMPLATES = [
  ['starter', 'Starter', 'role, tone, principles and limits for everyday work'],
  ['reviewer', 'Reviewer', 'reads changes and names what blocks them'],
  ['tutor', 'Tutor', 'teaches by questions, at the pace of the learner'],
  ['editor', 'Editor', 'makes texts clearer and keeps the voice of their author'],
  ['operator', 'Operator', 'runs systems, careful with what cannot be undone'],
  ['researcher', 'Researcher', 'finds sources and says how sure it is'],
  ['persona', 'Persona', 'a package with a soul, its card and its style'],
] as const;

/** What the new soul begins with. */
export type Origin = { kind: 'template' } | { kind: 'library'; id: string } | { kind: 'agent'; name: string };

const ID = /^[a-z0-9]([a-z0-9._-]{0,126}[a-z0-9])?$/i;

export function NewAgent({ origin, onClose }: { origin: Origin; onClose: () => void }) {
  const [name, setName] = useState(origin.kind === 'library' ? origin.id : origin.kind === 'agent' ? `${origin.name}-copy` : '');
  const [from, setFrom] = useState<string>(origin.kind === 'library' ? `library:${origin.id}` : 'template:starter');
  const library = useGet<LibraryPage>('/api/v1/settings/agent/souls?perPage=100');
  const wellFormed = ID.test(name.trim());
  const create = async () => {
    const agent = name.trim();
    if (origin.kind === 'agent') {
      const text = await get<SoulText>(agentPath(origin.name, 'soul/text'));
      await writeSoul(agent, { body: text.text ?? '', create: true, message: `copy of ${origin.name}` });
    } else if (from.startsWith('library:')) {
      const id = from.slice('library:'.length);
      const soul = await get<LibrarySoul>(soulPath(id));
      await writeSoul(agent, { body: soul.content ?? '', create: true, message: `from the library soul ${id}` });
    } else {
      const made = await post<{ revision: { id: string } }>('/api/agents', { agent, template: from.slice('template:'.length) });
      mine.add(made.revision.id);
      invalidatePrefix('/api/agents', '/api/events', '/api/audit/verify');
    }
    navigate(agentUrl(agent));
  };
  return (
    <ActionDialog
      title={origin.kind === 'agent' ? `Duplicate ${origin.name}` : 'New agent'}
      action="Create the agent"
      failed="The agent was not created."
      onClose={onClose}
      run={create}
      disabled={!wellFormed}
    >
      <TextField
        label="Name"
        value={name}
        onInput={setName}
        placeholder="reviewer"
        mono
        required
        autofocus
        hint={name !== '' && !wellFormed ? name.trim().length > 128 ? 'At most 128 characters.' : 'The letters a to z, digits, dots, dashes and underscores; it becomes a folder.' : 'It becomes a folder with a SOUL.md in it.'}
      />
      {origin.kind !== 'agent' && (
        <label class="stack-1">
          <span class="t-lab">Begin with</span>
          <select class="field" value={from} onChange={(event) => setFrom(event.currentTarget.value)}>
            <optgroup label="A template">
              {TEMPLATES.map(([id, label, text]) => (
                <option key={id} value={`template:${id}`}>
                  {label}: {text}
                </option>
              ))}
            </optgroup>
            {library.data && library.data.souls.length > 0 && (
              <optgroup label="A copy of a library soul">
                {library.data.souls.map((soul) => (
                  <option key={soul.id} value={`library:${soul.id}`}>
                    {soul.name}
                  </option>
                ))}
              </optgroup>
            )}
          </select>
        </label>
      )}
      <p class="dim">Nothing is final: the editor opens next, and every save can be taken back.</p>
    </ActionDialog>
  );
}
