// Two people, one soul: live changes, conflicts, a service that dies.

import assert from 'node:assert/strict';
import test, { after, before } from 'node:test';
import { closeBrowser, editorText, Keeper, petals, REVIEWER, tab, type, until } from './world.mjs';

const keeper = new Keeper({ agents: ['reviewer'] });
before(async () => {
  await keeper.start();
  keeper.soul('record', 'reviewer');
});
after(async () => {
  await closeBrowser();
  await keeper.end();
});

const LIMIT = 'Never approve what you have not read.';
const OURS = REVIEWER.replace(LIMIT, 'Never approve what you have not run.').replace('  - calm\n', '  - calm\n  - brief\n');
const THEIRS = REVIEWER.replace(LIMIT, 'Never approve without tests.').replace('tags:\n  - review\n', 'tags:\n  - review\n  - code\n');

async function conflict(page) {
  await keeper.save('reviewer', REVIEWER);
  await page.visit('/agents/reviewer/edit');
  await until('the saved text', async () => (await editorText(page)) === REVIEWER);
  await type(page, OURS);
  await page.getByText('unsaved').waitFor();
  await keeper.save('reviewer', THEIRS);
  await page.getByText('while you were writing. Both texts are safe.').waitFor();
  await page.getByText('checked in').waitFor();
  await page.keyboard.press('Control+s');
  await page.getByText('Nothing is lost.').waitFor();
}

for (const [answer, kept, dropped] of [
  ['Theirs', ['without tests'], ['not run']],
  ['Yours', ['not run'], ['without tests']],
  ['Both', ['not run', 'without tests'], []],
  ['By hand', ['only what runs'], ['without tests', 'not run']],
]) {
  test(`a conflict, answered with ${answer}`, async () => {
    const page = await tab(keeper);
    await conflict(page);
    const mine = await petals(page.locator('.ours .sg'));
    assert.deepEqual(mine.map((petal) => !petal.pale), [false, true, false, true, false, false]);
    assert.equal(await page.getByRole('button', { name: /Save the merged text/ }).getAttribute('aria-disabled'), 'true');
    await page.getByRole('radio', { name: new RegExp(`^${answer}`) }).check();
    if (answer === 'By hand') {
      const field = page.getByLabel('Your words');
      await field.fill((await field.inputValue()).replace(/Never approve.*/, 'Never approve but only what runs.'));
    }
    await until('decided', async () => (await page.getByRole('button', { name: /Save the merged text/ }).getAttribute('aria-disabled')) === 'false');
    await page.keyboard.press('Control+s');
    await page.getByText('The merged text was saved').waitFor();
    const text = keeper.read('reviewer');
    for (const words of [...kept, '- brief', '- code']) assert.ok(text.includes(words), `${words} in\n${text}`);
    for (const words of dropped) assert.ok(!text.includes(words), `no ${words} in\n${text}`);
    await until('the editor has it', async () => (await editorText(page)) === text);
    await page.done();
  });
}

test('words that are typed right before saving are in the merged text', async () => {
  const page = await tab(keeper);
  await conflict(page);
  await page.getByRole('radio', { name: /^By hand/ }).check();
  await until('decided', async () => (await page.getByRole('button', { name: /Save the merged text/ }).getAttribute('aria-disabled')) === 'false');
  await page.route('**/api/merge', async (route) => {
    await new Promise((done) => setTimeout(done, 600));
    await route.continue().catch(() => undefined);
  });
  const field = page.getByLabel('Your words');
  await field.fill((await field.inputValue()).replace(/Never approve.*/, 'Never approve in haste.'));
  await page.keyboard.press('Control+s');
  await page.getByText('The merged text was saved').waitFor();
  assert.match(keeper.read('reviewer'), /Never approve in haste\./);
  await page.done();
});

test('two browsers write at once: the second to save merges, and the first sees the result', async () => {
  await keeper.save('reviewer', REVIEWER);
  const [one, two] = [await tab(keeper), await tab(keeper)];
  for (const page of [one, two]) {
    await page.visit('/agents/reviewer/edit');
    await until('the saved text', async () => (await editorText(page)) === REVIEWER);
  }
  await type(one, THEIRS);
  await type(two, OURS);
  for (const page of [one, two]) await page.getByText('checked in').waitFor();
  await one.keyboard.press('Control+s');
  await one.getByText('Saved as revision').waitFor();
  await two.getByText('while you were writing. Both texts are safe.').waitFor();
  assert.equal(await editorText(two), OURS, 'what is written stays');
  await two.keyboard.press('Control+s');
  await two.getByText('Nothing is lost.').waitFor();
  await two.getByRole('radio', { name: /^Both/ }).check();
  await until('decided', async () => (await two.getByRole('button', { name: /Save the merged text/ }).getAttribute('aria-disabled')) === 'false');
  await two.keyboard.press('Control+s');
  await two.getByText('The merged text was saved').waitFor();
  const text = keeper.read('reviewer');
  for (const words of ['not run', 'without tests', '- brief', '- code']) assert.ok(text.includes(words), text);
  await until('the first browser follows', async () => (await editorText(one)) === text);
  await one.done();
  await two.done();
});

