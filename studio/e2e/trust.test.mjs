// Who is trusted: cookies, foreign pages, a viewer on every page, a restart, a service that is away.

import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { join } from 'node:path';
import test, { after, before } from 'node:test';
import { closeBrowser, editorText, Keeper, REVIEWER, tab, type, until } from './world.mjs';

const keeper = new Keeper({ agents: ['reviewer', 'aria'], souls: true, flags: ['--require-token'] });
let viewer, admin;
const token = (role, name) => JSON.parse(keeper.soul('token', 'create', '--role', role, '--name', name, '--json'));

before(async () => {
  [viewer, admin] = [token('viewer', 'dashboard'), token('admin', 'root')];
  keeper.soul('record', 'reviewer');
  keeper.soul('record', 'aria');
  writeFileSync(join(keeper.home, 'proposed.md'), keeper.read('aria').replace('small hosting company', 'hosting company'));
  keeper.soul('propose', 'aria', '--file', join(keeper.home, 'proposed.md'), '--reason', 'it grew');
  await keeper.start();
});
after(async () => {
  await closeBrowser();
  await keeper.end();
});

async function signIn(page, secret) {
  const dialog = page.getByRole('dialog', { name: 'Sign in' });
  await dialog.getByLabel('Token').fill(secret);
  await dialog.getByRole('button', { name: 'Sign in' }).click();
  await dialog.waitFor({ state: 'detached' });
}

const as = async (secret, path = '/') => {
  const page = await tab(keeper);
  await page.goto(keeper.url + path);
  await signIn(page, secret);
  return page;
};

const WRITES = /^(New agent|New soul|Save|Publish|Pull|Install|Update|Accept\b|Reject\b|Move a trait|Back to|Roll back|Start a session|Add|Forget|Stop\b|Resume|Refresh|Record it|Create|Revoke|Delete|Duplicate|Select it|Make it an agent|Discard|Allow it|Bring it back|Resolve|Fix\b)/;

test('a viewer finds no action that changes anything, on any page', async () => {
  const page = await as(viewer.secret);
  const found = [];
  for (const path of ['/', '/agents/reviewer/edit', '/agents/reviewer/prompt', '/agents/reviewer/history', '/agents/reviewer/scan', '/agents/aria/persona', '/agents/aria/sessions', '/agents/aria/delivery', '/library', '/library/concise-ops', '/library/concise-ops/edit', '/library/concise-ops/history', '/memory?agent=aria', '/sessions', '/log', '/settings', '/proposals', '/registry', '/registry/soulkeeper/code-reviewer', '/sync']) {
    await page.visit(path);
    await page.waitForFunction(() => !document.querySelector('[aria-busy=true]'));
    await page.waitForTimeout(150);
    const names = await page.locator('#main button:visible, #main [role=menuitem]:visible').evaluateAll((all) => all.filter((one) => !one.disabled).map((one) => one.getAttribute('aria-label') ?? one.textContent.trim()));
    for (const name of names) if (WRITES.test(name)) found.push(`${path}: ${name}`);
    await page.keyboard.press('n');
    if ((await page.getByRole('dialog').count()) > 0) found.push(`${path}: a dialog by key`);
  }
  assert.deepEqual(found, []);
  // And the server agrees, whatever the page shows.
  const status = await page.evaluate(async () => (await fetch('/api/agents/reviewer/soul', { method: 'DELETE', headers: { 'Soul-Studio': '1', 'Content-Type': 'application/json' }, body: '{}' })).status);
  assert.equal(status, 403);
  await page.done();
});

test('a cookie alone changes nothing: the header is needed, and scripts cannot read it', async () => {
  const page = await as(admin.secret);
  const tried = await page.evaluate(async () => {
    const send = (headers) => fetch('/api/agents/reviewer/soul', { method: 'PUT', headers: { 'Content-Type': 'application/json', ...headers }, body: JSON.stringify({ body: 'x' }) }).then((answer) => answer.status);
    return { without: await send({}), cookie: document.cookie };
  });
  assert.equal(tried.without, 403);
  assert.equal(tried.cookie, '');
  const [cookie] = await page.context().cookies();
  assert.deepEqual([cookie.httpOnly, cookie.sameSite, cookie.path], [true, 'Strict', '/']);
  assert.ok(cookie.expires > Date.now() / 1000 && cookie.expires < Date.now() / 1000 + 13 * 3600, 'it ends within hours');
  assert.equal(keeper.read('reviewer'), REVIEWER);
  await page.done();
});

test('a page of another origin sends nothing that is obeyed', async () => {
  const page = await as(admin.secret);
  const form = `<form method="post" enctype="text/plain" action="${keeper.url}/api/tokens"><input name='{"role":"admin","name":"evil","x":"' value='"}'></form><script>document.forms[0].submit()</script>`;
  const foreign = createServer((_, response) => response.setHeader('content-type', 'text/html').end(form)).listen(0, '127.0.0.2');
  await new Promise((done) => foreign.on('listening', done));
  const answers = [];
  page.on('response', (response) => response.request().method() === 'POST' && answers.push(response.status()));
  const attack = await page.context().newPage();
  attack.on('response', (response) => response.request().method() === 'POST' && answers.push(response.status()));
  await attack.goto(`http://127.0.0.2:${foreign.address().port}/`).catch(() => undefined);
  await until('an answer', () => answers.length > 0);
  assert.ok(answers.every((status) => status >= 400), answers.join());
  const listed = JSON.parse(keeper.soul('token', 'list', '--json'));
  assert.ok(!JSON.stringify(listed).includes('evil'));
  foreign.close();
  await attack.close();
  await page.context().close();
});

test('a restart signs out: sign-in over the page, and the draft is saved after it', async () => {
  const page = await as(admin.secret, '/agents/reviewer/edit');
  await until('the text', async () => (await editorText(page)) === REVIEWER);
  const text = REVIEWER.replace('Senior Reviewer', 'Restarted Reviewer');
  await type(page, text);
  await page.getByText('checked in').waitFor();
  await keeper.stop();
  await keeper.start();
  await page.keyboard.press('Control+s');
  await page.getByRole('dialog', { name: 'Sign in' }).waitFor();
  assert.equal(await editorText(page), text);
  await signIn(page, admin.secret);
  await until('the editor can save', async () => (await page.getByRole('button', { name: /^Save/ }).getAttribute('aria-disabled')) === 'false');
  await page.getByRole('button', { name: /^Save/ }).click();
  await until('saved', () => keeper.read('reviewer') === text);
  await page.done();
});

test('without the service, pages say so, nothing breaks, and everything comes back', async () => {
  const page = await as(admin.secret);
  await page.getByRole('heading', { name: 'Agents', level: 1 }).waitFor();
  await keeper.stop('SIGKILL');
  await page.getByText('The server has not answered since').waitFor({ timeout: 15_000 });
  for (const [name, heading] of [['Library', 'Library'], ['Memory', 'Memory'], ['Log', 'Log'], ['Agents', 'Agents']]) {
    await page.getByRole('navigation', { name: 'Main' }).first().getByRole('link', { name: new RegExp(`^${name}`) }).click();
    await page.getByRole('heading', { name: heading, level: 1 }).waitFor();
  }
  assert.equal(await page.getByText('This page could not be drawn').count(), 0);
  await keeper.start();
  // The page may find out by itself before the button is pressed.
  await page.getByRole('button', { name: 'Try now' }).or(page.getByRole('dialog', { name: 'Sign in' })).first().click();
  await signIn(page, admin.secret);
  await page.getByText('The server has not answered since').waitFor({ state: 'detached' });
  await page.done();
});
