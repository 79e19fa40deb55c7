// Every key, on one sheet.

import { Dialog } from '../components/Dialog.tsx';
import { shown } from '../keys.ts';
import { singleKeys } from '../preferences.ts';
import { useStore } from '../store.ts';
import { AREAS } from './areas.ts';

export function Help({ onClose }: { onClose: () => void }) {
  const single = useStore(singleKeys) === 'on';
  const rows: [string, string][] = [
    [shown('mod+k'), 'Search or run a command'],
    ['/', 'Filter or search this page'],
    ...AREAS.map((area): [string, string] => [`g ${area.key}`, area.label]),
    ['1 … 7', 'Tabs of a soul'],
    ['j k ↓ ↑', 'Move in a list; Enter opens, Esc goes back'],
    [shown('mod+s'), 'Save; on the merge page, save the merged text'],
    ['F8, Shift F8', 'Next and previous problem'],
    [shown('mod+.'), 'Apply the fix at the cursor'],
    [`${shown('mod+]')}, ${shown('mod+[')}`, 'Indent and outdent; Tab leaves the editor'],
    ['f t r', 'History: compare from, compare to, roll back'],
    ['n', 'New agent or soul'],
    ['?', 'This list'],
  ];
  return (
    <Dialog title="Keyboard" onClose={onClose}>
      <dl class="facts keys card-pad sheet-body">
        {rows.map(([keys, does]) => (
          <>
            <dt>
              <kbd>{keys}</kbd>
            </dt>
            <dd>{does}</dd>
          </>
        ))}
      </dl>
      <div class="card-foot">
        <label class="row">
          <input type="checkbox" checked={single} onChange={(event) => singleKeys.set(event.currentTarget.checked ? 'on' : 'off')} />
          Single-key shortcuts
        </label>
        <button class="btn end" type="button" onClick={onClose}>
          Close
        </button>
      </div>
    </Dialog>
  );
}
