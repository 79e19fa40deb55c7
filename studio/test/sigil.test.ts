import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import test from 'node:test';
import { sha256 } from '../src/sha256.ts';
import { changedParts, hue, petal, slices, type Parts } from '../src/sigil.ts';

const EDGES = ['round', 'pointed', 'flat', 'cleft', 'slim'];
const CUTS = ['none', 'dot', 'slit', 'arc', 'chevron'];

// The vectors that soul-core is held to as well.
const VECTORS = [
  ['d07720cb', 20.5, 'slim', 'slit'],
  ['55869fbd', 20.5, 'cleft', 'chevron'],
  ['2e46ff15', 26.5, 'cleft', 'chevron'],
  ['d0ce3b06', 20.5, 'cleft', 'arc'],
  ['04b504a1', 26.5, 'pointed', 'none'],
  ['10ce9d5c', 20.5, 'slim', 'dot'],
] as const;

test('petals follow the published vectors', () => {
  for (const [digest, reach, edge, cut] of VECTORS) {
    const found = petal(digest);
    assert.deepEqual([found.reach, EDGES[found.edge], CUTS[found.cut]], [reach, edge, cut], digest);
  }
});

test('a petal is drawn to two decimals, and never as minus zero', () => {
  assert.equal(petal('d07720cb').outline, 'M0 -5.6C5.32 -9.84 5.32 -16.4 0 -21.1C-5.32 -16.4 -5.32 -9.84 0 -5.6Z');
  assert.deepEqual(petal('d07720cb').mark, { path: 'M0 -9.84V-16.4' });
  assert.equal(petal('10ce9d5c').mark && 'circle' in petal('10ce9d5c').mark!, true);
  for (let v = 0; v < 75; v++) assert.doesNotMatch(petal(v.toString(16).padStart(4, '0')).outline, /-0[ A-Z]|NaN/);
});

test('75 petals are all different', () => {
  const seen = new Set(Array.from({ length: 75 }, (_, v) => JSON.stringify(petal(v.toString(16).padStart(4, '0')))));
  assert.equal(seen.size, 75);
});

test('the colour of a soul follows from its key', () => {
  assert.equal(hue('home', 'agent', 'reviewer'), 2);
  assert.equal(hue('home', 'agent', 'aria'), 3);
  assert.equal(hue('home', 'library', 'concise-ops'), 8);
});

test('sha-256 agrees with that of node', () => {
  for (const text of ['', 'abc', 'ä'.repeat(55), 'x'.repeat(64), 'y'.repeat(1000), '\u{1f98a}']) {
    assert.equal(Buffer.from(sha256(text)).toString('hex'), createHash('sha256').update(text).digest('hex'));
  }
});

test('only the parts that differ are changed', () => {
  const one: Parts = { identity: 'a', voice: 'b', values: null, limits: 'c', work: null, prose: 'd' };
  assert.deepEqual(changedParts(one, { ...one, limits: 'x' }), ['limits']);
  assert.deepEqual(changedParts(one, { ...one, values: 'x', voice: null }), ['voice', 'values']);
  assert.deepEqual(changedParts(one, one), []);
  assert.deepEqual(changedParts(null, one), ['identity', 'voice', 'limits', 'prose']);
});

test('a digest alone gives six petals', () => {
  const parts = slices(`sha256:${'0123456789abcdef'.repeat(4)}`);
  assert.equal(parts.identity, '01234567');
  assert.equal(new Set(Object.values(parts)).size, 2);
});