test('letters that are typed while a save is on its way stay, as a draft', async () => {
  const page = await tab(keeper);
  await keeper.save('reviewer', REVIEWER);
  await page.visit('/agents/reviewer/edit');
  await until('the saved text', async () => (await editorText(page)) === REVIEWER);
  await type(page, OURS);
  await page.getByText('checked in').waitFor();
  await page.route('**/api/agents/reviewer/soul', (route) => (route.request().method() === 'PUT' ? setTimeout(() => route.continue(), 600) : route.continue()));
  await page.keyboard.press('Control+s');
  await page.keyboard.press('Control+End');
  await page.keyboard.type('And one more line.');
  await page.getByText('Saved as revision').waitFor();
  assert.equal(keeper.read('reviewer'), OURS);
  assert.equal(await editorText(page), `${OURS}And one more line.`);
  await page.getByText('unsaved').waitFor();
  await page.getByText('checked in').waitFor();
  await page.keyboard.press('Control+s');
  await until('saved', () => keeper.read('reviewer') === `${OURS}And one more line.`);
  await page.done();
});

test('a second conflict while merging begins anew, and the answers are kept', async () => {
  const page = await tab(keeper);
  await conflict(page);
  await page.getByRole('radio', { name: /^Yours/ }).check();
  await until('decided', async () => (await page.getByRole('button', { name: /Save the merged text/ }).getAttribute('aria-disabled')) === 'false');
  // The event is held back, so that the page does not know yet.
  await page.route('**/api/agents/reviewer/soul/text*', (route) => setTimeout(() => route.continue().catch(() => undefined), 1500));
  await keeper.save('reviewer', THEIRS.replace('  - code\n', '  - code\n  - night\n'));
  await page.keyboard.press('Control+s');
  await page.getByText('your answers are kept').waitFor();
  await page.getByText('night', { exact: false }).first().waitFor();
  assert.ok(await page.getByRole('radio', { name: /^Yours/ }).isChecked());
  await page.unroute('**/api/agents/reviewer/soul/text*');
  await until('decided', async () => (await page.getByRole('button', { name: /Save the merged text/ }).getAttribute('aria-disabled')) === 'false');
  await page.keyboard.press('Control+s');
  await page.getByText('The merged text was saved').waitFor();
  const text = keeper.read('reviewer');
  for (const words of ['not run', '- brief', '- night']) assert.ok(text.includes(words), text);
  await page.done();
});

test('the service is killed while saving: one revision, no lost word', async () => {
  const page = await tab(keeper);
  await keeper.save('reviewer', REVIEWER);
  await page.visit('/agents/reviewer/edit');
  await until('the saved text', async () => (await editorText(page)) === REVIEWER);
  const before = (await keeper.revisions('reviewer')).length;
  await type(page, OURS);
  await page.getByText('unsaved').waitFor();
  await page.getByText('checked in').waitFor();
  // The request arrives and is carried out, but the answer never does.
  await page.route('**/api/agents/reviewer/soul', async (route) => {
    if (route.request().method() !== 'PUT') return route.continue();
    await route.fetch();
    await keeper.stop('SIGKILL');
    await route.abort('connectionreset');
  }, { times: 1 });
  await page.keyboard.press('Control+s');
  await page.getByText('The soul was not saved. Your text is kept in this browser.').waitFor();
  assert.equal(await editorText(page), OURS);
  await keeper.start();
  await page.getByRole('button', { name: 'Retry' }).first().click();
  await until('saved', async () => (await page.getByText('unsaved').count()) === 0);
  assert.equal(keeper.read('reviewer'), OURS);
  assert.equal((await keeper.revisions('reviewer')).length, before + 1);
  await page.done();
});

