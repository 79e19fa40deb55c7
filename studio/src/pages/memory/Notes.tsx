// Adding to a memory, and forgetting a section of it.

import { useState } from 'preact/hooks';
import { agentPath, post } from '../../api/client.ts';
import { invalidatePrefix } from '../../api/query.ts';
import type { MemoryRemoval, MemorySection } from '../../api/types.ts';
import { TextField } from '../../components/controls.tsx';
import { ActionDialog } from '../../components/Dialog.tsx';
import { Other } from '../../components/Text.tsx';
import { setQuery } from '../../router.ts';
import { toast } from '../../shell/toasts.ts';

export function Forget({ agent, section, onClose }: { agent: string; section: MemorySection; onClose: () => void }) {
  const run = async () => {
    await post<MemoryRemoval>(agentPath(agent, 'memory/forget'), { file: section.file, line: section.line });
    invalidatePrefix(agentPath(agent, 'memory'));
    setQuery({ file: null, line: null });
    toast('The section was removed', {
      label: 'Undo',
      run: async () => {
        await post(agentPath(agent, 'memory/forget'), { undo: true });
        invalidatePrefix(agentPath(agent, 'memory'));
      },
    });
  };
  return (
    <ActionDialog title="Forget this section?" action="Forget it" failed="Nothing was removed." danger onClose={onClose} run={run}>
      <p class="dim">
        Lines {section.line} to {section.end_line} of <code><Other text={section.file} /></code> are removed. You can undo this.
      </p>
    </ActionDialog>
  );
}

export function AddNote({ agent, onClose }: { agent: string; onClose: () => void }) {
  const [text, setText] = useState('');
  const [heading, setHeading] = useState('');
  const [topic, setTopic] = useState('');
  const run = async () => {
    const add = (create: boolean) => post(agentPath(agent, 'memory/add'), { text, ...(heading.trim() ? { section: heading.trim() } : {}), ...(topic.trim() ? { topic: topic.trim() } : {}), ...(create ? { create: true } : {}) });
    await add(true);
    invalidatePrefix(agentPath(agent, 'memory'));
    toast('The note was added');
  };
  return (
    <ActionDialog title={`Add a note for ${agent}`} action="Add the note" failed="The note was not added." onClose={onClose} run={run} disabled={text.trim() === ''}>
      <label class="stack-1">
        <span class="t-lab">Note</span>
        <span class="field">
          <textarea value={text} autofocus onInput={(event) => setText(event.currentTarget.value)} />
        </span>
      </label>
      <div class="grid-2">
        <TextField label="Heading" value={heading} onInput={setHeading} placeholder="optional" />
        <TextField label="Topic" value={topic} onInput={setTopic} placeholder="today's log if empty" />
      </div>
    </ActionDialog>
  );
}
