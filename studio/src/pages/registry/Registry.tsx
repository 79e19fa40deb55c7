// Packages of registries: found, read, planned, and installed after consent to exactly that plan.

import { useEffect, useState } from 'preact/hooks';
import { ApiError, post, url } from '../../api/client.ts';
import { invalidatePrefix, useGet } from '../../api/query.ts';
import { Badge, Grade, SearchField } from '../../components/controls.tsx';
import { Icon, type IconName } from '../../components/Icon.tsx';
import { Sigil } from '../../components/Sigil.tsx';
import { Failed, Loaded, Loading, Note, NothingFound } from '../../components/states.tsx';
import { Message, Other } from '../../components/Text.tsx';
import { useSeen } from '../../components/useSeen.ts';
import { useCan } from '../../identity.ts';
import { setQuery, usePlace } from '../../router.ts';
import { hue } from '../../sigil.ts';
import { toast } from '../../shell/toasts.ts';
import { amount, bytes, capital, count, list, short } from '../../words.ts';
import { useLate } from '../prompt/Prompt.tsx';
import type { Capabilities, Installed, Plan, RegistryPage, RegistrySoul } from './types.ts';

export const registryUrl = (soul: { owner: string; name: string; version?: string | undefined }) =>
  `/registry/${encodeURIComponent(soul.owner)}/${encodeURIComponent(soul.name)}${soul.version ? `@${soul.version}` : ''}`;

const detailPath = (owner: string, name: string) => `/api/v1/souls/${encodeURIComponent(owner)}/${encodeURIComponent(name)}`;

function Card({ soul, installed }: { soul: RegistrySoul; installed: boolean }) {
  // The list has no digests: a card that is seen asks for its own.
  const [seen, ref] = useSeen<HTMLLIElement>();
  const digest = useGet<RegistrySoul>(seen ? detailPath(soul.owner, soul.name) : null).data?.digest ?? null;
  return (
    <li class="card agent" ref={ref}>
      <div class="body">
        <span class="seal">
          <Sigil kind="package" digest={digest} hue={hue('registry', 'package', `${soul.owner}/${soul.name}`)} size={56} state={digest ? 'valid' : 'asleep'} />
        </span>
        <h2 class="t-name">
          <a class="cover" href={registryUrl(soul)} data-item>
            <Other text={soul.displayName ?? soul.name} />
          </a>
        </h2>
        <p class="role">
          <Other text={soul.description ?? ''} />
        </p>
        <div class="chips">
          {(soul.tags ?? []).slice(0, 3).map((tag) => (
            <span key={tag} class="chip">
              <Other text={tag} />
            </span>
          ))}
        </div>
      </div>
      <div class="foot">
        {soul.scanGrade && <Grade grade={soul.scanGrade} />}
        <Badge tone="line">{soul.version}</Badge>
        <span>
          <Other text={soul.owner} />
        </span>
        <span>{soul.license}</span>
        <span>{installed ? <Badge tone="ok" icon="check">installed</Badge> : null}</span>
      </div>
    </li>
  );
}

function Browse() {
  const { query } = usePlace();
  const q = query.get('q') ?? '';
  const late = useLate(q.trim(), 150);
  const page = useGet<RegistryPage>(url('/api/v1/souls', { limit: 60, q: late }));
  const installed = useGet<{ packages: Installed[] }>('/api/packages').data?.packages ?? [];
  return (
    <>
      <div class="lead">
        <div class="stack-1">
          <h1 class="t-hero">Registry</h1>
          <p class="dim">Souls that others have published. You see what a package asks for before anything is installed.</p>
        </div>
        <div class="tools">
          <SearchField label="Search packages" placeholder="Name, purpose, tag" value={q} onInput={(value) => setQuery({ q: value })} />
        </div>
      </div>
      <Loaded query={page} what="The registries could not be read.">
        {(found) =>
          found.souls.length === 0 ? (
            <NothingFound query={late || 'the registries'} clear={() => setQuery({ q: null })} />
          ) : (
            <ul class="cards" data-list>
              {found.souls.map((soul) => (
                <Card key={`${soul.owner}/${soul.name}`} soul={soul} installed={installed.some((one) => one.package === `${soul.owner}/${soul.name}` || (one.owner === soul.owner && one.name === soul.name))} />
              ))}
            </ul>
          )
        }
      </Loaded>
    </>
  );
}

const ASKS: [keyof Omit<Capabilities, 'memory'>, IconName, string][] = [
  ['tools', 'tool', 'tool'],
  ['skills', 'file', 'skill'],
  ['hooks', 'hook', 'hook'],
  ['scripts', 'hook', 'script'],
  ['network', 'registry', 'address'],
];

