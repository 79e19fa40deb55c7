import assert from 'node:assert/strict';
import test from 'node:test';
import { ago, amount, bytes, count, day, list, number, partsSentence, pieces, short, shortId, span, who } from '../src/words.ts';

const NOW = new Date(2026, 10, 17, 12, 0, 0);
const before = (seconds: number) => new Date(NOW.getTime() - seconds * 1000);

test('times are relative up to a day', () => {
  assert.equal(ago(before(2), NOW), 'just now');
  assert.equal(ago(before(42), NOW), '42 s ago');
  assert.equal(ago(before(12 * 60), NOW), '12 min ago');
  assert.equal(ago(before(3 * 3600), NOW), '3 h ago');
  assert.equal(ago(before(20 * 3600), NOW), 'yesterday');
  assert.equal(ago(before(5 * 86_400), NOW), '5 days ago');
  assert.equal(ago(new Date(2026, 5, 1), NOW), '1 June');
  assert.equal(ago(new Date(2024, 5, 1), NOW), '1 June 2024');
  assert.equal(ago(new Date(NOW.getTime() + 5000), NOW), 'just now');
  assert.equal(day(before(60), NOW), 'Today');
  assert.equal(day(before(86_400), NOW), 'Yesterday');
  assert.equal(span(41_000), '41 s');
});

test('numbers', () => {
  assert.equal(number(9999), '9999');
  assert.equal(number(32_768), '32\u202f768');
  assert.equal(count(2, 'agent'), 'two agents');
  assert.equal(count(1, 'agent'), 'one agent');
  assert.equal(count(42, 'agent'), '42 agents');
  assert.equal(amount(1, 'error'), '1 error');
  assert.equal(amount(0, 'error'), '0 errors');
  assert.match(bytes(20_480), /^20.KB$/);
});

test('lists and parts in words', () => {
  assert.equal(list(['voice', 'values', 'limits']), 'voice, values and limits');
  assert.equal(partsSentence(['limits'], ['identity', 'voice', 'values', 'work', 'prose']), 'Limits changed. Identity, voice, values, work and prose are the same, to the letter.');
  assert.equal(partsSentence([], []), 'All six parts are the same.');
});

test('ids and digests are cut', () => {
  assert.equal(short('sha256:bd7dc6e1de7c'), 'bd7dc6e1');
  assert.equal(shortId('rev_01M7JYRNKTNCRT4Q2K8'), 'rev_…4Q2K8');
  assert.equal(shortId('default'), 'default');
});

test('who did it', () => {
  assert.equal(who({ kind: 'token', ref: 'linter' }), 'linter (token)');
  assert.equal(who({ kind: 'token', ref: 'linter (tok_01M7PA84BCWMBTZ0Z8M1XJH9B5)' }), 'linter (token)');
  assert.equal(who({ kind: 'token', ref: 'tok_01M7PA84BCWMBTZ0Z8M1XJH9B5' }), 'tok_01M7PA84BCWMBTZ0Z8M1XJH9B5 (token)');
  assert.equal(who({ kind: 'user', ref: 'sam' }), 'sam');
  assert.equal(who({ kind: 'user', ref: 'http' }), 'http (user)');
  assert.equal(who({ kind: 'unknown', ref: '' }), 'outside');
});

test('backticks of a message are code', () => {
  assert.deepEqual(pieces('`tonne` is not a field'), [
    { text: 'tonne', code: true },
    { text: ' is not a field', code: false },
  ]);
});
