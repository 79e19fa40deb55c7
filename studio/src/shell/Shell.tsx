// The frame of every page: rail, top bar, dock, and what may lie over them.

import type { ComponentChildren } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import { away, signedOut } from '../api/client.ts';
import { forgetAll, useGet } from '../api/query.ts';
import type { AgentList, AuditReport, LibraryPage, ProposalPage, SessionPage } from '../api/types.ts';
import { Icon } from '../components/Icon.tsx';
import { Dialog } from '../components/Dialog.tsx';
import { Other } from '../components/Text.tsx';
import { useCan } from '../identity.ts';
import { helpOpen, paletteOpen, shown } from '../keys.ts';
import { live } from '../live/events.ts';
import { theme } from '../preferences.ts';
import { useStore } from '../store.ts';
import { amount, clock } from '../words.ts';
import { useConflicts } from '../pages/sync/useConflicts.ts';
import { AREAS } from './areas.ts';
import { Find, Rail, Skip, type Counts } from './Frame.tsx';
import { Help } from './Help.tsx';
import { Palette } from './Palette.tsx';
import { SignIn } from './SignIn.tsx';
import { Toasts } from './Toasts.tsx';

export type Crumb = { label: string; href?: string };

function useCounts(): Counts {
  const agents = useGet<AgentList>('/api/agents?summaries=true');
  const library = useGet<LibraryPage>('/api/v1/settings/agent/souls?perPage=1');
  const sessions = useGet<SessionPage>('/api/sessions?state=active&limit=200');
  const proposals = useGet<ProposalPage>('/api/proposals?state=pending');
  const waiting = proposals.data?.proposals.length ?? 0;
  const conflicts = useConflicts().length;
  return {
    ...(agents.data ? { agents: { count: agents.data.agents.length } } : {}),
    ...(library.data ? { library: { count: library.data.pagination.totalRecords } } : {}),
    ...(sessions.data?.sessions.length ? { sessions: { count: sessions.data.sessions.length } } : {}),
    ...(conflicts > 0 ? { sync: { count: conflicts, hot: true } } : {}),
    ...(waiting > 0 ? { proposals: { count: waiting, hot: true } } : {}),
  };
}

function RecordState() {
  const { data, error } = useGet<AuditReport>('/api/audit/verify');
  if (!data && !error) return <div />;
  const ok = data?.ok ?? false;
  const text = !data ? 'Record not verified' : ok ? 'Record intact' : 'Record damaged';
  const souls = data?.heads.length ?? 0;
  return (
    <div title={text}>
      <span class={ok ? 'is-ok' : 'is-error'}>
        <Icon name={ok ? 'chain' : 'warn'} />
      </span>
      <span>
        <b>{text}</b>
        <br />
        {data && ok && `${amount(data.revisions, 'revision')} of ${amount(souls, 'soul')}`}
        {data && !ok && (
          <a class="link" href="/settings">
            See what to do
          </a>
        )}
      </span>
    </div>
  );
}

const LIVE = { connecting: 'Connecting', live: 'Live', polling: 'Checks every 10 s', away: 'Offline' } as const;

function LiveState() {
  const state = useStore(live);
  return (
    <div title={LIVE[state]}>
      <i class={state === 'live' ? 'dot' : 'dot away'} />
      <span>
        <b>{LIVE[state]}</b>
        <br />
        {location.host}
      </span>
    </div>
  );
}

function Dock({ current }: { current: string }) {
  const [more, setMore] = useState(false);
  const first = AREAS.filter((area) => ['agents', 'library', 'memory', 'sessions'].includes(area.id));
  const rest = AREAS.filter((area) => !first.includes(area));
  return (
    <>
      <nav class="dock" aria-label="Main">
        {first.map((area) => (
          <a key={area.id} href={area.path} aria-current={current === area.id ? 'page' : undefined}>
            <Icon name={area.icon} />
            {area.id === 'sessions' ? 'Sessions' : area.label}
          </a>
        ))}
        <button type="button" aria-current={rest.some((area) => area.id === current) ? 'page' : undefined} onClick={() => setMore(true)}>
          <Icon name="more" />
          More
        </button>
      </nav>
      {more && (
        <Dialog title="More" onClose={() => setMore(false)}>
          <ul class="list" onClick={() => setMore(false)}>
            {rest.map((area) => (
              <li key={area.id}>
                <a class="nav" href={area.path}>
                  <Icon name={area.icon} />
                  {area.label}
                </a>
              </li>
            ))}
          </ul>
        </Dialog>
      )}
    </>
  );
}

function ThemeButton() {
  useStore(theme);
  const dark = () => theme.get() === 'dark' || (theme.get() === 'system' && matchMedia('(prefers-color-scheme: dark)').matches);
  return (
    <button class="btn quiet icon" type="button" aria-label="Light or dark" title="Light or dark" onClick={() => theme.set(dark() ? 'light' : 'dark')}>
      <Icon name={dark() ? 'sun' : 'moon'} />
    </button>
  );
}

/** What holds for the whole page: no answer from the server, or a person who may only look. */
function Strips() {
  const since = useStore(away);
  const { me, write } = useCan();
  return (
    <>
      {since && (
        <div class="strip" role="status">
          <i class="dot away" />
          <span class="grow">
            The server has not answered since {clock(since)}. You see what was known then. You can go on writing; saving waits for you.
          </span>
          <button class="btn sm" type="button" onClick={forgetAll}>
            Try now
          </button>
        </div>
      )}
      {me && !write && (
        <div class="strip view" role="status">
          <Icon name="eye" />
          <span class="grow">
            You are <b><Other text={me.name} /></b>, a viewer: you can see everything and change nothing.
          </span>
        </div>
      )}
    </>
  );
}

export function Shell({ area, crumbs, fills = false, children }: { area: string; crumbs: Crumb[]; fills?: boolean; children: ComponentChildren }) {
  const counts = useCounts();
  const palette = useStore(paletteOpen);
  const help = useStore(helpOpen);
  const signIn = useStore(signedOut);
  const last = crumbs[crumbs.length - 1]!;
  useEffect(() => {
    document.title = `${crumbs.map((crumb) => crumb.label).reverse().join(' · ')} · Soulkeeper`;
  });
  return (
    <div class={fills ? 'app fills' : 'app'}>
      <Skip />
      <Rail current={area} counts={counts}>
        <RecordState />
        <LiveState />
      </Rail>
      <div class="page">
        <header class="bar">
          <nav class="crumbs" aria-label="Where you are">
            {crumbs.slice(0, -1).map((crumb) => (
              <>
                <a href={crumb.href}>{crumb.label}</a>
                <Icon name="right" />
              </>
            ))}
            <b>
              <Other text={last.label} />
            </b>
          </nav>
          <div class="bar-end">
            <Find onClick={() => paletteOpen.set(true)}>
              <kbd>{shown('mod+k')}</kbd>
            </Find>
            <ThemeButton />
          </div>
        </header>
        <main id="main" tabindex={-1}>
          <Strips />
          {children}
        </main>
      </div>
      <Dock current={area} />
      {palette && <Palette onClose={() => paletteOpen.set(false)} />}
      {help && <Help onClose={() => helpOpen.set(false)} />}
      {signIn && <SignIn />}
      <Toasts />
    </div>
  );
}
