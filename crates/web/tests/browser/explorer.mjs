// A server, a browser, and what tests do with them.

import { spawn, spawnSync } from 'node:child_process';
import { createInterface } from 'node:readline';
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import assert from 'node:assert/strict';
import { after, before } from 'node:test';
import { chromium } from 'playwright-core';

const DELPHIC = process.env.DELPHIC ?? 'delphic';
const FLAGS = [
  '--headless', '--no-sandbox', '--disable-gpu', '--disable-quic', '--no-first-run', '--disable-background-networking',
  '--disable-component-update', '--disable-sync',
];
const axe = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');

/** The program with arguments, and what it prints. */
export function delphic(...args) {
  const { stdout, stderr, error } = spawnSync(DELPHIC, args, { encoding: 'utf8' });
  assert.ifError(error);
  return stdout || stderr;
}

/** A server for all tests of a file, and pages of a browser that opens it. */
export class Explorer {
  constructor(...args) {
    this.args = args;
    before(() => this.start());
    after(() => this.stop());
  }

  async start() {
    this.server = spawn(DELPHIC, ['serve', '--port', '0', ...this.args], { stdio: ['ignore', 'pipe', 'inherit'] });
    const lines = createInterface({ input: this.server.stdout });
    this.url = (await lines[Symbol.asyncIterator]().next()).value;
    [this.origin, this.token] = this.url.split('/#token=');
    this.browser = await chromium.launch({ executablePath: process.env.CHROMIUM ?? '/usr/bin/chromium', args: FLAGS });
  }

  async stop() {
    await this.browser?.close();
    const ended = new Promise((resolve) => this.server?.once('exit', resolve));
    this.server?.kill('SIGTERM');
    assert.equal(await ended, 0, 'the server ends in order');
  }

  /** A fresh page at a place such as `game=hex:4`; whatever goes wrong there fails the test. */
  async page(place = '', { tour = false, width = 1280, height = 900, ...options } = {}) {
    const context = await this.browser.newContext({ viewport: { width, height }, ...options });
    const page = await context.newPage();
    page.problems = [];
    page.on('pageerror', (error) => page.problems.push(error.message));
    page.on('dialog', (dialog) => page.problems.push(`a dialog: ${dialog.message()}`));
    page.on('console', (message) => {
      // A refused request is reported by the browser, too; tests of refusals look at the page.
      if (message.type() === 'error' && !message.text().startsWith('Failed to load resource')) page.problems.push(message.text());
    });
    if (!tour) await page.addInitScript(() => localStorage.setItem('delphic-tour', 'yes'));
    await page.goto(place ? `${this.url}&${place}` : this.url);
    await page.waitForSelector('html[data-ready]');
    return page;
  }

  /** A request as any program can send it. */
  api(path, { token = this.token, method = 'GET', body, headers = {} } = {}) {
    return fetch(`${this.origin}/api/v1${path}`, { method, body, headers: { authorization: `Bearer ${token}`, ...headers } });
  }
}

/** Closes a page on which nothing may have gone wrong. */
export async function done(page) {
  assert.deepEqual(page.problems, []);
  await page.context().close();
}

/** Waits until the verdict is this. */
export const verdict = (page, text) => page.waitForFunction(
  ([expected]) => document.getElementById('verdict')?.textContent === expected, [text], { timeout: 30_000 },
).catch(async () => assert.equal(await page.textContent('#verdict'), text));

/** Clicks cells of the board by their names. */
export async function clickCells(page, ...names) {
  for (const name of names) await page.locator(`.cell[aria-label^="${name},"]`).click();
}

/** Waits until the moves played are these. */
export const played = (page, ...moves) => page.waitForFunction(
  ([expected]) => [...document.querySelectorAll('#history .ply:not(.later)')].map((ply) => ply.textContent).join(' ') === expected,
  [moves.join(' ')], { timeout: 15_000 },
).catch(async () => assert.deepEqual(await page.locator('#history .ply:not(.later)').allTextContents(), moves));

/** The moves in the list with the words for their values. */
export const listed = (page) => page.locator('#moves .move').evaluateAll((moves) => Object.fromEntries(moves.map((move) =>
  [move.dataset.move, move.querySelector('.word')?.textContent?.toLowerCase().replace('only ', '') ?? ''])));

/** Checks the page for barriers. */
export async function accessible(page, what) {
  // The page's policy allows no inline script, which is what this is; the debugger's way in is not the page's.
  await page.evaluate(axe);
  const { violations } = await page.evaluate(() => window.axe.run(document, { resultTypes: ['violations'] }));
  const found = violations.map(({ id, nodes }) => `${id}: ${nodes.map((node) => `${node.target} ${node.failureSummary}`).join('; ')}`);
  assert.deepEqual(found, [], what);
}