test('the service is killed before it saves: nothing is half done, and saving again saves once', async () => {
  const page = await tab(keeper);
  await keeper.save('reviewer', REVIEWER);
  await page.visit('/agents/reviewer/edit');
  await until('the saved text', async () => (await editorText(page)) === REVIEWER);
  const before = (await keeper.revisions('reviewer')).length;
  await type(page, OURS);
  await page.getByText('checked in').waitFor();
  await keeper.stop('SIGKILL');
  await page.keyboard.press('Control+s');
  await page.getByText('The soul was not saved. Your text is kept in this browser.').waitFor();
  assert.equal(keeper.read('reviewer'), REVIEWER);
  await keeper.start();
  await page.getByRole('button', { name: 'Retry' }).first().click();
  await until('saved', () => keeper.read('reviewer') === OURS);
  assert.equal((await keeper.revisions('reviewer')).length, before + 1);
  await page.done();
});

test('a save in one browser is seen in another within a second, and in no field that has focus', async () => {
  const one = await tab(keeper);
  const two = await tab(keeper);
  await keeper.save('reviewer', REVIEWER);
  await one.visit('/agents/reviewer/edit');
  await two.visit('/');
  await two.getByText('Live').first().waitFor();
  await two.getByLabel('Filter agents').focus();
  await until('the saved text', async () => (await editorText(one)) === REVIEWER);
  await type(one, REVIEWER.replace('Senior Reviewer', 'Principal Reviewer'));
  await one.getByText('checked in').waitFor();
  await one.keyboard.press('Control+s');
  await one.getByText('Saved as revision').waitFor();
  const begun = Date.now();
  await two.getByText('Principal Reviewer').first().waitFor({ timeout: 3000 });
  assert.ok(Date.now() - begun < 1000, `seen after ${Date.now() - begun} ms`);
  assert.ok(await two.evaluate(() => document.activeElement?.matches('[data-search]')), 'the focus stayed');
  await one.done();
  await two.done();
});

test('a file edited outside is noticed, followed when clean, kept apart when dirty', async () => {
  const page = await tab(keeper);
  await keeper.save('reviewer', REVIEWER);
  await page.visit('/agents/reviewer/edit');
  await page.getByText('Live').first().waitFor();
  await until('the saved text', async () => (await editorText(page)) === REVIEWER);
  const outside = REVIEWER.replace('direct', 'blunt');
  keeper.write('reviewer', outside);
  await until('followed', async () => (await editorText(page)) === outside, 8000);
  await type(page, outside.replace('calm', 'warm'));
  keeper.write('reviewer', REVIEWER.replace('direct', 'frank'));
  await page.getByText('Both texts are safe.').waitFor({ timeout: 8000 });
  assert.equal(await editorText(page), outside.replace('calm', 'warm'));
  await page.visit('/');
  await page.getByText('reviewer was edited outside Soulkeeper').first().waitFor();
  await page.visit('/agents/reviewer/history');
  await page.getByRole('button', { name: 'Record it as mine' }).click();
  await page.getByRole('button', { name: 'Record it as mine' }).waitFor({ state: 'detached' });
  await page.done();
});

test('deleted meanwhile: the draft stays, and saving creates it again', async () => {
  const page = await tab(keeper);
  await keeper.save('reviewer', REVIEWER);
  await page.visit('/agents/reviewer/edit');
  await until('the saved text', async () => (await editorText(page)) === REVIEWER);
  await type(page, OURS);
  await page.getByText('unsaved').waitFor();
  const { raw_digest } = await keeper.get('/api/agents/reviewer/soul/text');
  await keeper.api('DELETE', '/api/agents/reviewer/soul', { expected_digest: raw_digest });
  await page.getByText('This soul was deleted meanwhile').waitFor();
  await page.getByRole('button', { name: 'Keep my draft' }).click();
  await page.getByRole('button', { name: /Save the new soul/ }).click();
  await until('saved', () => { try { return keeper.read('reviewer') === OURS; } catch { return false; } });
  await page.done();
});

test('the stream is cut for a while: the page says so, goes on, and catches up by itself', async () => {
  const page = await tab(keeper);
  await keeper.save('reviewer', REVIEWER);
  await page.visit('/');
  await page.getByText('Live').first().waitFor();
  await keeper.stop('SIGKILL');
  await page.getByText('The server has not answered since').waitFor({ timeout: 15000 });
  await page.getByText('Offline').first().waitFor();
  // What is on the screen stays, and what others do meanwhile is not lost.
  await page.getByText('Senior Reviewer').first().waitFor();
  await page.waitForTimeout(process.env.SOUL_LONG ? 60_000 : 6000);
  keeper.write('reviewer', REVIEWER.replace('Senior Reviewer', 'Night Reviewer'));
  keeper.soul('record', 'reviewer');
  await keeper.start();
  await page.getByText('Night Reviewer').first().waitFor({ timeout: 15000 });
  await page.getByText('Live').first().waitFor();
  await page.getByText('The server has not answered since').waitFor({ state: 'detached' });
  await page.done();
});
