// Souls that travel through git, with a real remote: publish, pull, conflicts on the merge page, deletions.

import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import test, { after, before } from 'node:test';
import { closeBrowser, Keeper, tab, until } from './world.mjs';

const keeper = new Keeper({ agents: ['aria'], souls: true });
const remote = join(keeper.home, 'team.git');
const other = join(keeper.home, 'other');
const git = (...args) => execFileSync('git', ['-c', 'user.name=Bo &amp; Co', '-c', 'user.email=bo@example.com', ...args], { env: { ...keeper.env, GIT_CONFIG_NOSYSTEM: '1' }, encoding: 'utf8', stdio: ['ignore', 'pipe', 'pipe'] });
const there = (id) => git('--git-dir', remote, 'show', `main:souls/${id}.md`);
const here = (id) => join(keeper.home, `.soul/souls/${id}.md`);

/** Changes a soul as another machine would. */
function elsewhere(message, change) {
  if (!existsSync(other)) git('clone', '--quiet', remote, other);
  git('-C', other, 'pull', '--quiet');
  change(join(other, 'souls'));
  git('-C', other, 'add', '--all');
  git('-C', other, 'commit', '--quiet', '--message', message);
  git('-C', other, 'push', '--quiet');
}
const edit = (id, from, to) => (folder) => writeFileSync(join(folder, `${id}.md`), readFileSync(join(folder, `${id}.md`), 'utf8').replace(from, to));
const editHere = (id, from, to) => writeFileSync(here(id), readFileSync(here(id), 'utf8').replace(from, to));

before(async () => {
  git('init', '--quiet', '--bare', '--initial-branch', 'main', remote);
  await keeper.start();
});
after(async () => {
  await closeBrowser();
  await keeper.end();
});

const row = (page, id) => page.getByRole('row', { name: new RegExp(`souls/${id}\\b`) });
const state = (page, id, text) => row(page, id).locator('.badge', { hasText: text }).waitFor();

test('before sync is set up, the page says how; then everything is published', async () => {
  const page = await tab(keeper);
  await page.visit('/sync');
  await page.getByRole('heading', { name: 'Sync is not set up' }).waitFor();
  keeper.soul('sync', 'init', '--remote', remote);
  await page.visit('/sync');
  await state(page, 'concise-ops', 'untracked');
  await page.getByRole('button', { name: /^Publish \d+…/ }).click();
  await page.getByLabel('Message').fill('Our first souls');
  await page.getByRole('button', { name: 'Publish', exact: true }).click();
  await page.getByText('Everything is in sync.').waitFor();
  assert.match(there('concise-ops'), /Concise Ops/);
  assert.match(git('--git-dir', remote, 'log', '-1', '--format=%s', 'main'), /Our first souls/);
  await page.done();
});

test('a change of others is pulled; one of mine is published alone', async () => {
  const page = await tab(keeper);
  elsewhere('Kinder', edit('concise-ops', 'they are tired', 'they are very tired'));
  await page.visit('/sync');
  await page.getByRole('button', { name: 'Pull' }).click();
  await until('pulled', () => readFileSync(here('concise-ops'), 'utf8').includes('very tired'));
  editHere('concise-ops', 'Restore service first', 'Restore the service first');
  await page.visit('/sync');
  await state(page, 'concise-ops', 'modified');
  await row(page, 'concise-ops').getByRole('button', { name: 'Publish…' }).click();
  await page.getByRole('button', { name: 'Publish', exact: true }).click();
  await state(page, 'concise-ops', 'synced');
  assert.match(there('concise-ops'), /Restore the service first/);
  await page.done();
});

