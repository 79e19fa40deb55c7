// What every end-to-end test needs: a real `soul serve` with a home of its own, and a browser that notices errors.

import assert from 'node:assert/strict';
import { spawn, spawnSync } from 'node:child_process';
import { cpSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { chromium } from 'playwright-core';

const here = dirname(fileURLToPath(import.meta.url));
const root = resolve(here, '../..');
// Commands run in folders of their own, so a relative path is resolved here.
export const SOUL = process.env.SOUL_BIN ? resolve(process.env.SOUL_BIN) : join(root, 'target/debug/soul');
const CHROMIUM = process.env.CHROMIUM ?? ['/usr/bin/chromium', '/usr/bin/chromium-browser'].find(existsSync);

/** STUDIO_DIST=1 takes the bundle from the disk, so that a change of it needs no new binary. */
const DIST = process.env.STUDIO_DIST ? join(root, 'crates/soul-server/src/web/dist') : null;

/** STUDIO_LATE=MS lets each answer arrive up to so many milliseconds later, to find what only holds on a fast machine. */
const LATE = Number(process.env.STUDIO_LATE ?? 0);

const arriveLate = (context) =>
  context.route(/\/api\/(?!events)/, async (route) => {
    await new Promise((done) => setTimeout(done, Math.random() * LATE));
    // The page may have gone elsewhere meanwhile.
    await route.continue().catch(() => undefined);
  });

async function fromDisk(context) {
  const { entry, early, styles } = JSON.parse(readFileSync(join(DIST, 'manifest.json'), 'utf8'));
  await context.route('**/studio/*', (route) => {
    const name = new URL(route.request().url()).pathname.split('/').pop();
    const path = [name, name.endsWith('.css') ? styles[0] : name.startsWith('early.') ? early : entry].map((one) => join(DIST, one)).find(existsSync);
    return route.fulfill({ path, contentType: name.endsWith('.js') ? 'text/javascript' : name.endsWith('.css') ? 'text/css' : 'image/svg+xml' });
  });
}

export const REVIEWER = readFileSync(join(root, 'examples/reviewer/SOUL.md'), 'utf8');

export class Keeper {
  /** @param {{ agents?: string[], souls?: boolean, flags?: string[], seed?: boolean }} options */
  constructor(options = {}) {
    this.options = options;
    this.home = mkdtempSync(join(tmpdir(), 'soulkeeper-e2e-'));
    mkdirSync(join(this.home, '.soul/agents'), { recursive: true, mode: 0o700 });
    for (const agent of options.agents ?? []) cpSync(join(root, 'examples', agent), join(this.home, '.soul/agents', agent), { recursive: true });
    if (options.souls) cpSync(join(root, 'examples/souls'), join(this.home, '.soul/souls'), { recursive: true });
    this.port = 0;
  }

  get env() {
    return { PATH: process.env.PATH, HOME: this.home, TZ: 'UTC' };
  }

  async start() {
    const listen = `127.0.0.1:${this.port}`;
    this.process = spawn(SOUL, ['serve', '--listen', listen, ...(this.options.flags ?? [])], { cwd: this.home, env: this.env, stdio: ['ignore', 'pipe', 'pipe'] });
    let errors = '';
    this.process.stderr.on('data', (data) => (errors += data));
    this.url = await new Promise((done, failed) => {
      let text = '';
      this.process.stdout.on('data', (data) => {
        text += data;
        const url = /http:\/\/([\d.]+:\d+)\//.exec(text);
        if (url) done(`http://${url[1]}`);
      });
      this.process.on('exit', (code) => failed(new Error(`soul serve ended with ${code}: ${errors}`)));
    });
    this.port = Number(new URL(this.url).port);
    return this;
  }

  async stop(signal = 'SIGTERM') {
    if (!this.process || this.process.exitCode !== null) return;
    const ended = new Promise((done) => this.process.on('exit', done));
    this.process.kill(signal);
    await ended;
  }

  async end() {
    await this.stop('SIGKILL');
    rmSync(this.home, { recursive: true, force: true });
  }

  /** Runs the command line in the same home. */
  soul(...args) {
    const result = spawnSync(SOUL, args, { cwd: this.home, env: this.env, encoding: 'utf8' });
    if (result.status !== 0) throw new Error(`soul ${args.join(' ')}: ${result.stderr}${result.stdout}`);
    return result.stdout;
  }

  file(agent, name = 'SOUL.md') {
    return join(this.home, '.soul/agents', agent, name);
  }
  read = (agent, name) => readFileSync(this.file(agent, name), 'utf8');
  write(agent, text, name) {
    mkdirSync(dirname(this.file(agent, name)), { recursive: true });
    writeFileSync(this.file(agent, name), text);
  }

  async api(method, path, body) {
    const response = await fetch(this.url + path, { method, headers: { 'Content-Type': 'application/json' }, ...(body === undefined ? {} : { body: JSON.stringify(body) }) });
    const text = await response.text();
    return { status: response.status, body: text === '' ? null : JSON.parse(text) };
  }
  get = async (path) => (await this.api('GET', path)).body;

  /** Saves a text as another client, over whatever is there. */
  async save(agent, text, token) {
    const now = await this.get(`/api/agents/${agent}/soul/text`);
    const response = await fetch(`${this.url}/api/agents/${agent}/soul`, {
      method: 'PUT',
      headers: { 'Content-Type': 'application/json', ...(token ? { Authorization: `Bearer ${token}` } : {}) },
      body: JSON.stringify({ body: text, ...(now.raw_digest ? { expected_digest: now.raw_digest } : { create: true }) }),
    });
    assert.ok(response.ok, await response.text());
  }
  revisions = async (agent) => (await this.get(`/api/agents/${agent}/soul/history?limit=200`)).revisions;
}

let shared;
export async function browser() {
  shared ??= await chromium.launch({ executablePath: CHROMIUM, args: ['--no-sandbox', '--disable-gpu', '--disable-dev-shm-usage'] });
  return shared;
}
export const closeBrowser = async () => shared?.close();

/** Answers that a test provokes are not errors of the page; a browser prints them all the same. */
const ANSWER = /Failed to load resource: (the server responded with a status of (401|403|404|409|422|503|507)|net::ERR_(CONNECTION_REFUSED|CONNECTION_RESET|EMPTY_RESPONSE|INCOMPLETE_CHUNKED_ENCODING|FAILED|ABORTED|INTERNET_DISCONNECTED))/;

/** A tab whose console errors, CSP reports and requests to elsewhere end the test. */
export async function tab(keeper, { width = 1440, height = 900, theme = 'light', context, ...more } = {}) {
  const own = context ?? (await (await browser()).newContext({ viewport: { width, height }, colorScheme: theme, permissions: ['clipboard-read', 'clipboard-write'], ...more }));
  if (DIST && !context) await fromDisk(own);
  if (LATE && !context) await arriveLate(own);
  const page = await own.newPage();
  // Long enough for a machine that builds something else.
  page.setDefaultTimeout(20_000);
  page.problems = [];
  page.on('console', (message) => {
    if (message.type() === 'error' && !ANSWER.test(message.text())) page.problems.push(message.text());
    if (/Content.Security.Policy|TrustedType|Trusted Type/i.test(message.text())) page.problems.push(message.text());
  });
  page.on('pageerror', (error) => page.problems.push(String(error.stack ?? error)));
  page.on('request', (request) => {
    const url = new URL(request.url());
    if (!['127.0.0.1', 'localhost'].includes(url.hostname) && !['data:', 'blob:'].includes(url.protocol)) page.problems.push(`a request left: ${url}`);
  });
  await page.addInitScript(() => addEventListener('securitypolicyviolation', (event) => console.error(`Content-Security-Policy: ${event.violatedDirective} ${event.blockedURI} ${event.sample}`)));
  page.visit = async (path) => {
    await page.goto(keeper.url + path, { waitUntil: 'load' });
    await page.locator('#main h1, #main .note').first().waitFor();
  };
  page.clean = () => assert.deepEqual(page.problems, []);
  page.done = async () => {
    page.clean();
    await own.close();
  };
  return page;
}

/** The text in the editor. */
export const editorText = (page) => page.locator('.cm-content').waitFor().then(() => page.evaluate(() => document.querySelector('.cm-content').cmView?.view?.state.doc.toString() ?? document.querySelector('.cm-content').cmTile?.view?.state.doc.toString()));

/** Replaces the text in the editor by keys, as a person would. */
export async function type(page, text) {
  await page.locator('.cm-content').click();
  await page.keyboard.press('Control+a');
  await page.keyboard.insertText(text);
  await until('the typed text', async () => (await editorText(page)) === text);
}

/** Waits until a condition of the server holds. */
export async function until(what, condition, milliseconds = 10_000) {
  const end = Date.now() + milliseconds;
  for (;;) {
    const value = await condition();
    if (value) return value;
    if (Date.now() > end) throw new Error(`not in ${milliseconds} ms: ${what}`);
    await new Promise((done) => setTimeout(done, 30));
  }
}

/** The petals of a sigil: what is drawn for each part, and whether it is pale. */
export const petals = (locator) =>
  locator.evaluate((svg) => {
    const all = [...svg.querySelectorAll('g.sg-p, circle.sg-e')];
    return all.map((one) => ({ drawn: one.querySelector('path')?.getAttribute('d') ?? 'dot', cut: one.querySelector('.sg-k, .sg-s')?.outerHTML ?? '', pale: one.classList.contains('off') }));
  });
