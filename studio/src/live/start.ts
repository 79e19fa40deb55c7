// Joins the event stream and what is on the screen: an event asks again for what it changed, and a change that others
// made is said once.

import { mine } from '../authoring.ts';
import { invalidatePrefix } from '../api/query.ts';
import { changesSoul, happened } from '../happened.ts';
import { announce } from '../shell/toasts.ts';
import { onEvent, startEvents } from './events.ts';
import { touched } from './touched.ts';

export function startLive() {
  onEvent((event) => {
    invalidatePrefix(...touched(event));
    if (changesSoul(event.kind) && !(event.revision !== null && mine.has(event.revision))) {
      const { subject, text } = happened(event);
      announce(`${subject} ${text}`);
    }
  });
  startEvents();
}
