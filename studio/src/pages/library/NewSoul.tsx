// A new soul of the library, or a copy of one.

import { useState } from 'preact/hooks';
import { post } from '../../api/client.ts';
import { invalidatePrefix } from '../../api/query.ts';
import type { LibrarySoul } from '../../api/types.ts';
import { ActionDialog } from '../../components/Dialog.tsx';
import { TextField } from '../../components/controls.tsx';
import { navigate } from '../../router.ts';
import { libraryUrl } from '../../routes.ts';

const START = `## Identity

You help people with everyday work.

## Priorities

1. Say what you are sure of, and what not.

## Communication Style

- Plain words, short sentences.
`;

export function NewSoul({ copy, onClose }: { copy: LibrarySoul | null; onClose: () => void }) {
  const [name, setName] = useState(copy ? `${copy.name} (copy)` : '');
  const [description, setDescription] = useState(copy?.description ?? '');
  const create = async () => {
    const soul = await post<LibrarySoul>('/api/v1/settings/agent/souls', { name: name.trim(), description: description.trim(), content: copy?.content ?? START });
    invalidatePrefix('/api/v1/settings/agent', '/api/events');
    navigate(libraryUrl(soul.id, 'edit'));
  };
  return (
    <ActionDialog title={copy ? `Duplicate ${copy.name}` : 'New library soul'} action="Create the soul" failed="The soul was not created." onClose={onClose} run={create} disabled={name.trim() === ''}>
      <TextField label="Name" value={name} onInput={setName} required autofocus placeholder="Concise Ops" />
      <TextField label="What it is for" value={description} onInput={setDescription} placeholder="One line, one action; for people on call" />
    </ActionDialog>
  );
}
