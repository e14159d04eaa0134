// Refusals, hostile names, barriers, sizes.

import test from 'node:test';
import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, request } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Explorer, accessible, done } from './explorer.mjs';

const folder = mkdtempSync(join(tmpdir(), 'delphic-'));
process.on('exit', () => rmSync(folder, { recursive: true }));
const NAME = '<img src=x onerror=alert(1)>.toml';
const TITLE = '<script>alert(2)</script>"&\'';
writeFileSync(join(folder, NAME), `family = "lines"\nrows = 3\ncolumns = 3\nlength = 3\ntitle = '''${TITLE}'''\n`);

const explorer = new Explorer(join(folder, NAME));

test('hostile names and positions are text', async () => {
  const page = await explorer.page();
  await page.click('#choose');
  const entry = page.locator('#game-list strong', { hasText: NAME });
  assert.equal(await entry.textContent(), NAME);
  await entry.click();
  await page.waitForFunction(([title]) => document.getElementById('game-name')?.textContent === title, [TITLE]);
  assert.equal(await page.locator('img[src=x], body script:not([src])').count(), 0);
  await page.click('.set-up summary');
  await page.fill('#position', '<img src=x onerror=alert(3)>');
  await page.click('#position-form button');
  await page.waitForFunction(() => document.getElementById('position-problem')?.textContent);
  await page.fill('#typed-move', '<b>a1</b>');
  await page.press('#typed-move', 'Enter');
  await page.waitForFunction(() => document.getElementById('typed-problem')?.textContent?.includes('<b>a1</b>'));
  assert.equal(await page.locator('img[src=x], #typed-problem b').count(), 0);
  await page.goto(`${explorer.origin}/#game=${encodeURIComponent('<svg onload=alert(4)>')}`);
  await page.reload();
  await page.waitForFunction(() => document.getElementById('problem')?.textContent?.includes('<svg'));
  assert.equal(await page.locator('svg[onload]').count(), 0);
  await done(page);
});

test('a wrong token, a wrong host and other origins are refused', async () => {
  assert.equal((await explorer.api('/about')).status, 200);
  assert.equal((await explorer.api('/about', { token: 'f'.repeat(32) })).status, 401);
  const { port } = new URL(explorer.origin);
  const status = (headers) => new Promise((resolve) => {
    request({ port, host: '127.0.0.1', path: '/api/v1/about', headers: { authorization: `Bearer ${explorer.token}`, ...headers } }, (reply) => {
      reply.resume();
      resolve(reply.statusCode);
    }).end();
  });
  assert.equal(await status({ host: `evil.example:${port}` }), 421);
  assert.equal(await status({ origin: 'http://evil.example' }), 403);
  // A page of another origin, in a real browser, with the right token.
  const other = createServer((_, reply) => reply.setHeader('content-type', 'text/html').end('<title>other</title>'));
  await new Promise((resolve) => other.listen(0, '127.0.0.1', () => resolve(undefined)));
  const page = await (await explorer.browser.newContext()).newPage();
  await page.goto(`http://127.0.0.1:${other.address().port}/`);
  const seen = await page.evaluate(async ([origin, token]) => {
    const attempt = (mode, headers) => fetch(`${origin}/api/v1/about`, { mode, headers }).then((reply) => reply.type, () => 'refused');
    return [await attempt('cors', { authorization: `Bearer ${token}` }), await attempt('cors', {}), await attempt('no-cors', {})];
  }, [explorer.origin, explorer.token]);
  assert.ok(!seen.includes('cors') && !seen.includes('basic'), `${seen}`);
  await page.context().close();
  other.close();
});

test('without the token the page says what to do', async () => {
  const page = await (await explorer.browser.newContext()).newPage();
  await page.goto(`${explorer.origin}/`);
  await page.waitForFunction(() => document.getElementById('problem')?.textContent?.includes('open the address that'));
  await page.context().close();
});

/** What makes a page wider than its window: each such element with its text, so that a failure says where to look. */
const cutOff = (page) => page.evaluate(() => {
  const { scrollWidth, clientWidth } = document.documentElement;
  if (scrollWidth <= clientWidth) return [];
  const wide = [...document.querySelectorAll('body *')].filter((element) => element.getBoundingClientRect().right > clientWidth);
  return [`${scrollWidth - clientWidth} pixels`, ...wide.slice(0, 9).map((element) => `${element.tagName} ${element.id} ${element.textContent?.slice(0, 60)}`)];
});

const STATES = [
  ['values', 'game=connect4:5x4&moves=3'],
  ['proof', 'game=domineering:4x4&tab=proof'],
  ['search', 'game=connect4:5x4&tab=search'],
  ['play', 'game=hex:4&tab=play'],
];

for (const [name, options] of /** @type {const} */ ([
  ['desktop, light', { colorScheme: 'light' }],
  ['phone, dark', { colorScheme: 'dark', width: 360, height: 740, reducedMotion: 'reduce' }],
])) {
  test(`no barriers and nothing cut off: ${name}`, async () => {
    for (const [state, place] of STATES) {
      const page = await explorer.page(place, options);
      if (state === 'values') await page.waitForSelector('.shape');
      if (state === 'proof') {
        await page.click('#prove');
        await page.waitForSelector('.slice');
      }
      if (state === 'search') {
        await page.selectOption('#second', 'pp');
        await page.click('#search-form button');
        await page.waitForFunction(() => document.querySelector('#search-one .outcome')?.textContent?.startsWith('Proved'), null, { timeout: 60_000 });
      }
      await accessible(page, `${state}, ${name}`);
      assert.deepEqual(await cutOff(page), [], `${state}: nothing reaches beyond the right edge`);
      await done(page);
    }
    const page = await explorer.page('', { ...options, tour: true });
    await page.waitForSelector('#tour[open]');
    await accessible(page, `tour, ${name}`);
    const fits = await page.evaluate(() => {
      const tour = document.getElementById('tour');
      return tour !== null && tour.scrollHeight <= tour.clientHeight && tour.getBoundingClientRect().bottom <= innerHeight;
    });
    assert.ok(fits, 'the tour fits on one screen');
    await page.click('#tour [data-close]');
    await page.click('#choose');
    await page.waitForSelector('#game-list li');
    await accessible(page, `games, ${name}`);
    await done(page);
  });
}

test('light and dark can be switched, and stay', async () => {
  const page = await explorer.page('', { colorScheme: 'light' });
  const paper = () => page.evaluate(() => getComputedStyle(document.body).backgroundColor);
  const light = await paper();
  await page.click('#theme');
  const dark = await paper();
  assert.notEqual(light, dark);
  await page.reload();
  await page.waitForSelector('html[data-ready]');
  assert.equal(await paper(), dark);
  await done(page);
});

test('the page is small and soon there', async (t) => {
  const page = await explorer.page();
  const { bytes, files, paint } = await page.evaluate(() => {
    const entries = /** @type {PerformanceResourceTiming[]} */ ([...performance.getEntriesByType('navigation'), ...performance.getEntriesByType('resource')]);
    const own = entries.filter((entry) => !entry.name.includes('/api/'));
    const [first] = performance.getEntriesByName('first-contentful-paint');
    return { bytes: own.reduce((all, entry) => all + entry.transferSize, 0), files: own.length, paint: Math.round(first?.startTime ?? -1) };
  });
  t.diagnostic(`${files} files, ${bytes} bytes sent with their headers, first paint after ${paint} ms`);
  assert.ok(bytes > 0 && bytes < 150_000, `${bytes} bytes`);
  assert.ok(paint > 0);
  await done(page);
});