const names = (values: unknown[]) => list(values.map((value) => (typeof value === 'string' ? value : String((value as { name?: string }).name ?? JSON.stringify(value)))));

function Asks({ plan }: { plan: Plan }) {
  const asked = ASKS.filter(([key]) => (plan.capabilities[key] ?? []).length > 0);
  return (
    <ul class="list">
      {asked.map(([key, icon, word]) => (
        <li key={key} class="row-3 top">
          <Icon name={icon} />
          <div class="grow">
            <b>
              {capital(count(plan.capabilities[key].length, word, word === 'address' ? 'addresses' : `${word}s`))}: <Other text={names(plan.capabilities[key])} />
            </b>
            {key === 'hooks' && <p class="dim">Text for the start or end of a session. It is shown, never run.</p>}
          </div>
          <Badge tone="warn">asks</Badge>
        </li>
      ))}
      {asked.length === 0 && (
        <li class="row-3 top">
          <Icon name="shield" />
          <div class="grow">
            <b>It asks for nothing</b>
            <p class="dim">No tools, skills, hooks, scripts or addresses.</p>
          </div>
        </li>
      )}
      {plan.capabilities.memory && (
        <li class="row-3 top">
          <Icon name="memory" />
          <div class="grow">
            <b>A memory template</b>
            <p class="dim">Placed only where there is no memory yet.</p>
          </div>
          <Badge tone="line">only if absent</Badge>
        </li>
      )}
      <li class="row-3 top">
        <Icon name="shield" />
        <div class="grow">
          <b>Your own files</b>
          <p class="dim">USER.md, MEMORY.md, TOOLS.md and memory/ are never overwritten.</p>
        </div>
        <Badge tone="line">untouched</Badge>
      </li>
    </ul>
  );
}

function PlanView({ plan, write, onDone }: { plan: Plan; write: boolean; onDone: () => void }) {
  const [error, setError] = useState<ApiError | null>(null);
  const refused = plan.refused ?? [];
  const install = async () => {
    try {
      await post('/api/packages/install', { package: `${plan.package}@${plan.version}`, plan_digest: plan.digest });
      toast(`${plan.display_name ?? plan.package} ${plan.version} was installed`);
      onDone();
    } catch (cause) {
      if (!(cause instanceof ApiError)) throw cause;
      setError(cause);
    }
  };
  const size = plan.files.reduce((sum, file) => sum + file.bytes, 0);
  return (
    <section class="card" aria-labelledby="plan">
      <div class="card-head">
        <h2 class="t-head" id="plan">
          {plan.unchanged ? 'Installed here' : 'If you install it'}
        </h2>
        {plan.overwritten.length === 0 ? <Badge tone="ok" icon="check">nothing is overwritten</Badge> : <Badge tone="warn" icon="warn">{amount(plan.overwritten.length, 'file')} overwritten</Badge>}
      </div>
      {(plan.deprecated || plan.superseded_by || plan.overwritten.length > 0) && (
        <div class="card-pad stack-2">
          {plan.deprecated && <Note tone="warn" icon="warn"><b>This package is deprecated.</b>{plan.superseded_by && <> Its successor is <Other text={plan.superseded_by} />.</>}</Note>}
          {plan.overwritten.length > 0 && <Note tone="warn" icon="warn"><b>These files are overwritten:</b> <Other text={names(plan.overwritten)} /></Note>}
        </div>
      )}
      <Asks plan={plan} />
      <div class="card-head rule-top">
        <h3 class="t-head">
          {capital(count(plan.files.length, 'file'))}, {bytes(size)}, into <code><Other text={plan.folder} /></code>
        </h3>
      </div>
      <table class="table plan stacked">
        <thead>
          <tr>
            <th>File</th>
            <th>Change</th>
            <th class="r">Size</th>
            <th class="r">sha-256</th>
          </tr>
        </thead>
        <tbody>
          {plan.files.map((file) => (
            <tr key={file.path}>
              <td>
                <Other text={file.path} />
              </td>
              <td class="dim">{file.change}</td>
              <td class="r num dim">{bytes(file.bytes)}</td>
              <td class="r">
                <span class="digest" title={file.sha256}>
                  {short(file.sha256)}
                </span>
              </td>
            </tr>
          ))}
        </tbody>
      </table>
      {error && (
        <div class="card-pad">
          <Failed error={error} what="Nothing was installed." />
        </div>
      )}
      {refused.length > 0 && (
        <div class="card-pad">
          <Note tone="error" icon="error">
            <b>It cannot be installed.</b> {refused.map((one, i) => <span key={i}><Message text={typeof one === 'string' ? one : (one.message ?? JSON.stringify(one))} /> </span>)}
          </Note>
        </div>
      )}
      <div class="consent">
        <div class="grow stack-1">
          <b>{plan.unchanged ? 'It is installed, exactly as planned' : 'You consent to exactly this plan'}</b>
          <span class="digest wraps" title={plan.digest}>
            plan {plan.digest.slice(7, 31)}…
          </span>
          {plan.unchanged ? (
            <span class="t-cap">
              Next: <code>soul use <Other text={plan.package} /></code> gives an agent this soul.
            </span>
          ) : (
            <span class="t-cap dimmer">Another version, file or byte is another plan, and asks again.</span>
          )}
        </div>
        <a class="btn" href="/registry">
          {plan.unchanged ? 'All packages' : 'Cancel'}
        </a>
        {write && (
          <button class="btn primary" type="button" aria-disabled={refused.length > 0 || plan.unchanged} onClick={() => refused.length === 0 && !plan.unchanged && void install()}>
            {plan.unchanged ? 'Installed' : plan.installed ? 'Update' : 'Install'}
          </button>
        )}
      </div>
    </section>
  );
}

