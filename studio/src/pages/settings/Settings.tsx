// Is everything well, who may ask, and which settings hold.

import { useGet } from '../../api/query.ts';
import type { DoctorReport } from '../../api/types.ts';
import { Segmented } from '../../components/controls.tsx';
import { Icon } from '../../components/Icon.tsx';
import { Loaded } from '../../components/states.tsx';
import { Message, Other } from '../../components/Text.tsx';
import { helpOpen } from '../../keys.ts';
import { singleKeys, theme } from '../../preferences.ts';
import { useStore } from '../../store.ts';
import { capital } from '../../words.ts';
import { Tokens } from './Tokens.tsx';

const SIGNS = { ok: ['check', 'ok'], warning: ['warn', 'warn'], broken: ['error', 'error'] } as const;

function Doctor({ report, again }: { report: DoctorReport; again: () => void }) {
  return (
    <section class="card" aria-labelledby="doctor">
      <div class="card-head">
        <h2 class="t-head" id="doctor">
          Is everything well?
        </h2>
        <button class="btn sm" type="button" onClick={again}>
          Check again
        </button>
      </div>
      <ul class="checks">
        {report.checks.map((check, i) => {
          const [icon, tone] = SIGNS[check.status];
          return (
            <li key={i}>
              <Icon name={icon} tone={tone} />
              <b>{check.name}</b>
              <span class="dim">
                <span class="vh">{check.status}: </span>
                <Message text={check.message} />
                {check.help && (
                  <>
                    {'. '}
                    <Message text={capital(check.help)} />
                  </>
                )}
              </span>
            </li>
          );
        })}
      </ul>
    </section>
  );
}

export function Settings() {
  const doctor = useGet<DoctorReport>('/api/doctor');
  const look = useStore(theme);
  const keys = useStore(singleKeys);
  return (
    <>
      <div class="lead">
        <div class="stack-1">
          <h1 class="t-hero">Settings</h1>
          <p class="dim">The health of this keeper, who may use it, and where each setting comes from.</p>
        </div>
      </div>
      <div class="split-even">
        <div class="stack">
          <Loaded query={doctor} what="The keeper could not be checked.">
            {(report) => <Doctor report={report} again={doctor.reload} />}
          </Loaded>
          <section class="card card-pad stack-2" aria-labelledby="look">
            <h2 class="t-head" id="look">
              Appearance
            </h2>
            <Segmented label="Theme" value={look} options={[['system', 'As the system'], ['light', 'Light'], ['dark', 'Dark']]} onChange={theme.set} />
          </section>
          <section class="card card-pad stack-2" aria-labelledby="keyboard">
            <h2 class="t-head" id="keyboard">
              Keyboard
            </h2>
            <label class="row">
              <input type="checkbox" checked={keys === 'on'} onChange={(event) => singleKeys.set(event.currentTarget.checked ? 'on' : 'off')} />
              Single-key shortcuts, outside of fields
            </label>
            <div class="row wrap">
              <button class="btn sm" type="button" onClick={() => helpOpen.set(true)}>
                Show all keys
              </button>
              <a class="btn quiet sm" href="/settings/kit">
                See the kit
              </a>
            </div>
          </section>
        </div>
        <div class="stack">
          <Tokens />
          <Loaded query={doctor} what="The settings could not be read.">
            {(report) => (
              <section class="card" aria-labelledby="settings">
                <div class="card-head">
                  <h2 class="t-head" id="settings">
                    Settings that are not defaults
                  </h2>
                </div>
                {report.settings.length > 0 && (
                  <table class="table stacked one">
                    <tbody>
                      {report.settings.map((setting) => (
                        <tr key={setting.key}>
                          <td class="mono">{setting.key}</td>
                          <td class="mono">
                            <Other text={setting.value} />
                          </td>
                          <td class="r dim">
                            {setting.file ? (
                              <>
                                <code><Other text={setting.file} /></code>
                                {setting.line ? ` line ${setting.line}` : ''}
                                {setting.origin === 'home' ? ', home' : ''}
                              </>
                            ) : (
                              setting.origin
                            )}
                          </td>
                        </tr>
                      ))}
                    </tbody>
                  </table>
                )}
                <p class="omit">{report.settings.length === 0 ? 'All settings have their defaults. ' : ''}Settings are changed in config.toml of the home or the workspace.</p>
              </section>
            )}
          </Loaded>
        </div>
      </div>
    </>
  );
}
