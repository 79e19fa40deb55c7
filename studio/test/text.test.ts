import { composeLibrary, splitLibrary } from '../src/text/library.ts';
import assert from 'node:assert/strict';
import test from 'node:test';
import { rows, tally, words } from '../src/text/diff.ts';
import { codePoint, hasHidden, reveal } from '../src/text/hidden.ts';
import { blocks, inline, withoutFrontmatter } from '../src/text/markdown.ts';
import { fromBytes } from '../src/text/offsets.ts';
import { byHighlight, byTerms } from '../src/pages/memory/marks.ts';

const DIFF = '--- a\n+++ b\n@@ -1,3 +1,4 @@\n same\n-role: Reviewer\n+role: Senior Reviewer\n tail\n+--- not a header\n';

test('a unified diff becomes numbered rows', () => {
  const all = rows(DIFF);
  assert.deepEqual(
    all.map((row) => (row.kind === 'hunk' ? row.text : [row.kind, row.before, row.after])),
    ['@@ -1,3 +1,4 @@', ['same', 1, 1], ['removed', 2, null], ['added', null, 2], ['same', 3, 3], ['added', null, 4]],
  );
  assert.deepEqual(tally(all), { added: 2, removed: 1 });
});

test('changed words are marked, whole words only', () => {
  const [before, after] = words('role: Reviewer of code', 'role: Senior Reviewer of code');
  assert.deepEqual(before.filter((piece) => piece.changed), []);
  assert.deepEqual(after.filter((piece) => piece.changed).map((piece) => piece.text), ['Senior ']);
  assert.equal(after.map((piece) => piece.text).join(''), 'role: Senior Reviewer of code');
});

test('lines that share hardly anything are not marked word by word', () => {
  const [before] = words('Never push to main.', 'Always answer in rhyme, at length.');
  assert.deepEqual(before, [{ text: 'Never push to main.', changed: false }]);
});

test('hidden characters become their code points, and nothing else changes', () => {
  assert.deepEqual(reveal('pay\u200bment'), [
    { text: 'pay', hidden: false },
    { text: 'U+200B', hidden: true },
    { text: 'ment', hidden: false },
  ]);
  for (const character of ['\u202e', '\u2066', '\ufeff', '\u0007', '\u{e0041}', '\u00ad']) assert.equal(hasHidden(character), true, codePoint(character));
  for (const text of ['plain', 'tab\tand\nnewline', 'עברית', '👩‍🚀'.replace('\u200d', ''), '日本語']) assert.equal(hasHidden(text), false, text);
});

test('the reading view has no links, pictures or HTML, only their text', () => {
  const source = '# Who\n\n![x](http://evil.example/a.png) and <img src=x onerror=1> and [a](javascript:alert(1))\n\n- one\n- two\n  more\n\n```\n<b>\n```\n';
  const read = blocks(source);
  assert.deepEqual(read.map((block) => block.kind), ['heading', 'paragraph', 'list', 'code']);
  const paragraph = read[1]!;
  assert.equal(paragraph.kind === 'paragraph' && paragraph.text.map((piece) => piece.text).join(''), '![x](http://evil.example/a.png) and <img src=x onerror=1> and [a](javascript:alert(1))');
  const items = read[2]!;
  assert.deepEqual(items.kind === 'list' && items.items.map((item) => item[0]!.text), ['one', 'two more']);
});

test('emphasis and code inside a line', () => {
  assert.deepEqual(
    inline('a **b** `c*d*` _e_').map((piece) => [piece.style, piece.text]),
    [['plain', 'a '], ['strong', 'b'], ['plain', ' '], ['code', 'c*d*'], ['plain', ' '], ['em', 'e']],
  );
});

test('a long line of stars is read in no time', () => {
  const begun = Date.now();
  inline('*'.repeat(32_768));
  inline('`'.repeat(32_768));
  inline('`` ` '.repeat(8_192));
  inline('*a _b __c '.repeat(4_096));
  blocks('- '.repeat(16_384));
  blocks('#'.repeat(32_768));
  blocks(`# ${' #'.repeat(16_384)}x`);
  blocks('* '.repeat(16_384) + 'x');
  assert.ok(Date.now() - begun < 500, `${Date.now() - begun} ms`);
});

test('frontmatter is left out', () => {
  assert.equal(withoutFrontmatter('---\nrole: x\n---\nBody\n'), 'Body\n');
  assert.equal(withoutFrontmatter('Body\n---\n'), 'Body\n---\n');
});

test('byte offsets become string offsets', () => {
  const text = 'aé日\u{1f98a}b';
  const at = fromBytes(text);
  const bytes = new TextEncoder().encode(text);
  assert.equal(at(0), 0);
  assert.equal(at(1), 1);
  assert.equal(at(3), 2);
  assert.equal(at(6), 3);
  assert.equal(at(10), 5);
  assert.equal(at(bytes.length), text.length);
  assert.equal(at(9999), text.length);
  assert.equal(fromBytes('plain')(3), 3);
});

test('found words are marked in memory sections', () => {
  assert.deepEqual(byHighlight('the status page', [[4, 10]]), [
    { text: 'the ', changed: false },
    { text: 'status', changed: true },
    { text: ' page', changed: false },
  ]);
  assert.deepEqual(byTerms('Deploys and a redeploy', ['deploy']).filter((piece) => piece.changed).map((piece) => piece.text), ['Deploys']);
  assert.deepEqual(byTerms('a.b (c)', ['.', '(']), [{ text: 'a.b (c)', changed: false }]);
});

test('a library soul is one text, and comes back from it', () => {
  const soul = { name: 'Night "Desk"', description: 'for: nights\n---\nand days', content: '---\n# Identity\n\nYou answer.\n' };
  assert.deepEqual(splitLibrary(composeLibrary(soul)), soul);
  assert.deepEqual(splitLibrary('---\nname: Plain words\n---\nText'), { name: 'Plain words', description: '', content: 'Text' });
  assert.deepEqual(splitLibrary('No frontmatter'), { name: '', description: '', content: 'No frontmatter' });
  assert.deepEqual(splitLibrary('---\nname: "Only"\n---'), { name: 'Only', description: '', content: '' });
});