for (const [answer, word] of [['Theirs', 'loud'], ['Yours', 'silent'], ['By hand', 'heard']]) {
  test(`a conflict with the remote opens the merge page, and is answered with ${answer}`, async () => {
    const page = await tab(keeper);
    const line = /- One line, unless asked for more\.|- Be \w+ for .*\./;
    const says = (word) => `- Be ${word} for ${answer}.`;
    const kept = says(word);
    elsewhere('<img src=x onerror=window.hacked=1>', (folder) => {
      edit('concise-ops', line, says('loud'))(folder);
      edit('concise-ops', /for people on call.*/, `for people on call, ${answer}`)(folder);
    });
    editHere('concise-ops', line, says('silent'));
    await page.visit('/sync');
    await page.getByRole('button', { name: 'Pull' }).click();
    await state(page, 'concise-ops', 'conflict');
    await page.getByText('<img src=x onerror=window.hacked=1>').waitFor();
    await page.visit('/');
    await page.getByText(/concise-ops/).first().waitFor();
    await page.visit('/sync');
    await row(page, 'concise-ops').getByRole('link', { name: 'Merge' }).click();
    await page.getByText('Nothing is lost.').waitFor();
    await page.getByText('Bo &amp; Co').first().waitFor();
    await page.getByRole('radio', { name: new RegExp(`^${answer}`) }).check();
    if (answer === 'By hand') {
      const field = page.getByLabel('Your words');
      await field.fill((await field.inputValue()).replace(line, kept));
    }
    await until('decided', async () => (await page.getByRole('button', { name: /Save the merged text/ }).getAttribute('aria-disabled')) === 'false');
    await page.keyboard.press('Control+s');
    await page.getByText('is resolved; publish it').waitFor();
    const text = readFileSync(here('concise-ops'), 'utf8');
    assert.ok(text.includes(kept), text);
    assert.ok(text.includes(`on call, ${answer}`), 'what only they changed is merged');
    assert.equal(await page.evaluate(() => window.hacked), undefined);
    if (!there('concise-ops').includes(kept) || readFileSync(here('concise-ops'), 'utf8') !== there('concise-ops')) {
      await row(page, 'concise-ops').getByRole('button', { name: 'Publish…' }).click();
      await page.getByRole('button', { name: 'Publish', exact: true }).click();
    }
    await state(page, 'concise-ops', 'synced');
    assert.equal(there('concise-ops'), text);
    await page.done();
  });
}

test('a file that is gone can be brought back', async () => {
  const page = await tab(keeper);
  rmSync(here('concise-ops'));
  await page.visit('/sync');
  await state(page, 'concise-ops', 'missing');
  await row(page, 'concise-ops').getByRole('button', { name: 'Bring it back' }).click();
  await state(page, 'concise-ops', 'synced');
  assert.ok(existsSync(here('concise-ops')));
  await page.done();
});

test('what the remote deleted is a question, and stays until a person answers', async () => {
  const page = await tab(keeper);
  elsewhere('No more of it', (folder) => rmSync(join(folder, 'concise-ops.md')));
  editHere('concise-ops', 'Concise Ops', 'Concise Operations');
  await page.visit('/sync');
  await page.getByRole('button', { name: 'Pull' }).click();
  await state(page, 'concise-ops', 'conflict');
  await row(page, 'concise-ops').getByText('deleted there').waitFor();
  await row(page, 'concise-ops').getByRole('button', { name: 'Resolve…' }).click();
  await page.getByRole('radio', { name: /^Yours/ }).check();
  await page.getByRole('button', { name: 'Resolve the conflict' }).click();
  await page.getByRole('dialog').waitFor({ state: 'detached' });
  assert.ok(existsSync(here('concise-ops')));
  await page.done();
});

test('a remote that is away is said, and nothing is changed', async () => {
  const page = await tab(keeper);
  const before = readFileSync(here('concise-ops'), 'utf8');
  rmSync(remote, { recursive: true });
  await page.visit('/sync');
  await page.getByRole('button', { name: 'Pull' }).click();
  await page.getByText('The remote was not pulled. Nothing was changed here.').waitFor();
  assert.equal(readFileSync(here('concise-ops'), 'utf8'), before);
  await page.done();
});
