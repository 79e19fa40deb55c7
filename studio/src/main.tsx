// Where the studio starts.

import { render } from 'preact';
import { App } from './App.tsx';
import { prefetchLater } from './components/Later.tsx';
import { startKeys } from './keys.ts';
import { startLive } from './live/start.ts';
import { applyTheme } from './preferences.ts';
import { startRouter } from './router.ts';

applyTheme();
startRouter();
startKeys();
startLive();
render(<App />, document.getElementById('studio')!);
prefetchLater();