const SIGNATURES: Record<string, [string, 'ok' | 'warn']> = { unsigned: ['not signed', 'warn'], first_use: ['signed, new key', 'warn'], trusted: ['signed', 'ok'] };

function Package({ owner, name }: { owner: string; name: string }) {
  const { write } = useCan();
  const [bare = name, version] = name.split('@');
  const soul = useGet<RegistrySoul>(detailPath(owner, bare));
  const [plan, setPlan] = useState<Plan | null>(null);
  const [error, setError] = useState<ApiError | null>(null);
  const [round, setRound] = useState(0);
  useEffect(() => {
    post<{ plan: Plan }>('/api/packages/plan', { package: `${owner}/${bare}${version ? `@${version}` : ''}` }).then(
      (answer) => setPlan(answer.plan),
      (cause: unknown) => cause instanceof ApiError && setError(cause),
    );
  }, [owner, name, round]);
  const signature = plan ? (SIGNATURES[plan.signature?.state ?? 'unsigned'] ?? [plan.signature.state, 'warn']) : null;
  return (
    <Loaded query={soul} what="The package could not be read.">
      {(found) => (
        <>
          <div class="soulhead">
            <Sigil kind="package" digest={plan?.package_digest ?? found.digest ?? null} hue={hue('registry', 'package', `${owner}/${bare}`)} size={64} />
            <div class="who grow">
              <h1 class="t-title clamp">
                <Other text={found.displayName ?? found.name} />
              </h1>
              <p class="dim">
                <Other text={found.description ?? ''} />
              </p>
              <div class="facts-line">
                <span class="mono">
                  <Other text={`${owner}/${bare}`} />
                </span>
                <Badge tone="line">{plan?.version ?? found.version}</Badge>
                {found.license && <Badge tone="line">{found.license}</Badge>}
                {plan?.grade && <Grade grade={plan.grade} />}
                {signature && <Badge tone={signature[1]}>{signature[0]}</Badge>}
              </div>
            </div>
          </div>
          <div class="pkgs">
            <section class="card card-pad stack">
              <h2 class="t-head">What it says of itself</h2>
              <p class="t-quote">
                <Other text={found.manifest?.disclosure?.summary ?? found.description ?? ''} />
              </p>
              <dl class="facts">
                <dt>Author</dt>
                <dd><Other text={found.author ?? owner} /></dd>
                <dt>Category</dt>
                <dd><Other text={found.category ?? '–'} /></dd>
                <dt>Tags</dt>
                <dd><Other text={(found.tags ?? []).join(', ') || '–'} /></dd>
                <dt>Registry</dt>
                <dd><Other text={found.source ?? ''} /></dd>
              </dl>
            </section>
            {error ? <Failed error={error} what="There is no plan for this package." /> : plan ? <PlanView plan={plan} write={write} onDone={() => { invalidatePrefix('/api/packages'); setRound(round + 1); }} /> : <Loading />}
          </div>
        </>
      )}
    </Loaded>
  );
}

export function Registry({ reference }: { reference: string | null }) {
  const [owner, name] = reference?.split('/') ?? [];
  return owner && name ? <Package key={reference} owner={owner} name={name} /> : <Browse />;
}
