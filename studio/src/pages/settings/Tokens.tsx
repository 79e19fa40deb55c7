// Tokens: who may ask this keeper. Only an admin sees them, so on loopback one signs in first.

import { useState } from 'preact/hooks';
import { post, request } from '../../api/client.ts';
import { forgetAll, invalidatePrefix, useGet } from '../../api/query.ts';
import type { NewToken, Token, TokenList } from '../../api/types.ts';
import { Badge, Choice, TextField } from '../../components/controls.tsx';
import { ActionDialog, Dialog } from '../../components/Dialog.tsx';
import { Icon } from '../../components/Icon.tsx';
import { Loaded } from '../../components/states.tsx';
import { Other, Time } from '../../components/Text.tsx';
import { useCan } from '../../identity.ts';
import { SignIn } from '../../shell/SignIn.tsx';
import { copy, toast } from '../../shell/toasts.ts';

type Role = 'viewer' | 'author' | 'admin';

function Create({ onClose, onMade }: { onClose: () => void; onMade: (token: NewToken) => void }) {
  const [name, setName] = useState('');
  const [role, setRole] = useState<Role>('viewer');
  const run = async () => {
    onMade(await post<NewToken>('/api/tokens', { role, ...(name.trim() ? { name: name.trim() } : {}) }));
    invalidatePrefix('/api/tokens');
  };
  return (
    <ActionDialog title="Create a token" action="Create the token" failed="No token was created." onClose={onClose} run={run}>
      <TextField label="Name" value={name} onInput={setName} placeholder="dashboard" autofocus hint="It signs the changes made with it." />
      <Choice
        label="Role"
        value={role}
        onChange={setRole}
        options={[
          { value: 'viewer', title: 'Viewer', text: <span class="dim t-cap">sees everything, changes nothing</span> },
          { value: 'author', title: 'Author', text: <span class="dim t-cap">changes souls, sessions and tasks</span> },
          { value: 'admin', title: 'Admin', text: <span class="dim t-cap">also tokens, backups and repairs</span> },
        ]}
      />
    </ActionDialog>
  );
}

function Secret({ token, onClose }: { token: NewToken; onClose: () => void }) {
  return (
    <Dialog title="Copy the secret now" onClose={onClose}>
      <div class="card-pad stack sheet-body">
        <p class="dim">It is shown this once. Only its digest is stored.</p>
        <div class="cmd">
          <span>{token.secret}</span>
          <button class="btn sm" type="button" autofocus onClick={() => copy(token.secret, 'The secret')}>
            <Icon name="copy" />
            Copy
          </button>
        </div>
      </div>
      <div class="card-foot">
        <button class="btn end" type="button" onClick={onClose}>
          Done
        </button>
      </div>
    </Dialog>
  );
}

function Revoke({ token, onClose }: { token: Token; onClose: () => void }) {
  const run = async () => {
    await request('DELETE', `/api/tokens/${token.id}`);
    invalidatePrefix('/api/tokens');
    toast(`${token.name ?? token.id} was revoked`);
  };
  return (
    <ActionDialog title={`Revoke ${token.name ?? token.id}?`} action="Revoke the token" failed="The token was not revoked." danger onClose={onClose} run={run}>
      <p class="dim">Its next request is refused. This cannot be undone; create another one instead.</p>
    </ActionDialog>
  );
}

function List() {
  const tokens = useGet<TokenList>('/api/tokens');
  const [dialog, setDialog] = useState<'create' | NewToken | Token | null>(null);
  return (
    <>
      <div class="card-head">
        <h2 class="t-head" id="tokens">
          Tokens
        </h2>
        <button class="btn sm" type="button" onClick={() => setDialog('create')}>
          <Icon name="plus" />
          Create…
        </button>
      </div>
      <Loaded query={tokens} what="The tokens could not be listed.">
        {(page) => (
          <table class="table stacked one">
            <tbody>
              {page.tokens.map((token) => (
                <tr key={token.id}>
                  <td>
                    <b>
                      <Other text={token.name ?? token.id} />
                    </b>
                  </td>
                  <td>
                    <Badge tone="line">{token.role}</Badge>
                  </td>
                  <td class="mono dim t-cap">{token.grants.join(' ')}</td>
                  <td class="dim">{token.revoked_at ? <>revoked <Time at={token.revoked_at} /></> : <>created <Time at={token.created_at} /></>}</td>
                  <td class="r">
                    {!token.revoked_at && (
                      <button class="btn quiet sm" type="button" onClick={() => setDialog(token)}>
                        Revoke…
                      </button>
                    )}
                  </td>
                </tr>
              ))}
            </tbody>
          </table>
        )}
      </Loaded>
      {dialog === 'create' && <Create onClose={() => setDialog((now) => (now === 'create' ? null : now))} onMade={setDialog} />}
      {dialog !== null && typeof dialog === 'object' && 'secret' in dialog && <Secret token={dialog} onClose={() => setDialog(null)} />}
      {dialog !== null && typeof dialog === 'object' && !('secret' in dialog) && <Revoke token={dialog} onClose={() => setDialog(null)} />}
    </>
  );
}

export function Tokens() {
  const { admin, me } = useCan();
  const [signing, setSigning] = useState(false);
  const signOut = async () => {
    await post('/api/sign-out');
    forgetAll();
  };
  return (
    <section class="card" aria-labelledby="tokens">
      {admin ? (
        <List />
      ) : (
        <>
          <div class="card-head">
            <h2 class="t-head" id="tokens">
              Tokens
            </h2>
            <button class="btn sm" type="button" onClick={() => setSigning(true)}>
              <Icon name="key" />
              Sign in…
            </button>
          </div>
          <p class="omit">
            Tokens are for admins. Sign in with an admin token to see and create them; make the first one with <code>soul token create --role admin</code>.
          </p>
        </>
      )}
      {me && (
        <div class="card-foot">
          <span class="dim t-cap">
            You are <b><Other text={me.name} /></b>
            {me.role ? `, ${me.role}` : ', without a token, on this machine'}.
          </span>
          {me.token_id && (
            <button class="btn quiet sm end" type="button" onClick={() => void signOut()}>
              Sign out
            </button>
          )}
        </div>
      )}
      {signing && <SignIn onClose={() => setSigning(false)} />}
    </section>
  );
}
