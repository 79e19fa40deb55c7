// Sign-in lies over the page: what is on it, a draft too, stays.

import { useState } from 'preact/hooks';
import { post, signedIn } from '../api/client.ts';
import { forgetAll, remember } from '../api/query.ts';
import type { Whoami } from '../api/types.ts';
import { ActionDialog } from '../components/Dialog.tsx';
import { TextField } from '../components/controls.tsx';

export async function signIn(token: string) {
  const me = await post<Whoami>('/api/sign-in', { token: token.trim() });
  signedIn();
  forgetAll();
  remember('/api/whoami', me);
}

export function SignIn({ onClose }: { onClose?: () => void }) {
  const [token, setToken] = useState('');
  return (
    <ActionDialog title="Sign in" action="Sign in" failed="You are not signed in." onClose={onClose ?? (() => undefined)} dismissible={onClose !== undefined} run={() => signIn(token)} disabled={token.trim() === ''}>
      <p class="dim">This keeper asks for a token. What you have written stays on the page.</p>
      <TextField label="Token" type="password" value={token} onInput={setToken} mono required autofocus hint={<>
        Create one on the machine that runs the keeper: <code>soul token create --role author</code>
      </>} />
    </ActionDialog>
  );
}
