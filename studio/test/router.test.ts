import assert from 'node:assert/strict';
import test from 'node:test';
import { route } from '../src/routes.ts';

test('every address names a page, or none', () => {
  assert.deepEqual(route('/'), { page: 'agents' });
  assert.deepEqual(route('/agents/ada'), { page: 'agent', name: 'ada', tab: 'edit' });
  assert.deepEqual(route('/agents/a%2Fb%20c/history'), { page: 'agent', name: 'a/b c', tab: 'history' });
  assert.deepEqual(route('/agents/ada/delivery'), { page: 'agent', name: 'ada', tab: 'delivery' });
  assert.deepEqual(route('/library'), { page: 'library', id: null, tab: null });
  assert.deepEqual(route('/library/x/scan'), { page: 'library', id: 'x', tab: 'scan' });
  assert.deepEqual(route('/proposals/prop_1'), { page: 'proposals', id: 'prop_1' });
  assert.deepEqual(route('/settings/kit'), { page: 'kit' });
  for (const lost of ['/nowhere', '/agents/a/b/c', '/agents/a/nothing', '/library/x/persona', '/%', '/memory/x']) assert.equal(route(lost).page, 'lost', lost);
});
