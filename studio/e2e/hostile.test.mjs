// Text of others is text on every page that shows it: registries, remotes, proposals, memory, sessions, tasks.

import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { cpSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import test, { after, before } from 'node:test';
import { closeBrowser, Keeper, REVIEWER, tab, until } from './world.mjs';

const examples = join(dirname(fileURLToPath(import.meta.url)), '../../examples');
const keeper = new Keeper({ agents: ['reviewer', 'aria'], souls: true });
const remote = join(keeper.home, 'team.git');
const registry = join(keeper.home, 'registry');
const git = (...args) => execFileSync('git', ['-c', 'user.name=" onload="x', '-c', 'user.email=bo@example.com', ...args], { env: keeper.env, stdio: 'pipe' });

const IMAGE = '<img src=x onerror=window.hacked=1>';
const SCRIPT = '<script>window.hacked=1</script>';
const FETCH = '![](http://evil.example/pixel.png) [click](javascript:window.hacked=1)';
const TURNED = '\u202Egnihton\u202C\u200B';
const LONG = 'x'.repeat(128);
const EVIL = `${IMAGE} ${SCRIPT} ${FETCH} ${TURNED} ${LONG}`;
let proposal;

before(async () => {
  const folder = join(registry, 'souls/evil/pilot');
  mkdirSync(dirname(folder), { recursive: true });
  cpSync(join(examples, 'harbour-pilot'), folder, { recursive: true });
  const manifest = JSON.parse(readFileSync(join(folder, 'soul.json'), 'utf8'));
  Object.assign(manifest, { name: 'pilot', displayName: `${IMAGE} Pilot`, description: `${SCRIPT} ${FETCH}`.slice(0, 140), tags: ['<b>tag</b>', 'javascript:alert(1)'] });
  writeFileSync(join(folder, 'soul.json'), JSON.stringify(manifest, null, 2));
  git('init', '--quiet', '--initial-branch', 'main', registry);
  git('-C', registry, 'add', '--all');
  git('-C', registry, 'commit', '--quiet', '--message', EVIL);
  git('init', '--quiet', '--bare', '--initial-branch', 'main', remote);
  writeFileSync(join(keeper.home, '.soul/config.toml'), `[registry]\nsources = ["file://${registry}", "starter"]\n`);
  keeper.write('aria', `# ${IMAGE}\n\n## ${SCRIPT} harbour\n\n${EVIL} harbour ${'y'.repeat(32_000)}\n`, 'memory/evil.md');
  await keeper.start();
  keeper.soul('record', 'reviewer');
  const proposed = await keeper.api('POST', '/api/agents/reviewer/proposals', { body: REVIEWER.replace('direct', `"${IMAGE}"`).replace('You review', `${SCRIPT} ${FETCH} You review`), reason: EVIL });
  proposal = proposed.body.proposal?.id ?? proposed.body.id;
  assert.ok(proposal, JSON.stringify(proposed.body).slice(0, 300));
  await keeper.api('POST', '/api/tasks', { agent: 'reviewer', payload: { [IMAGE]: EVIL } });
  await keeper.api('POST', '/api/agents/aria/persona/adapt', { trait: 'openness', delta: 0.1, reason: EVIL });
  await keeper.api('PUT', '/api/agents/reviewer/soul', { body: REVIEWER.replace('calm', 'warm'), message: EVIL, expected_digest: (await keeper.get('/api/agents/reviewer/soul/text')).raw_digest });
  keeper.soul('sync', 'init', '--remote', remote);
  keeper.soul('sync', 'publish', '--all', '-m', EVIL);
  const other = join(keeper.home, 'other');
  git('clone', '--quiet', remote, other);
  const theirs = join(other, 'souls/concise-ops.md');
  writeFileSync(theirs, readFileSync(theirs, 'utf8').replace('- One line, unless asked for more.', `- ${IMAGE} ${TURNED}`));
  writeFileSync(join(other, 'souls', `${IMAGE.replaceAll('/', '')}.md`), `---\nname: ${SCRIPT}\n---\n${EVIL}\n`);
  git('-C', other, 'add', '--all');
  git('-C', other, 'commit', '--quiet', '--message', EVIL);
  git('-C', other, 'push', '--quiet');
  const ours = join(keeper.home, '.soul/souls/concise-ops.md');
  writeFileSync(ours, readFileSync(ours, 'utf8').replace('- One line, unless asked for more.', `- ${SCRIPT} ${FETCH}`));
  await keeper.api('POST', '/api/v1/sync/pull', {});
});
after(async () => {
  await closeBrowser();
  await keeper.end();
});

async function harmless(page, path) {
  assert.equal(await page.evaluate(() => window.hacked), undefined, path);
  assert.equal(await page.evaluate(() => document.querySelectorAll('#studio script, #studio img[src], #studio iframe, #studio a[href^="javascript"], #studio a[href^="http"]').length), 0, path);
  for (const width of [1440, 390]) {
    await page.setViewportSize({ width, height: 900 });
    const over = await page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth);
    assert.ok(over <= 0, `${path} at ${width}: ${over} px too wide`);
  }
  await page.setViewportSize({ width: 1440, height: 900 });
}

for (const [what, path, shown] of [
  ['a proposal', () => `/proposals/${proposal}`, 'gnihton'],
  ['what needs a person', () => '/', '<img src=x'],
  ['a memory that is searched', () => '/memory?agent=aria&q=harbour', '<script>'],
  ['a section of memory', () => '/memory?agent=aria&q=harbour&file=memory%2Fevil.md&line=3', '<script>'],
  ['tasks', () => '/sessions', '<img src=x'],
  ['the steps of a persona', () => '/agents/aria/persona', 'gnihton'],
  ['the message of a revision', () => '/agents/reviewer/history', 'gnihton'],
  ['the log', () => '/log', 'reviewer'],
  ['the registry', () => '/registry', '<img src=x onerror=window.hacked=1> Pilot'],
  ['a package', () => '/registry/evil/pilot', '<img src=x onerror=window.hacked=1> Pilot'],
  ['sync', () => '/sync', 'concise-ops'],
  ['the merge of a sync conflict', () => '/sync?item=souls%2Fconcise-ops', '<img src=x'],
]) {
  test(`hostile text in ${what} is text`, async () => {
    const page = await tab(keeper);
    await page.visit(path());
    await until(`${shown} on ${path()}`, async () => (await page.locator('#main').innerText()).includes(shown));
    await harmless(page, path());
    await page.done();
  });
}

test('hostile text in the palette is text', async () => {
  const page = await tab(keeper);
  await page.visit('/');
  await page.keyboard.press('Control+k');
  await page.keyboard.type('harbour');
  await page.getByRole('option').filter({ hasText: 'memory/evil.md' }).first().waitFor();
  await harmless(page, 'the palette');
  await page.done();
});
