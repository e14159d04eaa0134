// Proofs from beginning to end, certificates from files, and unfinished searches.

import test from 'node:test';
import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Explorer, delphic, done } from './explorer.mjs';

const folder = mkdtempSync(join(tmpdir(), 'delphic-'));
process.on('exit', () => rmSync(folder, { recursive: true }));
const certificate = join(folder, 'nim.proof');
delphic('solve', 'nim:1,2,4', '--proof', certificate, '--quiet');
const checkpoint = join(folder, 'dead-run');
delphic('solve', 'connect4', '--solver', 'pns', '--question', 'win', '--nodes', '50k', '--checkpoint', checkpoint, '--quiet');
const damaged = join(folder, 'damaged.proof');
writeFileSync(damaged, 'delphic certificate 1\ngame nim:1,2,4\n');

const explorer = new Explorer(certificate, checkpoint, damaged);

const text = (page, id, part) => page.waitForFunction(
  ([where, wanted]) => document.getElementById(where)?.textContent?.includes(wanted), [id, part], { timeout: 30_000 },
).catch(async () => assert.fail(`#${id} says: ${await page.textContent(`#${id}`)}`));

test('a proof is found, checked and walked through to its end', async () => {
  const page = await explorer.page('game=domineering:4x4&tab=proof');
  await page.click('#prove');
  await text(page, 'proof-facts', 'strategy positions');
  await page.click('#check');
  await text(page, 'checked', 'Valid: the first player can force a win');
  // Down the largest branch; the strategy has one move where it chooses, and an answer to everything else.
  let plies = 0;
  while (!(await page.textContent('#proof-node'))?.startsWith('The game is over here')) {
    const before = await page.textContent('#proof-node');
    if (before?.startsWith('The strategy plays')) {
      assert.equal(await page.locator('#branches .move').count(), 1);
    } else {
      assert.match(before ?? '', /^Every reply is answered/);
      const { moves } = await (await explorer.api('/position', { method: 'POST', body: JSON.stringify(await place(page)) })).json();
      assert.equal(await page.locator('#branches .move').count(), moves.length);
    }
    await page.locator('#branches .move').first().click();
    plies += 1;
    await page.waitForFunction(([count, old]) => document.querySelectorAll('#history .ply:not(.later)').length === count
      && document.getElementById('proof-node')?.textContent !== old, [plies, before]);
    assert.ok(plies < 20);
  }
  assert.equal(plies % 2, 1, 'the first player makes the last move');
  // Back to the beginning, and by the icicle somewhere else.
  await page.click('#first');
  await text(page, 'proof-node', 'The strategy plays');
  await page.locator('.slice').nth(2).click();
  await page.waitForFunction(() => document.querySelectorAll('#history .ply:not(.later)').length > 1);
  await page.click('#longest');
  await text(page, 'proof-node', 'The game is over here');
  await done(page);
});

const place = (page) => page.evaluate(() => {
  const fields = new URLSearchParams(location.hash.slice(1));
  return Object.fromEntries(['game', 'position', 'moves'].flatMap((name) => (fields.get(name) ? [[name, fields.get(name)]] : [])));
});

test('certificates from the command line and from a file', async () => {
  const page = await explorer.page('tab=proof');
  await page.locator('#offered .chip', { hasText: 'nim.proof' }).click();
  await text(page, 'claims', 'can force a win');
  assert.equal(await page.textContent('#game-name'), 'nim:1,2,4');
  await page.locator('#offered .chip', { hasText: 'damaged.proof' }).click();
  await text(page, 'proof-status', 'Not valid');
  await page.setInputFiles('#certificate', certificate);
  await text(page, 'proof-status', 'Opened and checked');
  const [download] = await Promise.all([page.waitForEvent('download'), page.click('#save-proof')]);
  const saved = join(folder, 'saved.proof');
  await download.saveAs(saved);
  assert.match(delphic('check', saved), /^VALID/);
  await done(page);
});

test('the checkpoint of a dead run shows what is proven, what is open and where the effort went', async () => {
  const page = await explorer.page('tab=proof');
  await page.locator('#offered .chip', { hasText: 'dead-run' }).click();
  await text(page, 'survey-facts', 'pns');
  await text(page, 'survey-moves', 'Of 7 moves 0 are proved, 0 disproved, 7 open');
  const shares = await page.locator('#survey-moves .distance').allTextContents();
  assert.equal(shares.length, 7);
  const sum = shares.reduce((all, share) => all + Number(/, (\d+) %/.exec(share)?.[1]), 0);
  assert.ok(Math.abs(sum - 100) <= 4, `${shares}`);
  assert.ok(await page.locator('#survey-moves .slice').count() > 7, 'the effort is drawn, deeper than the first ply');
  await page.locator('#survey-moves .move').first().click();
  await page.waitForFunction(() => document.querySelectorAll('#history .ply').length === 1);
  await text(page, 'survey-moves', 'moves');
  await done(page);
});
